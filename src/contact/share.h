// SPDX-License-Identifier: Apache-2.0
/// Forces of sticking contacts that a balance leaves open (a ladder between floor and wall, two pads on one disc): force + sum of y_k
/// change_k for any y. Of all shares those are best in which the contact nearest to its limit has the most room, measured by what it can hold;
/// among these that one is taken whose friction is least, so measured. It is one, whatever the order of contacts. Written once: for
/// series in time (contact/balance), whose conditions that decide the share are followed as equations, and for values (contact/search).
#ifndef AMO_CONTACT_SHARE_H
#define AMO_CONTACT_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A contact with ties among those that share.
typedef struct amo_share_contact {
  uint32_t id;            // the caller's
  long normal, friction;  // ties: of its reaction, and of its slip where it sticks; -1: none
  long across;            // the tie of its second slip; -1: none, its friction has one axis
  const double *bound;    // series of its friction, per unit of the reaction where there is a tie of that
  size_t ord;             // from one coefficient to the next; 0: it is constant
  signed char keeps;  // sign that its reaction must keep: 1 of a support; of a guide that slips; 0: either
  bool carried;       // found: its forces are those of the share
  double size;        // found: what they are measured by
  bool smooth;        // found: it can hold next to nothing, and does not need to
  signed char side;   // found: of the bound that it leaves at when there is no room left; 2: of both
  long leader;        // found: id of the first of those that leave with it then; -1: it leaves alone
} amo_share_contact;

/// A condition: bound - side*friction >= 0, or (side 0) sign*reaction >= 0.
typedef struct amo_share_demand {
  size_t contact;
  double side, sign;  // sign: of the reaction
  double weight;      // what counts as all the room there can be
} amo_share_demand;

typedef struct amo_sharing {
  size_t ties, contacts, n;
  int orders;
  amo_share_contact *contact;
  double *force;   // [ties][orders]
  double *change;  // [n][ties][orders] of all of them by a unit of each open force
  bool best;       // the most room is asked for, not only whether there is some
  double size;     // what the open forces are measured by
  double room;     // found: of that; below 0 no share suits
  // inside
  int first;  // order of the first load
  amo_share_demand *demand;
  size_t demands, equations;
  double *store, *a, *b, *q, *c, *y, *trial, *inverse, *work, *weight, *dual;
  size_t *equation, *basis;
  void *lists;
  size_t store_size, lists_size;
} amo_sharing;

/// Room for so many; grows a few times in a run. False: no memory.
bool amo_share_reserve(amo_sharing *s, size_t ties, size_t contacts, size_t n, int orders);
void amo_share_free(amo_sharing *s);
/// Coefficients of the changes of a tie by open force k.
double *amo_share_change(const amo_sharing *s, size_t k, size_t tie);
/// Does any open force change this tie?
bool amo_share_changes(const amo_sharing *s, long tie);
/// Do the forces at hand suit all contacts that share, with some room? Or (all) certainly all contacts there are?
bool amo_share_suits(amo_sharing *s, bool all);
/// Share them out: forces become those of the share. Open forces that act on no contact in common do not know of each other.
void amo_share_out(amo_sharing *s);

// inside
/// What contact c can hold at the first order, with the open forces y [n]; not positive: it would open.
double amo_share_limit(const amo_sharing *s, const amo_share_contact *c, const double *y);
/// One open force fewer: it is used to keep the force along this tie, which it changes, at zero.
void amo_share_free_tie(amo_sharing *s, size_t tie);
/// The share where friction has two axes; its series are s->y, in units of the forces.
void amo_share_round(amo_sharing *s);

#endif
