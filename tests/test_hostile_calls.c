// SPDX-License-Identifier: Apache-2.0
// Every function of the library with arguments that make no sense: each says so, none falls over.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amontons/amontons.h"
#include "amontons/attractor.h"
#include "amontons/brake.h"
#include "amontons/lyapunov.h"
#include "amontons/orbit.h"
#include "amontons/quasistatic.h"
#include "amontons/section.h"
#include "amontons/spectrum.h"
#include "amontons/steady.h"
#include "amontons/sweep.h"

static const char text[] = "amontons: 1\n"
                           "parameters: {a: 2, b: a^2}\n"
                           "coordinates: {x: {}}\n"
                           "particles: {p: {mass: 1, at: [x, 0]}}\n"
                           "springs: {s: {along: x, stiffness: b}}\n"
                           "contacts: {c: {pressed: 1, slip: x' - 0.2, law: {type: coulomb, mu: 0.1}}}\n"
                           "initial: {x: 1}\n";

static amo_model *model(void)
{
  amo_model *m = NULL;
  assert_int_equal(amo_model_parse("m", text, sizeof text - 1, NULL, 0, NULL, &m), AMO_OK);
  return m;
}

static void loading(void **state)
{
  (void)state;
  amo_model *m = (amo_model *)(size_t)1;
  const amo_setting none = {NULL, NULL}, half = {"a", NULL};
  assert_int_equal(amo_model_parse("m", NULL, 0, NULL, 0, NULL, &m), AMO_EINPUT);
  assert_null(m);
  assert_int_equal(amo_model_parse("m", NULL, 5, NULL, 0, NULL, &m), AMO_ERANGE);
  assert_int_equal(amo_model_parse(NULL, text, 5, NULL, 0, NULL, &m), AMO_ERANGE);
  assert_int_equal(amo_model_parse("m", text, sizeof text - 1, NULL, 1, NULL, &m), AMO_ERANGE);
  assert_int_equal(amo_model_parse("m", text, sizeof text - 1, &none, 1, NULL, &m), AMO_ERANGE);
  assert_int_equal(amo_model_parse("m", text, sizeof text - 1, &half, 1, NULL, &m), AMO_ERANGE);
  assert_int_equal(amo_model_parse("m", text, sizeof text - 1, NULL, 0, NULL, NULL), AMO_ERANGE);
  assert_int_equal(amo_model_load(NULL, NULL, 0, NULL, &m), AMO_ERANGE);
  assert_int_equal(amo_model_load("/nowhere", NULL, 0, NULL, &m), AMO_EIO);
  assert_int_equal(amo_model_load("/nowhere", NULL, 0, NULL, NULL), AMO_ERANGE);
  amo_model_free(NULL);
}

static void looking(void **state)
{
  (void)state;
  amo_model *m = model();
  assert_string_equal(amo_model_name(NULL), "");
  assert_string_equal(amo_model_title(NULL), "");
  assert_int_equal(amo_model_parameters(NULL) + amo_model_states(NULL) + amo_model_coordinates(NULL) +
                       amo_model_contacts(NULL) + amo_model_outputs(NULL),
                   0);
  assert_null(amo_model_parameter_values(NULL));
  assert_null(amo_model_initial(NULL));
  const size_t far[] = {2, 99, (size_t)-1};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(amo_model_parameter(m, far[i]).name, "");
    assert_string_equal(amo_model_state(m, far[i]).name, "");
    assert_string_equal(amo_model_contact(m, far[i]).unit, "");
    assert_string_equal(amo_model_output(m, far[i]).doc, "");
    assert_string_equal(amo_model_state(NULL, far[i]).name, "");
  }
  assert_int_equal(amo_model_find_parameter(m, NULL), -1);
  assert_int_equal(amo_model_find_state(m, NULL), -1);
  assert_int_equal(amo_model_find_contact(NULL, "c"), -1);
  assert_int_equal(amo_model_find_state(NULL, "x"), -1);
  assert_null(amo_diags_get(NULL, 0));
  assert_int_equal(amo_diags_count(NULL) + amo_diags_errors(NULL), 0);
  assert_null(amo_diags_source(NULL, "f", "t", 1));
  amo_diags *d = amo_diags_new();
  assert_null(amo_diags_source(d, NULL, "t", 1));
  assert_null(amo_diags_get(d, 3));
  amo_diags_free(d);
  amo_diags_free(NULL);
  assert_string_equal(amo_status_name((amo_status)77), "AMO_?");
  assert_non_null(amo_status_text((amo_status)-3));
  amo_model_free(m);
}

static void simulating(void **state)
{
  (void)state;
  amo_model *m = model();
  amo_sim *s = NULL;
  amo_sample *p = NULL;
  assert_int_equal(amo_sim_new(NULL, NULL, NULL, &s), AMO_ERANGE);
  assert_int_equal(amo_sim_new(m, NULL, NULL, NULL), AMO_ERANGE);
  amo_sim_opts o = amo_sim_opts_default();
  o.method = (amo_method)17;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_EINPUT);
  o = amo_sim_opts_default();
  o.stepper = (amo_stepper)-1;
  assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_EINPUT);
  const double bad[] = {NAN, -1.0, INFINITY};
  for (int i = 0; i < 3; i++) {
    o = amo_sim_opts_default();
    o.tol = bad[i];
    assert_int_equal(amo_sim_new(m, &o, NULL, &s), AMO_EINPUT);
  }
  assert_int_equal(amo_sim_new(m, NULL, NULL, &s), AMO_OK);
  assert_int_equal(amo_sample_new(NULL, &p), AMO_ERANGE);
  assert_int_equal(amo_sample_new(m, NULL), AMO_ERANGE);
  assert_int_equal(amo_sample_new(m, &p), AMO_OK);

  assert_int_equal(amo_sim_step(s, NAN), AMO_ERANGE);
  assert_true(strlen(amo_sim_message(s)) > 0);
  assert_int_equal(amo_sim_run(s, NAN, NULL, NULL), AMO_ERANGE);
  assert_int_equal(amo_sim_step(s, 1.0), AMO_OK);
  const double a = amo_sim_step_start(s), b = amo_sim_time(s);
  const double outside[] = {a - 0.1, b + 0.1, NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 5; i++) assert_int_equal(amo_sim_sample(s, outside[i], false, p), AMO_ERANGE);
  assert_int_equal(amo_sim_sample(s, 0.5 * (a + b), false, p), AMO_OK);
  assert_int_equal(amo_sim_sample(s, a, false, p), AMO_OK);
  assert_int_equal(amo_sim_sample(s, b, false, p), AMO_OK);
  assert_int_equal(amo_sim_sample(s, NAN, true, p), AMO_OK);  // the end is the end
  assert_int_equal(amo_sim_sample(NULL, b, false, p), AMO_ERANGE);
  assert_int_equal(amo_sim_sample(s, b, false, NULL), AMO_ERANGE);

  assert_int_equal(amo_sim_parameter(s, 1, 3.0), AMO_ERANGE);  // b follows from a
  assert_int_equal(amo_sim_parameter(s, 2, 3.0), AMO_ERANGE);
  assert_int_equal(amo_sim_parameter(s, 0, NAN), AMO_ERANGE);
  assert_int_equal(amo_sim_parameter(NULL, 0, 1.0), AMO_ERANGE);
  assert_int_equal(amo_sim_parameter(s, 0, 3.0), AMO_OK);
  assert_int_equal(amo_sim_step(s, 2.0), AMO_ERANGE);  // not started again
  assert_int_equal(amo_sim_sample(s, b, false, p), AMO_ERANGE);
  assert_int_equal(amo_sim_start(s, NAN, NULL), AMO_EINPUT);
  assert_int_equal(amo_sim_start(s, 0.0, (double[]){NAN, 0}), AMO_EINPUT);
  assert_int_equal(amo_sim_start(NULL, 0.0, NULL), AMO_ERANGE);
  assert_int_equal(amo_sim_start(s, 0.0, NULL), AMO_OK);
  assert_int_equal(amo_sim_mode(s, 9), 0);
  assert_null(amo_sim_new_event(s, 99));
  assert_true(isnan(amo_sim_time(NULL)) && isnan(amo_sim_step_start(NULL)));
  assert_null(amo_sim_state(NULL));
  assert_null(amo_sim_audit(NULL));
  assert_null(amo_sim_stats(NULL));
  assert_int_equal(amo_sim_new_events(NULL) + (size_t)amo_sim_mode(NULL, 0), 0);
  assert_int_equal(amo_sim_fate(NULL), AMO_FATE_UNDECIDED);
  assert_string_equal(amo_sim_message(NULL), "");
  assert_int_equal(amo_sim_step(NULL, 1.0), AMO_ERANGE);
  assert_int_equal(amo_sim_run(NULL, 1.0, NULL, NULL), AMO_ERANGE);
  amo_ensemble e = {.count = 1, .t_end = NAN};
  assert_int_equal(amo_ensemble_run(m, NULL, &e), AMO_ERANGE);
  assert_int_equal(amo_ensemble_run(NULL, NULL, &e), AMO_ERANGE);
  assert_int_equal(amo_ensemble_run(m, NULL, NULL), AMO_ERANGE);
  volatile int stop = 1;
  amo_status ended = AMO_OK;
  e = (amo_ensemble){.count = 1, .t_end = 1e9, .stop = &stop, .status = &ended};
  assert_int_equal(amo_ensemble_run(m, NULL, &e), AMO_EINTR);
  assert_int_equal(ended, AMO_EINTR);
  amo_sample_free(p);
  amo_sample_free(NULL);
  amo_sim_free(s);
  amo_sim_free(NULL);
  amo_model_free(m);
}

static void orbits(void **state)
{
  (void)state;
  amo_model *m = model();
  amo_sim *s = NULL;
  assert_int_equal(amo_sim_new(m, NULL, NULL, &s), AMO_OK);
  amo_cycle_opts co = amo_cycle_opts_default();
  amo_cycle *c = NULL;
  assert_int_equal(amo_cycle_find(NULL, &co, NULL, NULL, &c), AMO_ERANGE);
  assert_int_equal(amo_cycle_find(m, NULL, NULL, NULL, &c), AMO_ERANGE);
  assert_int_equal(amo_cycle_find(m, &co, NULL, NULL, NULL), AMO_ERANGE);
  amo_branch_opts bo = amo_branch_opts_default();
  amo_branch *b = NULL;
  assert_int_equal(amo_branch_follow(NULL, &bo, NULL, NULL, &b), AMO_ERANGE);
  assert_int_equal(amo_branch_follow(m, NULL, NULL, NULL, &b), AMO_ERANGE);
  assert_int_equal(amo_branch_follow(m, &bo, NULL, NULL, NULL), AMO_ERANGE);
  bo.parameter = 99;
  assert_int_not_equal(amo_branch_follow(m, &bo, NULL, NULL, &b), AMO_OK);
  amo_locus *l = NULL;
  assert_int_equal(amo_locus_follow(NULL, &bo, NULL, 0, 1.0, 3, &l), AMO_ERANGE);
  assert_int_equal(amo_locus_follow(m, &bo, NULL, 0, 1.0, 3, NULL), AMO_ERANGE);
  amo_attractor_opts ao = amo_attractor_opts_default();
  amo_attractor a;
  assert_int_equal(amo_attractor_find(NULL, &ao, &a), AMO_ERANGE);
  assert_int_equal(amo_attractor_find(s, NULL, &a), AMO_ERANGE);
  assert_int_equal(amo_attractor_find(s, &ao, NULL), AMO_ERANGE);
  ao.until = NAN;
  assert_int_equal(amo_attractor_find(s, &ao, &a), AMO_ERANGE);
  assert_string_equal(amo_attractor_name((amo_attractor_kind)99), "?");
  assert_string_equal(amo_special_name((amo_special_type)99), "?");
  assert_string_equal(amo_criticality_name((amo_criticality)-1), "?");
  amo_lyapunov *y = NULL;
  const amo_lyapunov_result *r = NULL;
  assert_int_equal(amo_lyapunov_new(NULL, 0, 1, 10, &y), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_new(m, 0, NAN, 10, &y), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_new(m, 0, INFINITY, 10, &y), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_new(m, 0, 1, 10, NULL), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_new(m, 0, 1, 10, &y), AMO_OK);
  assert_int_equal(amo_lyapunov_step(y, s), AMO_ERANGE);  // not started
  assert_int_equal(amo_lyapunov_start(y, NULL), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_start(NULL, s), AMO_ERANGE);
  assert_int_equal(amo_lyapunov_finish(y, &r), AMO_ENOANSWER);
  assert_int_equal(amo_lyapunov_finish(NULL, &r), AMO_ERANGE);
  assert_string_equal(amo_lyapunov_message(NULL), "");
  amo_lyapunov_free(y);
  amo_lyapunov_free(NULL);
  assert_int_equal(amo_section_step(NULL, s, NULL, NULL, NULL), AMO_ERANGE);
  assert_int_equal(amo_returns_add(NULL, 0, NULL), AMO_ERANGE);
  assert_int_equal(amo_returns_turns(NULL, NULL, 0, 3, 0), 0);
  amo_returns_free(NULL);
  amo_sweep_point point;
  assert_int_equal(amo_sweep_visit(NULL, NULL, 0, NULL, &point), AMO_ERANGE);
  assert_true(isnan(amo_sweep_distance(NULL, NULL)));
  amo_sweep_point_free(NULL);
  amo_cycle_free(NULL);
  amo_branch_free(NULL);
  amo_locus_free(NULL);
  amo_sim_free(s);
  amo_model_free(m);
}

static void others(void **state)
{
  (void)state;
  amo_model *m = model();
  amo_steady *s = NULL;
  assert_int_equal(amo_steady_find(NULL, NULL, NULL, &s), AMO_ERANGE);
  assert_int_equal(amo_steady_find(m, NULL, NULL, NULL), AMO_ERANGE);
  amo_steady_free(NULL);
  amo_quasistatic *q = NULL;
  assert_int_equal(amo_quasistatic_run(NULL, NULL, NULL, &q), AMO_ERANGE);
  assert_int_equal(amo_quasistatic_run(m, NULL, NULL, NULL), AMO_ERANGE);
  amo_quasistatic_opts qo = amo_quasistatic_opts_default();
  qo.until = NAN;
  assert_int_equal(amo_quasistatic_run(m, &qo, NULL, &q), AMO_EINPUT);
  amo_quasistatic_free(NULL);
  amo_spectrum *f = NULL;
  double x[64] = {0}, wrong[64] = {NAN};
  assert_int_equal(amo_spectrum_new(NULL, 64, 1, NULL, &f), AMO_ERANGE);
  assert_int_equal(amo_spectrum_new(x, 64, NAN, NULL, &f), AMO_ERANGE);
  assert_int_equal(amo_spectrum_new(x, 0, 1, NULL, &f), AMO_ERANGE);
  assert_int_equal(amo_spectrum_new(x, 64, 1, NULL, NULL), AMO_ERANGE);
  assert_int_not_equal(amo_spectrum_new(wrong, 64, 1, NULL, &f), AMO_OK);
  assert_int_equal(amo_spectrum_peaks(NULL, NULL, 3), 0);
  assert_true(isnan(amo_spectrum_share(NULL, 1, 1)) && isnan(amo_spectrum_flatness(NULL, 0, 1)));
  amo_spectrum_free(NULL);
  amo_brake *b = NULL;
  amo_braking out;
  assert_int_equal(amo_brake_new(NULL, &b), AMO_ERANGE);
  assert_int_equal(amo_brake_new(m, NULL), AMO_ERANGE);
  assert_int_equal(amo_brake_new(m, &b), AMO_OK);
  assert_int_equal(amo_brake_at(b, NULL, 0, NULL), AMO_ERANGE);
  assert_int_equal(amo_brake_at(b, NULL, NAN, (double[]){0, 0}), AMO_ERANGE);
  assert_int_equal(amo_brake_at(NULL, NULL, 0, (double[]){0, 0}), AMO_ERANGE);
  assert_int_equal(amo_brake_part(b, NULL, NULL, 0, &out), AMO_ERANGE);
  assert_int_equal(amo_brake_part(b, "nothing", NULL, 0, &out), AMO_EINPUT);
  assert_int_equal(amo_brake_contact(b, 77), (size_t)-1);
  assert_true(amo_brake_rough(b, 77).mu == 0.0);
  assert_string_equal(amo_brake_reason(NULL), "");
  assert_int_equal(amo_brake_contacts(NULL), 0);
  assert_string_equal(amo_brake_class_name((amo_brake_class)99), "?");
  amo_brake_free(b);
  amo_brake_free(NULL);
  amo_model_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loading), cmocka_unit_test(looking), cmocka_unit_test(simulating),
      cmocka_unit_test(orbits),  cmocka_unit_test(others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
