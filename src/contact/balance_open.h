// SPDX-License-Identifier: Apache-2.0
/// Forces along ties that depend on others (inside of the balance): what each changes, and the work of those who share
/// them out.
#ifndef AMO_CONTACT_BALANCE_OPEN_H
#define AMO_CONTACT_BALANCE_OPEN_H

#include "contact/balance_impl.h"
#include "num/programme.h"

/// A condition of a share: bound - side*lambda >= 0, or (side 0) sign*R >= 0.
typedef struct amo_share_demand {
  uint32_t contact;
  long friction, normal;  // rows of the block; -1: none
  double side, sign;      // sign: of the reaction
  double weight;          // what counts as all the room there can be
} amo_share_demand;

struct amo_sharing {
  double *store;
  size_t store_size;
  void *lists;
  size_t lists_size;
  uint32_t n;  // open ties
  uint32_t *tie;
  int orders, first;  // first: order of the programme
  double *change;     // [n][rows][orders] forces of all ties by a unit of each open one
  amo_share_demand *item;
  size_t demands;
  double size;     // unit of the open forces
  double *a, *b;   // conditions of the programme
  double *y;       // [n + 1][orders] open forces in that unit, then the room
  double *line;    // [orders]
  double *matrix;  // equations beside their inverse
  size_t *active, *kept_active;
  uint32_t *taking;  // [rows] reactions that share
  bool *one_sided;   // [rows] of them
  amo_room room;
};

/// The dependent ties of this kind of a block that move nothing, and what a unit of each changes, orders 0..orders-1.
/// AMO_ENOMEM where there is no room for them.
amo_status amo_open_find(amo_balance *b, const block *bl, amo_span v, tie_kind kind, int orders);
/// Does any of them change the force of this tie?
bool amo_open_changes(const amo_sharing *s, const block *bl, long tie);
/// Add y, times `size`, of all of them to the forces; friction goes with reactions that slip.
void amo_open_apply(const amo_balance *b, const block *bl, amo_span v, amo_result r);

/// One open force fewer: it is used to keep the force along this tie, which it changes, at zero.
void amo_open_free_tie(amo_balance *b, const block *bl, amo_span v, amo_result r, uint32_t tie);

static inline double *amo_open_change(const amo_sharing *s, const block *bl, uint32_t k, uint32_t tie)
{
  return s->change + ((size_t)k * bl->rows + tie) * (size_t)s->orders;
}

static inline double amo_open_coefficient(const amo_balance *b, amo_span v, uint32_t reg, int k)
{
  return k > 0 && amo_prog_is_fixed(b->m->step, reg) ? 0.0 : v.base[reg * v.reg + (size_t)k * v.ord];
}

static inline double amo_open_force(const amo_balance *b, const block *bl, amo_result r, long tie, int j)
{
  return amo_balance_force(&b->rowlist[bl->row + (size_t)tie], r)[(size_t)j * r.ord];
}

/// Reactions that depend on each other, carried as by equal springs.
amo_status amo_balance_springs(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders);

#endif
