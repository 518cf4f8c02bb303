// SPDX-License-Identifier: Apache-2.0
/// Text to DAG. Grammar in docs/model.md. Bounded: text length, nesting (iterative precedence
/// parser, so 10^6 parentheses give an error, not a crash), sum ranges.
#ifndef AMO_EXPR_PARSE_H
#define AMO_EXPR_PARSE_H

#include "amontons/diag.h"
#include "expr/dag.h"

/// A name as written: base text, number of primes, literal or computed indices.
typedef struct amo_name {
  const char *text;  // not NUL-terminated
  size_t length;
  int primes;         // x'' -> 2
  const long *index;  // x[i+1] -> {value}
  int indices;
  amo_at at;
} amo_name;

typedef struct amo_scope amo_scope;
struct amo_scope {
  void *ctx;
  /// The node for a name, or AMO_NODE_NONE if unknown (the parser then reports it with a suggestion).
  /// The resolver may itself report (e.g. "index 0 outside 1..5"); it then sets *reported.
  amo_node (*resolve)(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported);
  /// i-th known name for "did you mean", NULL at the end. May be NULL.
  const char *(*known)(const amo_scope *s, size_t i);
  /// Integer constants usable in indices and ranges (sizes such as N). Returns false if unknown.
  bool (*integer)(const amo_scope *s, const char *text, size_t length, long *value);
  /// d/dt of an expression along the motion, for rate(f). NULL: there is no motion here. On failure NONE
  /// and *why.
  amo_node (*rate)(const amo_scope *s, amo_dag *d, amo_node n, const char **why);
  /// df/dl for diff(f, l), with what follows from leaf l chained in. NULL: amo_diff.
  amo_node (*diff)(const amo_scope *s, amo_dag *d, amo_node n, uint32_t leaf);
  /// Accept paths `a.b[3].c'` as single names. For expectations. Indices and inner primes stay in the
  /// text; trailing primes are counted in `primes` and follow the text directly.
  bool paths;
};

/// Parse `text` (length bytes, first character at `at`) into *out.
/// On error: reports every independent mistake it can into `diags`, returns AMO_EINPUT, *out = NONE.
amo_status amo_parse(amo_dag *d, const char *text, size_t length, amo_at at, const amo_scope *scope,
                     amo_diags *diags, amo_node *out);

/// Parse an integer expression of literals, sizes and bound indices ("N-1").
amo_status amo_parse_integer(const char *text, size_t length, amo_at at, const amo_scope *scope,
                             amo_diags *diags, long *out);

/// Names from a list nearest to `text` by edit distance, or NULL when none is near.
const char *amo_nearest(const char *text, size_t length, const char *(*known)(void *, size_t), void *ctx);

#endif
