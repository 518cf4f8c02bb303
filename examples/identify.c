// SPDX-License-Identifier: Apache-2.0
// Friction from a record: a block on a belt is watched, and its friction found from what it did.
//   cc identify.c $(pkg-config --cflags --libs amontons) -lm
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <amontons/amontons.h>

enum { ROWS = 400 };

static const char text[] =
    "amontons: 1\n"
    "name: block-on-belt\n"
    "parameters: {m: 1, k: 1, Fs: {value: 1, min: 0}, delta: {value: 3, min: 0}, v: 0.2}\n"
    "coordinates: [x]\n"
    "particles: {block: {mass: m, at: [x, 0]}}\n"
    "springs: {spring: {along: x, stiffness: k}}\n"
    "contacts: {belt: {pressed: 1, slip: x' - v, law: {type: curve, static: Fs, kinetic: Fs/(1 + "
    "delta*s)}}}\n"
    "initial: {x: 1.1, x': 0}\n";

int main(void)
{
  static double t[ROWS], x[ROWS];
  const double *column[] = {x};
  const char *what[] = {"x"};
  amo_model *m = NULL;
  amo_sim *s = NULL;
  amo_fit_outcome *f = NULL;
  amo_diags *d = amo_diags_new();
  amo_status st = amo_model_parse("block", text, strlen(text), NULL, 0, d, &m);
  if (st == AMO_OK) st = amo_sim_new(m, NULL, d, &s);
  for (int i = 0; st == AMO_OK && i < ROWS; i++) {  // a record with errors of a hundredth or so
    t[i] = 0.1 * (i + 1);
    st = amo_sim_run(s, t[i], NULL, NULL);
    if (st == AMO_OK) x[i] = amo_sim_state(s)[0] + 0.01 * sin(1000.0 * i * i);
  }
  const amo_fit_data data = {.rows = ROWS, .t = t, .value = column};
  amo_fit_unknown unknown[] = {amo_fit_unknown_free("Fs"), amo_fit_unknown_free("delta")};
  unknown[0].start = 0.8;
  unknown[1].start = 4.0;
  if (st == AMO_OK) st = amo_fit_model(m, what, 1, &data, 1, unknown, 2, NULL, d, &f);
  for (size_t i = 0; st == AMO_OK && i < f->n; i++)
    printf("%-6s %8.5f +- %.5f\n", f->name[i], f->value[i], f->se[i]);
  const int good = st == AMO_OK && fabs(f->value[0] - 1.0) < 0.01 && fabs(f->value[1] - 3.0) < 0.05;
  if (st != AMO_OK) fprintf(stderr, "%s\n", amo_status_text(st));
  amo_fit_outcome_free(f);
  amo_sim_free(s);
  amo_model_free(m);
  amo_diags_free(d);
  return good ? 0 : 1;
}
