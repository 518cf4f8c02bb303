# SPDX-License-Identifier: Apache-2.0
"""Threads: sweeps, ensembles, progress, Ctrl-C."""
import os
import ctypes
import signal
import subprocess
import sys
import threading
import time

import pytest

import amontons
from amontons import _work

np = pytest.importorskip("numpy")


def test_a_sweep_has_the_bits_of_a_loop(belt):
    v = np.array([0.1, 0.2, 0.3, 0.5])
    loop = [belt.cycle(v=x).period for x in v]
    for threads in (1, 3):
        assert list(belt.sweep_over("cycle", "period", v=v, threads=threads)) == loop
    both = belt.sweep_over("cycle", ["period", "stable"], v=v, Fs=1)
    assert list(both["period"]) == loop and both["stable"].dtype == bool
    grid = belt.sweep_over("rest", "verdict", x=np.array([[0.0], [2.0]]), k=[1.0, 2.0, 0.1], set={"x'": 0})
    assert grid.shape == (2, 3) and grid[0, 0] == belt.rest(x=0, k=1, set={"x'": 0}).verdict
    assert grid[1, 2] == belt.rest(x=2, k=0.1, set={"x'": 0}).verdict
    assert belt.sweep_over(ask="simulate", until=5, v=[0.1, 0.2])[1].json == belt.simulate(until=5, v=0.2).json


def test_points_without_an_answer(belt):
    with pytest.warns(amontons.Warning, match="1 of 2 points have no answer; the first: "):
        t = belt.sweep_over("simulate", "final.t", v=[0.2, 1e-9], until=40, max_events=3)
    assert np.isnan(t[0]) and t[1] == 40
    with pytest.raises(amontons.InputError, match="neither an option"):
        belt.sweep_over("cycle", "period", nothing=[1, 2])
    with pytest.raises(amontons.InputError, match="needs an array"):
        belt.sweep_over("cycle", "period", v=0.1)
    for outside in ([3.0, -1.0], ["3", "-1"]):
        with pytest.raises(amontons.InputError, match="delta must be >= 0"):
            belt.sweep_over("cycle", "period", delta=outside)


def test_an_ensemble_has_the_same_bits_for_any_number_of_threads(belt):
    count = 1000
    states = np.column_stack([np.linspace(-2, 2, count), np.linspace(0.2, -0.3, count)])
    one = belt.ensemble(states, until=20, threads=1)
    for threads in (2, 3):
        other = belt.ensemble(states, until=20, threads=threads)
        for a in ("state", "mode", "events", "status", "time"):
            assert np.array_equal(getattr(one, a), getattr(other, a)), a
    for i in range(3):  # as the runs of a job array would
        assert np.array_equal(belt.ensemble(states[i::3], until=20).state, one.state[i::3])
    assert one.ok.all() and (one.time == 20).all() and len(one) == count
    for i in (0, 17, 999):  # alone, and as simulate tells it
        assert np.array_equal(belt.ensemble(states[i:i + 1], until=20).state[0], one.state[i])
        r = belt.simulate(until=20, at={"x": states[i, 0], "x'": states[i, 1]})
        assert abs(r.final.state.x - one["x"][i]) < 1e-10


def test_ensembles_over_parameters_and_names(belt):
    v = np.linspace(0.1, 0.5, 10)
    e = belt.ensemble({"x": 0.5}, parameters={"v": v}, until=5)
    assert abs(e["x"][3] - belt.simulate(until=5, v=v[3], x=0.5).final.state.x) < 1e-10
    with pytest.raises(amontons.InputError, match=r"array \[count, 2\] \(x, x'\), got \[3, 1\]"):
        belt.ensemble(np.zeros((3, 1)), until=1)
    with pytest.raises(amontons.InputError, match="no states 'y'"):
        belt.ensemble({"y": v}, until=1)
    with pytest.raises(amontons.InputError, match="arrays of one length, got 2, 10"):
        belt.ensemble({"x": [1, 2]}, parameters={"v": v}, until=1)
    with pytest.raises(amontons.InputError, match="tol must lie between"):
        belt.ensemble({"x": [1, 2]}, until=1, tol=7)


def test_progress(belt, capfd):
    told = []
    belt.map(x={"v": (0.1, 1)}, y={"Fs": (1, 2)}, of="rest.verdict", size="20x20", progress=told.append)
    assert told and 0 <= told[0] <= told[-1] <= 1
    with pytest.raises(amontons.Interrupted):
        belt.map(x={"v": (0.1, 1)}, y={"Fs": (1, 2)}, of="rest.verdict", size="40x40", progress=lambda f: True)
    with pytest.raises(ZeroDivisionError):
        belt.map(x={"v": (0.1, 1)}, y={"Fs": (1, 2)}, of="rest.verdict", size="40x40", progress=lambda f: 1 / 0)
    assert belt.simulate(until=5, progress=True).final.t == 5
    with pytest.raises(amontons.Interrupted):
        belt.sweep_over("rest", "verdict", v=[0.1, 0.2, 0.3], threads=1, progress=lambda f: True)


@pytest.mark.parametrize("question", ["m.simulate(until=1e7, motion=False)",
                                      "m.ensemble({'x': np.linspace(0, 1, 10**6)}, until=100)",
                                      "m.sweep_over('simulate', 'final.t', v=np.linspace(0.1, 1, 10**6), until=100)"])
def test_ctrl_c(models, question):
    script = f"""
import amontons, numpy as np, os, signal, threading, time
m = amontons.Model({str(models / 'block-on-belt.yaml')!r})
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    {question}
except KeyboardInterrupt:
    print("stopped", time.monotonic() - begin < 5, threading.active_count() < 6)
assert m.simulate(until=1).final.t == 1  # and goes on
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "stopped True True\n", done.stderr


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_inside_a_finalizer_is_not_lost():
    class Pressed:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGINT)  # Python raises KeyboardInterrupt here, tells it on stderr and forgets it

    stop = ctypes.c_int(0)

    def question():
        Pressed()
        end = time.monotonic() + 20
        while not stop.value and time.monotonic() < end:
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        _work.stoppable(question, stop)


def test_questions_from_threads_and_after_a_fork(belt):
    want, got = belt.cycle().json, []
    threads = [threading.Thread(target=lambda: got.append(belt.cycle().json)) for _ in range(4)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert got == [want] * 4
    child = os.fork()
    if not child:
        os._exit(0 if belt.cycle().json == want else 1)
    end = time.monotonic() + 20
    pid = status = 0
    while not pid and time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.02)
    if not pid:
        os.kill(child, signal.SIGKILL)
    assert pid == child and status == 0


def test_figures(belt, tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    assert len(belt.simulate(until=20).plot()) == 2
    assert belt.simulate(until=20).motion.plot("energy").get_ylabel() == "energy [J]"
    belt.spectrum(of="x", until=50, samples=True).plot()
    belt.sweep(vary={"v": (0.2, 0.4)}, points=3, transient=20, duration=20, section="x").plot()
    belt.continue_(vary={"v": (0.2, 0.4)}, points=5).plot()
    belt.poincare(section="x", until=50).plot()
    with pytest.raises(ValueError, match="no figure of rest"):
        belt.rest().plot()
    pyplot.close("all")


def test_structs_are_those_of_the_headers(tmp_path):
    import ctypes
    import shutil
    from conftest import ROOT
    from amontons import _library
    if not shutil.which("cc"):
        pytest.skip("no compiler")
    lines = []
    for name, kind in _library.STRUCTS.items():
        lines.append(f'printf("{name} %zu", sizeof({name}));')
        lines += [f'printf(" %zu", offsetof({name}, {f[0]}));' for f in kind._fields_]
        lines.append('puts("");')
    (tmp_path / "s.c").write_text("#include <stdio.h>\n#include <stddef.h>\n#include <amontons/amontons.h>\n#include "
                                  "<amontons/ask.h>\nint main(void) {" + "\n".join(lines) + "}\n")
    subprocess.run(["cc", "-I", ROOT / "include", "-o", tmp_path / "s", tmp_path / "s.c"], check=True)
    out = subprocess.run([tmp_path / "s"], capture_output=True, text=True, check=True).stdout.splitlines()
    for line, (name, kind) in zip(out, _library.STRUCTS.items()):
        assert line.split() == [name, str(ctypes.sizeof(kind))] + [str(getattr(kind, f[0]).offset) for f in kind._fields_]


def test_numbers_that_are_none_are_refused_in_words(belt):
    for v in (np.array([0.1, np.nan]), np.array([0.1, np.inf], dtype=np.float32)):
        with pytest.raises(amontons.InputError, match="in the place of a number"):
            belt.sweep_over("steady", "growth", v=v)


def test_paths_that_no_answer_has_are_mistakes(belt):
    with pytest.raises(amontons.InputError, match="did you mean 'period'"):
        belt.sweep_over("cycle", "perod", v=[0.1, 0.2])
    assert np.isnan(belt.sweep_over("simulate", "events[-1].t", v=[0.1, 0.2], until=1e-3)).all()  # could have one
    assert belt.sweep_over("simulate", "final.state.x", v=[0.1, 0.2], until=1).shape == (2,)


def test_ensembles_refuse_in_words(belt):
    start = np.zeros((3, 2))
    for how, words in (({"until": np.nan}, "until: nan"), ({"until": -1}, "later than the start"), ({"until": 1, "start": np.inf}, "start"),
                       ({"until": 1, "tol": -1.0}, "tol"), ({"until": 1, "max_steps": -1}, "max")):
        with pytest.raises(amontons.InputError, match=words):
            belt.ensemble(start, **how)
