// SPDX-License-Identifier: Apache-2.0
/// Loading with the k-th allocation failing, for every k: AMO_ENOMEM each time, no crash, no leak.
/// Replaces malloc, so it runs on glibc without sanitizers only.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>

#include <cmocka.h>

#include "amontons/model.h"

#ifndef AMO_SOURCE_DIR
#define AMO_SOURCE_DIR "."
#endif

#if defined(__GLIBC__) && !defined(AMO_SANITIZE)
#define CAN_DENY 1
#else
#define CAN_DENY 0
#endif

#if CAN_DENY
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void __libc_free(void *p);

static long allowed = -1;  // -1: no limit
static long living;

static int denied(void)
{
  if (allowed < 0) return 0;
  if (allowed > 0) {
    allowed--;
    return 0;
  }
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n)
{
  if (denied()) return NULL;
  living++;
  return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
  if (denied()) return NULL;
  living++;
  return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
  if (denied()) return NULL;
  if (!p) living++;
  return __libc_realloc(p, n);
}

void free(void *p)
{
  if (p) living--;
  __libc_free(p);
}

static void starve(const char *name)
{
  char path[512];
  amo_status st = AMO_ENOMEM;
  snprintf(path, sizeof path, AMO_SOURCE_DIR "/models/%s", name);
  for (long k = 0; st != AMO_OK; k++) {
    amo_diags *d = amo_diags_new();
    amo_model *m = NULL;
    long before = living;
    assert_true(k < 20000);
    allowed = k;
    st = amo_model_load(path, NULL, 0, d, &m);
    allowed = -1;
    assert_true(st == AMO_OK || (st == AMO_ENOMEM && !m));
    amo_model_free(m);
    amo_diags_free(d);
    if (k > 20 && living > before)
      fail_msg("%s: %ld blocks lost when allocation %ld fails", name, living - before, k);
  }
}
#endif

static void out_of_memory(void **state)
{
  (void)state;
#if CAN_DENY
  static const char *const model[] = {"block-aging.yaml",  "two-blocks.yaml",        "prescribed-slider.yaml",
                                      "rolling-disc.yaml", "particle-on-curve.yaml", "link-mechanism.yaml"};
  for (size_t i = 0; i < sizeof model / sizeof *model; i++) starve(model[i]);
#else
  skip();
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(out_of_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
