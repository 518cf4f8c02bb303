// SPDX-License-Identifier: Apache-2.0
// The tables in the order of the document.
#include "result/fields.h"

static const amo_result_table tables[] = {
    {"simulate", NULL, amo_fields_simulate},
    {"evaluate", NULL, amo_fields_evaluate},
    {"contact", NULL, amo_fields_contact},
    {"rest", NULL, amo_fields_rest},
    {"brake", NULL, amo_fields_brake},
    {"limits", NULL, amo_fields_limits},
    {"map", NULL, amo_fields_map},
    {"steady", NULL, amo_fields_steady},
    {"quasistatic", NULL, amo_fields_quasistatic},
    {"cycle", NULL, amo_fields_cycle},
    {"continue", NULL, amo_fields_continue},
    {"sensitivity", NULL, amo_fields_sensitivity},
    {"spectrum", NULL, amo_fields_spectrum},
    {"poincare", NULL, amo_fields_poincare},
    {"lyapunov", NULL, amo_fields_lyapunov},
    {"attractor", NULL, amo_fields_attractor},
    {"sweep", NULL, amo_fields_sweep},
    {"fit", NULL, amo_fields_fit},
    {"breakdowns", NULL, amo_fields_breakdowns},
    {"statistics", NULL, amo_fields_statistics},
    {"describe", NULL, amo_fields_describe},
    {"draw", NULL, amo_fields_draw},
    {"emit", NULL, amo_fields_emit},
    {"test",
     "Inside a study each result has fields more, which expectations may ask for: `parameters.NAME` (their "
     "values in "
     "the run), `warnings[]`, `message` (its errors, joined; empty if there were none) and `exit` (the exit "
     "status "
     "that the command line would give); an item of a sweep has `over.NAME`, the values it was run with.",
     amo_fields_test},
    {"reproduce", NULL, amo_fields_reproduce},
    {0}};

const amo_result_table *amo_result_tables(void)
{
  return tables;
}
