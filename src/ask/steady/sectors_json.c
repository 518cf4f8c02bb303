// SPDX-License-Identifier: Apache-2.0
// Sectors of load rates (explore/rates/rates.h) as JSON.
#include <math.h>
#include <stdio.h>

#include "ask/steady/quasistatic_json.h"
#include "result/json.h"

amo_status amo_sectors_axes(const amo_call *call, const char *plane, size_t axis[2])
{
  char name[2][64] = {"", ""}, rest = 0;
  if (sscanf(plane, " %63[^, ] , %63[^, ] %c", name[0], name[1], &rest) != 2)
    return amo_error(call->diags, (amo_at){0}, "--sectors C1,C2", "--sectors needs two parameters, got '%s'",
                     plane);
  for (int k = 0; k < 2; k++) {
    const long i = amo_model_find_parameter(call->model, name[k]);
    if (i < 0)
      return amo_error(call->diags, (amo_at){0}, NULL, "--sectors: the model has no parameter '%s'", name[k]);
    if (call->model->param[i].expr != AMO_NODE_NONE)
      return amo_error(call->diags, (amo_at){0}, NULL, "--sectors: '%s' follows from other parameters",
                       name[k]);
    axis[k] = (size_t)i;
  }
  if (axis[0] != axis[1]) return AMO_OK;
  return amo_error(call->diags, (amo_at){0}, NULL, "--sectors needs two different parameters, got '%s' twice",
                   name[0]);
}

amo_status amo_sectors_json(const amo_call *call, double t, const double *state, const size_t axis[2],
                            cJSON *result)
{
  const amo_rate_plane plane = {.values = call->values,
                                .t = t,
                                .state = state,
                                .axis = {axis[0], axis[1]},
                                .unstable = amo_opt_flag(call->opt, "unstable"),
                                .stop = (volatile int *)call->interrupted};
  const double degree = 180.0 / acos(-1.0);
  amo_rate_sectors all;
  const amo_status st = amo_rate_sectors_find(&plane, call->diags, &all);
  cJSON *list = cJSON_AddArrayToObject(result, "sectors");
  for (size_t i = 0; i < all.count; i++) {
    cJSON *o = cJSON_CreateObject();
    amo_json_add(o, "from", all.item[i].from * degree);
    amo_json_add(o, "to", all.item[i].to * degree);
    cJSON_AddStringToObject(o, "answers", all.item[i].answers);
    cJSON_AddItemToArray(list, o);
  }
  amo_rate_sectors_free(&all);
  return st;
}
