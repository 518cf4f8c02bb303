// SPDX-License-Identifier: Apache-2.0
/// Reactions that depend on each other (a table on more feet than it needs): only sums of them are determined,
///
///   R = R0 + C y   for any y.
///
/// They are carried as by equal springs, with the least sum of squares, C^T R = 0; but supports do not pull: one that
/// would is left without reaction.
#ifndef AMO_CONTACT_SPRINGS_H
#define AMO_CONTACT_SPRINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct amo_springs {
  size_t n, rows;
  const double *c;        // [n][rows]
  const bool *one_sided;  // [rows]
  double *matrix;         // [amo_springs_work(n)]
  size_t *idle;           // [n] rows without reaction
  size_t idles;
} amo_springs;

size_t amo_springs_work(size_t n);
/// Who carries nothing, and y, for reactions R0 [rows]. False: no answer.
bool amo_springs_fit(amo_springs *s, const double *R0, double *y);
/// The same for idle ones that are known, without y.
bool amo_springs_prepare(const amo_springs *s);
/// y for other reactions (a derivative of them), the same ones idle.
void amo_springs_solve(const amo_springs *s, const double *R0, double *y);

#endif
