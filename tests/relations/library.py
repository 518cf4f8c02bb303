# SPDX-License-Identifier: Apache-2.0
"""The library, asked in this process about models that are held in memory: the answers of the program (program.py) at a small
part of its time, as nothing is started and a model is read once for all its questions."""
import ctypes
import json
import os
import sys
import threading

from program import Answer

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

NO_ANSWER, BAD_INPUT = 1, 2  # exit status of the program


def options_of(words):
    """Options of the command line as amo_ask takes them: --until 1 --samples."""
    found, name = {}, None
    for word in words:
        if isinstance(word, str) and word.startswith("--"):
            name = word[2:]
            found[name] = True
        else:
            found[name] = word
    return found


class Library:
    def __init__(self, path, seconds=60):
        os.environ["AMONTONS_LIBRARY"] = os.path.abspath(path)
        from amontons import _library  # loads it
        self.c, self.seconds = _library, seconds
        self.runs = 0  # questions asked
        self.models, self.known = {}, {}

    def ask(self, verb, model, *options):
        """The answer of a verb as JSON; the same question is asked once."""
        text = json.dumps(model)
        key = (verb, text, options)
        if key not in self.known:
            if len(self.known) > 2000:
                self.known.clear()
                self.models.clear()
            if text not in self.models:
                self.models[text] = self.read(text.encode())
            self.known[key] = self.run(self.models[text], verb, json.dumps(options_of(options)).encode())
        return self.known[key]

    def read(self, text):
        """(model, exit status, what is wrong)"""
        diags, out = self.c.diags(), ctypes.c_void_p()
        status = self.c.lib.amo_model_parse(b"model", text, len(text), *self.c.settings([]), diags.pointer, ctypes.byref(out))
        wrong = self.c.taken(self.c.lib.amo_diags_render(diags.pointer)) if status else ""
        return self.c.model(out.value), BAD_INPUT if status else 0, wrong

    def run(self, read, verb, options):
        model, code, wrong = read
        if code:
            return Answer(code, None, wrong)
        self.runs += 1
        opts, diags, out = self.c.default(self.c.AskOpts), self.c.diags(), ctypes.c_void_p()
        stop = ctypes.c_int(0)
        opts.stop, opts.record = ctypes.pointer(stop), False
        late = threading.Timer(self.seconds, setattr, (stop, "value", 1))
        late.daemon = True
        late.start()
        status = self.c.lib.amo_ask(model.pointer, None, verb.encode(), options, ctypes.byref(opts), diags.pointer,
                                    ctypes.byref(out))
        late.cancel()
        if status == self.c.EINTR:
            return Answer(124, None, "no answer in %g s" % self.seconds)
        answer = self.c.answer(out.value)
        data = json.loads(self.c.lib.amo_answer_json(answer.pointer)) if out.value else None
        return Answer(self.exit_status(status), data, self.c.taken(self.c.lib.amo_diags_render(diags.pointer)))

    def exit_status(self, status):
        """As the program has it."""
        return {self.c.OK: 0, self.c.EINPUT: BAD_INPUT, self.c.ERANGE: BAD_INPUT}.get(status, NO_ANSWER)
