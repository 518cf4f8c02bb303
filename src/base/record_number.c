// SPDX-License-Identifier: Apache-2.0
#include "base/record_number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// The same by the library, for what one rounding cannot do.
static bool by_library(const char *begin, const char *end, double *value)
{
  char text[512];
  const size_t length = (size_t)(end - begin);
  if (length >= sizeof text) return false;
  memcpy(text, begin, length);
  text[length] = '\0';
  char *comma = strchr(text, ','), *stop;
  if (comma) *comma = '.';
  *value = strtod(text, &stop);
  return *stop == '\0' && isfinite(*value);
}

bool amo_record_number(const char **at, const char *end, bool comma, double *value)
{
  const char *p = *at, *begin = p;
  const char other = comma ? ',' : '.';
  uint64_t digits = 0;
  int count = 0, scale = 0, figures = 0;  // significant digits, power of ten, digits at all
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  bool fraction = false;
  for (; p < end; p++) {
    const unsigned d = (unsigned)(*p - '0');
    if (d > 9) {
      if (fraction || (*p != '.' && *p != other)) break;
      fraction = true;
      continue;
    }
    figures++;
    if (count > 0 || d > 0) count++;
    if (count <= 18) digits = 10 * digits + d;
    scale -= fraction;
  }
  if (figures == 0) return false;
  if (p < end && (*p == 'e' || *p == 'E' || *p == 'd' || *p == 'D')) {
    const char *q = p + 1;
    int power = 0;
    const bool down = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+')) q++;
    if (q < end && *q >= '0' && *q <= '9') {
      if (*p == 'd' || *p == 'D') return false;
      for (; q < end && *q >= '0' && *q <= '9'; q++)
        if (power < 10000) power = 10 * power + (*q - '0');
      scale += down ? -power : power;
      p = q;
    }
  }
  *at = p;
  if (count > 18 || digits > (uint64_t)1 << 53 || scale < -22 || scale > 22)
    return by_library(begin, p, value);
  const double x = scale < 0 ? (double)digits / ten[-scale] : (double)digits * ten[scale];
  *value = negative ? -x : x;
  return true;
}

bool amo_record_gap(const char *begin, const char *end)
{
  static const char *const word[] = {"", "nan", "na", "n/a", "null", "-", "--", "+nan", "-nan", NULL};
  for (int i = 0; word[i]; i++)
    if (strlen(word[i]) == (size_t)(end - begin) && !strncasecmp(begin, word[i], (size_t)(end - begin)))
      return true;
  return false;
}
