// SPDX-License-Identifier: Apache-2.0
#include "base/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct unit {
  const char *name, *si;
  double factor;
  bool prefixed;  // may carry k, m, M, ...
} unit;

static const double pi = 3.14159265358979323846;

/// A unit without powers and products.
static bool plain(const char *text, size_t length, double *factor, const char **si)
{
  static const unit known[] = {
      {"m", "m", 1, true},      {"s", "s", 1, true},           {"N", "N", 1, true},
      {"g", "kg", 1e-3, true},  {"Pa", "Pa", 1, true},         {"Hz", "Hz", 1, true},
      {"J", "J", 1, true},      {"W", "W", 1, true},           {"V", "V", 1, true},
      {"A", "A", 1, true},      {"K", "K", 1, false},          {"rad", "rad", 1, true},
      {"mps", "m/s", 1, true},  {"min", "s", 60, false},       {"h", "s", 3600, false},
      {"sec", "s", 1, false},   {"bar", "Pa", 1e5, true},      {"t", "kg", 1e3, false},
      {"deg", "rad", 0, false}, {"\xc2\xb0", "rad", 0, false}, {"%", "", 1e-2, false},
      {"-", "", 1, false},      {"1", "", 1, false},           {NULL, NULL, 0, false}};
  static const struct {
    const char *sign;
    double factor;
  } prefix[] = {{"", 1},     {"k", 1e3},  {"m", 1e-3},        {"M", 1e6},         {"G", 1e9},  {"u", 1e-6},
                {"n", 1e-9}, {"c", 1e-2}, {"\xc2\xb5", 1e-6}, {"\xce\xbc", 1e-6}, {"d", 1e-1}, {NULL, 0}};
  for (int p = 0; prefix[p].sign; p++) {
    const size_t skip = strlen(prefix[p].sign);
    if (length <= skip || memcmp(text, prefix[p].sign, skip) != 0) continue;
    for (const unit *u = known; u->name; u++)
      if (strlen(u->name) == length - skip && !memcmp(text + skip, u->name, length - skip) &&
          (skip == 0 || u->prefixed)) {
        *factor = prefix[p].factor * (u->factor == 0 ? pi / 180 : u->factor);
        *si = u->si;
        return true;
      }
  }
  return false;
}

/// The power behind a unit: ^2, ^-1, **2, 2, or the raised figures of print.
static bool power(const char *p, size_t length, int *out)
{
  *out = 1;
  if (length == 0) return true;
  if (length == 2 && !memcmp(p, "\xc2\xb2", 2)) return *out = 2, true;
  if (length == 2 && !memcmp(p, "\xc2\xb3", 2)) return *out = 3, true;
  if (*p == '^') p++, length--;
  const int sign = length > 1 && *p == '-' ? -1 : 1;
  if (sign < 0) p++, length--;
  if (length != 1 || !isdigit((unsigned char)*p)) return false;
  *out = sign * (*p - '0');
  return true;
}

bool amo_unit_si(const char *text, size_t length, double *factor, char *si, size_t size)
{
  size_t used = 0;
  int below = 1;  // -1 behind a stroke
  *factor = 1;
  if (size) si[0] = '\0';
  for (const char *p = text, *end = text + length; p < end;) {
    const char *q = p;
    while (q < end && !strchr("*/. ", *q) && !(end - q > 1 && !memcmp(q, "\xc2\xb7", 2))) q++;
    const char *stop = q;  // the unit without its power
    while (stop > p && (isdigit((unsigned char)stop[-1]) || strchr("^-", stop[-1]))) stop--;
    if (q - stop == 0 && q - p > 2 && (!memcmp(q - 2, "\xc2\xb2", 2) || !memcmp(q - 2, "\xc2\xb3", 2)))
      stop = q - 2;
    if (stop == p) stop = q;  // "1", "-"
    double one;
    const char *name;
    int n;
    if (!plain(p, (size_t)(stop - p), &one, &name) || !power(stop, (size_t)(q - stop), &n)) return false;
    *factor *= pow(one, below * n);
    if (*name || (below < 0 && !used)) {
      char raised[16] = "";
      if (n != 1) snprintf(raised, sizeof raised, "^%d", n);
      const int more = snprintf(si + used, size - used, "%s%s%s",
                                below < 0 ? (used ? "/" : "1/")
                                : used    ? "*"
                                          : "",
                                name, raised);
      if (more < 0 || (size_t)more >= size - used) return false;
      used += (size_t)more;
    }
    if (q < end && *q == '/') below = -1;
    p = q + (q < end ? ((unsigned char)*q == 0xc2 ? 2 : 1) : 0);
  }
  return length > 0;
}
