// SPDX-License-Identifier: Apache-2.0
#include "ask/map/map_colour.h"

#include <string.h>

/// Paler than the lines of curves: areas.
static const char *const colour[] = {"#56B4E9", "#E69F00", "#CC79A7", "#009E73", "#F0E442",
                                     "#D55E00", "#0072B2", "#8c8c8c", "#333333"};
#define COLOURS (sizeof colour / sizeof *colour)

/// Known verdicts look the same on every map; what needs no attention is pale.
static const struct {
  const char *word, *colour;
} known[] = {{"unique", "#dbe8f1"}, {"holds", "#dbe8f1"},      {"several", "#E69F00"},  {"none", "#D55E00"},
             {"starts", "#56B4E9"}, {"degenerate", "#333333"}, {"no answer", "#ffffff"}};

void amo_map_regions_of(const amo_plane *m, amo_map_regions *out)
{
  *out = (amo_map_regions){.discrete = amo_plane_discrete(m)};
  if (out->discrete) out->numbers = amo_plane_numbers(m, out->number, AMO_PLANE_NUMBERS);
}

const char *amo_map_colour(const amo_plane *m, size_t region)
{
  for (size_t i = 0; region < m->nwords && i < sizeof known / sizeof *known; i++)
    if (!strcmp(m->words[region], known[i].word)) return known[i].colour;
  return colour[region % COLOURS];
}

size_t amo_map_region(const amo_plane *m, const amo_map_regions *r, size_t cell)
{
  size_t k = 0;
  if (m->word[cell] >= 0) return (size_t)m->word[cell];
  while (k < r->numbers && r->number[k] != m->number[cell]) k++;
  return m->nwords + k;
}
