# SPDX-License-Identifier: Apache-2.0
"""Runs a command, sends it a signal once it has worked for a while, and takes over its status.

usage: interrupted.py SIGNAL WORK COMMAND...  Work is counted in seconds of processor time, so that a machine with much else to do
changes nothing. Writes to the file `after` how many seconds of it the command used after the signal.
"""
import os
import signal
import subprocess
import sys
import time

PATIENCE = 120  # seconds in which a machine must find time for the work
TICK = os.sysconf("SC_CLK_TCK")


def work_of(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            words = f.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / TICK  # user and system
    except OSError:  # no such file system: then by the clock
        return time.monotonic() - BEGIN


BEGIN = time.monotonic()
number, work = signal.Signals["SIG" + sys.argv[1]], float(sys.argv[2])
child = subprocess.Popen(sys.argv[3:], stdin=subprocess.DEVNULL)
while child.poll() is None and work_of(child.pid) < work and time.monotonic() < BEGIN + PATIENCE:
    time.sleep(0.01)
used = work_of(child.pid) if child.poll() is None else 0.0
if child.poll() is None:
    child.send_signal(number)
try:
    child.wait(PATIENCE)
except subprocess.TimeoutExpired:
    child.kill()
    child.wait()
total = os.times()
with open("after", "w") as f:
    f.write("%.3f\n" % (total.children_user + total.children_system - used))
sys.exit(child.returncode if child.returncode >= 0 else 128 - child.returncode)
