// SPDX-License-Identifier: Apache-2.0
/// Tolerances of an expectation: how they may be written, and that one is given and no more.
#include <string.h>

#include "base/text.h"
#include "study/expect_load.h"

static const char *const tolerance_words[] = {"tolerance", "tol", NULL};
static const char *const relative_words[] = {"rel", "relative", "rtol", NULL};
static const char *const absolute_words[] = {"abs", "absolute", "atol", NULL};

/// A finite number >= 0; with `percent` also "1 %", which makes it relative.
static amo_status positive(const amo_yaml *n, const char *what, amo_diags *d, double *out, bool *percent)
{
  if (!n) return AMO_OK;
  size_t length = n->kind == AMO_YAML_SCALAR ? n->length : 0;
  char text[64];
  amo_status st = AMO_OK;
  double x = -1.0;
  if (percent && length > 1 && length < sizeof text && n->text[length - 1] == '%') {
    memcpy(text, n->text, --length);
    while (length && text[length - 1] == ' ') length--;
    text[length] = 0;
    *percent = true;
    if (!amo_decimal(text, &x))
      return amo_error(d, n->at, "for example  1 %", "%s must be a number, not '%s'", what, n->text);
    x /= 100.0;
  } else {
    st = amo_yaml_number(n, what, d, &x);
  }
  if (st == AMO_OK && x < 0.0) st = amo_error(d, n->at, NULL, "%s must be >= 0, got %s", what, n->text);
  if (st == AMO_OK) *out = x;
  return st;
}

static bool given(const amo_expectation *e)
{
  return e->tolerance >= 0.0 || e->rel >= 0.0 || e->abs >= 0.0;
}

static amo_status too_many(const amo_yaml *n, amo_diags *d)
{
  return amo_error(d, amo_yaml_at(n), "give one tolerance, or  rel: ...  and  abs: ...  together",
                   "'%s' is a second tolerance", n->key ? n->key->text : n->text);
}

/// Nothing that is farther from 0 than the expected value itself may be called near it.
static amo_status check_relative(const amo_yaml *n, double rel, amo_diags *d)
{
  if (rel < 1.0) return AMO_OK;
  return amo_error(d, amo_yaml_at(n), "1 % is 0.01; for an absolute one write  abs: ...",
                   "a relative tolerance of 1 or more accepts 0 for any value");
}

/// `relative: true`, `absolute: yes`: what `tolerance` is. *node becomes NULL then.
static bool says_kind(const amo_yaml **node, bool *yes)
{
  if (!*node || !amo_study_truth(*node, yes)) return false;
  *node = NULL;
  return true;
}

/// `tolerance: t` alone, or with `relative: true/false` or `absolute: true` saying what t is;
/// `rel:` and `abs:` with numbers, also as `tolerance: {rel: ..., abs: ...}`; `within: t` is absolute.
static amo_status load(amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  const amo_yaml *tolerance = amo_expect_pick(n, tolerance_words, d), *within = amo_yaml_get(n, "within");
  const amo_yaml *rel = amo_expect_pick(n, relative_words, d), *abs = amo_expect_pick(n, absolute_words, d);
  const amo_yaml *kind = rel ? rel : abs;
  bool percent = false, yes = false, relative = false, absolute = false;
  if (amo_yaml_is(within, AMO_YAML_LIST)) within = NULL;
  if (amo_yaml_is(tolerance, AMO_YAML_MAP)) {
    static const char *const keys[] = {"rel", "relative", "rtol", "abs", "absolute", "atol", NULL};
    amo_status st = amo_yaml_only(tolerance, "a tolerance", keys, d);
    if (st == AMO_OK && (rel || abs || within)) st = too_many(rel ? rel : abs ? abs : within, d);
    return st == AMO_OK ? load(e, tolerance, d) : st;
  }
  if (says_kind(&rel, &yes)) relative = yes, absolute = !yes;
  if (says_kind(&abs, &yes)) absolute = yes, relative = !yes;
  if ((relative || absolute) && (!tolerance || rel || abs))
    return amo_error(d, amo_yaml_at(kind), "for example  {tolerance: 1e-3, absolute: true}",
                     "'%s' says what the tolerance is, and none is given", kind->key->text);
  if (tolerance && (rel || abs || within)) return too_many(rel ? rel : abs ? abs : within, d);
  if (within && (rel || abs)) return too_many(within, d);
  amo_status st = positive(tolerance, "tolerance", d, &e->tolerance, &percent);
  if (st == AMO_OK) st = positive(rel, "rel", d, &e->rel, NULL);
  if (st == AMO_OK) st = positive(abs, "abs", d, &e->abs, NULL);
  if (st == AMO_OK) st = positive(within, "within", d, &e->abs, NULL);
  if (st == AMO_OK && percent && absolute) st = too_many(kind, d);
  if (relative || percent) e->rel = e->tolerance;
  if (absolute) e->abs = e->tolerance;
  if (st == AMO_OK && !absolute && tolerance) st = check_relative(tolerance, e->tolerance, d);
  if (st == AMO_OK && rel) st = check_relative(rel, e->rel, d);
  return st;
}

amo_status amo_expect_tolerance(amo_expectation *e, const amo_yaml *n, amo_diags *d)
{
  amo_expectation own = {.rel = -1.0, .abs = -1.0, .tolerance = -1.0};
  amo_status st = load(&own, n, d);
  if (st != AMO_OK || !given(&own)) return st;
  e->rel = own.rel;
  e->abs = own.abs;
  e->tolerance = own.tolerance;
  return AMO_OK;
}

// ---- behind the value ----

const char *amo_expect_margin_sign(const char *text, size_t *length)
{
  static const char *const signs[] = {"+/-", "+-", "\xC2\xB1", NULL};
  for (size_t i = 0; signs[i]; i++) {
    const char *at = strstr(text, signs[i]);
    if (!at || at == text) continue;
    *length = strlen(signs[i]);
    return at;
  }
  return NULL;
}

amo_status amo_expect_margin(amo_study *s, amo_expectation *e, amo_diags *d)
{
  const amo_yaml **side = e->equals ? &e->equals : &e->differs, *n = *side;
  size_t length = 0;
  double plain = 0.0;
  if (!amo_yaml_is(n, AMO_YAML_SCALAR)) return AMO_OK;
  const char *at = amo_expect_margin_sign(n->text, &length);
  if (!at) return AMO_OK;
  const amo_yaml *margin = amo_expect_part(&s->arena, n, at + length, n->text + n->length);
  if (!margin) return AMO_ENOMEM;
  if (!amo_decimal(margin->text, &plain))
    return n->quoted ? AMO_OK
                     : amo_error(d, margin->at, "a difference is written  a - b",
                                 "the tolerance after +- must be a number, not '%s'", margin->text);
  if (e->own_tolerance)
    return amo_error(d, margin->at, "give one tolerance", "the value has a tolerance already");
  *side = amo_expect_part(&s->arena, n, n->text, at);
  e->tolerance = e->rel = -1.0;
  return *side ? positive(margin, "the tolerance after +-", d, &e->abs, NULL) : AMO_ENOMEM;
}
