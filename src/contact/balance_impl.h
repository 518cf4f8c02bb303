// SPDX-License-Identifier: Apache-2.0
/// The inside of the balance, shared by the files that arrange, factor and solve it.
#ifndef AMO_CONTACT_BALANCE_IMPL_H
#define AMO_CONTACT_BALANCE_IMPL_H

#include "base/mem.h"
#include "contact/balance.h"

/// A row of the system that ties accelerations: a sticking contact (or one axis of a spatial one), a guide or closed
/// support, or a constraint.
typedef enum tie_kind { TIE_STICK, TIE_AXIS, TIE_GUIDE, TIE_CONSTRAINT } tie_kind;

typedef struct row {
  tie_kind kind;
  const amo_entry *entry;
  uint32_t entries, zeta;
  uint32_t item;      // contact, direction leaf (axis) or constraint number
  double sign;        // slipping guide: sigma*eps, its friction is -sign*mu*R along the slip; else 0
  uint32_t contact;   // not of a constraint
  signed char keeps;  // sign that its reaction must keep; 0: either
} row;

typedef struct block {
  uint32_t coord, coords;  // slice of order[]
  uint32_t row, rows;      // slice of rowlist[]
  size_t lu;               // offset into lu[]
  uint32_t perm;           // offset into perm[]
  uint32_t rank_rows;      // rows that are independent, and springs in place of others
  uint32_t held;           // ties that are independent: the first pivots
  uint32_t open;           // forces that no equation is left for: the next columns after those of rank_rows
  uint32_t springs;        // guides and supports that depend on others; which: spring_tie from `row` on
  bool still;              // its rows do not change in time
  size_t spring;           // offset into spring[]: how they depend on the others, order by order
} block;

struct amo_balance {
  amo_arena memory;  // of all arrays of fixed size
  const amo_model *m;
  uint32_t *parent;  // [nq] union-find over coordinates
  uint32_t *order;   // [nq] coordinates grouped by block
  uint32_t *local;   // [nq] position of a coordinate within its block
  row *rowlist;      // [3 nc + ng] grouped by block
  uint32_t rows;
  block *blocks;  // [nq]
  uint32_t nblocks;
  double *lu;  // dense factors of all blocks
  size_t lu_capacity;
  uint32_t *perm;  // row and column permutations
  double *spring;  // [orders][springs][rows] of all blocks
  size_t spring_capacity, spring_used;
  uint32_t *spring_tie;  // [3 nc + ng]
  double *slack;         // [nc][orders] where the caller has none
  double *rhs;           // [nq + nc + ng] one block at a time
  uint32_t *block_of;    // [nq]
  bool *loose;           // [nc] stick force not determined
  bool *spare;           // [nc] guides and supports whose reaction is not determined
  bool *carried;         // [nc] its forces are those of a share of what is open
  long *leader;  // [nc] the contact that speaks for those which leave with it when no share suits; -1: none
  signed char *limit;           // [nc] side of the bound it nears in the share: 1 or -1 for those
  double *reach;                // [nc] largest bound among those that share
  struct amo_sharing *sharing;  // work, made when first needed
  double *coord_scale;          // [nq] powers of two that bring M and the ties to size 1
  double *tie_scale;            // [3 nc + ng]
  double *peak;          // [nc] largest row of the slip met so far: a row may vanish (a point at its turn)
  bool *mass_fixed;      // [nmass]
  uint32_t *mass_first;  // [nq+1] entries of both triangles by row (CSR)
  uint32_t *mass_entry;  // [2*nmass]
  double length;         // of time that series are meant for
  long singular;
  bool free;    // nothing is to be solved for: every acceleration is a force over a mass that does not change
  bool failed;  // out of memory while arranging
};

/// Ties that are to be pivots give way to springs where they depend on others: rows of the matrix, after its first pivots.
/// False: out of memory.
bool amo_springs_place(amo_balance *b, block *bl, amo_span v, double *a, uint32_t n);
/// Right sides of the springs at order k; those of lower orders are known.
void amo_springs_rhs(const amo_balance *b, const block *bl, amo_span v, amo_result r, int k, double *rhs);
/// The same of changes [rows][orders] of all forces.
void amo_springs_change(const amo_balance *b, const block *bl, const double *change, int orders, int k,
                        double *rhs);
/// The change x keeps supports without reaction that had none at orders below k.
void amo_springs_keep(const amo_balance *b, const block *bl, amo_result r, int k, double *x);
/// What supports that would pull leave to others: changes the solution x of the block. Not if none parts.
void amo_springs_release(const amo_balance *b, const block *bl, amo_result r, int k, bool parts, double *x);
/// Has any spring parted at these orders?
bool amo_springs_have_parted(const amo_balance *b, const block *bl, amo_result r, int orders);
/// The forces of a block as they are if no spring parts.
void amo_balance_solve_tied(const amo_balance *b, const block *bl, amo_span v, amo_result r, int orders);

void amo_sharing_free(struct amo_sharing *s);
void amo_balance_forget_shares(amo_balance *b);
/// Series of the force along a tie.
double *amo_balance_force(const row *ro, amo_result r);
/// Units must not decide what counts as singular: powers of two that scale M to a unit diagonal, then each tie to size 1.
void amo_balance_scale(amo_balance *b, const block *bl, amo_span v);
/// Solve with the factors of a block; x in the block's own order (coordinates, then forces).
void amo_balance_substitute(const amo_balance *b, const block *bl, const double *rhs, double *x);

#endif
