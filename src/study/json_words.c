// SPDX-License-Identifier: Apache-2.0
#include "study/json_words.h"

#include <string.h>

#define BRANCH_KEYS \
  "parameter period stable multipliers eigenvalues branch amplitude min max state t sequence modes verdict"

static const struct {
  const char *list, *keys;
} items[] = {
    {"events",
     "t contact from to kind impulse modes slip force state state_reason jump answers before matrix"},
    {"solutions",
     "kind modes reactions friction accelerations multipliers stable R painleve forces indeterminate "
     "rates speeds angles speed angle margin polygon interval signs"},
    {"values", "at from to on how between"},
    {"extrema", "at value kind width"},
    {"special", "type at width after frequency criticality lyapunov cycles " BRANCH_KEYS},
    {"branch", BRANCH_KEYS},
    {"multipliers", "re im abs"},
    {"eigenvalues", "re im abs"},
    {"sectors", "from to answers"},
    {"states",
     "state t modes contacts eigenvalues stable verdict growth frequency criteria order neutral locked "
     "frozen residual"},
    {"contours", "level verdict closed count points"},
    {"loci", "type points ended"},
    {"points", "t value state parameter second"},
    {"peaks", "frequency power amplitude psd bin_frequency"},
    {"return_map", "value next time"},
    {"exponents", "value error"},
    {"up", "at kind turns period passes points min max"},
    {"down", "at kind turns period passes points min max"},
    {"ranges", "from to"},
    {"iterates", "state period residual matrix effort full_step damping"},
    {"samples", "t state matrix"},
    {"intervals", "from to class source"},
    {"lines", "coefficients contact what at"},
};

#define VERDICTS                                                                                             \
  "holds|starts|several|none|unique|degenerate|stable|unstable|neutral|regular|chaos|undecided|rest|motion|" \
  "rest-or-motion|self-braking|ambiguous|debraking|both|sliding|cycle|no answer"

static const struct {
  const char *key, *words;
} values[] = {
    {"kind",
     "stick-slip|slip-stick|slip-slip|switch|slide-begin|slide-end|stop|reaction|impact|jam|opening|closing|"
     "touch|accumulation|"
     "jump|stick|slip|slip+|slip-|open|stick and open|slip and open|stick, slip and open|stick and slip|"
     "zero-reaction|rest|motion|least|largest|still|cycle|irregular|no pass|sliding|chaos|undecided|"
     "coordinate|velocity|extra|pressed|guide|support"},
    {"type", "fold|period-doubling|neimark-sacker|branch-point|hopf|stick-begins|stick-ends|crossing|border"},
    {"criticality", "supercritical|subcritical|degenerate|unknown"},
    {"verdict", VERDICTS},
    {"class", VERDICTS},
    {"how", "exact|bracketed|open"},
    {"status", "ok|nonunique|discontinuity|none"},
    {"long_time", "stick|open|undecided"},
    {"place", "inside|edge|vertex|apart"},
    {"forces", "determined|indeterminate"},
};

const char *amo_words_keys(const char *list)
{
  for (size_t i = 0; list && i < sizeof items / sizeof *items; i++)
    if (!strcmp(items[i].list, list)) return items[i].keys;
  return NULL;
}

const char *amo_words_values(const char *key)
{
  for (size_t i = 0; key && i < sizeof values / sizeof *values; i++)
    if (!strcmp(values[i].key, key)) return values[i].words;
  return NULL;
}

bool amo_words_has(const char *words, char separator, const char *word, size_t n)
{
  for (const char *p = words; p && n; p = strchr(p, separator), p = p ? p + 1 : NULL)
    if (!strncmp(p, word, n) && (p[n] == separator || !p[n])) return true;
  return false;
}
