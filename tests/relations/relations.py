# SPDX-License-Identifier: Apache-2.0
"""Relations that hold for every mechanism: what is known without knowing the answer.

A relation gets a model (parsed YAML), asks the program about it and about the same thing put otherwise, and returns what
differs: a list of texts, empty where it holds. It raises Unknown where it does not apply.
"""
from answers import Back, differences
from change import Change, family
from expression import Unknown

RELATIONS = {}  # name -> function(context, model)


def relation(function):
    RELATIONS[function.__name__.replace("_", "-")] = function
    return function


class Context:
    """What a relation may use: the program, how long to simulate, how much to do."""

    def __init__(self, program, name, until, thorough=False):
        self.program, self.name, self.until, self.thorough = program, name, until, thorough

    def ask(self, verb, model, *options):
        return self.program.ask(verb, model, *options)

    def simulate(self, model, *options, until=None):
        return self.ask("simulate", model, "--until", repr(until if until is not None else self.until), *options)


def start_time(model):
    time = model.get("initial", {}).get("time", "0")
    try:
        return float(time)
    except ValueError as error:
        raise Unknown("a start at a time by formula") from error


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
    return [family(key)[0] for key in model["coordinates"]]


def lengths(model, factor):
    """Factor of every coordinate where lengths get another unit; angles have none."""
    node = model["coordinates"]
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
        if isinstance(contact.get("guide"), str) and "stiffness" not in contact:
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
