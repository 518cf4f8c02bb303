# SPDX-License-Identifier: Apache-2.0
"""Unlike mechanisms in one file: `contact` and `rest` give every combination of what each gives alone, to the last bit."""
import itertools
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
import ask as asking  # noqa: E402

ask, check = asking.ask, asking.check

# coordinates, particles, loads, contacts; I: number of the mechanism
BLOCK = (["xI", "yI"], ["bI: {mass: 1.3, at: [xI, yI]}"], ["lI: {on: bI, force: [FI, -10]}"],
         ["cI: {support: yI, slip: xI', law: {type: coulomb, mu: 0.3}}"])
SLED = (["sI"], ["dI: {mass: 0.7, at: [sI, 0]}"], ["kI: {on: dI, force: [FI, 0]}"],
        ["pI: {pressed: 2, slip: sI', law: {type: coulomb, mu: 0.4}}"])
# Painleve's rod between two guides: several solutions where the friction is large
ROD = (["qI", "hI"], ["mI: {mass: 1, at: [qI, hI]}", "nI: {mass: 1, at: [qI + sqrt(1 - (sin(1.3) - hI)^2), sin(1.3)]}"],
       ["rI: {on: nI, force: [FI, 0]}"], ["gI: {guide: hI, slip: qI', law: {type: coulomb, mu: 1.0}}"])
FREE = (["zI"], ["fI: {mass: 2, at: [zI, 0]}"], ["eI: {on: fI, force: [FI, 0]}"], [])


def text(parts):
    out = [[], [], [], []]
    for number, (part, force) in parts:
        for to, lines in zip(out, part):
            to.extend(line.replace("FI", repr(force)).replace("I", str(number)) for line in lines)
    coordinates, particles, loads, contacts = out
    body = [f"coordinates: [{', '.join(coordinates)}]"]
    for head, lines in (("particles", particles), ("loads", loads), ("contacts", contacts)):
        if lines:
            body += [f"{head}:"] + [f"  {line}" for line in lines]
    return "\n".join(body) + "\n"


def content(solution):
    return {key: solution[key] for key in ("modes", "reactions", "friction", "accelerations")}


def merged(solutions):
    out = {}
    for s in solutions:
        for key, values in content(s).items():
            out.setdefault(key, {}).update(values)
    return out


def key(x):
    return repr(sorted((k, sorted((a, repr(b)) for a, b in v.items())) for k, v in x.items()))


def compare(parts):
    numbered = list(enumerate(parts, 1))
    status, whole, said = ask("contact", text(numbered))
    check(status == 0, said)
    alone = [ask("contact", text([one]))[1] for one in numbered]
    wanted = sorted(key(merged(c)) for c in itertools.product(*(a["solutions"] for a in alone)))
    check(sorted(key(content(s)) for s in whole["solutions"]) == wanted, text(numbered), whole)
    chosen = [a["solutions"][a["chosen"]] for a in alone if a["chosen"] is not None]
    if len(chosen) == len(alone):
        check(key(content(whole["solutions"][whole["chosen"]])) == key(merged(chosen)), "chosen", text(numbered))
    verdicts = [ask("rest", text([one]))[1].get("verdict") for one in numbered if one[1][0][3]]
    verdict = ask("rest", text(numbered))[1]["verdict"]
    want = ("none" if "none" in verdicts else "several" if "several" in verdicts
            else "starts" if "starts" in verdicts else "holds")
    check(verdict == want, "verdict", verdict, verdicts)


compare([(BLOCK, 1.0), (BLOCK, 4.0), (SLED, 0.5), (SLED, -1.5)])
compare([(ROD, 1.0), (BLOCK, 1.0)])
compare([(ROD, 1.0), (SLED, 1.0), (ROD, -1.0), (BLOCK, -5.0)])
compare([(BLOCK, 3.0), (FREE, 0.0), (ROD, 0.3)])
sys.exit(asking.failures > 0)
