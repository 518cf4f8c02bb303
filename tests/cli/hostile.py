# SPDX-License-Identifier: Apache-2.0
"""Every option of every model verb with values that no honest user would give.

usage: hostile.py PROGRAM MODELS [--all] [VERB ...]. Verbs, options and the kind of their values come from --help. Each
option gets a few values of its kind, the next option the following ones; with --all every option gets every value.
"""
import re
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PROGRAM, MODELS = sys.argv[1:3]
ALL = "--all" in sys.argv
TURN = {}  # kind of value: where its next turn begins
MODEL = MODELS + "/block-on-belt.yaml"
SECONDS, PATIENCE, BYTES = 20, 2, 1 << 30
EACH = 2  # values that an option gets, turn by turn, unless all are asked for
# the address sanitizer reserves terabytes of addresses
SANITIZED = b"__asan_init" in open(PROGRAM, "rb").read()

# What a verb needs so that the option under test is all that is wrong, and the answer is near.
BASE = {
    "simulate": ["--until", "1"],
    "limits": ["--vary", "Fs=0.5:2", "--points", "3"],
    "map": ["--x", "v=0.1:0.2", "--y", "k=1:2", "--size", "2x2", "--of", "rest.verdict"],
    "continue": ["--vary", "v=0.3:0.4", "--of", "steady"],
    "sensitivity": ["--until", "1"],
    "spectrum": ["--until", "20", "--points", "64"],
    "poincare": ["--until", "50", "--section", "stick"],
    "lyapunov": ["--until", "20"],
    "attractor": ["--until", "50"],
    "sweep": ["--vary", "v=0.1:0.2", "--points", "2", "--transient", "20"],
}
BAD, ANY = {2}, {0, 1, 2}  # bad input; whatever it is, but in time, in memory and with its word

NOT_NUMBERS = ["nan", "-inf", "inf", ".inf", "1e400", "-1e400", "", " ", "1e", "0x10", "1 2", "x y", "1/0", "sqrt(-1)", "1/",
               "no_such_name", "\x1b[31m", "1;2"]
RANGES = ["", "v", "v=", "v=1", "v=1:", "v=:1", "=1:2", "v=nan:1", "v=0.1:inf", "v=1e400:2", "no_such=1:2", "v=1:2:3:4:5", "v 1:2",
          "v=0.2:0.2", "v=a:b", "v=0x1:2", "\x1b=1:2", "v='1':2"]
STATES = ["", "x", "x=", "=1", "no_such=1", "x=nan", "x=inf", "x=1e400", "x=1, x=2", "x=1/", "x=1/0", "\x1b[31m=1", "x''=1", "x==1", "x=no_such"]
SETTINGS = ["", "v", "v=", "=1", "no_such=1", "v=nan", "v=inf", "v=1e400", "v=1,v=2", "v=1/", "v=1/0", "\x1b[31m=1", "v=0x10", "v=v"]
WORDS = ["", "no_such", "no such", "\x1b[31m", "no_such.value", "[", "..", "x[", "x.y.z", "(", "1e400*"]
SIZES = ["", "0x0", "1x", "x", "2", "-2x2", "2x2x2", "1e9x1e9", "1000000x1000000", "2.5x2", "nanx2", "axb"]

# By the word that --help shows for the value: (value, statuses) that must come out.
KINDS = {
    "N": [(v, BAD) for v in NOT_NUMBERS + ["-1", "2.5", "1e18", "-1e9"]] + [("0", ANY), ("1e9", ANY), ("9e15", ANY)],
    "NAME=FROM:TO": [(v, BAD) for v in RANGES] + [("v=0.4:0.3", ANY)],
    "x=FROM:TO": [(v.replace("v", "x"), BAD) for v in RANGES] + [("x=0.4:0.3", ANY)],
    "NAME=TO": [(v, BAD) for v in ["", "v", "v=", "=1", "no_such=1", "v=nan", "m=inf", "m=1e400", "m=0x10"]],
    '"x=1,': [(v, BAD) for v in STATES] + [("x=1e300", ANY), ("x'=1e300", ANY)],
    "NAME=VALUE": [(v, BAD) for v in SETTINGS] + [("m=1e300", ANY), ("k=1e300", ANY), ("v=-1e300", ANY)],
    "OPTION=VALUE": [(v, BAD) for v in ["", "no_such=1", "=1", "tol", "csv=a.csv", "\x1b=1"]],
    "VERB.VALUE": [(v, BAD) for v in ["", "no_such", "no_such.value", "rest..verdict", "\x1b[31m", "rest.verdict[", "."]],
    "EXPR": [(v, BAD) for v in WORDS],
    "EXPRS": [(v, BAD) for v in WORDS + [",", "x,,x"]],
    "NXxNY": [(v, BAD) for v in SIZES],
    "NxM": [(v, BAD | {1}) for v in SIZES],  # this model has no rest to ask of: said first
    "FROM:TO": [(v, BAD) for v in ["", "1", "1:", ":1", "nan:1", "1:inf", "1e400:2", "1:1", "2:1", "a:b", "-1:1"]],
    "X0,X1,Y0,Y1": [(v, BAD) for v in ["", "1", "1,2,3", "0,0,0,0", "1,0,1,0", "a,b,c,d", "0,inf,0,1", "0,1,0,1,0", "nan,1,0,1"]],
    "X0:X1,Y0:Y1": [(v, BAD | {1}) for v in ["", "1", "0:1", "0:0,0:0", "1:0,1:0", "a:b,c:d", "0:inf,0:1", "nan:1,0:1"]],
    "C1,C2": [(v, BAD | {1}) for v in ["", "v", "v,v", "v,no_such", "v,k,m", ","]],
    "NAMES": [(v, BAD) for v in ["", "no_such", "v,,k", "v v", "\x1b"]],
    "PART": [(v, BAD | {1}) for v in ["", "no_such", "\x1b"]],
    '"belt=slip-"': [(v, BAD) for v in ["", "belt", "belt=", "belt=no_such", "no_such=stick", "belt=stick, belt=slip", "\x1b=stick"]],
    "NAME=[x,": [(v, BAD | {1}) for v in ["", "a", "a=", "a=[", "a=[1]", "a=[1, nan]", "a=no_such"]],
    "LEVELS": [(v, BAD) for v in ["nan", "1e400", "no_such", "0,,1", "\x1b"]],
    "NAME": [(v, BAD) for v in ["", "no_such", "\x1b", "no such"]],
}
CHOICE = [(v, BAD) for v in ["", "no_such", "EVENT", "event|switch", "\x1b[31m"]]
NUMBER = [(v, BAD) for v in NOT_NUMBERS] + [("-1", ANY), ("0", ANY), ("1e300", ANY), ("-1e300", ANY), ("1e-300", ANY), ("5e-324", ANY)]
NUMBERS = {"T", "H", "TOL", "ETA", "EPS", "KAPPA", "A", "X", "XI", "P", "DT", "F", "S", "BINS"}
# A word after these is free text of another language; what it says is judged where that language is.
SKIP = {"FILE", "DIR", "FORMAT"}


def help_of(verb):
    return subprocess.run([PROGRAM, verb, "--help"], capture_output=True, text=True, check=True).stdout


def options(verb):
    """(name, word for its value, help) of every option with a value."""
    text = re.sub(r"\n {20,}", " ", help_of(verb).split("options (", 1)[1])
    for line in text.splitlines():
        found = re.match(r" +--([a-z0-9-]+) (\S+)(.*)", line)
        if found and not line.split("--", 1)[1].split(" ", 1)[1].startswith("  "):
            yield found.groups()


def attempts(verb):
    base = BASE.get(verb, [])
    yield base + ["--no-such-option"], BAD
    yield base + ["--no-such-option", "1", "--json"], BAD
    yield base + ["extra-word"], BAD
    yield base + ["-x"], BAD
    yield base + ["--json=maybe"], BAD
    for name, word, about in options(verb):
        if word in SKIP:
            continue
        mine = without(base, "--" + name)
        choices = re.search(r"\([a-z0-9+-]+(, [a-z0-9+-]+)+\)", about)
        values = KINDS.get(word) or (NUMBER if word in NUMBERS else CHOICE if choices else None)
        yield mine + ["--" + name], BAD  # no value
        yield mine + ["--" + name, "--json"], BAD
        for value, wanted in some(word, values if values is not None else [(w, ANY) for w in WORDS]):
            yield mine + ["--" + name + "=" + value], wanted


def some(word, values):
    """The next few of the values, all of them with --all."""
    if ALL:
        return values
    at = TURN[word] = (TURN.get(word, -EACH) + EACH) % len(values)
    return (values + values)[at:at + EACH]


def without(words, name):
    if name == "--nx" or name == "--ny":
        name = "--size"
    at = words.index(name) if name in words else -1
    return words[:at] + words[at + 2:] if at >= 0 else words


def limit():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def attempt(task):
    verb, words, wanted = task
    shown = " ".join(["amontons", verb] + [repr(w) for w in words])
    p = subprocess.Popen([PROGRAM, verb, MODEL] + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         preexec_fn=limit)
    patience = PATIENCE if wanted == ANY else SECONDS
    try:
        out, err = p.communicate(timeout=patience)
    except subprocess.TimeoutExpired:  # a long run was asked for, perhaps; then Ctrl-C ends it
        p.send_signal(signal.SIGINT)
        wanted = {1} if wanted == ANY else set()
        try:
            out, err = p.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            return "%s: goes on after Ctrl-C" % shown
    said = err.decode("utf-8", "replace")
    if p.returncode not in wanted:
        return "%s: status %d, expected %s: %s" % (shown, p.returncode, sorted(wanted), (said or out.decode()).strip()[:300])
    if p.returncode == 2 and "error: " not in said:
        return "%s: refused without a word: %s" % (shown, said)
    if p.returncode == 2 and out:
        return "%s: refused, yet it prints a result" % shown
    if "out of memory" in said or "Sanitizer" in said:
        return "%s: %s" % (shown, said[:300])
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", said):
        return "%s: control characters in %r" % (shown, said)
    return None


def verbs():
    text = subprocess.run([PROGRAM, "help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z]+)  ", text.split("commands:")[1], re.M)
    return [v for v in names if "usage: amontons %s MODEL" % v in help_of(v)]


def main():
    only = [w for w in sys.argv[3:] if w != "--all"]
    tasks = [(v, words, wanted) for v in verbs() if not only or v in only for words, wanted in attempts(v)]
    with ThreadPoolExecutor(2) as pool:
        wrong = [w for w in pool.map(attempt, tasks) if w]
    print("\n".join(wrong))
    print("%d of %d command lines answered as they must be" % (len(tasks) - len(wrong), len(tasks)))
    return 1 if wrong or len(tasks) < 1000 and not only else 0


sys.exit(main())
