// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "ask/describe/describe.h"
#include "result/json.h"
#include "result/table.h"

#define MAX_ROWS 24  // of one section; chains are long

static const cJSON *get(const cJSON *o, const char *name)
{
  return cJSON_GetObjectItemCaseSensitive(o, name);
}

static void more(FILE *out, int rows)
{
  if (rows > MAX_ROWS) fprintf(out, "  ... %d more (use --json)\n", rows - MAX_ROWS);
}

static void print_parameters(const cJSON *all, FILE *out, int wide)
{
  const cJSON *p = NULL;
  int rows = 0;
  amo_table t = {0};
  if (!cJSON_GetArraySize(all)) return;
  fprintf(out, "\nparameters\n");
  amo_table_head(&t, "<"), amo_table_head(&t, ">"), amo_table_head(&t, "<"), amo_table_head(&t, "<");
  cJSON_ArrayForEach(p, all)
  {
    const char *formula = amo_json_text(p, "formula"), *doc = amo_json_text(p, "doc");
    if (rows++ >= MAX_ROWS) continue;
    amo_table_cell(&t, "%s", p->string);
    amo_table_cell(&t, "%.10g", amo_json_get(p, "value"));
    amo_table_cell(&t, "%s", amo_json_text(p, "unit"));
    amo_table_cell(&t, "%s%s%s%s", *formula ? "= " : "", formula, *formula && *doc ? ": " : "", doc);
  }
  amo_table_print(&t, out, wide);
  more(out, rows);
}

static void print_states(const cJSON *all, FILE *out, int wide)
{
  const cJSON *s = NULL;
  int rows = 0;
  amo_table t = {0};
  fprintf(out, "\nstates, initial values\n");
  amo_table_head(&t, "<"), amo_table_head(&t, ">"), amo_table_head(&t, "<"), amo_table_head(&t, "<");
  cJSON_ArrayForEach(s, all)
  {
    const char *rate = amo_json_text(s, "rate");
    if (rows++ >= MAX_ROWS) continue;
    amo_table_cell(&t, "%s", s->string);
    amo_table_cell(&t, "%.10g", amo_json_get(s, "initial"));
    amo_table_cell(&t, "%s", amo_json_text(s, "unit"));
    const char *doc = amo_json_text(s, "doc");
    amo_table_cell(&t, "%s%s%s%s", doc, *rate && *doc ? "; " : "", *rate ? "rate " : "", rate);
  }
  amo_table_print(&t, out, wide);
  more(out, rows);
}

static void print_formulae(const char *title, const cJSON *all, FILE *out)
{
  const cJSON *x = NULL;
  int rows = 0;
  if (!cJSON_GetArraySize(all)) return;
  fprintf(out, "\n%s\n", title);
  cJSON_ArrayForEach(x, all) if (rows++ < MAX_ROWS) fprintf(out, "  %s\n", x->valuestring);
  more(out, rows);
}

static void print_contacts(const cJSON *all, FILE *out)
{
  static const struct {
    const char *key, *text, *of_guide;
  } line[] = {{"slip", "slip velocity", "slip velocity"},
              {"normal", "normal force", ""},
              {"bound", "largest force in stick", "coefficient in stick"},
              {"kinetic", "force in slip", "coefficient in slip"}};
  const cJSON *c = NULL;
  int rows = 0;
  if (!cJSON_GetArraySize(all)) return;
  fprintf(out, "\ncontacts\n");
  cJSON_ArrayForEach(c, all)
  {
    const char *doc = amo_json_text(c, "doc");
    if (rows++ >= MAX_ROWS) continue;
    const bool smooth = strcmp(amo_json_text(c, "law"), "smooth") == 0;
    fprintf(out, "  %s: %s%s%s%s\n", c->string, smooth ? "no friction" : "law ",
            smooth ? "" : amo_json_text(c, "law"), *doc ? "; " : "", doc);
    const bool support = get(c, "support") != NULL, guide = support || get(c, "guide") != NULL;
    const cJSON *slip = get(c, "slip");
    if (guide)
      fprintf(out, "    %-23s %s %s 0\n", support ? "support" : "guide",
              amo_json_text(c, support ? "support" : "guide"), support ? ">=" : "=");
    if (support) fprintf(out, "    %-23s %s\n", "restitution", amo_json_text(c, "restitution"));
    if (cJSON_IsArray(slip))
      fprintf(out, "    %-23s %s, %s\n", "slip velocities", cJSON_GetArrayItem(slip, 0)->valuestring,
              cJSON_GetArrayItem(slip, 1)->valuestring);
    for (int i = 0; i < 4 && !smooth; i++)
      if (cJSON_IsString(get(c, line[i].key)))
        fprintf(out, "    %-23s %s\n", guide ? line[i].of_guide : line[i].text,
                amo_json_text(c, line[i].key));
  }
  more(out, rows);
}

static void print_named(const char *title, const cJSON *all, const char *key, const char *before,
                        const char *after, FILE *out)
{
  const cJSON *x = NULL;
  int rows = 0;
  if (!cJSON_GetArraySize(all)) return;
  fprintf(out, "\n%s\n", title);
  cJSON_ArrayForEach(x, all)
  {
    const char *unit = amo_json_text(x, "unit");
    if (rows++ >= MAX_ROWS) continue;
    fprintf(out, "  %s%s%s%s%s%s%s\n", x->string, before, amo_json_text(x, key), after, *unit ? " [" : "",
            unit, *unit ? "]" : "");
  }
  more(out, rows);
}

void amo_describe_print(const cJSON *result, FILE *out, int wide)
{
  const char *title = amo_json_text(result, "title");
  const cJSON *energy = get(result, "energy");
  fprintf(out, "%s%s%s\n", amo_json_text(result, "name"), *title ? ": " : "", title);
  fprintf(out, "%.0f degree%s of freedom, %d contact%s, %d constraint%s\n",
          amo_json_get(result, "degrees_of_freedom"),
          amo_json_get(result, "degrees_of_freedom") == 1 ? "" : "s",
          cJSON_GetArraySize(get(result, "contacts")),
          cJSON_GetArraySize(get(result, "contacts")) == 1 ? "" : "s",
          cJSON_GetArraySize(get(result, "constraints")),
          cJSON_GetArraySize(get(result, "constraints")) == 1 ? "" : "s");
  print_parameters(get(result, "parameters"), out, wide);
  print_states(get(result, "states"), out, wide);
  print_formulae("equations of motion", get(result, "equations"), out);
  print_contacts(get(result, "contacts"), out);
  print_named("constraints", get(result, "constraints"), "zero", ": ", " = 0", out);
  print_named("prescribed motions", get(result, "prescribed"), "position", " = ", "", out);
  print_named("outputs", get(result, "outputs"), "formula", " = ", "", out);
  fprintf(out, "\nenergy\n  kinetic   %s\n  potential %s\n", amo_json_text(energy, "kinetic"),
          amo_json_text(energy, "potential"));
}
