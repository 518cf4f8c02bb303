# SPDX-License-Identifier: Apache-2.0
"""Figures by matplotlib, one function for each answer that has one."""
from ._optional import pyplot


def _label(name, unit):
    return f"{name} [{unit}]" if unit else name


def _axes(ax, rows=1):
    if ax is not None:
        return [ax] * rows
    return list(pyplot().subplots(rows, 1, sharex=rows > 1, squeeze=False)[1][:, 0])


def motion(motion, names, ax=None):
    """Columns over time, one below the other."""
    pyplot()
    time = next(iter(motion))
    if not names:  # columns whose velocity is there too, and the velocities
        names = [n for n in motion if n + "'" in motion and not n.endswith("'")]
        names += [n + "'" for n in names]
    axes = _axes(ax, len(names))
    for a, name in zip(axes, names):
        a.plot(motion[time], motion[name], lw=1)
        a.set_ylabel(_label(name, motion.units[name]))
    axes[-1].set_xlabel(_label(time, motion.units[time]))
    return axes if ax is None and len(axes) > 1 else axes[0]


def _spectrum(r, names, ax):
    if "psd" not in r:
        raise ValueError("the spectrum is plotted from its samples: ask with samples=True")
    (a,) = _axes(ax)
    a.semilogy(r.frequency, r.psd, lw=1)
    a.set_xlabel("frequency")
    a.set_ylabel(f"power density of {r.of}")
    return a


def _sweep(r, names, ax):
    (a,) = _axes(ax)
    for way, line in r.diagram.items():
        a.plot(line["x"], line["y"], ".", ms=2, label=way)
    a.legend()
    a.set_xlabel(r.vary if isinstance(r.vary, str) else "")
    a.set_ylabel(r.of)
    return a


def _continue(r, names, ax):
    (a,) = _axes(ax)
    what = names[0] if names else "period" if r.of == "cycle" else next(
        n for n in r.branch.columns() if n.startswith("state."))
    columns = r.branch.columns()
    for number in sorted(set(columns["branch"])):
        for stable in (True, False):
            shown = [b == number and bool(s) is stable for b, s in zip(columns["branch"], columns["stable"])]
            if any(shown):  # a gap where the other kind begins
                a.plot(columns["parameter"], [y if k and y is not None else float("nan") for k, y in zip(shown, columns[what])],
                       "-" if stable else "--", color=f"C{int(number) % 10}")
    for point in r.special:
        a.axvline(point["at"], lw=0.5, color="grey")
    a.set_xlabel(r.vary)
    a.set_ylabel(what)
    return a


def _poincare(r, names, ax):
    (a,) = _axes(ax)
    columns = r.return_map.columns() if r.return_map else {"value": [], "next": []}
    a.plot(columns["value"], columns["next"], ".", ms=3)
    a.set_xlabel(f"{r.of} at a pass")
    a.set_ylabel(f"{r.of} at the next")
    return a


def _map(r, names, ax):
    if "contours" not in r:
        raise ValueError("the borders are plotted: ask with contours=...; draw=True has the whole map as svg")
    (a,) = _axes(ax)
    for line in r.contours:
        xy = line["points"]
        a.plot([p[0] for p in xy], [p[1] for p in xy], lw=1, label=str(dict.get(line, "verdict", dict.get(line, "level"))))
    a.set_xlabel(r.x.name)
    a.set_ylabel(r.y.name)
    return a


_FIGURE = {"spectrum": _spectrum, "sweep": _sweep, "continue": _continue, "poincare": _poincare, "map": _map}


def result(r, names, ax=None):
    pyplot()  # says what is missing
    if r.verb in _FIGURE:
        return _FIGURE[r.verb](r, names, ax)
    try:
        recorded = r.motion
    except AttributeError:
        recorded = None
    if hasattr(recorded, "units"):
        return motion(recorded, names, ax)
    raise ValueError(f"there is no figure of {r.verb}; figures are of motions and of {', '.join(_FIGURE)}")
