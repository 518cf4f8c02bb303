// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "timing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { BATCH_MAX = 4096, BATCH_MIN = 15 };

double bench_now(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Warm-up; how many calls make a batch.
static long batch_size(void (*run)(void *ctx), void *ctx, double batch)
{
  for (long n = 1;;) {
    const double t0 = bench_now();
    for (long i = 0; i < n; i++) run(ctx);
    const double dt = bench_now() - t0;
    if (dt >= 0.5 * batch) return n;
    n = dt > 0.05 * batch ? (long)((double)n * batch / dt) + 1 : 4 * n;
  }
}

static double time_batch(void (*run)(void *ctx), void *ctx, long n)
{
  const double t0 = bench_now();
  for (long i = 0; i < n; i++) run(ctx);
  return (bench_now() - t0) / (double)n;
}

static bench_time summary(double *sample, int count, long calls)
{
  qsort(sample, (size_t)count, sizeof *sample, by_value);
  return (bench_time){sample[count / 2], sample[count / 4], sample[(3 * count) / 4], sample[0], calls};
}

bench_time bench_measure(void (*run)(void *ctx), void *ctx, double batch, double total)
{
  static double sample[BATCH_MAX];
  const long n = batch_size(run, ctx, batch);
  int count = 0;
  const double start = bench_now();
  while (count < BATCH_MAX && (count < BATCH_MIN || bench_now() - start < total))
    sample[count++] = time_batch(run, ctx, n);
  return summary(sample, count, n * count);
}

void bench_rounds(bench_contest *c, int count, double batch, double total)
{
  const int rounds = total / batch < BATCH_MIN ? BATCH_MIN : (int)(total / batch);
  double *sample = malloc((size_t)count * (size_t)rounds * sizeof *sample);
  long *n = malloc((size_t)count * sizeof *n);
  for (int i = 0; sample && n && i < count; i++) n[i] = batch_size(c[i].run, c[i].ctx, batch);
  for (int r = 0; sample && n && r < rounds; r++)
    for (int i = 0; i < count; i++) sample[i * rounds + r] = time_batch(c[i].run, c[i].ctx, n[i]);
  for (int i = 0; sample && n && i < count; i++)
    c[i].time = summary(sample + i * rounds, rounds, n[i] * rounds);
  free(sample);
  free(n);
}

static void cpu_name(char *text, size_t size)
{
  snprintf(text, size, "unknown processor");
  FILE *f = fopen("/proc/cpuinfo", "r");
  if (!f) return;
  char line[512], model[16] = "", family[16] = "";
  while (fgets(line, sizeof line, f)) {
    char *value = strchr(line, ':');
    if (!value) continue;
    value += 2;
    value[strcspn(value, "\n")] = '\0';
    if (!strncmp(line, "model name", 10))
      snprintf(text, size, "%s", value);
    else if (!strncmp(line, "cpu family", 10))
      snprintf(family, sizeof family, "%.15s", value);
    else if (!strncmp(line, "model\t", 6))
      snprintf(model, sizeof model, "%.15s", value);
    else if (!strncmp(line, "flags", 5))
      break;
  }
  fclose(f);
  // virtual machines hide the product ("AMD EPYC"): family and model tell generations apart
  const size_t n = strlen(text);
  if (family[0] && n < size) snprintf(text + n, size - n, " (family %s model %s)", family, model);
}

void bench_machine(char *text, size_t size)
{
  char cpu[128];
  struct utsname u;
  cpu_name(cpu, sizeof cpu);
  if (uname(&u) != 0) snprintf(u.release, sizeof u.release, "?");
  snprintf(text, size, "%s, %ld cores, %s %.40s, cc %s", cpu, sysconf(_SC_NPROCESSORS_ONLN), u.sysname,
           u.release, __VERSION__);
}

void bench_result_path(const char *bench, char *path, size_t size)
{
  char cpu[128], name[128];
  cpu_name(cpu, sizeof cpu);
  size_t n = 0;
  for (const char *p = cpu; *p && n + 1 < sizeof name; p++) {
    if (isalnum((unsigned char)*p))
      name[n++] = (char)tolower((unsigned char)*p);
    else if (n && name[n - 1] != '-')
      name[n++] = '-';
  }
  while (n && name[n - 1] == '-') n--;
  name[n] = '\0';
  snprintf(path, size, "%s/bench/results/%s-%s.json", AMO_SOURCE_DIR, name, bench);
}

const char *bench_json_string(const char *s, char *buffer, size_t size)
{
  size_t n = 0;
  buffer[n++] = '"';
  for (; *s && n + 8 < size; s++) {
    if (*s == '"' || *s == '\\') buffer[n++] = '\\';
    if ((unsigned char)*s >= 0x20) buffer[n++] = *s;
  }
  buffer[n++] = '"';
  buffer[n] = '\0';
  return buffer;
}
