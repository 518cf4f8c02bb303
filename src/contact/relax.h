// SPDX-License-Identifier: Apache-2.0
/// What contacts of one block would do if each in turn took the force that its own law asks for, the others held
/// (Gauss-Seidel over the cones). It needs no list of modes, so it serves blocks of any size, for accelerations and for
/// impulses; what it finds is a proposal, to be judged by the conditions.
#ifndef AMO_CONTACT_RELAX_H
#define AMO_CONTACT_RELAX_H

#include "base/mem.h"
#include "contact/point.h"
#include "contact/ways.h"

/// One contact of the problem: its rows and its cone.
typedef struct amo_cone {
  uint32_t contact;
  bool one_sided;       // the normal force only pushes
  bool moving;          // it slides along `direction` whatever the force
  double direction[2];  // of slip, where it moves
  double bound,
      kinetic;      // friction at rest and in slip: of the normal force where that is unknown, else given
  double asked[3];  // rates of gap and slip, the forces of this problem apart
  double force[3];  // found: normal, then along the axes of slip
  double rate[3];   // of gap and slip with these forces
  uint32_t row, normals, axes;  // first row; how many are of the gap (0, 1), and of the slip (0 to 2)
} amo_cone;

typedef struct amo_relax {
  amo_arena memory;
  const amo_model *m;
  amo_cone *cone;  // [nc]
  uint32_t count, rows;
  const amo_entry **entry;  // [rows]
  uint32_t *entries;
  double
      *response;    // [rows][nq] change of acceleration or velocity by a unit of force or impulse along a row
  double *matrix;   // [rows][rows] of the rates of the rows
  double *scratch;  // results of the balance, a row, rates
  bool settled;     // forces change no more
  double noise;     // rounding of the rates that are asked
  double floor;     // the force that such a rate asks for
  signed char *mode, *reaction_sign;
  amo_arena answers;  // response and matrix
  size_t capacity;    // rows
} amo_relax;

amo_status amo_relax_new(const amo_model *m, amo_relax **out);
void amo_relax_free(amo_relax *w);

void amo_relax_begin(amo_relax *w);
/// One more contact, its cone as at the registers of p; asked is for the caller to set, and what differs.
amo_cone *amo_relax_add(amo_relax *w, const amo_point *p, uint32_t contact);
/// Accelerations without the contacts of the problem, into acc [nq]; contacts in the modes of the registers elsewhere.
amo_status amo_relax_free_motion(amo_relax *w, amo_point *p, double *acc);
enum { AMO_SWEEPS = 30000 };  // at most

/// Ready to find the forces of all cones. AMO_ENOANSWER: something without inertia hangs on a contact.
amo_status amo_relax_start(amo_relax *w, amo_point *p);
/// Forces after so many sweeps more. AMO_ENOANSWER: they grow without bound.
amo_status amo_relax_sweep(amo_relax *w, int sweeps);
/// The ways in which they would be: first what the forces say, then what they cannot tell from it.
void amo_relax_propose(const amo_relax *w, amo_ways *out);

#endif
