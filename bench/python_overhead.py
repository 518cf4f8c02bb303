#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: one `contact` answer and one trajectory of an ensemble, beside the same calls from C.

usage: PYTHONPATH=python bench/python_overhead.py [COUNT]      (needs cc, NumPy and a built checkout)

Processor time, the least of five rounds: other work on the machine does not count. With more than one processor also the
wall time of an ensemble and of a sweep by 1, 2, ... threads."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import amontons

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = next((ROOT / "models").rglob("block-on-belt.yaml"))
TRAMMEL = next((ROOT / "models").rglob("trammel.yaml"))
C = r"""
#include <amontons/amontons.h>
#include <amontons/ask.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9*t.tv_nsec; }
int main(int argc, char **argv)
{
  amo_model *m = NULL, *b = NULL;
  const int n = argc > 3 ? atoi(argv[3]) : 1;
  if (argc < 4 || amo_model_load(argv[1], NULL, 0, NULL, &m) || amo_model_load(argv[2], NULL, 0, NULL, &b)) return 2;
  double t = now();
  for (int i = 0; i < n; i++) {
    amo_answer *a = NULL;
    if (amo_ask(m, NULL, "contact", "{\"at\": {\"theta'\": 1}}", NULL, NULL, &a)) return 1;
    amo_answer_free(a);
  }
  printf("%.9g\n", (now() - t) / n);
  double *s = malloc(2 * sizeof *s * (size_t)n);
  for (int i = 0; i < n; i++) s[2*i] = -2 + 4.0*i/n, s[2*i + 1] = 0;
  double *end = malloc(3 * sizeof *end * (size_t)n);
  long *events = malloc(sizeof *events * (size_t)n);
  signed char *mode = malloc((size_t)n);
  amo_status *status = malloc(sizeof *status * (size_t)n);
  amo_sim_opts o = amo_sim_opts_default();
  t = now();
  for (int i = 0; i < n; i += 256) {
    amo_ensemble e = {.count = (size_t)(n - i < 256 ? n - i : 256), .state = s + 2*i, .t_end = 20,
      .final_state = end + 2*i, .final_time = end + 2*n + i, .final_mode = mode + i, .events = events + i, .status = status + i};
    if (amo_ensemble_run(b, &o, &e)) return 1;
  }
  printf("%.9g\n", (now() - t) / n);
  return 0;
}
"""


def least(call, count):
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        call()
        best = min(best, (time.process_time() - begin) / count)
    return best


def through_c(count):
    library = pathlib.Path(amontons.library).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "b.c"
        source.write_text(C)
        subprocess.run(["cc", "-O2", "-std=gnu17", "-I", ROOT / "include", "-o", source.with_suffix(""), source, "-L", library,
                        "-lamontons", f"-Wl,-rpath,{library}"], check=True)
        runs = [subprocess.run([source.with_suffix(""), TRAMMEL, MODEL, str(count)], capture_output=True, text=True,
                               check=True).stdout.split() for _ in range(5)]
    return [min(float(r[k]) for r in runs) for k in range(2)]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    bar, belt = amontons.Model(TRAMMEL), amontons.Model(MODEL)
    c_contact, c_motion = through_c(count)
    asked = least(lambda: [bar.contact(at={"theta'": 1}) for _ in range(count)], count)
    read = least(lambda: [bar.contact(at={"theta'": 1}).solutions[0].kind for _ in range(count)], count)
    begin = np.column_stack([-2 + 4.0 * np.arange(count) / count, np.zeros(count)])
    motion = least(lambda: belt.ensemble(begin, until=20, threads=1), count)
    print(f"contact, C                        {1e6 * c_contact:8.1f} us")
    print(f"contact, Python                   {1e6 * asked:8.1f} us")
    print(f"contact, Python, values read      {1e6 * read:8.1f} us")
    print(f"trajectory of an ensemble, C      {1e6 * c_motion:8.1f} us")
    print(f"trajectory of an ensemble, Python {1e6 * motion:8.1f} us")
    many, v = np.tile(begin, (max(1, 100000 // count), 1)), np.linspace(0.1, 1, 1000)
    threads = 1
    while threads <= len(os.sched_getaffinity(0)):
        clock = time.perf_counter()
        belt.ensemble(many, until=20, threads=threads)
        ensemble = time.perf_counter() - clock
        clock = time.perf_counter()
        belt.sweep_over("cycle", "period", v=v, threads=threads)
        print(f"{threads:2d} threads: {len(many)} trajectories {ensemble:6.2f} s, 1000 cycles {time.perf_counter() - clock:6.2f} s")
        threads *= 2


if __name__ == "__main__":
    main()
