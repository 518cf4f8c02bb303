# SPDX-License-Identifier: Apache-2.0
"""Relations that hold for every mechanism: what is known without knowing the answer.

A relation gets a model (parsed YAML), asks the program about it and about the same thing put otherwise, and returns what
differs: a list of texts, empty where it holds. It raises Unknown where it does not apply.
"""
import os
import signal
import subprocess
import time
import zlib

from answers import Back, chosen, differences
from beside import Renamed, merged, reordered, stated, without_gravity
from change import Change, family, gives_way
from expression import Unknown

RELATIONS = {}  # name -> function(context, model)


def relation(function):
    RELATIONS[function.__name__.replace("_", "-")] = function
    return function


class Context:
    """What a relation may use: the program, how long to simulate, how much to do."""

    def __init__(self, program, name, until, thorough=False, others=()):
        self.program, self.name, self.until, self.thorough = program, name, until, thorough
        self.others = others  # (name, model, until) of all models

    def names(self):
        return [name for name, _, _ in self.others]

    def partner(self):
        """Another model, chosen so that a new model changes few pairs."""
        return min((c for c in self.others if c[0] != self.name), key=lambda c: zlib.crc32((self.name + c[0]).encode()))

    def ask(self, verb, model, *options):
        return self.program.ask(verb, model, *options)

    def simulate(self, model, *options, until=None):
        return self.ask("simulate", model, "--until", repr(until if until is not None else self.until), *options)


def told(differences_, limit=4):
    lines = ["%s: %r, but %r" % d for d in differences_[:limit]]
    if len(differences_) > limit:
        lines.append("and %d more" % (len(differences_) - limit))
    return lines


def must_load(answer):
    """A model that the program refuses is no case for a relation."""
    if answer.code == 2 or answer.data is None and answer.code != 1:
        raise Unknown("refused: " + answer.why())


# ---- the same mechanism in other variables ---------------------------------------------------------------
POINTWISE = ("evaluate", "contact", "rest", "steady")


def in_other_variables(context, model, tolerance, verbs=POINTWISE, **how):
    """The answers about a changed model, taken back, are the answers about the model."""
    change = Change(model, **how)
    same, other = Back(Change(model)), change.apply()
    found = []
    for verb in ("simulate",) + tuple(verbs):
        if verb == "simulate":
            one = context.simulate(model)
            must_load(one)
            two = context.simulate(other, until=change.time * (context.until + change.shift))
        else:
            one, two = context.ask(verb, model), context.ask(verb, other)
        if one.data is None or two.data is None or "solutions" not in one.data and verb in ("contact", "rest"):
            if (one.data is None) != (two.data is None):
                found.append("%s: %s, but %s" % (verb, one.why(), two.why()))
            continue
        limit = tolerance(one.data) if callable(tolerance) else tolerance
        if verb == "steady":  # eigenvalues of a matrix in other units differ by rounding
            limit = max(limit, 1e-9)
        found += [verb + " " + line for line in
                  told(differences(same.verb(verb, one.data), Back(change).verb(verb, two.data), limit))]
    return found


def coordinates(model):
    return [family(key)[0] for key in model.get("coordinates", [])]


def lengths(model, factor):
    """Factor of every coordinate where lengths get another unit; angles have none."""
    node = model.get("coordinates", [])
    units = {family(k)[0]: (v or {}).get("unit", "m") for k, v in node.items()} if isinstance(node, dict) else {}
    return {name: 1.0 if units.get(name, "m") == "rad" else factor for name in coordinates(model)}


def mirrored(model):
    """Signs of slips and gaps that a text can turn: those written as expressions."""
    slips, gaps = {}, {}
    for key, contact in model.get("contacts", {}).items():
        name = family(key)[0]
        if isinstance(contact.get("slip"), list):
            slips[name] = (-1, 1)
        elif "slip" in contact:
            slips[name] = -1
        if isinstance(contact.get("guide"), str):
            gaps[name] = -1
    return slips, gaps


@relation
def units_by_two(context, model):
    """Lengths and masses in units that differ by powers of two: equal bits."""
    return in_other_variables(context, model, 0, coordinates=lengths(model, 4.0), length=4.0, energy=16.0)


@relation
def units_of_time_by_two(context, model):
    """Time in a unit that differs by a power of two: equal bits."""
    return in_other_variables(context, model, 0, time=4.0)


@relation
def units(context, model):
    """Other units of length, mass and time."""
    return in_other_variables(context, model, 1e-9, coordinates=lengths(model, 1.7), length=1.7, time=0.61, energy=3.3)


@relation
def coordinates_scaled(context, model):
    """Every coordinate and state multiplied by a number of its own, geometry kept."""
    scale = {name: 2.0 ** (i + 1) for i, name in enumerate(coordinates(model))}
    states = {family(k)[0]: 0.25 for k in model.get("states", {})}
    return in_other_variables(context, model, 1e-9, coordinates=scale, states=states)


@relation
def mirror(context, model):
    """Coordinates, slips and gaps with the other sign."""
    slips, gaps = mirrored(model)
    return in_other_variables(context, model, 1e-9, coordinates={n: -1.0 for n in coordinates(model)}, slips=slips,
                              gaps=gaps)


@relation
def mirror_of_slips(context, model):
    """Slips alone with the other sign: forward becomes backward."""
    slips = mirrored(model)[0]
    if not slips:
        raise Unknown("no slip is written as an expression")
    return in_other_variables(context, model, 1e-9, slips=slips)


def late(context, shift):
    """Time is known to its rounding only: what moves in that time."""
    def tolerance(data):
        rate = data.get("stats", {}).get("steps", 1) / context.until
        return 1e-9 + 100 * 2.0 ** -52 * shift * rate
    return tolerance


@relation
def time_shift(context, model):
    """The same at a later time, loads shifted with it."""
    shift = 1024.0 * context.until
    return in_other_variables(context, model, late(context, shift), shift=shift)


@relation
def time_shift_far(context, model):
    """The same after 1e6 times the run."""
    shift = 1e6 * context.until
    return in_other_variables(context, model, late(context, shift), shift=shift)


# ---- the same mechanism in another file ------------------------------------------------------------------
def described(context, model):
    answer = context.ask("describe", model)
    must_load(answer)
    return answer.data


@relation
def order(context, model):
    """Coordinates, contacts, parameters, parts declared in the opposite order."""
    model = stated(model, described(context, model))
    back, other, found = Back(Change(model)), reordered(model), []
    for verb in ("simulate",) + POINTWISE:
        if verb == "simulate":
            one, two = context.simulate(model), context.simulate(other)
            must_load(one)
        else:
            one, two = context.ask(verb, model), context.ask(verb, other)
        if (one.data is None) != (two.data is None):
            found.append("%s: %s, but %s" % (verb, one.why(), two.why()))
        elif one.data is not None:
            found += [verb + " " + line for line in told(differences(back.verb(verb, one.data), back.verb(verb, two.data),
                                                                     1e-9))]
    return found


def of_motion(path):
    """Means and extrema depend on where a run is sampled; here the motion itself is compared."""
    return not path.startswith(("mean", "rms", "extrema", "ended", "audit", "final.outputs", "events.count"))


def share_of(data, prefix):
    """What an answer says about the things whose names begin with the prefix, without it."""
    def mine(node):
        return {k[len(prefix):]: v for k, v in node.items() if k.startswith(prefix)} if isinstance(node, dict) else node
    out = {k: mine(v) for k, v in data.items()}
    out["events"] = [dict(e, contact=e["contact"][len(prefix):], state=mine(e.get("state", {})))
                     for e in data["events"] if e["contact"] and e["contact"].startswith(prefix)]
    out["initial"] = dict(data["initial"], modes=mine(data["initial"]["modes"]))
    out["final"] = {k: mine(v) for k, v in data["final"].items()}
    out["audit"] = data["audit"]
    return out


@relation
def side_by_side(context, model):
    """Two mechanisms in one file that have nothing to do with each other: each moves as alone."""
    other_name, other, other_until = context.partner()
    until = min(context.until, other_until)
    pair = [without_gravity(model), without_gravity(other)]
    both = context.simulate(merged(Renamed(pair[0], "A_").apply(), Renamed(pair[1], "B_").apply()), until=until)
    found = []
    for prefix, one, name in zip(("A_", "B_"), pair, (context.name, other_name)):
        alone = context.simulate(one, until=until)
        must_load(alone)
        if alone.data["ended"] != "until":
            raise Unknown("%s alone stops" % name)
        if both.data is None or both.data["ended"] != "until":
            return ["beside %s: %s" % (other_name, both.why())]
        alone.data["events"] = [e for e in alone.data["events"] if e["contact"]]
        back = Back(Change(one))
        values = [chosen(back.simulate(d), of_motion) for d in (alone.data, share_of(both.data, prefix))]
        found += ["%s beside %s: %s" % (name, other_name if prefix == "A_" else context.name, line)
                  for line in told(differences(values[0], values[1], 1e-8))]
    return found


# ---- accuracy ----------------------------------------------------------------------------------------------
def motion(context, model, *options):
    answer = context.simulate(model, *options)
    must_load(answer)
    if answer.data["ended"] != "until":
        raise Unknown("stops: " + answer.why())
    return Back(Change(model)).simulate(answer.data)


def error(values, reference):
    """Largest relative difference of the final state."""
    worst = 0.0
    for path, value in reference.items():
        if path.startswith("final.") and isinstance(value.value, float) and value.scale and "outputs" not in path:
            worst = max(worst, abs(values[path].value - value.value) / value.scale)
    return worst


@relation
def tolerance(context, model):
    """Errors fall with tol, and stay in proportion to it."""
    motion(context, model)
    try:
        reference = motion(context, model, "--tol", "1e-14")
    except Unknown as why:
        return ["tol 1e-14: %s" % why]
    runs = [motion(context, model, "--tol", "1e-%d" % digits) for digits in (6, 9, 12)]
    errors = [error(values, reference) for values in runs]
    found = []
    for tol, e in zip((1e-6, 1e-9, 1e-12), errors):
        if e > max(1e4 * tol, 1e-9):
            found.append("tol %g: final state off by %.2g" % (tol, e))
    for tol, before, after in zip((1e-9, 1e-12), errors, errors[1:]):
        if after > max(2 * before, tol, 1e-11):  # an error below tol is what was asked for; the coarse run was lucky
            found.append("a smaller tol makes it worse: %.2g, then %.2g" % (before, after))
    return found


@relation
def steppers(context, model):
    """Power series and Runge-Kutta of order 8 agree."""
    one = motion(context, model)
    answer = context.simulate(model, "--stepper", "rk8", "--tol", "1e-12")
    if "does not know" in answer.errors:
        raise Unknown("rk8: " + answer.why())
    if answer.data is None or answer.data["ended"] != "until":
        return ["rk8: " + answer.why()]
    two = Back(Change(model)).simulate(answer.data)
    return told(differences(chosen(one, of_motion), chosen(two, of_motion), 1e-7))


# ---- one state, one answer -----------------------------------------------------------------------------------
def modes_of_chosen(data):
    solution = data["solutions"][data["chosen"]] if data.get("chosen") is not None else None
    return solution and (solution["modes"], solution["accelerations"])


def at_state(context, model, found, label, options, modes):
    """evaluate and contact at a state; `modes` as a simulation has them there, None if not known."""
    evaluate, contact = context.ask("evaluate", model, *options), context.ask("contact", model, *options)
    if evaluate.data is None:
        found.append("%s: evaluate has no answer (%s)" % (label, evaluate.why()))
        return
    if modes and evaluate.data["modes"] != modes:
        found.append("%s: modes of simulate %s, of evaluate %s" % (label, modes, evaluate.data["modes"]))
    pair = contact.data and modes_of_chosen(contact.data)
    if not pair:
        return
    smooth = {c for c, v in evaluate.data["contacts"].items() if v["bound"] == 0}
    there = {c: m for c, m in evaluate.data["modes"].items() if c not in smooth}
    if any(pair[0].get(c) != m for c, m in there.items()):
        found.append("%s: modes of evaluate %s, of contact %s" % (label, there, pair[0]))
    size = max([abs(v) for v in pair[1].values() if v is not None] + [1e-5])
    for name, value in evaluate.data["accelerations"].items():
        other = pair[1].get(name)
        if other is not None and value is not None and abs(value - other) > 1e-7 * size:
            found.append("%s: %s of evaluate %r, of contact %r" % (label, name, value, other))


@relation
def verbs(context, model):
    """simulate, evaluate, contact and rest say the same of one state."""
    run, found = context.simulate(model), []
    must_load(run)
    data = run.data
    first = data["events"][0]["t"] if data["events"] else None
    at_once = first is not None and first <= data["start"]
    at_state(context, model, found, "start", (), None if at_once else data["initial"]["modes"])
    if data["ended"] == "until" and "time" not in model.get("initial", {}):
        own = {k: v for k, v in data["final"]["state"].items() if v is not None}
        state = ", ".join("%s=%r" % item for item in own.items())
        at_state(context, model, found, "end", ("--at", state, "--time", repr(data["final"]["t"])),
                 data["final"]["modes"])
    rest = context.ask("rest", model)
    still = ", ".join("%s=0" % n for n in data["final"]["state"] if n.endswith("'") and "." not in n)
    contact = context.ask("contact", model, "--at", still) if still else None
    if rest.data and contact and contact.data and contact.data.get("chosen") is not None:
        chosen_ = contact.data["solutions"][contact.data["chosen"]]
        there = context.ask("evaluate", model, "--at", still)
        driven = there.data is None or any(v["slip"] for v in there.data["contacts"].values())
        moves = any(chosen_["accelerations"].values())
        if driven:  # the mechanism stands, its surfaces do not: rest is then taken relative to them
            return found
        if rest.data["verdict"] == "holds" and any(
                m not in (0, "open") for c, m in chosen_["modes"].items() if not gives_way(model, c)):
            found.append("rest holds, contact at rest chooses %s" % chosen_["modes"])
        if rest.data["verdict"] == "starts" and not moves and chosen_["modes"]:
            found.append("rest starts, contact at rest chooses %s" % chosen_["modes"])
    return found


# ---- many at once ------------------------------------------------------------------------------------------
def two_numbers(context, model):
    """Two parameters that are numbers, with ranges about their values."""
    found = []
    for name, parameter in described(context, model)["parameters"].items():
        if "formula" not in parameter and parameter["value"]:
            value = parameter["value"]
            found.append((name, value * 0.98, value * 1.02))
    if len(found) < 2:
        raise Unknown("fewer than two parameters that are numbers")
    return found[:2]


def every(context, count):
    """Costly relations take every n-th model, unless all are wanted."""
    at = context.names().index(context.name) if context.name in context.names() else 0
    if at % count and not context.thorough:
        raise Unknown("takes every %d-th model; --all takes the others" % count)


def map_of(context, model, of, size, extra=(), folder=None):
    options = []
    for axis, (name, low, high) in zip(("--x", "--y"), two_numbers(context, model)):
        options += [axis, "%s=%r:%r" % (name, low, high)]
    path = context.program.write(model)
    context.program.run(["map", path, "--of", of, "--size", size, "--csv", "map.csv", "--quiet"] + options + list(extra),
                        folder)
    table = os.path.join(folder or context.program.folder.name, "map.csv")
    if not os.path.exists(table):
        raise Unknown("no map of " + of)
    with open(table, encoding="utf-8") as file:
        text = file.read()
    os.remove(table)
    return text


@relation
def threads_and_lanes(context, model):
    """A map is the same for any number of threads, and each point of it is what the verb alone says."""
    every(context, 3)
    found = []
    for of in ("contact.class", "rest.margin", "simulate.final.t"):
        try:
            one = map_of(context, model, of, "3x3", ("--threads", "1"))
        except Unknown:
            continue
        for threads in ("2", "5"):
            if map_of(context, model, of, "3x3", ("--threads", threads)) != one:
                found.append("%s differs for %s threads" % (of, threads))
        if not of.startswith("simulate"):
            found += alone(context, model, of, one)
    return found


def alone(context, model, of, table):
    names, found = [n for n, _, _ in two_numbers(context, model)], []
    verb, field = of.split(".")
    for line in table.strip().split("\n")[1::4]:
        x, y, value = line.split(",")
        answer = context.ask(verb, model, "--set", "%s=%s" % (names[0], x), "%s=%s" % (names[1], y))
        own = answer.data and answer.data.get(field)
        if own is not None and value not in ("", "no answer") and (value != own if isinstance(own, str)
                                                                 else float(value) != own):
            found.append("%s at %s, %s: map %s, alone %r" % (of, x, y, value, own))
    return found


@relation
def resumed(context, model):
    """A map that was interrupted and resumed is the map."""
    every(context, 6)
    of, folder = "simulate.final.t", context.program.folder.name
    whole = map_of(context, model, of, "20x20")
    path, options = context.program.write(model), []
    for axis, (name, low, high) in zip(("--x", "--y"), two_numbers(context, model)):
        options += [axis, "%s=%r:%r" % (name, low, high)]
    process = subprocess.Popen([context.program.path, "map", path, "--of", of, "--size", "20x20", "--csv", "map.csv",
                                "--quiet"] + options, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    part = os.path.join(folder, "map.csv.part")
    while process.poll() is None and not (os.path.exists(part) and os.path.getsize(part) > 0):
        time.sleep(0.002)  # rows are kept from now on
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    process.wait()
    context.program.runs += 1
    if not os.path.exists(part):
        raise Unknown("the map was done before it could be interrupted")
    return [] if map_of(context, model, of, "20x20") == whole else ["the resumed map differs"]
