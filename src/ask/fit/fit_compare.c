// SPDX-License-Identifier: Apache-2.0
// Can the data tell relations apart? And what follows from the outcome.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ask/fit/fit_relation.h"
#include "result/json.h"
#include "ask/number.h"

/// Is the column on the right of some relation, but not of all?
static bool divides(const amo_equation_set *s, size_t column)
{
  size_t with = 0;
  for (size_t k = 0; k < s->n; k++) with += amo_equation_right_uses(s->of[k].equation, column);
  return with > 0 && with < s->n;
}

/// Equal values of one column with different ones of the other, and the other way round.
static void propose(const amo_equation_set *s, size_t a, size_t b, amo_text *t)
{
  const bool rate_and_time = (!strcmp(s->table.column[a], "f") && !strcmp(s->table.column[b], "T")) ||
                             (!strcmp(s->table.column[a], "T") && !strcmp(s->table.column[b], "f"));
  double low = INFINITY, high = -INFINITY, longest = 0;
  const size_t f = !strcmp(s->table.column[a], "f") ? a : b, rest = f == a ? b : a;
  for (size_t i = 0; i < s->table.rows; i++) {
    low = fmin(low, s->table.value[f * s->table.rows + i]);
    high = fmax(high, s->table.value[f * s->table.rows + i]);
    longest = fmax(longest, s->table.value[rest * s->table.rows + i]);
  }
  if (!rate_and_time) {
    amo_text_printf(t,
                    "measure rows in which '%s' is the same and '%s' differs, at two values of '%s' at least",
                    s->table.column[a], s->table.column[b], s->table.column[a]);
    return;
  }
  amo_text_printf(t,
                  "load at equal rates after different rests: at f = %.3g, %.3g and %.3g N/s (drive speed "
                  "f/c), stop the drive in the stick "
                  "for 0, %.3g and %.3g s and go on at the same speed to break-down; and change the speed in "
                  "the stick, so that equal "
                  "contact times end at different rates",
                  low, sqrt(fmax(low, 0) * high), high, longest, 10 * longest);
}

void amo_equation_tied(const amo_equation_set *s, cJSON *result, amo_diags *d)
{
  cJSON *list = cJSON_AddArrayToObject(result, "tied");
  bool separable = true;
  for (size_t a = 0; a < s->table.columns; a++)
    for (size_t b = a + 1; b < s->table.columns; b++) {
      if (!divides(s, a) || !divides(s, b)) continue;
      const double vif = amo_relation_inflation(&s->table, a, b);
      cJSON *one = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(one, "columns");
      cJSON_AddItemToArray(names, cJSON_CreateString(s->table.column[a]));
      cJSON_AddItemToArray(names, cJSON_CreateString(s->table.column[b]));
      amo_json_add_or(one, "vif", vif, "one is a function of the other");
      cJSON_AddItemToArray(list, one);
      if (!(vif > 10)) continue;
      amo_text t = {0};
      separable = false;
      propose(s, a, b, &t);
      cJSON_AddStringToObject(one, "programme", t.data ? t.data : "");
      amo_warn(d, (amo_at){0}, t.data,
               "'%s' and '%s' are tied in these data (variance inflation %.3g): they cannot tell these "
               "relations apart, whatever AICc says",
               s->table.column[a], s->table.column[b], vif);
      amo_text_free(&t);
    }
  cJSON_AddBoolToObject(result, "separable", separable);
}

// ---- predictions ----

amo_status amo_equation_predictions(const amo_equation_set *s, const amo_relation_fit *of, const amo_fit *f,
                                    cJSON *result, amo_diags *d)
{
  const amo_setting *line = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "predict", &line);
  amo_equation_names names = s->names;
  amo_status st = AMO_OK;
  names.unknown = amo_equation_names_of(of->equation);
  names.unknowns = amo_equation_unknowns(of->equation);
  cJSON *all = n ? cJSON_AddObjectToObject(result, "predictions") : NULL;
  double p[AMO_EQUATION_UNKNOWNS];
  for (size_t i = 0; i < f->n; i++) p[i] = f->value[i];
  for (size_t i = 0; i < n && st == AMO_OK; i++) {
    amo_prediction q;
    st = amo_predict(line[i].text, &names, p, f->covariance, d, &q);
    if (st != AMO_OK) return st;
    cJSON *o = cJSON_AddObjectToObject(all, q.name);
    amo_json_add(o, "value", q.value);
    amo_json_add_or(o, "se", q.se, "an unknown that it needs has no standard error");
  }
  return st;
}

void amo_fit_print_relations(const cJSON *r, FILE *out)
{
  const cJSON *p = NULL, *all = cJSON_GetObjectItemCaseSensitive(r, "predictions");
  cJSON_ArrayForEach(p, all)
      fprintf(out, "%s  %-16s %16.10g %12.3g   predicted\n", p->prev && p->prev->next ? "" : "\n", p->string,
              amo_json_get(p, "value"), amo_json_get(p, "se"));
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(r, "comparison");
  if (list == NULL) return;
  fprintf(out, "\n  %-28s %8s %14s %12s %10s\n", "relation", "unknowns", "residual", "AICc", "more");
  cJSON_ArrayForEach(p, list)
      fprintf(out, "  %-28s %8d %14.6g %12.2f %10.2f%s\n", amo_json_text(p, "name"),
              cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(p, "parameters")),
              amo_json_get(p, "residual"), amo_json_get(p, "aicc"), amo_json_get(p, "difference"),
              cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(p, "identifiable")) ? "" : "  not identifiable");
  fprintf(out, "\n%s %s\n", amo_json_text(r, "preferred"),
          cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(r, "separable"))
              ? "is preferred"
              : "has the least AICc, but these data cannot separate the relations");
}
