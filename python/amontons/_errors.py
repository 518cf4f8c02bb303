# SPDX-License-Identifier: Apache-2.0
"""Errors and warnings, with the text that the command line prints."""
import os
import sys
import warnings

from . import _library as c

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


class Error(Exception):
    """What went wrong, as the command line says it.

    status       name of the status: "AMO_EINPUT", "AMO_ENOANSWER", ...
    result       how far the answer got (a Result), or None
    diagnostics  [Diagnostic] all that was said, with positions
    """

    def __init__(self, text, status=c.ERANGE, result=None, diagnostics=()):
        super().__init__(text)
        self.status = c.words(c.lib.amo_status_name(status))
        self.result = result
        self.diagnostics = list(diagnostics)


class InputError(Error, ValueError):
    """The model, an option or a setting is wrong; the text says where: file:line:column."""


class NoAnswer(Error):
    """The question has no answer; `result` says how far it got."""


class AuditFailed(Error):
    """The result failed its own audit; it is in `result`."""


class LimitReached(Error):
    """A size or an effort limit was reached; `result` says how far it got."""


class Interrupted(Error):
    """The question was stopped; `result` is what was known until then."""


class Unsupported(Error):
    """Not supported by this method or build."""


class FileError(Error, OSError):
    """Reading or writing failed."""

    __str__ = Exception.__str__


class Warning(UserWarning):  # noqa: A001 (amontons.Warning)
    """What the command line prints as a warning."""


_KIND = {c.EINPUT: InputError, c.ENOANSWER: NoAnswer, c.EAUDIT: AuditFailed, c.ELIMIT: LimitReached,
         c.EINTR: Interrupted, c.EUNSUPPORTED: Unsupported, c.EIO: FileError, c.ERANGE: InputError}


class Diagnostic:
    """One message: severity ("note", "warning" or "error"), message, hint, file, line, column (0: nowhere)."""
    __slots__ = ("severity", "message", "hint", "file", "line", "column")

    def __init__(self, d):
        self.severity = ("note", "warning", "error")[d.severity]
        self.message, self.hint, self.file = c.words(d.message), c.words(d.hint), c.words(d.at.file)
        self.line, self.column = d.at.line, d.at.column

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message}" + (f"\n      hint: {self.hint}" if self.hint else "")

    __repr__ = __str__


def told(diags):
    """All that was said."""
    return [Diagnostic(c.lib.amo_diags_get(diags.pointer, i).contents)
            for i in range(c.lib.amo_diags_count(diags.pointer))]


def _depth():
    """How many frames up the caller of this package is."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back and os.path.abspath(frame.f_code.co_filename).startswith(_PACKAGE):
        frame, depth = frame.f_back, depth + 1
    return depth


def warn(diagnostics):
    for d in diagnostics:
        if d.severity != "error":
            warnings.warn(str(d).replace(f"{d.severity}: ", "", 1), Warning, stacklevel=_depth())


def of(status):
    """The exception for a status that came without a word."""
    return _KIND.get(status, Error)(c.words(c.lib.amo_status_text(status)), status)


def check(status, diags, result=None):
    """Say what was said: warnings, and an exception where the status is not AMO_OK."""
    said = told(diags) if c.lib.amo_diags_count(diags.pointer) else []
    if status == c.OK:
        warn(said)
        return
    if status == c.ENOMEM:
        raise MemoryError("out of memory")
    text = c.taken(c.lib.amo_diags_render(diags.pointer)).rstrip("\n") if said else ""
    if not any(d.severity == "error" for d in said):  # never fail without a word
        text += ("\n" if text else "") + c.words(c.lib.amo_status_text(status))
    raise _KIND.get(status, Error)(text, status, result, said)
