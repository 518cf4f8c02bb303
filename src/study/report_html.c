// SPDX-License-Identifier: Apache-2.0
/// The report: one HTML page that needs nothing but itself. Figures are inline SVG.
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/text.h"
#include "result/html.h"
#include "result/json.h"
#include "study/study.h"

/// A value for a table cell; long texts and lists are cut.
static void put_json(FILE *f, const cJSON *v)
{
  enum { CELL = 240 };
  char number[32];
  char *list = NULL;
  if (cJSON_IsNumber(v))
    snprintf(number, sizeof number, "%.13g", v->valuedouble);
  else if (v && !cJSON_IsString(v))
    list = cJSON_PrintUnformatted(v);
  const char *text = cJSON_IsNumber(v) ? number : cJSON_IsString(v) ? v->valuestring : list ? list : "";
  char *cut = strlen(text) > CELL ? amo_strndup(text, CELL) : NULL;
  amo_html_text(f, cut ? cut : text);
  if (cut) fputs("...", f);
  free(cut);
  cJSON_free(list);
}

static bool good(const cJSON *entry)
{
  return !strcmp(amo_json_text(entry, "verdict"), "reproduced");
}

/// Each further id is an anchor too: links from outside know only their own. The first is the section's.
static void put_anchors(FILE *f, const cJSON *entry)
{
  const cJSON *id = NULL;
  cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(entry, "ids"))
  {
    if (!strcmp(id->valuestring, amo_json_text(entry, "study"))) continue;
    fputs("<a id=\"", f);
    amo_html_text(f, id->valuestring);
    fputs("\"></a>", f);
  }
}

/// The ids of an entry as a list.
static void put_ids(FILE *f, const cJSON *entry)
{
  const cJSON *id = NULL;
  cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(entry, "ids"))
  {
    if (id->prev && id->prev->next) fputs(", ", f);
    amo_html_text(f, id->valuestring);
  }
}

static void put_verdict(FILE *f, const cJSON *entry)
{
  fprintf(f, "<span class=\"%s\">%s</span>", good(entry) ? "good" : "bad", amo_json_text(entry, "verdict"));
}

static void put_contents(FILE *f, const cJSON *entries)
{
  const cJSON *e = NULL;
  size_t ok = 0, all = 0;
  cJSON_ArrayForEach(e, entries)
  {
    size_t n = (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(e, "ids"));
    all += n;
    if (good(e)) ok += n;
  }
  fprintf(
      f,
      "<p>%zu of %zu results reproduced.</p>\n<nav><table><tr><th>result</th><th>what</th><th>verdict</th>"
      "<th>checks</th></tr>\n",
      ok, all);
  cJSON_ArrayForEach(e, entries)
  {
    fputs("<tr><td><a href=\"#", f);
    amo_html_text(f, amo_json_text(e, "study"));
    fputs("\">", f);
    put_ids(f, e);
    fputs("</a></td><td>", f);
    amo_html_text(f, amo_json_text(e, "title"));
    fputs("</td><td>", f);
    put_verdict(f, e);
    fprintf(f, "</td><td class=\"n\">%.0f / %.0f</td></tr>\n", amo_json_get(e, "passed"),
            amo_json_get(e, "passed") + amo_json_get(e, "failed") + amo_json_get(e, "not_judged"));
  }
  fputs("</table></nav>\n", f);
}

static amo_status put_figures(FILE *f, const cJSON *entry, int *number, amo_diags *d)
{
  const cJSON *c = NULL;
  amo_status worst = AMO_OK;
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(entry, "figures"))
  {
    fputs("<figure>", f);
    amo_status st = amo_html_svg(f, amo_json_text(c, "file"), ++*number, d);
    if (st != AMO_OK) worst = st;
    const char *caption = amo_json_text(c, "caption");
    if (*caption && strcmp(caption, amo_json_text(entry, "title"))) {  // the heading need not be said twice
      fputs("<figcaption>", f);
      amo_html_text(f, caption);
      fputs("</figcaption>", f);
    }
    fputs("</figure>\n", f);
  }
  return worst;
}

static void put_checks(FILE *f, const cJSON *entry)
{
  const cJSON *c = NULL;
  fputs("<table><tr><th></th><th>value</th><th>expected</th><th>ours</th><th>difference</th><th>allowed</th>"
        "<th>from</th></tr>\n",
        f);
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(entry, "expectations"))
  {
    bool ok = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c, "ok"));
    bool judged = !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(c, "judged"));
    const cJSON *difference = cJSON_GetObjectItemCaseSensitive(c, "difference");
    const cJSON *allowed = cJSON_GetObjectItemCaseSensitive(c, "allowed");
    fprintf(f, "<tr><td class=\"%s\">%s</td><td><code>", ok ? "good" : "bad",
            ok       ? "ok"
            : judged ? "FAIL"
                     : "not judged");
    amo_html_text(f, amo_json_text(c, "value"));
    fputs("</code></td><td class=\"n\">", f);
    put_json(f, cJSON_GetObjectItemCaseSensitive(c, "expected"));
    fputs("</td><td class=\"n\">", f);
    put_json(f, cJSON_GetObjectItemCaseSensitive(c, "actual"));
    fputs("</td><td class=\"n\">", f);
    if (cJSON_IsNumber(difference)) fprintf(f, "%.2g", difference->valuedouble);
    fputs("</td><td class=\"n\">", f);
    if (cJSON_IsNumber(allowed)) fprintf(f, "%.2g", allowed->valuedouble);
    fputs("</td><td>", f);
    amo_html_text(f, amo_json_text(c, "source"));
    if (!ok) {
      fputs(" <span class=\"bad\">", f);
      amo_html_text(f, amo_json_text(c, "message"));
      fputs("</span>", f);
    }
    fputs("</td></tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void put_shown(FILE *f, const cJSON *entry)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, "shown"), *c = NULL;
  if (!cJSON_GetArraySize(list)) return;
  fputs("<table><tr><th></th><th>the source says</th><th>ours</th><th></th></tr>\n", f);
  cJSON_ArrayForEach(c, list)
  {
    fputs("<tr><td>", f);
    amo_html_text(f, amo_json_text(c, "what"));
    fputs("</td><td>", f);
    amo_html_text(f, amo_json_text(c, "source"));
    fputs("</td><td class=\"n\">", f);
    put_json(f, cJSON_GetObjectItemCaseSensitive(c, "ours"));
    fputs("</td><td class=\"soft\">", f);
    amo_html_text(f, amo_json_text(c, "note"));
    fputs("</td></tr>\n", f);
  }
  fputs("</table>\n", f);
}

/// A link from the page to a file, relative, so that a copied folder keeps its links and no path of this machine
/// stands in the page. Where the file cannot be found, its name alone.
static void put_link(FILE *f, const char *page, const char *file)
{
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  char *folder = amo_strdup(page), *end = folder ? strrchr(folder, '/') : NULL;
  if (end) *end = 0;
  char *from = realpath(end ? (folder[0] ? folder : "/") : ".", NULL), *to = realpath(file, NULL);
  if (from && to) {
    size_t common = 0;
    for (size_t i = 0; from[i] && from[i] == to[i]; i++)
      if (to[i] == '/') common = i + 1;
    const size_t n = strlen(from);
    if (!strncmp(from, to, n) && to[n] == '/') common = n + 1;
    fputs("<a href=\"", f);
    if (common <= n) {
      fputs("../", f);
      for (const char *p = from + common; *p; p++)
        if (*p == '/') fputs("../", f);
    }
    for (const char *p = to + common; *p; p++) {  // what a URL keeps for itself
      if (strchr("%#? \"<>&", *p))
        fprintf(f, "%%%02X", (unsigned char)*p);
      else
        fputc(*p, f);
    }
    fputs("\">", f);
  }
  amo_html_text(f, name);
  if (from && to) fputs("</a>", f);
  free(folder);
  free(from);
  free(to);
}

static void put_links(FILE *f, const char *page, const cJSON *e)
{
  const cJSON *c = NULL;
  fputs("<p class=\"soft\">study ", f);
  put_link(f, page, amo_json_text(e, "file"));
  cJSON_ArrayForEach(c, cJSON_GetObjectItemCaseSensitive(e, "models"))
  {
    fputs(c->prev && c->prev->next ? ", " : " · model ", f);
    put_link(f, page, c->valuestring);
  }
  fputs("</p>\n", f);
}

/// Day of the run, or of SOURCE_DATE_EPOCH where that is set.
static void put_date(FILE *f)
{
  const char *fixed = getenv("SOURCE_DATE_EPOCH");
  const time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
  struct tm day;
  char text[32] = "";
  if (gmtime_r(&now, &day)) strftime(text, sizeof text, "%Y-%m-%d", &day);
  fprintf(f, "<time>%s</time>", text);
}

static amo_status put_entry(FILE *f, const char *page, const cJSON *e, int *number, amo_diags *d)
{
  fputs("<section id=\"", f);
  amo_html_text(f, amo_json_text(e, "study"));
  fputs("\">", f);
  put_anchors(f, e);
  fputs("<h2>", f);
  amo_html_text(f, amo_json_text(e, "title")[0] ? amo_json_text(e, "title") : amo_json_text(e, "study"));
  fputs("</h2>\n<p><code>", f);
  put_ids(f, e);
  fputs("</code> · ", f);
  put_verdict(f, e);
  if (amo_json_text(e, "source")[0])
    fputs(" · <span class=\"soft\">", f), amo_html_text(f, amo_json_text(e, "source")), fputs("</span>", f);
  fputs("</p>\n", f);
  amo_status st = put_figures(f, e, number, d);
  if (amo_json_text(e, "note")[0]) {
    fputs("<p class=\"note\">", f);
    amo_html_text(f, amo_json_text(e, "note"));
    fputs("</p>\n", f);
  }
  put_shown(f, e);
  put_checks(f, e);
  fputs("<pre>amontons reproduce ", f);
  amo_html_text(f, amo_json_text(e, "study"));
  fputs("</pre>\n", f);
  put_links(f, page, e);
  fprintf(f, "<p class=\"soft\">%.2f s</p></section>\n", amo_json_get(e, "seconds"));
  return st;
}

amo_status amo_report_write(const char *path, const cJSON *entries, amo_diags *diags)
{
  amo_file_writer w = {0};
  amo_status st = amo_file_write_begin(path, diags, &w);
  if (st != AMO_OK) return st;
  fprintf(w.stream,
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<title>Amontons: results reproduced</title>\n<style>\n%s</style></head><body>\n"
          "<h1>Results reproduced</h1>\n<p class=\"soft\">",
          amo_html_style);
  put_date(w.stream);
  fprintf(w.stream,
          ", Amontons %s. Every figure and number on this page was "
          "computed by the command shown below it; nothing is copied from the sources except the columns "
          "that say so.</p>\n",
          AMO_VERSION);
  put_contents(w.stream, entries);
  const cJSON *e = NULL;
  int number = 0;
  cJSON_ArrayForEach(e, entries)
  {
    amo_status one = put_entry(w.stream, path, e, &number, diags);
    if (one != AMO_OK) st = one;
  }
  fputs("</body></html>\n", w.stream);
  amo_status written = amo_file_write_commit(&w, diags);
  return written == AMO_OK ? st : written;
}
