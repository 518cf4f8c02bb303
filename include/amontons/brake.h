// SPDX-License-Identifier: Apache-2.0
/// Self-braking: which forces at a material point can move a mechanism that friction holds.
///
/// At rest a force F at a point pushes along the motion with F.a and against the guide with F.b, where a is the
/// displacement of the point per unit of the admissible motion and b its displacement per unit of lift of the
/// slider off the guide, without slip. Friction holds while |F.a| <= mu p |F.b|: between two planes.
#ifndef AMONTONS_BRAKE_H
#define AMONTONS_BRAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum amo_brake_class {
  AMO_BRAKE_SELF,       // no force at the point moves the mechanism
  AMO_BRAKE_AMBIGUOUS,  // with every force it may rest and it may slip (Painleve's paradox)
  AMO_BRAKE_MOVES,      // "debraking": some forces move it
  AMO_BRAKE_BOTH        // only as a verdict of the source: "rest and motion"
} amo_brake_class;

/// One rough contact at rest, seen along the motion that it holds.
typedef struct amo_rough {
  double p;           // slip per unit of the motion, >= 0
  double mu;          // coefficient at rest; 0 for contacts pressed by a given force
  double L;           // influence coefficient, signed for the direction of the motion
  double mu_kinetic;  // coefficient in slip
} amo_rough;

/// All about one point and one contact. Angles in radians, NaN where there is no such thing.
typedef struct amo_braking {
  double a[3], b[3];  // displacement of the point per unit of the motion, and per unit of lift off the guide
  bool parallel;      // a and b, up to `tol`; also when one of them is zero
  double kappa;       // |a|/(p |b|)
  double gamma;       // a = gamma mu p b; only if parallel
  double margin;      // 1 - |gamma|: reserve of self-braking
  double psi, phi;    // stagnation angle (forces that cannot move it), motion angle
  double psi_sure;    // of psi: rest is the only solution
  double psi_ambiguous;          // of psi: rest and slip
  double cos_psi;                // NaN where the source's formula is 0/0
  double n_plus[3], n_minus[3];  // normals of the planes between which friction holds
  amo_brake_class kind;          // by Coulomb's inequality
  amo_brake_class source;        // as printed (Theorems 4 and 6)
} amo_braking;

/// The verdict for vectors that are known. `size`: length below tol*size counts as zero (0: only exact zeros).
AMO_API amo_braking amo_braking_of(const double a[3], const double b[3], amo_rough rough, double tol,
                                   double size);
AMO_API const char *amo_brake_class_name(amo_brake_class kind);  // "self-braking", ...

typedef struct amo_brake amo_brake;  // a mechanism at rest with what holds it; one thread's business

AMO_API amo_status amo_brake_new(const amo_model *m, amo_brake **out);  // AMO_ENOMEM, AMO_EUNSUPPORTED
AMO_API void amo_brake_free(amo_brake *b);                              // accepts NULL
/// Take the mechanism at rest at these coordinates (velocities are put aside). NULL: the model's parameters.
/// AMO_ENOANSWER: friction does not hold it in a determinate way; amo_brake_reason says why.
AMO_API amo_status amo_brake_at(amo_brake *b, const double *param, double t, const double *state);
AMO_API const char *amo_brake_reason(const amo_brake *b);
/// Rough contacts: those that take part.
AMO_API size_t amo_brake_contacts(const amo_brake *b);
AMO_API size_t amo_brake_contact(const amo_brake *b, size_t i);  // index in the model
AMO_API amo_rough amo_brake_rough(const amo_brake *b, size_t i);
/// Point `at` (NULL: the origin) of a part: every rough contact's verdict in out[amo_brake_contacts].
AMO_API amo_status amo_brake_part(amo_brake *b, const char *part, const double *at, double tol,
                                  amo_braking *out);

#ifdef __cplusplus
}
#endif
#endif
