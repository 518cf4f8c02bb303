// SPDX-License-Identifier: Apache-2.0
/// Coverage of the 95 % intervals of fits, on records made with known parameters and noise.
///
///   bench_coverage [RECORDS]
///
/// Each record is fitted from a start of its own, up to 20 % off in every parameter. With 1000 records the count of intervals that hold
/// the true value has a standard deviation of 0.7 %.
#include <stdio.h>
#include <stdlib.h>

#include "fit_coverage.h"

int main(int argc, char **argv)
{
  coverage all[] = {{.model = AMO_SOURCE_DIR "/models/stribeck-belt.yaml",
                     .quantity = "x",
                     .unknown = {"Fs", "Fk", "vs", "k"},
                     .until = 20.0,
                     .samples = 1000,
                     .noise = 0.003,
                     .off = 0.2,
                     .seed = 1},
                    {.model = AMO_SOURCE_DIR "/models/velocity-steps.yaml",
                     .quantity = "stress",
                     .unknown = {"a", "b", "L", "alpha", "mu"},
                     .until = 100.0,
                     .samples = 1000,
                     .noise = 2500.0,
                     .off = 0.2,
                     .seed = 2}};
  bool good = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    coverage *c = &all[i];
    c->records = argc > 1 ? atoi(argv[1]) : 1000;
    if (!coverage_run(c)) {
      fprintf(stderr, "%s: cannot be run\n", c->model);
      return 1;
    }
    printf("%s: %d records of %d samples, %d fits failed, %.3g s a fit\n", c->model, c->records, c->samples,
           c->failed, c->seconds / c->records);
    for (int k = 0; c->unknown[k]; k++) {
      const double part = 100.0 * c->held[k] / (c->records - c->failed);
      printf("  %-6s %5.1f %% of the 95 %% intervals hold it\n", c->unknown[k], part);
      good = good && part >= 93.0 && part <= 97.0;
    }
    good = good && c->failed == 0;
  }
  return good ? 0 : 1;
}
