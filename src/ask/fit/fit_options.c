// SPDX-License-Identifier: Apache-2.0
// Options of fit that do not depend on where residuals come from.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask/fit/fit.h"
#include "ask/number.h"

static amo_status number(const amo_call *c, const char *text, size_t n, double *out)
{
  char copy[128];
  if (n == 0 || n >= sizeof copy)
    return amo_error(c->diags, (amo_at){0}, "for example --vary \"k, mu=0.3:0..1\"",
                     "--vary: a number is missing");
  memcpy(copy, text, n);
  copy[n] = '\0';
  return amo_number_eval(copy, (amo_at){0}, c->values, c->diags, out);
}

static const char *trim(const char *p, size_t *n)
{
  while (*n > 0 && *p == ' ') p++, (*n)--;
  while (*n > 0 && p[*n - 1] == ' ') (*n)--;
  return p;
}

/// :LOW..HIGH behind a name or its start; either may be left out.
static amo_status read_bounds(const amo_call *c, const char *p, size_t n, amo_fit_parameter *q)
{
  const char *dots = NULL;
  for (size_t i = 0; i + 1 < n && !dots; i++)
    if (p[i] == '.' && p[i + 1] == '.') dots = p + i;
  if (!dots)
    return amo_error(c->diags, (amo_at){0}, "for example mu:0..1, or k:0.. for no upper bound",
                     "--vary: bounds are written LOW..HIGH, not '%.*s'", (int)n, p);
  size_t low = (size_t)(dots - p), high = n - low - 2;
  const char *a = trim(p, &low), *b = trim(dots + 2, &high);
  amo_status st = low ? number(c, a, low, &q->low) : AMO_OK;
  if (st == AMO_OK && high) st = number(c, b, high, &q->high);
  if (st == AMO_OK && !(q->low <= q->high))
    st = amo_error(c->diags, (amo_at){0}, NULL, "--vary: bounds %g..%g are the wrong way round", q->low,
                   q->high);
  return st;
}

static amo_status read_entry(const amo_call *c, const char *p, size_t n, amo_vary_entry *e)
{
  p = trim(p, &n);
  const char *colon = memchr(p, ':', n), *equal = memchr(p, '=', n);
  if (equal && colon && equal > colon) equal = NULL;
  const char *end = equal ? equal : colon ? colon : p + n;
  size_t length = (size_t)(end - p);
  const char *name = trim(p, &length);
  *e = (amo_vary_entry){.parameter = {.start = NAN, .low = -INFINITY, .high = INFINITY}};
  if (length == 0 || length >= sizeof e->name)
    return amo_error(c->diags, (amo_at){0}, "for example --vary \"k, mu=0.3:0..1\"", "--vary needs names");
  memcpy(e->name, name, length);
  amo_status st = AMO_OK;
  if (equal) {
    size_t m = (size_t)((colon ? colon : p + n) - equal - 1);
    const char *text = trim(equal + 1, &m);
    st = number(c, text, m, &e->parameter.start);
  }
  if (st == AMO_OK && colon) st = read_bounds(c, colon + 1, (size_t)(p + n - colon - 1), &e->parameter);
  return st;
}

/// "2 +- 0.1", "2 ± 0.1" or "2 ± 5 %".
static amo_status read_prior(const amo_call *c, const amo_setting *s, amo_fit_parameter *q)
{
  const char *mark = strstr(s->text, "+-"), *sign = strstr(s->text, "±");
  const char *at = mark ? mark : sign, *rest = at ? at + strlen(mark ? "+-" : "±") : NULL;
  size_t n = at ? (size_t)(at - s->text) : 0, m = rest ? strlen(rest) : 0;
  const char *value = trim(s->text, &n);
  if (rest) rest = trim(rest, &m);
  const bool percent = m > 0 && rest[m - 1] == '%';
  if (percent) rest = trim(rest, (m--, &m));
  if (n == 0 || m == 0)
    return amo_error(c->diags, (amo_at){0}, "for example --prior \"k=2 +- 0.1\"",
                     "--prior %s: a value and its standard deviation are needed, not '%s'", s->name, s->text);
  amo_status st = number(c, value, n, &q->prior);
  if (st == AMO_OK) st = number(c, rest, m, &q->sigma);
  if (percent) q->sigma *= 0.01 * fabs(q->prior);
  if (st == AMO_OK && !(q->sigma > 0.0 && isfinite(q->sigma)))
    st = amo_error(c->diags, (amo_at){0}, NULL, "--prior %s: the standard deviation must be positive",
                   s->name);
  return st;
}

static amo_status read_priors(const amo_call *c, amo_vary_entry *entry, size_t count)
{
  const amo_setting *set = NULL;
  amo_status st = AMO_OK;
  const size_t n = amo_opt_settings(c->opt, "prior", &set);
  for (size_t i = 0; st == AMO_OK && i < n; i++) {
    size_t k = 0;
    while (k < count && strcmp(entry[k].name, set[i].name)) k++;
    st = k < count ? read_prior(c, &set[i], &entry[k].parameter)
                   : amo_error(c->diags, (amo_at){0}, "name it in --vary", "--prior: '%s' is not varied",
                               set[i].name);
  }
  return st;
}

amo_status amo_fit_read_vary(const amo_call *call, amo_vary_entry **out, size_t *count)
{
  const char *p = amo_opt_text(call->opt, "vary");
  size_t most = 1;
  *out = NULL;
  *count = 0;
  if (!p)
    return amo_error(call->diags, (amo_at){0}, "for example --vary \"k, mu:0..1\"",
                     "fit needs --vary: what is to be found");
  for (const char *c = p; *c; c++) most += *c == ',';
  amo_vary_entry *e = calloc(most, sizeof *e);
  amo_status st = e ? AMO_OK : AMO_ENOMEM;
  for (size_t n; st == AMO_OK && (n = strcspn(p, ","), *count < most); p += n + (p[n] == ',')) {
    st = read_entry(call, p, n, &e[*count]);
    for (size_t i = 0; st == AMO_OK && i < *count; i++)
      if (!strcmp(e[i].name, e[*count].name))
        st = amo_error(call->diags, (amo_at){0}, NULL, "--vary names '%s' twice", e[i].name);
    if (st == AMO_OK) (*count)++;
  }
  if (st == AMO_OK) st = read_priors(call, e, *count);
  if (st == AMO_OK)
    *out = e;
  else
    free(e);
  return st;
}

amo_status amo_fit_read_opts(const amo_call *call, amo_fit_opts *out)
{
  static const char *const losses[] = {"squares", "huber", "cauchy", "tukey"};
  const char *loss = amo_opt_text(call->opt, "loss");
  *out = amo_fit_opts_default();
  for (int i = 0; loss && i < 4; i++)
    if (!strcmp(losses[i], loss)) out->loss = (amo_loss)i;
  out->level = amo_opt_number(call->opt, "level");
  out->interrupted = call->interrupted;
  return AMO_OK;
}
