# SPDX-License-Identifier: Apache-2.0
"""Work that Ctrl-C can stop, and work by several threads. ctypes lets go of the interpreter lock while a question is
computed."""
import ctypes
import os
import signal
import sys
import threading
import time

from . import _library as c


class _Ears:
    """A thread that hears Ctrl-C while the main thread is inside the library: Python's own handler writes a byte (see
    signal.set_wakeup_fd), the thread sets the `stop` of the question, and KeyboardInterrupt is raised when the library
    returns. A question costs nothing but the two calls that lend the byte's way and give it back."""

    def __init__(self):
        self.stops = []  # of the questions that the main thread is in, with whoever listened before
        self.read, self.write = os.pipe()
        os.set_blocking(self.write, False)
        threading.Thread(target=self._listen, name="amontons", daemon=True).start()

    def _listen(self):
        while True:
            heard = os.read(self.read, 64)
            for stop, before, interrupts in self.stops[-1:]:
                if signal.SIGINT in heard:
                    stop.value = 1
                    interrupts.append(signal.SIGINT)
                if before not in (-1, self.write):
                    try:
                        os.write(before, heard)
                    except OSError:
                        pass  # its pipe is full: it will wake up anyway


_ears: list = []


def _forget():
    _ears.clear()  # threads do not survive a fork


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def stoppable(call, stop):
    """call(), which Ctrl-C ends: it sets `stop` (a c_int), and KeyboardInterrupt is raised when the library has returned.
    Python forgets the one it raises inside a __del__, which is where a short question spends much of its time; so what was
    heard is remembered here."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    if not _ears:
        _ears.append(_Ears())
    ears, before, interrupts = _ears[0], None, []
    try:
        before = signal.set_wakeup_fd(ears.write, warn_on_full_buffer=False)
        ears.stops.append((stop, before, interrupts))
        return call()
    finally:
        if before is not None:
            ears.stops.pop()
            signal.set_wakeup_fd(before)
        if interrupts and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            raise KeyboardInterrupt from None


def _join(thread, stop, errors):
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt as error:
            stop.value = 1
            errors.insert(0, error)


def in_parallel(count, threads, call, stop, progress=None):
    """call(i) for each i in range(count) by `threads` threads, stoppable; the first error stops all."""
    numbers, lock, errors, finished = iter(range(count)), threading.Lock(), [], [0]

    def serve():
        while not stop.value:
            with lock:
                i = next(numbers, None)
            if i is None:
                return
            try:
                call(i)
                with lock:
                    finished[0] += 1
                    if progress and progress(finished[0] / count):
                        stop.value = 1
            except BaseException as error:
                errors.append(error)
                stop.value = 1

    def all_of_them():
        others = [threading.Thread(target=serve, daemon=True) for _ in range(max(1, min(threads, count)) - 1)]
        for t in others:
            t.start()
        serve()
        for t in others:
            _join(t, stop, errors)
        if errors:
            raise errors[0]

    stoppable(all_of_them, stop)


class Bar:
    """A bar on stderr, for what takes longer than half a second."""

    def __init__(self):
        self.begun, self.last, self.shown = time.monotonic(), 0.0, False

    def __call__(self, fraction):
        now = time.monotonic()
        if now - self.begun < 0.5 or now - self.last < 0.1:
            return False
        self.last, self.shown = now, True
        full = int(40 * min(max(fraction, 0.0), 1.0))
        left = f"  {(now - self.begun) * (1 / fraction - 1):.0f} s left " if fraction > 0.01 else ""
        sys.stderr.write(f"\r[{'=' * full}{' ' * (40 - full)}] {100 * fraction:3.0f} %{left}")
        sys.stderr.flush()
        return False

    def close(self):
        if self.shown:
            sys.stderr.write("\r" + " " * 70 + "\r")
            sys.stderr.flush()


class Watch:
    """What a call is told about stopping and progress: `progress` is True (a bar), or is called with the part that is done,
    0 to 1, and ends the question when it returns something true."""

    def __init__(self, progress=None, stop=None):
        self.stop = stop if stop is not None else ctypes.c_int(0)
        self.error = None
        self.bar = Bar() if progress is True else None
        self.told = self.bar or (progress if callable(progress) else None)
        self.callback = c.Progress(self._progress) if self.told else None

    def _progress(self, _ctx, fraction):
        try:
            return 1 if self.told(fraction) else 0
        except BaseException as error:  # it cannot pass through C
            self.error = error
            return 1

    def close(self):
        if self.bar:
            self.bar.close()
        if self.error is not None:
            raise self.error
