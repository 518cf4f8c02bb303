// SPDX-License-Identifier: Apache-2.0
// Options that grow: programs of an older and of a newer version call this library.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amontons/amontons.h"
#include "amontons/ask.h"

typedef void (*init)(void *o, size_t size);

typedef struct kind {
  const char *name;
  size_t size;
  init init;
} kind;

#define KIND(type)                               \
  static void type##_begin(void *o, size_t size) \
  {                                              \
    type##_init(o, size);                        \
  }
// clang-format off
#define KINDS(X) \
  X(amo_ask_opts) X(amo_attractor_opts) X(amo_branch_opts) X(amo_breakdown_opts) \
  X(amo_contact_opts) X(amo_cycle_opts) X(amo_draw_opts) X(amo_emit_opts) \
  X(amo_fit_settings) X(amo_limits_opts) X(amo_plane_opts) X(amo_quasistatic_opts) \
  X(amo_rest_opts) X(amo_sensitivity_opts) X(amo_sim_opts) X(amo_spectrum_opts) \
  X(amo_steady_opts) X(amo_sweep_opts)
// clang-format on
KINDS(KIND)
#define ROW(type) {#type, sizeof(type), type##_begin},
static const kind kinds[] = {KINDS(ROW)};

static size_t size_of(const void *o)
{
  size_t size;
  memcpy(&size, o, sizeof size);
  return size;
}

// No byte beyond what the program has room for is written, what it knows of is the same, and what only it knows of is zero.
static void defaults_fit(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const size_t whole = kinds[k].size, later = whole + 24;
    unsigned char *now = malloc(later), *o = malloc(later);
    kinds[k].init(now, whole);
    assert_int_equal(size_of(now), whole);
    for (size_t size = sizeof size; size <= later; size += 8) {
      memset(o, 0xa5, later);
      kinds[k].init(o, size);
      assert_int_equal(size_of(o), size);
      const size_t known = size < whole ? size : whole;
      assert_memory_equal(o + sizeof size, now + sizeof size, known - sizeof size);
      for (size_t i = whole; i < size; i++) assert_int_equal(o[i], 0);
      for (size_t i = size; i < later; i++) assert_int_equal(o[i], 0xa5);
    }
    memset(o, 0xa5, later);
    kinds[k].init(o, 0);  // nothing to write to
    assert_int_equal(o[0], 0xa5);
    kinds[k].init(NULL, whole);
    free(now);
    free(o);
  }
}

static amo_model *model(void)
{
  amo_model *m = NULL;
  assert_int_equal(amo_model_load(AMO_SOURCE_DIR "/models/block-on-belt.yaml", NULL, 0, NULL, &m), AMO_OK);
  return m;
}

/// Options of a program that knows `size` bytes of them.
static amo_sim_opts *program(size_t room, size_t size)
{
  amo_sim_opts *o = calloc(1, room);
  amo_sim_opts_init(o, size);
  return o;
}

// A program that knows only the first fields gets the defaults of the others, whatever stands behind its options.
static void older_program(void **state)
{
  (void)state;
  amo_model *m = model();
  amo_sim *s = NULL;
  amo_sim_opts *o = program(sizeof *o, offsetof(amo_sim_opts, max_step));
  memset((char *)o + o->size, 0xff, sizeof *o - o->size);  // not its own
  o->tol = 1e-9;
  assert_int_equal(amo_sim_new(m, o, NULL, &s), AMO_OK);
  assert_int_equal(amo_sim_run(s, 5.0, NULL, NULL), AMO_OK);
  amo_sim_free(s);
  o->tol = 7;  // what it does set is read
  assert_int_equal(amo_sim_new(m, o, NULL, &s), AMO_EINPUT);
  free(o);
  amo_model_free(m);
}

// A newer program may use this library as long as it leaves alone what only it knows of.
static void newer_program(void **state)
{
  (void)state;
  amo_model *m = model();
  amo_sim *s = NULL;
  const size_t size = sizeof(amo_sim_opts) + 16;
  amo_sim_opts *o = program(size, size);
  assert_int_equal(amo_sim_new(m, o, NULL, &s), AMO_OK);
  amo_sim_free(s);
  ((char *)o)[size - 1] = 1;
  assert_int_equal(amo_sim_new(m, o, NULL, &s), AMO_EUNSUPPORTED);
  assert_null(s);
  free(o);
  amo_model_free(m);
}

// Options that were not begun are refused, not taken for none.
static void without_size(void **state)
{
  (void)state;
  amo_model *m = model();
  amo_sim *s = NULL;
  amo_steady *steady = NULL;
  amo_cycle *c = NULL;
  amo_branch *b = NULL;
  amo_rest *r = NULL;
  amo_contact_search *search = NULL;
  amo_quasistatic *q = NULL;
  amo_sensitivity *d = NULL;
  amo_answer *a = NULL;
  char *text = NULL;
  assert_int_equal(amo_sim_new(m, &(amo_sim_opts){.tol = 1e-9}, NULL, &s), AMO_ERANGE);
  assert_int_equal(amo_ensemble_run(m, &(amo_sim_opts){.tol = 1e-9}, &(amo_ensemble){.t_end = 1}),
                   AMO_ERANGE);
  assert_int_equal(amo_steady_find(m, &(amo_steady_opts){.t = 1}, NULL, &steady), AMO_ERANGE);
  assert_int_equal(amo_cycle_find(m, &(amo_cycle_opts){.period = 1}, NULL, NULL, &c), AMO_ERANGE);
  assert_int_equal(amo_branch_follow(m, &(amo_branch_opts){.step = 1}, NULL, NULL, &b), AMO_ERANGE);
  assert_int_equal(amo_rest_find(m, &(amo_rest_opts){.t = 1}, NULL, &r), AMO_ERANGE);
  assert_int_equal(amo_contact_search_new(m, &(amo_contact_opts){.assess = true}, &search), AMO_ERANGE);
  assert_int_equal(amo_quasistatic_run(m, &(amo_quasistatic_opts){.until = 1}, NULL, &q), AMO_ERANGE);
  assert_int_equal(amo_sensitivity_find(m, &(amo_sensitivity_opts){.until = 1}, NULL, &d), AMO_ERANGE);
  assert_int_equal(amo_draw(m, &(amo_draw_opts){.t = 1}, NULL, &text), AMO_ERANGE);
  assert_int_equal(amo_ask(m, NULL, "rest", NULL, &(amo_ask_opts){.record = true}, NULL, &a), AMO_ERANGE);
  amo_cycle_opts co = amo_cycle_opts_default();  // options within options too
  co.sim = &(amo_sim_opts){.tol = 1e-9};
  assert_int_equal(amo_cycle_find(m, &co, NULL, NULL, &c), AMO_ERANGE);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_fit),
      cmocka_unit_test(older_program),
      cmocka_unit_test(newer_program),
      cmocka_unit_test(without_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
