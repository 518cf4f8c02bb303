// SPDX-License-Identifier: Apache-2.0
// Texts of a map that say the same: attractors are named by numbers that differ a little from start to start.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "explore/map/plane.h"

static bool starts_number(const char *s)
{
  return isdigit((unsigned char)*s) || ((*s == '-' || *s == '.') && isdigit((unsigned char)s[1]));
}

/// Equal but for numbers, and those to a thousandth.
static bool alike(const char *a, const char *b)
{
  while (*a && *b) {
    if (starts_number(a) && starts_number(b)) {
      char *end_a, *end_b;
      const double x = strtod(a, &end_a), y = strtod(b, &end_b);
      if (!(fabs(x - y) <= 1e-3 * fmax(fabs(x), fabs(y)) + 1e-9)) return false;
      a = end_a;
      b = end_b;
    } else if (*a++ != *b++) {
      return false;
    }
  }
  return *a == *b;
}

amo_status amo_plane_merge(amo_plane *m)
{
  if (!m) return AMO_ERANGE;
  int *to = amo_zalloc(m->nwords, sizeof *to);
  size_t kept = 0;
  if (!to) return AMO_ENOMEM;
  for (size_t i = 0; i < m->nwords; i++) {
    size_t k = 0;
    while (k < kept && !alike(m->words[k], m->words[i])) k++;
    to[i] = (int)k;
    if (k < kept)
      free(m->words[i]);
    else
      m->words[kept++] = m->words[i];
  }
  m->nwords = kept;
  for (size_t i = 0; i < m->nx * m->ny; i++)
    if (m->word[i] >= 0) m->word[i] = to[m->word[i]];
  free(to);
  return AMO_OK;
}
