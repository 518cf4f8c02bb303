// SPDX-License-Identifier: Apache-2.0
/// An expectation that does not look (`a - a == 0`, `a >= a - 1`) holds whatever comes out. With other numbers in the place of results
/// its two sides differ by what they differed by before.
#include <math.h>
#include <stdint.h>

#include "study/study.h"

enum { TRIALS = 12, ENOUGH = 3 };  // roots have no value at some

double amo_expect_other(const amo_study_result *r, const void *key, double x)
{
  if (!r->other) return x;
  uint64_t h = ((uint64_t)(uintptr_t)key + r->other) * 0x9E3779B97F4A7C15u;  // SplitMix64
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  const double part = ldexp((double)((h ^ (h >> 31)) >> 11), -53);  // 0 to 1
  const double sign = r->other % 3 == 0 ? 1.0 : r->other % 3 == 1 ? -1.0 : part < 0.5 ? 1.0 : -1.0;
  return sign * part * (r->other % 2 ? 1.0 : 1000.0);
}

/// Value less border, with the r->other-th numbers; NAN: there is no such difference.
static double difference(amo_study_result *r, const amo_yaml *value, const amo_yaml *border, double *size)
{
  double a = 0.0, b = 0.0;
  if (amo_value_number(r, value, NULL, &a) != AMO_OK || amo_value_number(r, border, NULL, &b) != AMO_OK)
    return NAN;
  *size = fmax(fabs(a), fabs(b));
  return a - b;
}

/// Two paths to one result ask about paths.
static bool is_one_result(amo_study_result *r, const amo_yaml *value, const amo_yaml *border)
{
  const cJSON *a = NULL, *b = NULL;
  return amo_value_eval(r, value, NULL, &a) == AMO_OK && amo_value_eval(r, border, NULL, &b) == AMO_OK &&
         a == b;
}

static bool is_fixed(amo_study_result *r, const amo_yaml *value, const amo_yaml *border)
{
  int alike = 0;
  bool changes = false;
  double own_size = 0.0;
  if (is_one_result(r, value, border)) return false;
  const double own = difference(r, value, border, &own_size);
  for (unsigned k = 1; !isnan(own) && !changes && k <= TRIALS; k++) {
    double size = 0.0;
    r->other = k;
    const double other = difference(r, value, border, &size);
    changes = fabs(other - own) > 1e-12 * fmax(size, own_size);
    alike += !isnan(other);
  }
  r->other = 0;
  return !changes && alike >= ENOUGH;
}

bool amo_expect_is_blind(amo_study_result *r, const amo_expectation *e)
{
  const amo_yaml *low = e->between ? e->between->first : NULL;
  const amo_yaml *border[] = {e->equals,   e->differs, e->below, e->above,
                              e->at_least, e->at_most, low,      low ? low->next : NULL};
  const cJSON *touched = r->touched;
  bool blind = false;
  for (size_t i = 0; e->value->kind == AMO_YAML_SCALAR && i < sizeof border / sizeof *border; i++)
    if (border[i] && border[i]->kind == AMO_YAML_SCALAR) blind = blind || is_fixed(r, e->value, border[i]);
  r->touched = touched;
  return blind;
}
