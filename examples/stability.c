// SPDX-License-Identifier: Apache-2.0
/// Two questions without a run in time, from C: is steady sliding stable, and which path do slow loads take?
///
///   cc stability.c $(pkg-config --cflags --libs amontons) -o stability && ./stability
#include <amontons/amontons.h>
#include <stdio.h>
#include <string.h>

static const char belt[] =
    "amontons: 1\n"
    "parameters: {v: 0.5}\n"
    "coordinates: [x]\n"
    "particles: {block: {mass: 1, at: [x, 0]}}\n"
    "energy: {potential: x^2/2}\n"
    "contacts: {belt: {pressed: 1, slip: x' - v, law: {type: curve, static: 1, kinetic: 1/(1 + 3*s)}}}\n";

static const char mass[] =
    "amontons: 1\n"
    "coordinates: [u, w]\n"
    "particles: {mass: {mass: 1, at: [u, w]}}\n"
    "energy: {potential: (u^2 + 2*w^2)/2 + u*w}\n"
    "loads: {F: {on: mass, force: [\"table(t, 0,0, 20,0, 420,-2)\", \"table(t, 0,0, 20,-1, 420,-1)\"]}}\n"
    "contacts: {plane: {support: w, slip: u', law: {type: coulomb, mu: 1.25}}}\n";

int main(void)
{
  amo_model *m = NULL;
  amo_steady *s = NULL;
  amo_quasistatic *p = NULL;
  if (amo_model_parse("belt", belt, strlen(belt), NULL, 0, NULL, &m) != AMO_OK) return 1;
  if (amo_steady_find(m, NULL, NULL, &s) != AMO_OK) return 1;
  printf("x = %g, %s, growth rate %g\n", s->state[0], s->stable ? "stable" : "unstable", s->growth);
  const bool grows = s->growth > 0.239 && s->growth < 0.241;
  amo_steady_free(s);
  // The same model asked with other values: nothing is loaded or copied, and threads may do so side by side.
  amo_values *faster = NULL;
  if (amo_values_new(m, &faster) != AMO_OK || amo_values_set(faster, 0, 2.0) != AMO_OK) return 1;
  const amo_steady_opts at_two = {.size = sizeof at_two, .t = faster->t0, .values = faster};
  if (amo_steady_find(m, &at_two, NULL, &s) != AMO_OK) return 1;
  printf("at v = 2 the growth rate is %g\n", s->growth);
  const bool calmer = s->growth > 0.030 && s->growth < 0.031;
  amo_steady_free(s);
  amo_values_free(faster);
  amo_model_free(m);

  if (amo_model_parse("mass", mass, strlen(mass), NULL, 0, NULL, &m) != AMO_OK) return 1;
  amo_quasistatic_opts o = amo_quasistatic_opts_default();
  o.until = 420;
  if (amo_quasistatic_run(m, &o, NULL, &p) != AMO_OK) return 1;
  for (size_t i = 0; i < p->events; i++)
    printf("t = %g: %s to u = %g, w = %g\n", p->event[i].t, p->event[i].jump ? "jump" : "change",
           p->event[i].q[0], p->event[i].q[1]);
  const bool jumps = p->events == 1 && p->event[0].jump;
  amo_quasistatic_free(p);
  amo_model_free(m);
  return grows && calmer && jumps ? 0 : 1;
}
