// SPDX-License-Identifier: Apache-2.0
// docs/json.md from the tables of fields.
#include <string.h>

#include "base/text.h"
#include "result/fields.h"

static const char head[] =
    "# JSON results and HDF5 files\n\n"
    "Made by `amontons schema results --format markdown`; do not edit.\n\n"
    "Every command with `--json` prints one object. Numbers read back to the same double; what is not a "
    "finite\n"
    "number is `null`, mostly with a `..._reason` or `reason` beside it. Modes are the sign of the slip\n"
    "velocity: 1 forward, -1 backward, 0 stick; `open` of a support. Names may be added in later versions, "
    "never renamed.\n"
    "Studies ([study.md](study.md)) address the same fields: `simulate.events[0].t`. `amontons schema "
    "results VERB` prints the\n"
    "same as a JSON Schema.\n\n"
    "A part of a path in capitals stands for names: those of the model (`CONTACT`, `STATE`, `COORDINATE`, "
    "`PARAMETER`, `OUTPUT`,\n"
    "`CONSTRAINT`, `PART`, `POINT`, `SHAPE`; `ACCELERATION` is `x''`), of verdicts (`VALUE`), of columns "
    "(`COLUMN`), of anything\n"
    "that has a number (`NAME`: states, outputs, `CONTACT.slip`, `CONTACT.force`). `#` stands for a whole "
    "number, `[]` for the\n"
    "items of a list. A type with `?` may be absent. Units are those of a model in kg, m and s; a model in "
    "other units answers\n"
    "in its own. *of STATE*: the unit that the model gives it.\n";

static const char foot[] =
    "\n## HDF5\n\n`simulate --h5 FILE` writes\n\n| path | |\n|---|---|\n"
    "| `/trajectory/COLUMN` | one data set of doubles for each column: `t`, states, accelerations, "
    "`CONTACT.slip`, `.force`, "
    "`.bound`, `.mode`, outputs, `energy`; attribute `unit` |\n"
    "| `/events` | a table: `t` (double), `contact` (index, -1: none), `from`, `to` (modes) |\n"
    "| attribute `contacts` | names of the contacts, one a line, in the order of the indices |\n"
    "| attributes `program`, `name`, `settings` | version, model's name, method, tolerance and times |\n"
    "| attribute `model` | text of the model file (a data set when longer than 60 kB); empty if it came from "
    "a pipe |\n\n"
    "Rows at events appear twice, just before and just after, as in CSV files.\n\n"
    "`map --h5 FILE` writes, in packed chunks of whole rows,\n\n| path | |\n|---|---|\n"
    "| `/x`, `/y` | values of the axes; attributes `unit` and `meaning` (what is varied) |\n"
    "| `/number` | [y][x] the number, NaN where the value is a text; attribute `meaning`: what was asked |\n"
    "| `/verdict` | [y][x] line of `verdicts`, from 0; -1 where the value is a number. Not there if all are "
    "|\n"
    "| attribute `verdicts` | the texts, one a line |\n"
    "| attributes `program`, `name`, `command` | version, model's name, the command line |\n"
    "| attributes `values`, `model` | `NAME=VALUE UNIT` of every parameter, one a line; text of the model "
    "file "
    "|\n";

enum { KNOWN = 64 };

typedef struct field_page {
  amo_text *out;
  const amo_field *known[KNOWN];  // tables inside of others that were shown
  const char *verb[KNOWN];        // and where
  size_t knowns;
  const char *now;
} field_page;

/// Text in a cell of a table.
static void cell(amo_text *out, const char *s)
{
  for (; *s; s++) {
    if (*s == '|') amo_text_str(out, "\\");
    amo_text_add(out, s, 1);
  }
}

static void put_type(amo_text *out, const char *type)
{
  const bool optional = *type == '?';
  for (const char *p = type + optional; *p; p++)
    *p == '|' ? amo_text_str(out, " or ") : amo_text_add(out, p, 1);
  if (optional) amo_text_str(out, "?");
}

static void put_words(amo_text *out, const char *words)
{
  amo_text_str(out, "; one of ");
  for (const char *p = words; *p; p += strcspn(p, "|"), p += *p == '|')
    amo_text_printf(out, "%s`%.*s`", p == words ? "" : ", ", (int)strcspn(p, "|"), p);
}

/// Was this table shown for another question before? Then it is told where.
static const char *shown(field_page *g, const amo_field *inside)
{
  for (size_t i = 0; i < g->knowns; i++)
    if (g->known[i] == inside) return g->verb[i];
  if (g->knowns < KNOWN) {
    g->known[g->knowns] = inside;
    g->verb[g->knowns++] = g->now;
  }
  return NULL;
}

static void put_table(field_page *g, const char *front, const amo_field *table);

static void put_field(field_page *g, const char *front, const amo_field *f)
{
  amo_text *out = g->out;
  amo_text path = {0};
  amo_text_printf(&path, "%s%s%s", front, *front && *f->path ? "." : "", f->path);
  const char *where = f->inside ? shown(g, f->inside) : NULL;
  const char *name = path.data ? path.data : "";
  if (*f->path) {
    amo_text_printf(out, "| `%s` | ", name);
    put_type(out, f->type);
    amo_text_printf(out, " | %s | ", f->unit ? f->unit : "");
    cell(out, f->doc);
    if (f->words) put_words(out, f->words);
    if (where && strcmp(where, g->now) != 0)
      amo_text_printf(out, "; fields as in [`%s`](#%s)", where, where);
    else if (where)
      amo_text_str(out, "; fields as above");
    amo_text_str(out, " |\n");
  }
  if (*f->path && amo_field_may_be(f, "list")) amo_text_str(&path, "[]");
  if (f->inside && (!where || !*f->path)) put_table(g, path.data ? path.data : "", f->inside);
  amo_text_free(&path);
}

static void put_table(field_page *g, const char *front, const amo_field *table)
{
  for (const amo_field *f = table; f->path; f++) {
    if (f->type) {
      put_field(g, front, f);
      continue;
    }
    amo_text_printf(g->out, "\n%s\n\n| field | type | unit | |\n|---|---|---|---|\n", f->doc);
  }
}

char *amo_fields_markdown(void)
{
  amo_text out = {0};
  field_page g = {.out = &out};
  amo_text_str(&out, head);
  for (const amo_result_table *t = amo_result_tables(); t->verb; t++) {
    g.now = t->verb;
    amo_text_printf(&out, "\n## %s\n\n", t->verb);
    if (t->intro) amo_text_printf(&out, "%s\n\n", t->intro);
    amo_text_str(&out, "| field | type | unit | |\n|---|---|---|---|\n");
    put_table(&g, "", t->field);
  }
  amo_text_str(&out, foot);
  return amo_text_take(&out);
}
