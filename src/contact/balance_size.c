// SPDX-License-Identifier: Apache-2.0
/// What forces and accelerations of a block are measured against.
#include <math.h>

#include "contact/balance_impl.h"

/// A register, or what its rounding is the rounding of.
static double size_of(amo_span v, const double *err, uint32_t reg)
{
  const double size = fabs(v.base[reg * v.reg]);
  return err != NULL ? fmax(size, err[reg] / amo_balance_rounding) : size;
}

/// The largest load of a block: forces of its coordinates, and accelerations that its ties ask for.
static double load_of(const amo_balance *b, amo_span v, const double *err, const block *bl)
{
  double most = 0.0;
  for (uint32_t i = 0; i < bl->coords; i++) {
    const uint32_t q = b->order[bl->coord + i];
    most = fmax(most, size_of(v, err, b->m->r_h[q]) * b->coord_scale[q]);
  }
  for (uint32_t r = 0; r < bl->rows; r++)
    most = fmax(most, size_of(v, err, b->rowlist[bl->row + r].zeta) * b->tie_scale[bl->row + r]);
  return most;
}

/// Of the rows of contact c that lie in the block of this one.
static double force_size_in(const amo_balance *b, amo_span v, const double *err, uint32_t c,
                            const amo_entry *entry)
{
  const block *bl = &b->blocks[b->block_of[entry->col]];
  const amo_contact *k = &b->m->contact[c];
  double widest = 0.0;
  for (uint32_t r = 0; r < bl->rows; r++) {
    const row *ro = &b->rowlist[bl->row + r];
    const bool own = ro->kind == TIE_AXIS ? amo_turns(k) && ro->item / 2 == k->xi / 2
                                          : ro->kind != TIE_CONSTRAINT && ro->item == c;
    if (own) widest = fmax(widest, b->tie_scale[bl->row + r]);
  }
  return widest > 0.0 ? widest * load_of(b, v, err, bl) : 0.0;
}

double amo_balance_force_size(const amo_balance *b, amo_span v, const double *err, uint32_t c)
{
  const amo_contact *k = &b->m->contact[c];
  double size = k->nn > 0 ? force_size_in(b, v, err, c, k->n) : 0.0;
  for (uint32_t a = 0; a < amo_slip_rows(k); a++)
    if (amo_slip_row(k, a).nw > 0) size = fmax(size, force_size_in(b, v, err, c, amo_slip_row(k, a).w));
  return size;
}

double amo_balance_reaction_size(const amo_balance *b, amo_span v, bool of_contact, uint32_t item)
{
  const tie_kind kind = of_contact ? TIE_GUIDE : TIE_CONSTRAINT;
  for (uint32_t i = 0; i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    for (uint32_t r = bl->row; r < bl->row + bl->rows; r++)
      if (b->rowlist[r].kind == kind && b->rowlist[r].item == item)
        return b->tie_scale[r] * load_of(b, v, NULL, bl);
  }
  return 0.0;
}

double amo_balance_rate_size(const amo_balance *b, amo_span v, const double *err, const amo_entry *entry,
                             uint32_t n)
{
  double size = 0.0;
  for (uint32_t e = 0; e < n; e++) {
    const block *bl = &b->blocks[b->block_of[entry[e].col]];
    size += fabs(v.base[entry[e].reg * v.reg]) * b->coord_scale[entry[e].col] * load_of(b, v, err, bl);
  }
  return size;
}
