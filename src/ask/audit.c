// SPDX-License-Identifier: Apache-2.0
#include "ask/audit.h"

#include <math.h>

#include "num/rounding.h"
#include "result/json.h"

amo_audit amo_audit_none(void)
{
  return (amo_audit){.ok = true, .held = -1};
}

void amo_audit_worst(amo_audit *all, const amo_audit *one)
{
  const bool worse = !(one->contact_violation <= all->contact_violation);
  if (worse) all->worst_time = one->worst_time;
  if (worse) all->contact_violation = one->contact_violation;
  if (!(one->energy_error <= all->energy_error)) all->energy_error = one->energy_error;
  if (!(one->state_error <= all->state_error)) all->state_error = one->state_error;
  if (!(one->constraint_violation <= all->constraint_violation))
    all->constraint_violation = one->constraint_violation;
  all->impacts += one->impacts;
  all->impact_violation = fmax(all->impact_violation, one->impact_violation);
  all->impact_gain = fmax(all->impact_gain, one->impact_gain);
  all->dissipated += one->dissipated;
  all->supplied += one->supplied;
  all->energy = one->energy;
  all->ok = all->ok && one->ok;
}

cJSON *amo_audit_json(const amo_audit *a)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddBoolToObject(o, "ok", a->ok);
  amo_json_add_or(o, "contact_violation", a->contact_violation, "not a finite number");
  amo_json_add_or(o, "energy_error", a->energy_error, "not a finite number");
  amo_json_add_or(o, "state_error", a->state_error, "not a finite number");
  amo_json_add_or(o, "constraint_violation", a->constraint_violation, "not a finite number");
  amo_json_add_or(o, "dissipated", a->dissipated, "not a finite number");
  amo_json_add_or(o, "supplied", a->supplied, "not a finite number");
  amo_json_add_or(o, "energy", a->energy, "not a finite number");
  amo_json_add_or(o, "worst_time", a->worst_time, "no violation was met");
  cJSON_AddNumberToObject(o, "impacts", (double)a->impacts);
  amo_json_add_or(o, "impact_violation", a->impact_violation, "not a finite number");
  amo_json_add_or(o, "impact_gain", a->impact_gain, "not a finite number");
  return o;
}

amo_status amo_audit_tell(const amo_audit *a, const char *what, amo_diags *diags)
{
  if (a->ok) return AMO_OK;
  amo_error(diags, (amo_at){0}, "a smaller --tol may help",
            "%s fails its audit, do not trust it: friction conditions to %.2g, energy balance to %.2g, "
            "constraints to %.2g, rates of states to %.2g, impacts to %.2g",
            what, a->contact_violation, a->energy_error, a->constraint_violation, a->state_error,
            a->impact_violation);
  return AMO_EAUDIT;
}

void amo_audit_print(const cJSON *result, FILE *out)
{
  const cJSON *a = cJSON_GetObjectItemCaseSensitive(result, "audit");
  if (!a) return;
  const bool ok = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(a, "ok"));
  fprintf(out, "audit  %s: friction conditions to %.2g, energy balance to %.2g", ok ? "passed" : "FAILED",
          amo_json_get(a, "contact_violation"), amo_json_get(a, "energy_error"));
  if (amo_json_get(a, "state_error") > 0)
    fprintf(out, ", rates of states to %.2g", amo_json_get(a, "state_error"));
  if (amo_json_get(a, "constraint_violation") > 0)
    fprintf(out, ", constraints to %.2g", amo_json_get(a, "constraint_violation"));
  if (amo_json_get(a, "impacts") > 0)
    fprintf(out, ", %.0f impacts to %.2g", amo_json_get(a, "impacts"), amo_json_get(a, "impact_violation"));
  if (amo_json_get(a, "impact_gain") > AMO_SAME)
    fprintf(out, " (energy gained in one: %.2g)", amo_json_get(a, "impact_gain"));
  if (!ok && isfinite(amo_json_get(a, "worst_time")))
    fprintf(out, " (worst at t = %.9g)", amo_json_get(a, "worst_time"));
  fprintf(out, "\n");
}
