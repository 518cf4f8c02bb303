# SPDX-License-Identifier: Apache-2.0
"""Models, questions, answers, errors."""
import gc
import inspect
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import amontons
from conftest import ROOT

TEXT = """
amontons: 1
name: pushed
sizes: {points: 2}
parameters: {k: {value: 2, unit: N/m, doc: stiffness}, mu: 0.3, tol: 1}
coordinates: {x: {unit: m}}
particles: {b: {mass: 1, at: [x, 0]}}
springs: {s: {along: x, stiffness: k}}
contacts: {floor: {pressed: 10, slip: x', law: {type: coulomb, mu: mu}}}
initial: {x: 5, x': 1}
"""


def test_a_model_from_a_file_a_text_and_a_dictionary(models, belt, tmp_path):
    text = amontons.Model(TEXT)
    assert text.name == "pushed" and text.parameters["k"] == ("k", "N/m", "stiffness", 2.0)
    assert list(text.states) == ["x", "x'"] and text.states["x'"].value == 1 and list(text.contacts) == ["floor"]
    assert list(belt.outputs) == ["spring_force"] and list(belt.coordinates) == ["x"]
    made = amontons.Model({"amontons": 1, "name": "pushed", "parameters": {"k": {"value": 2, "unit": "N/m"}, "mu": 0.3},
                           "coordinates": ["x"], "particles": {"b": {"mass": 1, "at": ["x", 0]}},
                           "springs": {"s": {"along": "x", "stiffness": "k"}},
                           "contacts": {"floor": {"pressed": 10, "slip": "x'", "law": {"type": "coulomb", "mu": "mu"}}},
                           "initial": {"x": 5, "x'": 1}})
    assert made.simulate(until=5).json == text.simulate(until=5).json
    (tmp_path / "m.yaml").write_text(TEXT)
    assert amontons.Model(tmp_path / "m.yaml").simulate(until=5).json == text.simulate(until=5).json
    assert amontons.Model(TEXT, set={"k": 3}).parameters["k"].value == 3
    assert text.set(k="2*mu").parameters["k"].value == 0.6
    again = pickle.loads(pickle.dumps(text.set(k=4)))
    assert again.parameters["k"].value == 4 and again.simulate(until=2).json == text.simulate(until=2, k=4).json
    with pytest.raises(TypeError):
        amontons.Model(3)


def test_keywords_find_their_place(belt):
    text = amontons.Model(TEXT)
    assert text.rest(x=1).json == text.rest(set={"x": 1}).json != text.rest(x=100).json
    assert text.settable("points") and text.settable("x'") and not text.settable("until")
    with pytest.raises(amontons.InputError, match=r"'tol' is an option of simulate and a name of the model; "
                                                  r"write options=\{'tol': 0.01\} or set=\{'tol': 0.01\}"):
        text.simulate(tol=0.01)
    with pytest.raises(amontons.InputError, match="points"):  # a size
        text.simulate(points=3)
    assert text.simulate(options={"tol": 1e-6}, set={"tol": 3}).tol == 1e-6
    grid = belt.map(x={"v": (0.1, 1)}, y={"Fs": (1, 2)}, size="4x4", of="rest.verdict")  # x is a coordinate too
    assert grid.json == belt.map(options={"x": "v=0.1:1", "y": "Fs=1:2", "size": [4, 4], "of": "rest.verdict"}).json
    with pytest.raises(amontons.InputError, match="'untill' is neither an option of simulate .* did you mean 'until'"):
        belt.simulate(untill=3)
    with pytest.raises(amontons.InputError, match="neither an option"):
        belt.simulate(set={"nothing": 3})
    assert belt.simulate(until="2*pi", max_step=0.5, at={"x": 0.5}).final.t == 2 * 3.141592653589793
    with pytest.raises(amontons.InputError, match="command line only"):
        belt.simulate(options={"csv": "out.csv"})


def test_answers_by_attribute_and_item(belt, program, models):
    r = belt.simulate(until=30)
    assert r.events[0].t == r["events"][0]["t"] == r.number("events[0].t")
    assert r["final"]["state"]["x'"] == 0.2 and r.final.state.x == r.number("final.state.x")
    assert r.audit.ok is True and r.text("audit.ok") == "true" and r.text("events") is None
    assert "events" in r and r.keys()[0] == "model" and dict(r)["tol"] == 1e-12 and r.to_dict()["tol"] == 1e-12
    assert type(r.to_dict()["events"][0]) is dict
    out, _, _ = program("simulate", models / "block-on-belt.yaml", "--until", "30")
    assert str(r) + "\n" == out
    assert program("simulate", models / "block-on-belt.yaml", "--until", "30", "--json")[0] == r.json
    with pytest.raises(AttributeError, match="there are: model"):
        r.nothing
    with pytest.raises(KeyError, match="there are: model"):
        r["nothing"]
    with pytest.raises(AttributeError, match="read only"):
        r.final.t = 3
    assert repr(r) == "<simulate of block-on-belt>" and "<pre>block-on-belt, 0 &lt;= t" in r._repr_html_()
    assert belt.draw()._repr_html_().startswith("<div><svg") and "<pre>" in belt._repr_html_()


def test_columns_are_not_copied_and_stay_alive(belt):
    np = pytest.importorskip("numpy")
    x, t = (lambda r: (r.motion["x"], r.numbers("events[*].t")))(belt.simulate(until=30))
    gc.collect()
    [belt.simulate(until=30, v=0.1 * i) for i in range(1, 5)]  # would take the memory if it were free
    again = belt.simulate(until=30)
    assert np.array_equal(x, again.motion["x"]) and np.array_equal(t, again.events["t"])
    assert not x.flags.owndata and not x.flags.writeable
    assert again.motion["x"].ctypes.data == again.motion["x"].ctypes.data
    assert again.motion.units["x'"] == "m/s" and again.motion.t[-1] == 30 and len(again.motion.t) == again.motion.rows
    with pytest.raises(AttributeError, match="there is no 'motion'"):
        belt.simulate(until=1, motion=False).motion
    with pytest.raises(KeyError, match="there are: t, x"):
        again.motion["y"]
    with pytest.raises(KeyError, match="no list of numbers"):
        again.numbers("events[*].kind")


def test_tables(belt):
    np = pytest.importorskip("numpy")
    events = belt.simulate(until=30).events
    a = events.to_array()
    assert a["t"].dtype == np.float64 and list(a["kind"][:2]) == ["slip-stick", "stick-slip"] and len(a) == len(events)
    assert np.array_equal(a["state.x"], events["state.x"]) and isinstance(events[1:3], amontons.Table)
    with pytest.raises(KeyError, match="there are: t, contact"):
        events["nothing"]
    pandas = pytest.importorskip("pandas")
    assert isinstance(events.to_pandas(), pandas.DataFrame) and list(events.to_pandas()["t"]) == list(a["t"])


def test_errors_have_the_text_of_the_program(program, models, tmp_path):
    bad = tmp_path / "wrong.yaml"
    bad.write_text((models / "block-on-belt.yaml").read_text().replace("mass: m", "mas: m"))
    with pytest.raises(amontons.InputError) as e:
        amontons.Model(bad)
    assert str(e.value) + "\n" == program("describe", bad)[1]
    assert e.value.status == "AMO_EINPUT" and e.value.diagnostics[0].line > 1 and isinstance(e.value, ValueError)
    with pytest.raises(amontons.FileError, match="no-such.yaml"):
        amontons.Model("no-such.yaml")
    with pytest.raises(amontons.InputError, match="options:1:.*tol must be between"):
        amontons.Model(TEXT.replace("tol:", "toll:")).simulate(tol=5)
    still = amontons.Model(TEXT)
    with pytest.raises(amontons.NoAnswer) as e:
        still.cycle()
    assert e.value.status == "AMO_ENOANSWER" and (e.value.result is None or e.value.result.model == "pushed")
    with pytest.raises(amontons.LimitReached) as e:
        still.simulate(until=10, max_steps=1)
    assert e.value.result.ended == "stopped"
    with pytest.raises(amontons.InputError, match="no question 'simulat'"):
        still.ask("simulat")


def test_no_control_character_reaches_a_terminal():
    m = amontons.Model(TEXT.replace("name: pushed", 'name: "a\\e[31mb"'))
    assert "\x1b" not in str(m.rest()) and "\x1b" in m.rest().model


def test_warnings(tmp_path):
    m = amontons.Model(TEXT + "outputs: {f: 1/(x - x)}\n")
    with pytest.warns(amontons.Warning, match="f"):
        m.simulate(until=1)


def test_signatures_and_docs_come_from_the_tables():
    signature = inspect.signature(amontons.Model.simulate)
    assert signature.parameters["until"].default == 10 and "max_step" in signature.parameters
    assert signature.parameters["method"].default == "event" and "csv" not in signature.parameters
    assert "motion in time" in amontons.Model.simulate.__doc__ and "max_step:" in amontons.Model.simulate.__doc__
    assert callable(amontons.Model.continue_) and "from_" in signature.parameters
    assert "record" in inspect.signature(amontons.statistics).parameters
    commands = re.findall(r"^- \[`(\w+)`\]", (ROOT / "docs" / "cli.md").read_text(), re.M)
    for name in set(commands) - {"test", "reproduce", "man", "completion", "new", "models", "schema", "merge", "cache"}:
        assert hasattr(amontons.Model, amontons._verbs.identifier(name)) or hasattr(amontons, name), name


def test_stubs_are_fresh():
    subprocess.run([sys.executable, ROOT / "python" / "stubs.py", "--check"], check=True)


def test_own_names_hide_no_value_of_an_answer():
    """Attributes of Result against the first names of docs/json.md. brake's own `motion` falls through; `plot` is a file,
    which the command line writes."""
    own = {n for n in dir(amontons.Result) if not n.startswith("_")} | {"verb"}
    fields = set(re.findall(r"^\| `([a-z_0-9]+)", (ROOT / "docs" / "json.md").read_text(), re.M))
    assert own & fields <= {"motion", "plot"}


def test_questions_without_a_model(tmp_path):
    record = tmp_path / "r.csv"
    record.write_text("y\n" + "\n".join(str(v) for v in (1, 2, 3, 4, 5, 6)))
    assert amontons.statistics(record, of="y").mean == 3.5
    with pytest.raises(amontons.InputError, match="statistics has no option nothing"):
        amontons.statistics(record, nothing=3)


def test_version_is_that_of_the_library():
    header = (ROOT / "include" / "amontons" / "version.h").read_text()
    assert f'"{amontons.__version__}"' in header


def test_settings_are_numbers_or_expressions(belt):
    for value, words in ((True, "v of a model is one number or an expression"), (1j, "not complex"), (None, "NoneType"),
                         ([0.1, 0.2], "sweep_over"), (np.array([0.1, 0.2]), "sweep_over"), (float("nan"), "v: nan")):
        with pytest.raises(amontons.InputError, match=words):
            belt.simulate(until=1, v=value)
        with pytest.raises(amontons.InputError, match=words):
            belt.set(v=value)
        with pytest.raises(amontons.InputError, match=words):
            amontons.Model("amontons: 1\nparameters: {v: 1}\n", set={"v": value})
    assert belt.set(v=np.float32(0.5)).parameters["v"].value == 0.5 == belt.set(v=np.array(0.5)).parameters["v"].value
    with pytest.raises(amontons.InputError, match="until: inf in the place of a number"):
        belt.simulate(until=float("inf"))
    # x is a coordinate and an option of map; what is no expression can only be the option
    assert belt.map(x="v=0.1:1", y="Fs=0.5:2", of="rest.verdict", size="5x4").cells == 20


@pytest.mark.parametrize("module, call", [
    ("matplotlib", lambda r: r.plot()), ("matplotlib", lambda r: r.motion.plot("x")), ("pandas", lambda r: r.events.to_pandas())])
def test_a_package_that_is_not_there_is_named(belt, monkeypatch, module, call):
    answer = belt.simulate(until=5)
    for name in [module, *(n for n in sys.modules if n.startswith(module + "."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"needs {module}.*python3-{module}"):
        call(answer)
    assert "<pre>" in answer._repr_html_() and answer.motion.t[-1] == 5  # everything else works
