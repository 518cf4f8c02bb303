// SPDX-License-Identifier: Apache-2.0
/// Friction of sticking contacts that the balance leaves open is shared out (contact/share.h), as series.
#include <stdlib.h>

#include "contact/balance_open.h"

void amo_sharing_free(amo_sharing *s)
{
  if (s != NULL) amo_share_free(s);
  free(s);
}

/// The n-th tie of contact c that holds its slip, or (normal) its gap; -1: there is none.
static long row_of(const amo_balance *b, const block *bl, bool normal, uint32_t c, int n)
{
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    if (ro->kind != TIE_CONSTRAINT && ro->contact == c && (ro->kind == TIE_GUIDE) == normal && n-- == 0)
      return (long)i;
  }
  return -1;
}

/// Contacts with their ties and bounds, and the forces of all ties.
static void load(amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  amo_sharing *s = b->sharing;
  s->contacts = 0;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    for (int j = 0; j < s->orders; j++)
      s->force[i * (size_t)s->orders + (size_t)j] = amo_open_force(b, bl, r, i, j);
    if (ro->kind == TIE_CONSTRAINT) continue;
    const long normal = row_of(b, bl, true, ro->contact, 0), friction = row_of(b, bl, false, ro->contact, 0);
    if ((long)i != (normal >= 0 ? normal : friction)) continue;  // each contact once
    const amo_contact *k = &b->m->contact[ro->contact];
    s->contact[s->contacts++] =
        (amo_share_contact){.id = ro->contact,
                            .normal = normal,
                            .friction = friction,
                            .across = row_of(b, bl, false, ro->contact, 1),
                            .bound = v.base + k->r_bound * v.reg,
                            .ord = amo_prog_is_fixed(b->m->step, k->r_bound) ? 0 : v.ord,
                            .keeps = ro->keeps};
  }
}

/// The forces of the share; friction goes with reactions that slip.
static void store(const amo_balance *b, const block *bl, amo_span v, amo_result r)
{
  const amo_sharing *s = b->sharing;
  for (uint32_t i = 0; i < bl->rows; i++) {
    const row *ro = &b->rowlist[bl->row + i];
    double *f = amo_balance_force(ro, r), *more = s->trial;
    for (int j = 0; j < s->orders; j++) {
      more[j] = s->force[i * (size_t)s->orders + (size_t)j] - f[(size_t)j * r.ord];
      f[(size_t)j * r.ord] += more[j];
      if (ro->sign != 0.0)
        r.lambda[ro->item * r.item + (size_t)j * r.ord] += amo_open_friction(b, ro, v, more, j, false);
    }
  }
}

/// Who leaves together when there is no room left: the first of them speaks for all.
static void note_groups(amo_balance *b)
{
  const amo_sharing *s = b->sharing;
  for (size_t i = 0; i < s->contacts; i++) {
    const amo_share_contact *x = &s->contact[i];
    b->carried[x->id] |= x->carried;
    if (x->carried) b->reach[x->id] = x->size;
    b->limit[x->id] = x->side;
    b->leader[x->id] = x->leader;
  }
}

/// What is open is shared out; stressed: whatever springs would make of it.
static amo_status share_as(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders,
                           bool stressed)
{
  amo_status st = amo_open_find(b, bl, v, r, orders, stressed);
  if (st != AMO_OK || b->sharing->n == 0) return st;
  load(b, bl, v, r);
  amo_share_out(b->sharing);
  store(b, bl, v, r);
  note_groups(b);
  return AMO_OK;
}

/// Would a stress inside help, as some contact that shares is beyond what it can hold? Most often none is, whether it shares or not.
static bool wants_stress(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders,
                         amo_status *st)
{
  load(b, bl, v, r);
  if (amo_share_suits(b->sharing, true)) return false;
  *st = amo_open_find(b, bl, v, r, orders, true);
  if (*st != AMO_OK || b->sharing->n == 0) return false;
  load(b, bl, v, r);
  return !amo_share_suits(b->sharing, false);
}

static bool may_be_stressed(const amo_balance *b, const block *bl, const bool *stressed)
{
  bool any = false;
  for (uint32_t i = 0; stressed != NULL && i < bl->rows; i++)
    any |= b->rowlist[bl->row + i].kind != TIE_CONSTRAINT && stressed[b->rowlist[bl->row + i].contact];
  return any;
}

/// Reactions that depend on each other are those of springs: those that would pull without friction part; or none does, friction
/// presses them; or only a stress inside suits all contacts that share.
static amo_status share_block(amo_balance *b, const block *bl, amo_span v, amo_result r, int orders,
                              const bool *stressed)
{
  amo_status st = share_as(b, bl, v, r, orders, false);
  if (st != AMO_OK || bl->springs == 0 || !wants_stress(b, bl, v, r, orders, &st)) return st;
  if (amo_springs_have_parted(b, bl, r, orders)) {
    amo_balance_solve_tied(b, bl, v, r, orders);
    st = share_as(b, bl, v, r, orders, false);
    if (st != AMO_OK || !wants_stress(b, bl, v, r, orders, &st)) return st;
  }
  return may_be_stressed(b, bl, stressed) ? share_as(b, bl, v, r, orders, true) : AMO_OK;
}

static bool sticks(const amo_balance *b, const block *bl)
{
  for (uint32_t i = 0; i < bl->rows; i++)
    if (b->rowlist[bl->row + i].kind == TIE_STICK || b->rowlist[bl->row + i].kind == TIE_AXIS) return true;
  return false;
}

static bool is_determined(const amo_balance *b, const block *bl)
{
  return bl->rows == 0 || (bl->rank_rows == bl->coords + bl->rows && (bl->springs == 0 || !sticks(b, bl)));
}

bool amo_balance_is_open(const amo_balance *b)
{
  for (uint32_t i = 0; i < b->nblocks; i++)
    if (!is_determined(b, &b->blocks[i])) return true;
  return false;
}

amo_status amo_balance_share_out(amo_balance *b, amo_span v, amo_result r, int orders, const bool *stressed)
{
  amo_status st = AMO_OK;
  amo_balance_forget_shares(b);
  for (uint32_t i = 0; st == AMO_OK && i < b->nblocks; i++) {
    const block *bl = &b->blocks[i];
    if (is_determined(b, bl)) continue;
    st = share_block(b, bl, v, r, orders, stressed);
  }
  return st;
}
