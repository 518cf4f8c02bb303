// SPDX-License-Identifier: Apache-2.0
#include "ask/section_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/parse.h"
#include "model/compiled.h"
#include "orbit/forcing.h"

static const struct {
  const char *name;
  amo_mode_class from, to;
} event[] = {{"stick", AMO_MODE_ANY, AMO_MODE_STICKS},        {"slip", AMO_MODE_STICKS, AMO_MODE_SLIPS},
             {"crossing", AMO_MODE_SLIPS, AMO_MODE_SLIPS},    {"event", AMO_MODE_ANY, AMO_MODE_ANY},
             {"slip-stick", AMO_MODE_SLIPS, AMO_MODE_STICKS}, {"stick-slip", AMO_MODE_STICKS, AMO_MODE_SLIPS},
             {"slip-slip", AMO_MODE_SLIPS, AMO_MODE_SLIPS},   {"sticks", AMO_MODE_ANY, AMO_MODE_STICKS},
             {"slips", AMO_MODE_STICKS, AMO_MODE_SLIPS},      {"closing", AMO_MODE_APART, AMO_MODE_ANY},
             {"opening", AMO_MODE_CLOSED, AMO_MODE_APART}};

static const char *contact_name(void *ctx, size_t i)
{
  const amo_model *m = ctx;
  return i < amo_model_contacts(m) ? amo_model_contact(m, i).name : NULL;
}

static amo_status read_contact(const amo_call *call, amo_where *w)
{
  const char *name = amo_opt_text(call->opt, "contact");
  w->section.contact = -1;
  if (!name) return AMO_OK;
  w->section.contact = (int)amo_model_find_contact(call->model, name);
  if (w->section.contact >= 0) return AMO_OK;
  const char *near = amo_nearest(name, strlen(name), contact_name, (void *)(uintptr_t)call->model);
  return near ? amo_error(call->diags, (amo_at){0}, NULL, "the model has no contact '%s'; did you mean '%s'?",
                          name, near)
              : amo_error(call->diags, (amo_at){0}, NULL, "the model has no contact '%s'", name);
}

static double zero_value(void *ctx, const amo_sample *p)
{
  return amo_signal_value(ctx, p);
}

/// The one '=' that is no part of <=, >=, ==, !=; NULL if there is none.
static const char *equal_sign(const char *s)
{
  for (const char *p = s; *p; p++)
    if (*p == '=' && p > s && !strchr("<>=!", p[-1]) && p[1] != '=') return p;
  return NULL;
}

static amo_status read_equation(const amo_call *call, const char *text, amo_where *w)
{
  const char *equal = equal_sign(text), *way = amo_opt_text(call->opt, "direction");
  amo_text t = {0};
  if (equal)
    amo_text_printf(&t, "(%.*s) - (%s)", (int)(equal - text), text, equal + 1);
  else
    amo_text_str(&t, text);
  char *expression = amo_text_take(&t);
  if (!expression) return AMO_ENOMEM;
  w->section.kind = AMO_SECTION_ZERO;
  w->section.direction = !strcmp(way, "up") ? 1 : !strcmp(way, "down") ? -1 : 0;
  amo_status st = amo_signal_new(call->values, "--section", expression, call->diags, &w->zero);
  w->section.value = zero_value;
  w->section.ctx = w->zero;
  free(expression);
  return st;
}

amo_status amo_where_forcing(amo_where *w, const amo_call *call, const amo_values *v)
{
  amo_forcing kind;
  amo_status st = amo_forcing_of(v, &kind, &w->section.period);
  if (st != AMO_OK || kind == AMO_PERIODIC) return st;
  return amo_error(call->diags, (amo_at){0}, "--every T, or --section \"x' = 0\"",
                   kind == AMO_AUTONOMOUS
                       ? "--section forcing: the model does not depend on time"
                       : "--section forcing: the model depends on time in a way whose period is not known");
}

static amo_status read_where(const amo_call *call, amo_where *w)
{
  const char *text = amo_opt_text(call->opt, "section");
  if (amo_opt_given(call->opt, "every")) {
    w->section.kind = AMO_SECTION_CLOCK;
    w->section.period = amo_opt_number(call->opt, "every");
    w->section.phase =
        amo_opt_given(call->opt, "from") ? amo_opt_number(call->opt, "from") : call->values->t0;
    snprintf(w->text, sizeof w->text, "every %.12g", w->section.period);
    return AMO_OK;
  }
  snprintf(w->text, sizeof w->text, "%s", text);
  if (strcmp(text, "forcing") == 0) {
    w->forcing = true;
    w->section.kind = AMO_SECTION_CLOCK;
    w->section.phase = call->values->t0;
    return amo_where_forcing(w, call, call->values);
  }
  for (size_t i = 0; i < sizeof event / sizeof *event; i++) {
    if (strcmp(event[i].name, text) != 0) continue;
    w->section.kind = AMO_SECTION_EVENT;
    w->section.from = event[i].from;
    w->section.to = event[i].to;
    if (amo_model_contacts(call->model)) return AMO_OK;
    return amo_error(call->diags, (amo_at){0}, "--section \"x' = 0\", or --every T",
                     "the model has no contact, so there are no events to look at");
  }
  return read_equation(call, text, w);
}

amo_status amo_where_read(const amo_call *call, amo_where *w)
{
  *w = (amo_where){.of_text = amo_opt_text(call->opt, "of")};
  amo_status st = read_contact(call, w), where = read_where(call, w);
  if (st == AMO_OK) st = where;
  if (!w->of_text && amo_model_states(call->model)) w->of_text = amo_model_state(call->model, 0).name;
  if (!w->of_text)
    return amo_error(call->diags, (amo_at){0}, "--of EXPR",
                     "the model has no coordinate; say what to look at");
  amo_status of = amo_signal_new(call->values, "--of", w->of_text, call->diags, &w->of);
  return st == AMO_OK ? of : st;
}

void amo_where_free(amo_where *w)
{
  amo_signal_free(w->zero);
  amo_signal_free(w->of);
}
