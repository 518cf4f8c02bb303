// SPDX-License-Identifier: Apache-2.0
/// The inside of the prover, shared by the files that expand, judge conditions and put a proof together.
#ifndef AMO_FLOW_PROOF_IMPL_H
#define AMO_FLOW_PROOF_IMPL_H

#include "contact/enclosed_balance.h"
#include "expr/enclosure.h"
#include "flow/proof.h"

struct amo_prover {
  amo_arena memory;
  const amo_model *m;
  int P, N;       // degree of the step; order of the remainder, P + 1
  size_t stride;  // N + 1
  uint32_t ns, nsw;
  amo_enclosed_series point, box;  // at the start of a piece; over all of it
  amo_enclosed_balance *balance;   // NULL: plain model
  amo_interval *start, *end;       // [ns] states at the ends of a piece
  amo_interval *whole;             // [ns] B
  amo_interval *shifted;           // [stride] the step's polynomial about the start of a piece
  amo_interval *sum, *part;        // [stride] conditions
  double *size;                    // [ns] against which errors are measured
  double *error;                   // [ns] largest on the step so far
  signed char *arranged;           // [2 nc] modes and press that the balance is arranged for
  // the step under proof
  const amo_flow *f;
  const amo_lane *l;
  int lane;
  double s0, s1;       // the piece
  double length;       // s1 - s0 or a rounding more
  bool last;           // it ends with the step
  double event_error;  // of the event that ends the step
  char why[112];       // what could not be shown last
  amo_proof found;
};

/// Begin with the modes and parameters of the step. False: nothing can be proven in them; why says it.
bool amo_prover_begin(amo_prover *p);
/// Series at the start of the piece (p->point, from p->start) or over it (p->box, from p->whole).
bool amo_prover_expand(amo_prover *p, const amo_enclosed_series *x, const amo_interval *state,
                       amo_interval t);
/// Do all conditions keep their sign on the piece? Both series are in place.
bool amo_prover_conditions(amo_prover *p);
/// Notes why, returns false.
bool amo_prover_fails(amo_prover *p, const char *fmt, ...) AMO_PRINTF(2, 3);

#endif
