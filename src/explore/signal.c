// SPDX-License-Identifier: Apache-2.0
#include "explore/signal.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/program.h"
#include "explore/trajectory.h"

struct amo_signal {
  amo_trajectory *t;         // the columns; holds the one row that is being looked at
  const amo_column *column;  // NULL: an expression
  amo_prog *program;
  double *reg;
};

amo_status amo_signal_new(const amo_values *v, const char *option, const char *text, amo_diags *diags,
                          amo_signal **out)
{
  amo_signal *s = amo_zalloc(1, sizeof *s);
  *out = NULL;
  if (!s) return AMO_ENOMEM;
  amo_status st = amo_trajectory_new(v->model, true, &s->t);
  if (st == AMO_OK) s->column = amo_trajectory_column(s->t, text);
  if (st == AMO_OK && !s->column) {
    st = amo_trajectory_program(s->t, v, option, text, diags, &s->program);
    if (st == AMO_OK) s->reg = amo_zalloc(amo_prog_registers(s->program), sizeof *s->reg);
    if (st == AMO_OK && !s->reg) st = AMO_ENOMEM;
    if (st == AMO_OK) amo_prog_prepare1(s->program, s->reg);
  }
  if (st != AMO_OK) {
    amo_signal_free(s);
    return st;
  }
  *out = s;
  return AMO_OK;
}

void amo_signal_free(amo_signal *s)
{
  if (!s) return;
  amo_trajectory_free(s->t);
  amo_prog_free(s->program);
  free(s->reg);
  free(s);
}

double amo_signal_value(amo_signal *s, const amo_sample *p)
{
  s->t->rows = 0;
  if (amo_trajectory_row(s->t, p, false) != AMO_OK) return NAN;
  if (s->column) return s->column->value[0];
  for (size_t c = 0; c < s->t->columns; c++) s->reg[c] = s->t->column[c].value[0];
  amo_prog_eval1(s->program, s->reg, NULL);
  return s->reg[amo_prog_root(s->program, 0)];
}

bool amo_signal_is_of_state(const amo_signal *s)
{
  const size_t first = 1 + s->t->states;  // columns behind time and states
  if (s->column) return (size_t)(s->column - s->t->column) < first;
  return !amo_prog_reads(s->program, (uint32_t)first, (uint32_t)(s->t->columns - first));
}

const char *amo_signal_unit(const amo_signal *s)
{
  return s->column ? s->column->unit : "";
}

const char *amo_signal_time_unit(const amo_signal *s)
{
  return s->t->column[0].unit;
}
