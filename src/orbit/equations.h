// SPDX-License-Identifier: Apache-2.0
/// All expressions that decide how a model moves, for those who ask what they depend on.
#ifndef AMO_ORBIT_EQUATIONS_H
#define AMO_ORBIT_EQUATIONS_H

#include "model/compiled.h"

/// Set used[n] for the expressions themselves; used has a place for every node of the model's DAG.
void amo_equations_mark(const amo_model *m, bool *used);
/// Number of arguments of a node.
int amo_equations_arity(const amo_dag *d, amo_node n);
/// The shortest time, or length, after which angles that grow at these rates [n] have all made whole turns; false: their
/// ratios are not those of small whole numbers.
bool amo_equations_common_turn(const double *rate, size_t n, double *period);

#endif
