// SPDX-License-Identifier: Apache-2.0
/// The quasi-static rate problem (quasistatic/rate.h) asked at a state: the equilibrium there, all answers, what each contact has to say;
/// and the sectors of directions of load in which the answers are the same.
#ifndef AMO_EXPLORE_RATES_RATES_H
#define AMO_EXPLORE_RATES_RATES_H

#include "quasistatic/rate.h"

/// known: the equilibrium with closed contacts held.
typedef struct amo_rate_state {
  amo_statics *s;
  amo_qs_known known;
  amo_qs_at *at;  // [nc]
  amo_rate_set all;
  bool beyond;  // no equilibrium: a contact cannot hold what it would have to
} amo_rate_state;

/// unstable: ask also where the stiffness without friction is not positive. AMO_ENOANSWER, AMO_ELIMIT: reported; *out is empty then.
amo_status amo_rate_state_find(const amo_values *v, double t, const double *state, bool unstable,
                               amo_diags *diags, amo_rate_state *out);
void amo_rate_state_free(amo_rate_state *r);

/// "open", "stick", "slip" (spatial), "slip+", "slip-".
const char *amo_rate_word(const amo_statics *s, uint32_t c, const amo_qs_mode *mode);
/// All answers: "stick+slip-+open" of one contact; several contacts: "A:stick B:slip+, ...". Caller frees; NULL: out of memory.
char *amo_rate_words(const amo_rate_state *r);
/// Axes of the slip of contact c, and numbers of its friction: 1, of spatial contacts 2.
int amo_rate_axes(const amo_rate_state *r, uint32_t c);
/// Slip speed of contact c in an answer; 0: it does not slip.
double amo_rate_speed(const amo_statics *s, const amo_rate_solution *x, uint32_t c);
/// Direction of its slip in [0, 2 pi), NaN: it does not slip, or not in a plane.
double amo_rate_angle(const amo_statics *s, const amo_rate_solution *x, uint32_t c);

/// Positions that hold under these loads: a conic with one focus where friction is not needed.
typedef struct amo_rate_equilibria {
  double R0;            // reaction without friction
  double eccentricity;  // below 1: an ellipse
  bool empty;           // no position holds
  double focus[2];
  double area;       // NaN: unbounded
  double centre[2];  // NaN: none
} amo_rate_equilibria;

/// What one contact has to say at the equilibrium.
typedef struct amo_rate_contact {
  double reaction, friction[2], bound;
  bool responds;  // a slip of it has a definite response; nothing below otherwise
  double X_min, X_min_angle, D_min;
  amo_rate_equilibria equilibria;  // spatial contacts
  bool on_edge;                    // at its bound, with friction; nothing below otherwise
  double angle;                    // spatial: of the direction in which it would slip
  double X, drive, speed;          // stiffness against that slip, what drives it, its speed
  double turn;                     // spatial: rate at which the direction turns
} amo_rate_contact;

/// AMO_ENOMEM.
amo_status amo_rate_contact_find(amo_rate_state *r, uint32_t c, amo_rate_contact *out);

// ---- sectors ----

/// Directions from..to [rad] in the plane of two parameters in which the answers are these.
typedef struct amo_rate_sector {
  double from, to;
  char *answers;
} amo_rate_sector;

typedef struct amo_rate_sectors {
  amo_rate_sector *item;  // [count] all round
  size_t count, capacity;
} amo_rate_sectors;

typedef struct amo_rate_plane {
  const amo_values *values;
  double t;
  const double *state;
  size_t axis[2];      // two plain parameters
  bool unstable;       // as in amo_rate_state_find
  volatile int *stop;  // may be NULL: nonzero ends with AMO_EINTR
} amo_rate_plane;

/// Rates of the size that the two parameters have now (1: both are 0). *out holds what was found until a failure.
amo_status amo_rate_sectors_find(const amo_rate_plane *p, amo_diags *diags, amo_rate_sectors *out);
void amo_rate_sectors_free(amo_rate_sectors *s);  // of what is in it

#endif
