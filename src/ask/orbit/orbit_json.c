// SPDX-License-Identifier: Apache-2.0
#include "ask/orbit/orbit_json.h"

#include <math.h>

#include "result/json.h"

cJSON *amo_orbit_state_json(const amo_model *m, const double *state)
{
  cJSON *o = cJSON_CreateObject();
  for (size_t i = 0; i < amo_model_states(m); i++) amo_json_add(o, amo_model_state(m, i).name, state[i]);
  return o;
}

cJSON *amo_orbit_matrix_json(const double *matrix, size_t rows, size_t columns)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < rows; i++) {
    cJSON *row = cJSON_CreateArray();
    for (size_t j = 0; j < columns; j++) cJSON_AddItemToArray(row, amo_json_number(matrix[j * rows + i]));
    cJSON_AddItemToArray(list, row);
  }
  return list;
}

cJSON *amo_orbit_multipliers_json(const amo_multiplier *m, size_t n)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < n; i++) {
    cJSON *o = cJSON_CreateObject();
    amo_json_add(o, "re", m[i].re);
    amo_json_add(o, "im", m[i].im);
    amo_json_add(o, "abs", m[i].abs);
    if (m[i].error > 0.0) amo_json_add(o, "error", m[i].error);
    if (m[i].kind != AMO_MULTIPLIER_OWN)
      cJSON_AddStringToObject(o, "of", m[i].kind == AMO_MULTIPLIER_PHASE ? "phase" : "shift");
    cJSON_AddItemToArray(list, o);
  }
  return list;
}

cJSON *amo_orbit_event_json(const amo_model *m, const amo_event *e, double t0, const double *state)
{
  cJSON *o = amo_json_event(m, e, t0);
  if (state) cJSON_AddItemToObject(o, "state", amo_orbit_state_json(m, state));
  return o;
}

void amo_orbit_print_multipliers(const cJSON *list, FILE *out)
{
  const cJSON *x = NULL;
  bool first = true;
  cJSON_ArrayForEach(x, list)
  {
    const double re = amo_json_get(x, "re"), im = amo_json_get(x, "im");
    if (im < 0.0) continue;  // the other of a pair
    fprintf(out, first ? "" : ", ");
    if (im > 0.0)
      fprintf(out, "%.10g +- %.10gi", re, im);
    else
      fprintf(out, "%.10g", re);
    first = false;
  }
}
