// SPDX-License-Identifier: Apache-2.0
/// The block on the belt, written by hand: what every entry of bench_block computes.
///
///   m x'' = -k x - Fs sgn(x' - v)/(1 + delta |x' - v|),    stick while x' = v and |k x| <= Fs
///
/// One period starts and ends at breakaway (x = Fs/k, x' = v): slip with x' < v until x' = v again,
/// then stick, which is a straight line: t_stick = (Fs/k - x)/v.
#ifndef BENCH_BLOCK_H
#define BENCH_BLOCK_H

typedef struct block {
  double m, k, Fs, delta, v;
} block;

/// P1 of the specification, with its period to 20 digits (CV3).
static const block BLOCK_P1 = {1.0, 1.0, 1.0, 3.0, 0.2};
#define BLOCK_P1_PERIOD    12.001031294830578647
#define BLOCK_PERIOD_ERROR 1e-9

/// The period to about 1e-16, by power series of order 40 in long double with steps far below the radius
/// of convergence. Independent of the engine and of SUNDIALS; the reference for blocks other than P1.
double block_period_reference(const block *b);

/// The same method in double with one fixed order and step rule, written for this one system and nothing
/// else: not a competitor but the yardstick for what is left to gain. Returns the period.
double block_period_by_hand(const block *b, int order, double tol, long *coefficients);

#endif
