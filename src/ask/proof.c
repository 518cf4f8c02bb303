// SPDX-License-Identifier: Apache-2.0
#include "ask/proof.h"

#include "result/json.h"

static cJSON *unproven_json(const amo_proof *p)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < p->told; i++) {
    cJSON *o = cJSON_CreateObject();
    amo_json_add(o, "t", p->unproven[i].t);
    amo_json_add(o, "h", p->unproven[i].h);
    cJSON_AddStringToObject(o, "why", p->unproven[i].why);
    cJSON_AddItemToArray(list, o);
  }
  return list;
}

void amo_proof_add(cJSON *audit, const amo_model *m, const amo_proof *proof)
{
  if (proof == NULL) return;
  cJSON_AddBoolToObject(audit, "proven", proof->proven == proof->steps);
  cJSON *o = cJSON_AddObjectToObject(audit, "proof");
  cJSON_AddNumberToObject(o, "steps", (double)proof->steps);
  cJSON_AddNumberToObject(o, "proven", (double)proof->proven);
  amo_json_add(o, "largest_error", proof->error);
  if (proof->state >= 0) {
    cJSON *worst = cJSON_AddObjectToObject(o, "worst");
    cJSON_AddStringToObject(worst, "state", amo_model_state(m, (size_t)proof->state).name);
    amo_json_add(worst, "t", proof->error_time);
    amo_json_add(worst, "error", proof->error_absolute);
  }
  amo_json_add(o, "event_error", proof->event_error);
  cJSON_AddItemToObject(o, "unproven", unproven_json(proof));
}

void amo_proof_print(const cJSON *audit, FILE *out)
{
  const cJSON *p = cJSON_GetObjectItemCaseSensitive(audit, "proof");
  if (!p) return;
  const double steps = amo_json_get(p, "steps"), proven = amo_json_get(p, "proven");
  if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(audit, "proven"))) {
    fprintf(out, "proof  every step: local error below %.2g, no condition changes sign between events\n",
            amo_json_get(p, "largest_error"));
    return;
  }
  fprintf(out, "proof  %.0f of %.0f steps: local error below %.2g; not proven:\n", proven, steps,
          amo_json_get(p, "largest_error"));
  const cJSON *u = NULL, *list = cJSON_GetObjectItemCaseSensitive(p, "unproven");
  cJSON_ArrayForEach(u, list)
      fprintf(out, "       t = %.9g (%s)\n", amo_json_get(u, "t"), amo_json_text(u, "why"));
  const double more = steps - proven - cJSON_GetArraySize(list);
  if (more > 0) fprintf(out, "       and %.0f more\n", more);
}
