// SPDX-License-Identifier: Apache-2.0
/// From an oscillogram of stick-slip to the forces at break-down and set-up, cycle by cycle (Le xuan Anh, 6.2).
///
/// A slider on a spring of stiffness c is pulled by a drive; the record is the force F = c y of the spring, or its stretch y, against
/// time. Extrema of the record are not the forces at which slip begins and ends: break-down B lies before the maximum D, where y still
/// rises with the speed v of the drive, set-up G after the minimum E. Between D and E the contact slips and y runs along an arc
///   y'' + kappa y' + omega^2 (y - y0) = 0.
/// It is fitted to all samples between D and E; B and G are where its slope is v. With kappa = 0 this is (6.9), (6.10):
///   F+- = c (y0 +- sqrt(a^2 - v^2/omega^2)).
/// Rows are read in blocks; memory does not grow with the length of the record.
///
///   amo_breakdown_opts o = amo_breakdown_opts_default();
///   o.stiffness = 7e5, o.mass = 100;
///   amo_breakdowns *b = NULL;
///   if (amo_breakdowns_read("pull.csv", &o, diags, &b) == AMO_OK) printf("%zu cycles\n", b->cycles);
///   amo_breakdowns_free(b);
#ifndef AMONTONS_BREAKDOWNS_H
#define AMONTONS_BREAKDOWNS_H

#include "amontons/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_breakdown_opts {
  size_t size;          // sizeof(amo_breakdown_opts), set by amo_breakdown_opts_init
  const char *time;     // name or number of the column of times
  const char *force;    // column of the force of the spring, N; or
  const char *stretch;  // column of its stretch, m; one of both is NULL
  const char *drive;    // column of the drive's speed, m/s; NULL: none
  double
      speed;  // of the drive, m/s, where there is no column; NAN: not known, found from the stick before and after
  double stiffness;   // N/m, > 0
  double mass;        // kg; NAN: not known, the frequency is found from the slips
  double damping;     // N s/m, of a damper between drive and slider: it carries part of the contact force
  bool moving_guide;  // scheme b: the guide moves with the drive, and the spring's other end stands still
} amo_breakdown_opts;

/// columns t and F, all else not known
AMO_API void amo_breakdown_opts_init(amo_breakdown_opts *o, size_t size);
static inline amo_breakdown_opts amo_breakdown_opts_default(void)
{
  amo_breakdown_opts o;
  amo_breakdown_opts_init(&o, sizeof o);
  return o;
}

/// One cycle: break-down, slip, set-up. NAN where something is not known. Signs are those of the record.
typedef struct amo_breakdown {
  double t, t_set_up;          // s, of break-down and set-up
  double F_plus, F_plus_se;    // N, contact force at break-down, its standard error
  double F_minus, F_minus_se;  // N, at set-up
  double sliding;              // N, force in slip
  double amplitude;            // m, of the arc
  double rate,
      rate_se;     // N/s, loading rate just before break-down; NAN where the drive changes its speed there
  double contact;  // s, contact time since the set-up before; NAN for the first of a record
  double v, v_set_up;              // m/s, speed of the drive at break-down and set-up
  double naive_plus, naive_minus;  // N, largest and smallest sample
  size_t samples;                  // of the slip
  size_t line;                     // of the largest sample in the file
  bool rate_of_drive;              // the rate is c v: the stick is too short to tell, or agrees with it
  bool coarse;  // too few samples in the slip for an arc: forces from the lines before and after it
} amo_breakdown;

typedef enum amo_breakdown_flaw {
  AMO_FLAW_NO_STOP,    // the arc never has the speed of the drive: half range < v/omega
  AMO_FLAW_NO_STICK,   // no stick between two slips that would tell the speed, and no drive is known
  AMO_FLAW_CUT,        // a gap, a hole or the end of the record within the slip
  AMO_FLAW_SHAPE,      // no arc of this frequency
  AMO_BREAKDOWN_FLAWS  // how many reasons there are
} amo_breakdown_flaw;

typedef struct amo_breakdowns {
  amo_breakdown *cycle;                  // [cycles] in order of time
  size_t cycles;                         // found
  size_t rejected[AMO_BREAKDOWN_FLAWS];  // slips that give no cycle, by reason
  size_t rows, missing;                  // samples; rows left out because a cell is missing
  double from, to;                       // s
  double interval;                       // s, between samples (median)
  double noise;                          // N, standard deviation of one sample
  double least_fall;                     // N: smaller falls cannot be told from noise
  double omega, omega_se;                // rad/s; se 0: from the mass
  double kappa, kappa_se;                // 1/s, decay of the arcs; 0: none that can be told
  double misfit;                         // of the arcs: rms of residuals over the noise, median; 1 is perfect
  double corner;                 // the same where slips begin; above 1.5 they do not begin with a corner,
  bool gradual;                  // and were fitted as friction makes them that falls with the sliding speed
  double bias_plus, bias_minus;  // N, mean of naive minus ours
} amo_breakdowns;

/// AMO_EINPUT (the record or an option is bad), AMO_EIO, AMO_ENOANSWER (no slip in the record; reported), AMO_ENOMEM.
AMO_API amo_status amo_breakdowns_read(const char *path, const amo_breakdown_opts *opts, amo_diags *diags,
                                       amo_breakdowns **out);
AMO_API void amo_breakdowns_free(amo_breakdowns *b);  // accepts NULL

/// (6.9), (6.10), (6.13), (6.14) for one cycle of which only the extrema are known.
typedef struct amo_extrema_forces {
  double F_plus, F_minus;          // N
  double bias_plus, bias_minus;    // naive minus exact, N
  double first_plus, first_minus;  // the same to first order
} amo_extrema_forces;

/// false: no stop, half range < v/omega.
AMO_API bool amo_forces_from_extrema(double stiffness, double mass, double largest, double smallest, double v,
                                     amo_extrema_forces *out);

#ifdef __cplusplus
}
#endif
#endif
