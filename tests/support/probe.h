// SPDX-License-Identifier: Apache-2.0
/// A model's equations at a state, as tests look at them. All fail the running test when something is wrong.
#ifndef SUPPORT_PROBE_H
#define SUPPORT_PROBE_H

#include "model/compiled.h"

typedef struct probe {
  const amo_model *m;
  double *leaf, *reg;  // inputs; registers of the step program
} probe;

amo_model *probe_text(const char *text, const amo_setting *set, size_t nset);
/// A file of models/; it must load without warnings.
amo_model *probe_file(const char *name, const amo_setting *set, size_t nset);
/// Expect failure with a message that contains `want`.
void probe_refuse(const char *text, size_t size, const amo_setting *set, size_t nset, amo_status status,
                  const char *want);

probe probe_new(const amo_model *m);  // at the initial state, sigma = 0
void probe_eval(probe *p);            // registers from leaves
void probe_free(probe *p);
double probe_value(const probe *p, amo_node n);
double probe_param(const amo_model *m, const char *name);
double probe_mass(const probe *p, uint32_t i, uint32_t j);
/// Accelerations, multipliers and reactions, written to the leaves: pressed contacts slip (sigma as set), guides
/// have the friction force that stands in their leaf lambda.
void probe_accelerate(probe *p);
/// d(T+V)/dt = supplied_power + sum_c [lambda_c (W_c.u) + R_c (n_c.u)] + sum_g Lambda_g (G_g.u),
/// d(slip)/dt = W.u' + zeta, rates of constraints and guides stay, at random states.
void probe_identity(amo_model *m);
/// Relative to 1 + |want|.
void probe_near(double got, double want, double tol);

#endif
