// SPDX-License-Identifier: Apache-2.0
/// Lagrange's equations, term by term. Each term touches only the coordinates it depends on, so the
/// work for a chain of n blocks grows like n, not n^2.
///
/// For all coordinates (prescribed ones too, which get a drive force D):
///   sum_j M_ij u_j' = h_i + sum_c W_ci lambda_c + sum_g G_gi Lambda_g + D_i
#ifndef AMO_MODEL_MECHANICS_H
#define AMO_MODEL_MECHANICS_H

#include <stdbool.h>
#include <stdint.h>

#include "expr/dag.h"

typedef struct amo_mass {  // entry of a row of the mass matrix, col <= row
  uint32_t col;
  amo_node node;
} amo_mass;

typedef struct amo_mass_row {
  amo_mass *item;
  size_t count, cap;
} amo_mass_row;

/// Which leaves an expression contains; reused from call to call.
typedef struct amo_leafset {
  uint32_t *leaf;  // sorted
  size_t count, cap;
  uint32_t *stamp;  // per node: last round that saw it
  size_t stamps;
  uint32_t round;
  amo_node *stack;
  size_t stack_cap;
} amo_leafset;

typedef struct amo_mech {
  amo_dag *dag;
  uint32_t n;  // coordinates
  uint32_t leaf_t, leaves;
  const uint32_t *q, *u;      // [n] leaf of each coordinate and velocity
  uint32_t *q_of, *u_of;      // [leaves] coordinate of a leaf, or UINT32_MAX
  const amo_node *rate_time;  // [leaves] q -> u, t -> 1
  const amo_node *rate_full;  // [leaves] ... u -> acc, z -> rate
  amo_mass_row *row;          // [n]
  amo_node *h;                // [n] inertia and potential forces
  amo_node *q_nc;             // [n] all other forces; total = h + q_nc
  amo_node kinetic, potential;
  amo_node explicit_power;  // of energies that depend on time explicitly; see mechanics.c
  amo_leafset set;
  amo_status status;
} amo_mech;

amo_status amo_leaves_of(amo_leafset *s, const amo_dag *d, amo_node n);
void amo_leafset_free(amo_leafset *s);

amo_status amo_mech_init(amo_mech *me);  // dag, n, leaves, q, u, rates are filled by the caller
void amo_mech_free(amo_mech *me);

void amo_mech_inertia(amo_mech *me, amo_node mass, amo_node r);      // T = mass/2 * (dr/dt)^2
void amo_mech_kinetic(amo_mech *me, amo_node energy);                // any T(q,u,t)
void amo_mech_potential(amo_mech *me, amo_node energy);              // any V(q,t)
void amo_mech_spring(amo_mech *me, amo_node stiffness, amo_node e);  // V = stiffness/2 * e^2
void amo_mech_damper(amo_mech *me, amo_node damping, amo_node e);    // force -damping*e' along e
void amo_mech_dissipation(amo_mech *me, amo_node r);                 // force -dR/du
void amo_mech_force(amo_mech *me, uint32_t coord, amo_node force);
void amo_mech_load(amo_mech *me, amo_node force, amo_node r);  // virtual work force*dr
/// Rows for contacts and constraints: d(expr)/d(leaf of coordinate) for each coordinate it depends on.
/// `leaf` is me->q or me->u. Returns the number of entries written to the grown arrays.
amo_status amo_mech_gradient(amo_mech *me, amo_node expr, bool velocities, uint32_t **coord, amo_node **value,
                             uint32_t *count);

#endif
