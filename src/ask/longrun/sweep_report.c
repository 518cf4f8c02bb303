// SPDX-License-Identifier: Apache-2.0
// The result of `sweep`: JSON with hysteresis, files, and text for a person.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "plot/figure.h"
#include "ask/audit.h"
#include "plot/axis_label.h"
#include "result/json.h"
#include "ask/longrun/sweep_run.h"
#include "result/table.h"

static const char *kind_of(const amo_sweep_point *p)
{
  return p->still ? "still" : p->turns ? "cycle" : p->passes ? "irregular" : "no pass";
}

static cJSON *point_json(const amo_sweep_point *p)
{
  cJSON *o = cJSON_CreateObject();
  amo_json_add(o, "at", p->at);
  cJSON_AddStringToObject(o, "kind", kind_of(p));
  amo_json_add_or(o, "turns", p->turns ? (double)p->turns : NAN, "no period found");
  amo_json_add_or(o, "period", p->period, "no period found");
  amo_json_add(o, "min", p->low);
  amo_json_add(o, "max", p->high);
  cJSON_AddNumberToObject(o, "passes", (double)p->passes);
  cJSON_AddBoolToObject(o, "audit_ok", p->audit.ok);
  cJSON *list = cJSON_AddArrayToObject(o, "points");
  // a cycle repeats itself: one period says it all
  const size_t shown = p->turns ? p->turns : p->passes;
  for (size_t i = p->passes - shown; i < p->passes; i++)
    cJSON_AddItemToArray(list, amo_json_number(p->value[i]));
  return o;
}

static bool visited(const amo_walk *w, int leg, size_t i)
{
  return leg == 0 ? i < w->visited[0] : i >= w->n - w->visited[1];
}

static void add_diagram(cJSON *o, const amo_walk *w)
{
  static const char *const name[] = {"up", "down"};
  cJSON *all = cJSON_AddObjectToObject(o, "diagram");
  for (int leg = 0; leg < 2; leg++) {
    if (!w->leg[leg]) continue;
    cJSON *one = cJSON_AddObjectToObject(all, name[leg]);
    cJSON *x = cJSON_AddArrayToObject(one, "x"), *y = cJSON_AddArrayToObject(one, "y");
    for (size_t i = 0; i < w->n; i++) {
      const amo_sweep_point *p = &w->leg[leg][i];
      const size_t shown = p->turns ? p->turns : p->passes;
      for (size_t k = p->passes - shown; visited(w, leg, i) && k < p->passes; k++) {
        cJSON_AddItemToArray(x, amo_json_number(p->at));
        cJSON_AddItemToArray(y, amo_json_number(p->value[k]));
      }
    }
  }
}

static bool differ(const amo_walk *w, size_t i)
{
  const amo_sweep_point *a = &w->leg[0][i], *b = &w->leg[1][i];
  const double part = amo_opt_number(w->j.call->opt, "differ");
  // what is irregular is known by its range only, and that from a sample
  return amo_sweep_distance(a, b) > (a->turns && b->turns ? part : fmax(part, 0.1)) * w->spread;
}

static void add_hysteresis(cJSON *o, const amo_walk *w)
{
  cJSON *h = cJSON_AddObjectToObject(o, "hysteresis");
  if (!w->leg[0] || !w->leg[1] || w->done < w->total) {
    cJSON_AddNullToObject(h, "found");
    cJSON_AddStringToObject(h, "found_reason",
                            w->done < w->total ? "the sweep was interrupted"
                                               : "needs the way up and the way down");
    return;
  }
  cJSON *ranges = cJSON_CreateArray();
  double width = 0.0, least = NAN, most = NAN;
  for (size_t i = 0; i < w->n; i++) {
    if (!differ(w, i)) continue;
    size_t k = i;
    while (k + 1 < w->n && differ(w, k + 1)) k++;
    cJSON *r = cJSON_CreateObject();
    amo_json_add(r, "from", w->leg[0][i].at);
    amo_json_add(r, "to", w->leg[0][k].at);
    cJSON_AddItemToArray(ranges, r);
    width += w->leg[0][k].at - w->leg[0][i].at;
    least = fmin(least, w->leg[0][i].at);
    most = fmax(most, w->leg[0][k].at);
    i = k;
  }
  cJSON_AddBoolToObject(h, "found", isfinite(least));
  amo_json_add_or(h, "from", least, "none found");
  amo_json_add_or(h, "to", most, "none found");
  amo_json_add(h, "width", width);
  amo_json_add(h, "resolution", (w->axis.to - w->axis.from) / (double)(w->n - 1));
  cJSON_AddItemToObject(h, "ranges", ranges);
}

cJSON *amo_walk_json(amo_walk *w)
{
  static const char *const name[] = {"up", "down"};
  double least = INFINITY, most = -INFINITY;
  amo_audit worst = amo_audit_none();
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "model", amo_model_name(w->j.call->model));
  cJSON_AddStringToObject(o, "vary", w->axis.name);
  cJSON_AddStringToObject(o, "section", w->where.text);
  cJSON_AddStringToObject(o, "of", w->where.of_text);
  cJSON_AddBoolToObject(o, "finished", w->done == w->total);
  for (int leg = 0; leg < 2; leg++) {
    if (!w->leg[leg]) continue;
    cJSON *list = cJSON_AddArrayToObject(o, name[leg]);
    for (size_t i = 0; i < w->n; i++) {
      if (!visited(w, leg, i)) continue;
      cJSON_AddItemToArray(list, point_json(&w->leg[leg][i]));
      amo_audit_worst(&worst, &w->leg[leg][i].audit);
      least = fmin(least, w->leg[leg][i].low);
      most = fmax(most, w->leg[leg][i].high);
    }
  }
  w->spread = most - least;
  add_hysteresis(o, w);
  add_diagram(o, w);
  cJSON_AddItemToObject(o, "audit", amo_audit_json(&worst));
  return o;
}

static amo_status write_csv(const amo_walk *w, const char *path)
{
  amo_file_writer f = {0};
  amo_status st = amo_file_stream_begin(path, w->j.call->diags, &f);
  if (st != AMO_OK) return st;
  fprintf(f.stream, "way,%s,value,min,max\n", w->axis.name);
  for (int leg = 0; leg < 2; leg++)
    for (size_t i = 0; w->leg[leg] && i < w->n; i++) {
      const amo_sweep_point *p = &w->leg[leg][i];
      for (size_t k = 0; k < p->passes; k++)
        fprintf(f.stream, "%s,%.17g,%.17g,%.17g,%.17g\n", leg ? "down" : "up", p->at, p->value[k], p->low,
                p->high);
      if (p->passes == 0)
        fprintf(f.stream, "%s,%.17g,,%.17g,%.17g\n", leg ? "down" : "up", p->at, p->low, p->high);
    }
  return amo_file_write_commit(&f, w->j.call->diags);
}

static void draw_leg(const amo_walk *w, int leg, amo_panel *panel)
{
  size_t total = 0, n = 0;
  for (size_t i = 0; i < w->n; i++) total += w->leg[leg][i].passes;
  double *x = amo_zalloc(total, sizeof *x), *y = amo_zalloc(total, sizeof *y);
  for (size_t i = 0; x && y && i < w->n; i++)
    for (size_t k = 0; k < w->leg[leg][i].passes; k++) {
      x[n] = w->leg[leg][i].at;
      y[n++] = w->leg[leg][i].value[k];
    }
  amo_figure_series *s =
      amo_panel_series(panel, leg ? AMO_STYLE_OPEN_POINTS : AMO_STYLE_POINTS, leg ? "down" : "up", x, y, n);
  if (s) s->width = n > 2000 ? 0.3 : 0.6;
  free(x);
  free(y);
}

static amo_status draw(const amo_walk *w, const char *path)
{
  const amo_model *m = w->j.call->model;
  char label[300], across[300], title[200];
  amo_figure *f = amo_figure_new(amo_model_name(m));
  const char *unit = w->where.of ? amo_signal_unit(w->where.of) : "";
  snprintf(label, sizeof label, *unit ? "%.150s [%.100s]" : "%.150s", w->where.of_text, unit);
  amo_label(m, "", w->axis.name, across, sizeof across);
  snprintf(title, sizeof title, "section: %.150s", w->where.text);
  amo_panel *panel = amo_figure_panel(f, title, across, label);
  for (int leg = 0; leg < 2; leg++)
    if (w->leg[leg]) draw_leg(w, leg, panel);
  amo_status st = amo_figure_write(f, path, w->j.call->diags);
  amo_figure_free(f);
  return st;
}

amo_status amo_walk_files(const amo_walk *w)
{
  const char *csv = amo_opt_text(w->j.call->opt, "csv"), *plot = amo_opt_text(w->j.call->opt, "plot");
  amo_status st = csv ? write_csv(w, csv) : AMO_OK, one = plot ? draw(w, plot) : AMO_OK;
  return st == AMO_OK ? one : st;
}

// ---- for a person: stretches of the same kind ----

static bool alike(const cJSON *a, const cJSON *b)
{
  const double x = amo_json_get(a, "turns"), y = amo_json_get(b, "turns");
  return !strcmp(amo_json_text(a, "kind"), amo_json_text(b, "kind")) && (x == y || (isnan(x) && isnan(y)));
}

static void print_way(const cJSON *list, const char *way, amo_table *t)
{
  for (const cJSON *a = list ? list->child : NULL, *b; a; a = b) {
    const cJSON *last = a;
    double least = amo_json_get(a, "min"), most = amo_json_get(a, "max");
    for (b = a->next; b && alike(a, b); b = b->next) {
      last = b;
      least = fmin(least, amo_json_get(b, "min"));
      most = fmax(most, amo_json_get(b, "max"));
    }
    amo_table_cell(t, "%s", way);
    amo_table_cell(t, "%.8g", amo_json_get(a, "at"));
    amo_table_cell(t, "%.8g", amo_json_get(last, "at"));
    if (isfinite(amo_json_get(a, "turns")))
      amo_table_cell(t, "%s of %.0f", amo_json_text(a, "kind"), amo_json_get(a, "turns"));
    else
      amo_table_cell(t, "%s", amo_json_text(a, "kind"));
    amo_table_cell(t, "%.6g", least);
    amo_table_cell(t, "%.6g", most);
  }
}

void amo_walk_print(const cJSON *o, FILE *out, int wide)
{
  const cJSON *h = cJSON_GetObjectItemCaseSensitive(o, "hysteresis"), *r = NULL;
  fprintf(out, "%s: %s in the section '%s' over %s\n\n", amo_json_text(o, "model"), amo_json_text(o, "of"),
          amo_json_text(o, "section"), amo_json_text(o, "vary"));
  amo_table t = {0};
  amo_table_head(&t, "<way"), amo_table_head(&t, ">from"), amo_table_head(&t, ">to"),
      amo_table_head(&t, "<motion");
  amo_table_head(&t, ">least"), amo_table_head(&t, ">largest");
  print_way(cJSON_GetObjectItemCaseSensitive(o, "up"), "up", &t);
  print_way(cJSON_GetObjectItemCaseSensitive(o, "down"), "down", &t);
  amo_table_print(&t, out, wide);
  cJSON_ArrayForEach(r, cJSON_GetObjectItemCaseSensitive(h, "ranges"))
      fprintf(out, "\nhysteresis from %.8g to %.8g, to within %.3g", amo_json_get(r, "from"),
              amo_json_get(r, "to"), amo_json_get(h, "resolution"));
  if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(h, "found"))) fprintf(out, "\nno hysteresis");
  fprintf(out, "\n");
  amo_audit_print(o, out);
}
