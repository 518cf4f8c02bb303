// SPDX-License-Identifier: Apache-2.0
#include "support/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_diags(const char *what, amo_status st, const amo_diags *d)
{
  char *text = amo_diags_render(d);
  fprintf(stderr, "%s: %s\n%s", what, amo_status_name(st), text ? text : "");
  free(text);
}

amo_model *motion_model(const char *text)
{
  amo_diags *d = amo_diags_new();
  amo_model *m = NULL;
  const amo_status st = amo_model_parse("test.yaml", text, strlen(text), NULL, 0, d, &m);
  if (st != AMO_OK) {
    print_diags("model", st, d);
    fprintf(stderr, "---\n%s---\n", text);
  }
  amo_diags_free(d);
  return m;
}

amo_sim *motion_sim(const amo_model *m, double tol)
{
  amo_sim_opts o = amo_sim_opts_default();
  amo_diags *d = amo_diags_new();
  amo_sim *s = NULL;
  o.tol = tol;
  o.audit = true;
  const amo_status st = amo_sim_new(m, &o, d, &s);
  if (st != AMO_OK) print_diags("simulation", st, d);
  amo_diags_free(d);
  return s;
}

static void collect(amo_sim *s, size_t states, motion *out)
{
  if (states > MOTION_STATES) states = MOTION_STATES;
  for (size_t i = 0; i < amo_sim_new_events(s); i++) {
    const amo_event *e = amo_sim_new_event(s, i);
    if (e->kind != AMO_EVENT_MODE || out->events == MOTION_EVENTS) continue;
    motion_event *k = &out->event[out->events++];
    *k = (motion_event){.t = e->t, .contact = e->contact, .from = e->from, .to = e->to};
    memcpy(k->state, amo_sim_state(s), sizeof(double) * states);
  }
}

amo_status motion_run(amo_sim *s, size_t states, double t_end, motion *out)
{
  amo_status st = AMO_OK;
  if (out) out->events = 0;
  while (st == AMO_OK && amo_sim_time(s) < t_end) {
    st = amo_sim_step(s, t_end);
    if (st != AMO_OK)
      fprintf(stderr, "t = %.17g: %s: %s\n", amo_sim_time(s), amo_status_name(st), amo_sim_message(s));
    else if (out)
      collect(s, states, out);
  }
  return st;
}

amo_status motion_advance(amo_sim *s, double t_end)
{
  return motion_run(s, 0, t_end, NULL);
}

bool motion_audit(const amo_sim *s)
{
  const amo_audit *a = amo_sim_audit(s);
  if (!a->ok)
    fprintf(stderr,
            "audit: contact %.2e at t = %.6g, energy %.2e, constraint %.2e, dissipated %.10g, supplied "
            "%.10g, energy now %.10g\n",
            a->contact_violation, a->worst_time, a->energy_error, a->constraint_violation, a->dissipated,
            a->supplied, a->energy);
  return a->ok;
}
