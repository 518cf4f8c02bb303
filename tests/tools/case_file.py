# SPDX-License-Identifier: Apache-2.0
"""How check values become a file of cases: shared by the tools that write tests/cases/anh-*.yaml."""


def val(v):
    if v is None:
        return "null"
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, (int, float)):
        return repr(v)
    s = str(v)
    if '"' in s:
        return "'" + s.replace("'", "''") + "'"
    return '"' + s + '"' if any(ch in s for ch in ",[]{}:'#") else s


def flow(d):
    def key(k):
        return '"' + k + '"' if any(ch in k for ch in "'.[") else k
    return "{" + ", ".join(f"{key(k)}: {flow(v) if isinstance(v, dict) else val(v)}" for k, v in d.items()) + "}"


class CaseFile:
    def __init__(self, folder, maker, name, title, model, note=None):
        self.lines = ["# SPDX-License-Identifier: Apache-2.0",
                      f"# Made by tests/tools/{maker} from the check values of the specification.",
                      f"title: {val(title)}"]
        if model:
            self.lines.append(f"model: ../../models/{model}.yaml")
        if note:
            self.lines.append(f"note: {val(note)}")
        self.lines.append("cases:")
        self.path, self.count = f"{folder}/{name}.yaml", 0

    def case(self, id, runs, expect, set=None, define=None, model=None, note=None, path=None):
        """runs: {name: (verb, options, settings, over, model)}; expect: list of (value, condition mapping)."""
        o = self.lines
        o.append(f"  - case: {id}")
        self.count += 1
        if note:
            o.append(f"    note: {val(note)}")
        if path:
            o.append(f"    model: ../../models/{path}.yaml")
        if model:
            o.append("    model:")
            o.extend("      " + line for line in model)
        if set:
            o.append("    set: " + flow(set))
        o.append("    runs:")
        for name, run in runs.items():
            verb, opts, settings, over, own = (list(run) + [None] * 4)[:5]
            text = f"      {name}: {{{verb}: {flow(opts or {})}"
            if own:
                text += f", model: ../../models/{own}.yaml"
            if settings:
                text += ", set: " + flow(settings)
            if over:
                text += ", over: " + over
            o.append(text + "}")
        if define:
            o.append("    define:")
            for k, v in define.items():
                o.append(f"      {k}: {val(v)}")
        o.append("    expect:")
        for value, cond in expect:
            o.append(f"      - {{value: {val(value)}, " + ", ".join(f"{k}: {v if isinstance(v, str) and v.startswith('[') else val(v)}" for k, v in cond.items()) + "}")

    def write(self):
        with open(self.path, "w") as f:
            f.write("\n".join(self.lines) + "\n")


def near(b, rel=1e-9, abs_=None):
    """Relative tolerance; the check values are printed to 11 or 12 digits."""
    if b == 0 or abs_:
        return {"equals": b, "abs": abs_ or 1e-11}
    return {"equals": b, "tolerance": rel}


def is_(text):
    return {"equals": text}
