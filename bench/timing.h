// SPDX-License-Identifier: Apache-2.0
/// Timing that can be trusted on a busy machine: medians of many batches, and what machine it was.
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stddef.h>

/// Processor time of this thread [s]: what other programs do to the machine meanwhile does not count.
double bench_now(void);

/// Median, quartiles and fastest batch of the time per call [s].
typedef struct bench_time {
  double median, lower, upper, best;
  long calls;
} bench_time;

/// Call `run(ctx)` in batches of about `batch` seconds for at least `total` seconds after a warm-up.
bench_time bench_measure(void (*run)(void *ctx), void *ctx, double batch, double total);

/// The same for several programs that are to be compared: in every round each has one batch.
typedef struct bench_contest {
  void (*run)(void *ctx);
  void *ctx;
  bench_time time;  // result
} bench_contest;
void bench_rounds(bench_contest *c, int count, double batch, double total);

/// "AMD EPYC 7B13, 2 cores, Linux 6.1, gcc 12.2 -O3".
void bench_machine(char *text, size_t size);

/// Where results of this machine are kept: bench/results/<processor>-<bench>.json in the source tree.
void bench_result_path(const char *bench, char *path, size_t size);

/// One JSON string with quotes and escapes. Returns `buffer`.
const char *bench_json_string(const char *s, char *buffer, size_t size);

#endif
