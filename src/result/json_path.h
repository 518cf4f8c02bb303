// SPDX-License-Identifier: Apache-2.0
/// Paths into JSON results: `simulate.events[3].t`, `final.state.x'`, `events[*].kind`,
/// `events[contact=belt][-1].t`, `state."a key"`. Keys may themselves contain dots, primes and
/// brackets ("belt.t_stick", "x[2]'"): at each object the longest key that fits wins, so a path
/// is always read together with the value it leads into.
#ifndef AMO_RESULT_JSON_PATH_H
#define AMO_RESULT_JSON_PATH_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "amontons/diag.h"

typedef struct amo_json_path {
  const cJSON *root;
  cJSON *scratch;               // array that owns lists made by [*], [a:b] and [key=value]
  const cJSON *aliases, *only;  // where a path may start if `root` has no such key; NULL: nowhere else
} amo_json_path;

/// Does a path begin at `text`? Length of its first key, or 0.
size_t amo_json_path_starts(const amo_json_path *p, const char *text);

/// What the first key of the path at `text` leads to, in `only` all of it; NULL where no path begins.
const cJSON *amo_json_path_top(const amo_json_path *p, const char *text);

/// Follow the path at the beginning of `text`. *used: characters that belong to it, also on failure.
/// Failures are reported at `at` (moved along) with what would have been there.
amo_status amo_json_path_follow(const amo_json_path *p, const char *text, amo_at at, amo_diags *diags,
                                size_t *used, const cJSON **out);

#endif
