// SPDX-License-Identifier: Apache-2.0
// Can the data tell relations apart? And what follows from the outcome.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ask/fit/fit_relation.h"
#include "result/json.h"
#include "ask/number.h"

/// Variance inflation of y by x: 1/(1 - R^2) of a parabola through their logarithms (their values, where one is not positive).
static double inflation(const double *x, const double *y, size_t n)
{
  double m[3][4] = {{0}}, mean = 0, total = 0, left = 0;
  bool logs = true;
  for (size_t i = 0; i < n; i++) logs &= x[i] > 0 && y[i] > 0;
#define X(i) (logs ? log(x[i]) : x[i])
#define Y(i) (logs ? log(y[i]) : y[i])
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < n; i++) low = fmin(low, X(i)), high = fmax(high, X(i)), mean += Y(i) / (double)n;
  if (!(high > low)) return 1;
  for (size_t i = 0; i < n; i++) {
    const double u = (2 * X(i) - low - high) / (high - low), b[3] = {1, u, u * u};
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) m[r][c] += b[r] * b[c];
      m[r][3] += b[r] * (Y(i) - mean);
    }
    total += (Y(i) - mean) * (Y(i) - mean);
  }
  double c[3] = {0};
  for (int r = 0; r < 3; r++) {  // elimination; a column that adds nothing stays out
    const double pivot = m[r][r];
    if (!(pivot > 1e-9 * (double)n)) continue;
    for (int q = 0; q < 3; q++)
      for (int k = 3; q != r && k >= r; k--) m[q][k] -= m[q][r] / pivot * m[r][k];
  }
  for (int r = 0; r < 3; r++) c[r] = m[r][r] > 1e-9 * (double)n ? m[r][3] / m[r][r] : 0;
  for (size_t i = 0; i < n; i++) {
    const double u = (2 * X(i) - low - high) / (high - low),
                 off = Y(i) - mean - c[0] - c[1] * u - c[2] * u * u;
    left += off * off;
  }
#undef X
#undef Y
  return left > 0 ? fmax(1, total / left) : INFINITY;
}

/// Is the column on the right of some relation, but not of all?
static bool divides(const amo_equation_set *s, size_t column)
{
  size_t with = 0;
  for (size_t k = 0; k < s->n; k++) with += amo_equation_right_uses(s->of[k].relation, column);
  return with > 0 && with < s->n;
}

/// Equal values of one column with different ones of the other, and the other way round.
static void propose(const amo_equation_set *s, size_t a, size_t b, amo_text *t)
{
  const bool rate_and_time = (!strcmp(s->column[a], "f") && !strcmp(s->column[b], "T")) ||
                             (!strcmp(s->column[a], "T") && !strcmp(s->column[b], "f"));
  double low = INFINITY, high = -INFINITY, longest = 0;
  const size_t f = !strcmp(s->column[a], "f") ? a : b, rest = f == a ? b : a;
  for (size_t i = 0; i < s->rows; i++) {
    low = fmin(low, s->value[f * s->rows + i]);
    high = fmax(high, s->value[f * s->rows + i]);
    longest = fmax(longest, s->value[rest * s->rows + i]);
  }
  if (!rate_and_time) {
    amo_text_printf(t,
                    "measure rows in which '%s' is the same and '%s' differs, at two values of '%s' at least",
                    s->column[a], s->column[b], s->column[a]);
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
  for (size_t a = 0; a < s->columns; a++)
    for (size_t b = a + 1; b < s->columns; b++) {
      if (!divides(s, a) || !divides(s, b)) continue;
      const double vif = fmax(inflation(s->value + a * s->rows, s->value + b * s->rows, s->rows),
                              inflation(s->value + b * s->rows, s->value + a * s->rows, s->rows));
      cJSON *one = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(one, "columns");
      cJSON_AddItemToArray(names, cJSON_CreateString(s->column[a]));
      cJSON_AddItemToArray(names, cJSON_CreateString(s->column[b]));
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
               s->column[a], s->column[b], vif);
      amo_text_free(&t);
    }
  cJSON_AddBoolToObject(result, "separable", separable);
}

// ---- predictions ----

amo_status amo_equation_predictions(const amo_equation_set *s, const amo_equation_fit *of, const amo_fit *f,
                                    cJSON *result, amo_diags *d)
{
  const amo_setting *line = NULL;
  const size_t n = amo_opt_settings(s->call->opt, "predict", &line);
  amo_equation_names names = s->names;
  amo_status st = AMO_OK;
  names.unknown = amo_equation_names_of(of->relation);
  names.unknowns = amo_equation_unknowns(of->relation);
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
