// SPDX-License-Identifier: Apache-2.0
// What the source's theorems on rest say, beside what the enumeration of all solutions finds.
#include <math.h>
#include <string.h>

#include "result/json.h"
#include "ask/rest/theorem_json.h"

static const char *compare(const char *verdict, int direction, const char *source, int source_direction)
{
  if (strcmp(source, "rest") == 0) return strcmp(verdict, "holds") == 0 ? "agrees" : "differs";
  bool same =
      strcmp(source, "motion") == 0 && strcmp(verdict, "starts") == 0 && direction == source_direction;
  return same ? "agrees" : "differs";
}

void amo_theorem_add(const amo_solutions *s, cJSON *result)
{
  const amo_model *m = s->m;
  if (m->nc != 1 || m->contact[0].kind != AMO_GUIDE || m->nq != m->ng + 2u) return;
  const cJSON *c = cJSON_GetObjectItemCaseSensitive(result, "contacts");
  const amo_influence *f = &s->influence[0];
  double needed = amo_json_get(c->child, "needed"), R = amo_json_get(c->child, "reaction");
  double muL = f->mu * fabs(f->L);
  bool bound = fabs(needed) <= amo_json_get(c->child, "bound") * (1.0 + 1e-12);
  bool three = muL > 1.0;
  if (!isfinite(needed) || !isfinite(R) || !isfinite(f->L)) return;
  const char *say = bound ? "rest" : "motion";
  if (three && fabs(f->L * needed) > fabs(R))  // (ii): along sign(L Q2), or (iii)
    say = !bound ? "rest-or-motion" : needed * f->L * R > 0.0 ? "motion" : "rest";
  int along = strcmp(say, "rest") == 0 ? 0 : (needed < 0.0) - (needed > 0.0);
  cJSON *o = cJSON_AddObjectToObject(result, "source");
  cJSON_AddNumberToObject(o, "theorem", three ? 3 : 2);
  cJSON_AddStringToObject(o, "verdict", say);
  cJSON_AddNumberToObject(o, "direction", along);
  amo_json_add(o, "mu_L", muL);
  cJSON_AddStringToObject(
      o, "enumeration",
      compare(amo_json_text(result, "verdict"), (int)amo_json_get(result, "direction"), say, along));
}
