// SPDX-License-Identifier: Apache-2.0
// The report of a fit: one HTML page. Its figures stay beside it as files, with their gnuplot scripts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "num/distribution.h"
#include "plot/figure.h"
#include "ask/fit/fit.h"
#include "result/html.h"
#include "result/json.h"

enum { MOST_POINTS = 2000, MOST_SERIES = 8, BINS = 40 };

typedef struct fit_page {
  const amo_fit_source *s;
  const amo_fit *f;
  const cJSON *result;
  const char *path;
  amo_diags *d;
  double *x, *y, *z;  // [rows]
} fit_page;

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void axis(char out[96], const char *name, const char *unit)
{
  snprintf(out, 96, *unit ? "%s [%s]" : "%s", name, unit);
}

// ---- figures ----

/// Every so many points of a series, so that a drawing stays one.
static size_t thinned(const fit_page *p, const amo_fit_series *k, double *x, double *measured, double *model)
{
  const size_t step = k->count / MOST_POINTS + 1;
  size_t n = 0;
  for (size_t i = 0; i < k->count; i += step, n++) {
    x[n] = k->x[i];
    measured[n] = p->s->of.measured[k->first + i];
    model[n] = measured[n] + p->f->residual[k->first + i];
  }
  return n;
}

static amo_figure *draw_records(const fit_page *p)
{
  amo_figure *g = amo_figure_new("");
  amo_figure_columns(g, 1);
  for (size_t i = 0; i < p->s->nseries && i < MOST_SERIES; i++) {
    const amo_fit_series *k = &p->s->series[i];
    char x[96], y[96];
    axis(x, k->x_name, k->x_unit);
    axis(y, k->name, k->unit);
    amo_panel *panel = amo_figure_panel(g, p->s->nseries > 1 ? k->record : "", x, y);
    const size_t n = thinned(p, k, p->x, p->y, p->z);
    amo_panel_series(panel, AMO_STYLE_DOTS, "measured", p->x, p->y, n);
    amo_panel_series(panel, p->s->solve ? AMO_STYLE_LINE : AMO_STYLE_OPEN_POINTS, "model", p->x, p->z, n);
  }
  return g;
}

static amo_figure *draw_residuals(const fit_page *p)
{
  amo_figure *g = amo_figure_new("");
  amo_figure_columns(g, 1);
  for (size_t i = 0; i < p->s->nseries && i < MOST_SERIES; i++) {
    const amo_fit_series *k = &p->s->series[i];
    char x[96], y[96], name[80];
    axis(x, k->x_name, k->x_unit);
    snprintf(name, sizeof name, "model - measured: %s", k->name);
    axis(y, name, k->unit);
    amo_panel *panel = amo_figure_panel(g, p->s->nseries > 1 ? k->record : "", x, y);
    const size_t n = thinned(p, k, p->x, p->y, p->z);
    for (size_t m = 0; m < n; m++) p->z[m] -= p->y[m];
    amo_panel_series(panel, AMO_STYLE_DOTS, "", p->x, p->z, n);
    amo_panel_rule(panel, false, 0.0, "");
  }
  return g;
}

/// Residuals of each series in its own standard deviation, in ascending order: into p->x. How many.
static size_t standardised(const fit_page *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->s->nseries; i++) {
    const amo_fit_series *k = &p->s->series[i];
    double sum = 0.0;
    for (size_t m = k->first; m < k->first + k->count; m++) sum += p->f->residual[m] * p->f->residual[m];
    const double size = sqrt(sum / (double)k->count);
    for (size_t m = k->first; m < k->first + k->count && size > 0.0; m++)
      p->x[n++] = p->f->residual[m] / size;
  }
  qsort(p->x, n, sizeof *p->x, compare);
  return n;
}

static void add_histogram(amo_figure *g, const double *sorted, size_t n)
{
  double at[2 * BINS + 2], height[2 * BINS + 2], z[121], density[121];
  const double low = fmax(sorted[0], -6.0), high = fmin(sorted[n - 1], 6.0), width = (high - low) / BINS;
  for (int i = 0; i < BINS; i++) {
    size_t count = 0;
    for (size_t m = 0; m < n; m++) count += sorted[m] >= low + i * width && sorted[m] < low + (i + 1) * width;
    at[2 * i] = low + i * width;
    at[2 * i + 1] = low + (i + 1) * width;
    height[2 * i] = height[2 * i + 1] = (double)count / ((double)n * width);
  }
  for (int i = 0; i <= 120; i++) {
    z[i] = -4.0 + 8.0 * i / 120;
    density[i] = exp(-0.5 * z[i] * z[i]) / sqrt(2.0 * 3.14159265358979323846);
  }
  amo_panel *panel = amo_figure_panel(g, "", "residual / its standard deviation", "density");
  amo_panel_series(panel, AMO_STYLE_LINE, "residuals", at, height, 2 * BINS);
  amo_panel_series(panel, AMO_STYLE_DASHED, "normal", z, density, 121);
}

static amo_figure *draw_distribution(const fit_page *p)
{
  const size_t n = standardised(p), step = n / MOST_POINTS + 1;
  amo_figure *g = amo_figure_new("");
  if (n < 2) return g;
  add_histogram(g, p->x, n);
  amo_panel *panel =
      amo_figure_panel(g, "", "quantile of a normal distribution", "quantile of the residuals");
  size_t m = 0;
  for (size_t i = 0; i < n; i += step, m++) {
    p->y[m] = amo_normal_quantile(((double)i + 0.5) / (double)n);
    p->z[m] = p->x[i];
  }
  const double ends[] = {p->y[0], p->y[m - 1]};
  amo_panel_series(panel, AMO_STYLE_DOTS, "residuals", p->y, p->z, m);
  amo_panel_series(panel, AMO_STYLE_DASHED, "normal", ends, ends, 2);
  return g;
}

/// PATH-name.svg beside the page; drawn, and put into it.
static amo_status put_figure(fit_page *p, FILE *out, amo_figure *g, const char *name, int number,
                             const char *caption)
{
  const char *dot = strrchr(p->path, '.');
  const size_t stem = dot && !strchr(dot, '/') ? (size_t)(dot - p->path) : strlen(p->path);
  char *path = amo_zalloc(stem + strlen(name) + 8, 1);
  amo_status st = path ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    snprintf(path, stem + strlen(name) + 8, "%.*s-%s.svg", (int)stem, p->path, name);
    st = amo_figure_write(g, path, p->d);
  }
  if (st == AMO_OK) {
    fputs("<figure>", out);
    st = amo_html_svg(out, path, number, p->d);
    fprintf(out, "<figcaption>%s</figcaption></figure>\n", caption);
  }
  free(path);
  amo_figure_free(g);
  return st;
}

// ---- tables ----

static void put_parameters(const fit_page *p, FILE *out)
{
  const cJSON *x = NULL;
  fprintf(out,
          "<table><tr><th></th><th>value</th><th>standard error</th><th>%g %% "
          "interval</th><th>unit</th><th>start</th></tr>\n",
          100.0 * amo_json_get(p->result, "level"));
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(p->result, "parameters"))
  {
    fputs("<tr><td>", out);
    amo_html_text(out, x->string);
    fprintf(out, "</td><td class=\"n\">%.10g</td>", amo_json_get(x, "value"));
    if (isfinite(amo_json_get(x, "se")))
      fprintf(out, "<td class=\"n\">%.3g</td><td class=\"n\">%.8g .. %.8g</td>", amo_json_get(x, "se"),
              amo_json_get(x, "low"), amo_json_get(x, "high"));
    else
      fprintf(out, "<td colspan=\"2\">%s</td>", amo_json_text(x, "se_reason"));
    fputs("<td>", out);
    amo_html_text(out, amo_json_text(x, "unit"));
    fprintf(out, "</td><td class=\"n\">%.6g</td></tr>\n", amo_json_get(x, "start"));
  }
  fputs("</table>\n", out);
}

static void put_correlation(const fit_page *p, FILE *out)
{
  const amo_fit *f = p->f;
  fputs("<h2>Correlation</h2>\n<table><tr><th></th>", out);
  for (size_t i = 0; i < f->n; i++)
    fputs("<th>", out), amo_html_text(out, p->s->of.name[i]), fputs("</th>", out);
  fputs("</tr>\n", out);
  for (size_t i = 0; i < f->n; i++) {
    fputs("<tr><th>", out);
    amo_html_text(out, p->s->of.name[i]);
    fputs("</th>", out);
    for (size_t j = 0; j < f->n; j++) {
      const double c = f->correlation[i * f->n + j];
      if (isfinite(c))
        fprintf(out, "<td class=\"n\" style=\"background:rgba(%s,%.2f)\">%.3f</td>",
                c > 0 ? "0,114,178" : "213,94,0", 0.6 * fabs(c), c);
      else
        fputs("<td></td>", out);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

static void put_records(const fit_page *p, FILE *out)
{
  const cJSON *x = NULL;
  fputs("<h2>Records</h2>\n<table><tr><th>record</th><th>column</th><th>numbers</th><th>gaps</"
        "th><th>residual (rms)</th></tr>\n",
        out);
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(p->result, "records"))
  {
    fputs("<tr><td>", out);
    amo_html_text(out, amo_json_text(x, "record"));
    fputs("</td><td>", out);
    amo_html_text(out, amo_json_text(x, "name"));
    fprintf(out, "</td><td class=\"n\">%.0f</td><td class=\"n\">%.0f</td><td class=\"n\">%.4g</td></tr>\n",
            amo_json_get(x, "n"), amo_json_get(x, "gaps"), amo_json_get(x, "residual"));
  }
  fputs("</table>\n", out);
}

static void put_warnings(const fit_page *p, FILE *out)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(p->result, "warnings"))
  {
    fputs("<p class=\"note\">", out);
    amo_html_text(out, x->valuestring);
    fputs("</p>\n", out);
  }
}

amo_status amo_fit_report(const amo_fit_source *s, const amo_fit *f, const cJSON *result, const char *path,
                          amo_diags *d)
{
  amo_file_writer w;
  double *work = amo_zalloc(3 * (s->of.rows + MOST_POINTS), sizeof *work);
  if (!work) return AMO_ENOMEM;
  fit_page p = {
      s, f, result, path, d, work, work + s->of.rows + MOST_POINTS, work + 2 * (s->of.rows + MOST_POINTS)};
  amo_status st = amo_file_write_begin(path, d, &w);
  if (st != AMO_OK) {
    free(work);
    return st;
  }
  fprintf(w.stream,
          "<!doctype html>\n<html lang=\"en\"><meta "
          "charset=\"utf-8\"><title>fit</title>\n<style>%s</style>\n<h1>",
          amo_html_style);
  amo_html_text(w.stream, s->model);
  fprintf(w.stream, "</h1>\n<p>%.0f numbers, residual standard deviation %.6g, AICc %.6g</p>\n",
          amo_json_get(result, "n"), amo_json_get(result, "residual"), amo_json_get(result, "aicc"));
  put_warnings(&p, w.stream);
  put_parameters(&p, w.stream);
  st = put_figure(&p, w.stream, draw_records(&p), "records", 1, "records and model");
  if (st == AMO_OK) st = put_figure(&p, w.stream, draw_residuals(&p), "residuals", 2, "residuals");
  if (st == AMO_OK)
    st = put_figure(&p, w.stream, draw_distribution(&p), "distribution", 3, "distribution of the residuals");
  put_correlation(&p, w.stream);
  put_records(&p, w.stream);
  fputs("</html>\n", w.stream);
  free(work);
  if (st != AMO_OK) {
    amo_file_write_abort(&w);
    return st;
  }
  return amo_file_write_commit(&w, d);
}
