// SPDX-License-Identifier: Apache-2.0
/// Brute force for chains of blocks on a belt; an oracle that shares nothing with the engine.
///
///   m_i x_i'' = -g_i x_i + c_i (x_{i+1} - x_i) - c_{i-1} (x_i - x_{i-1}) + F_i,     i = 0..n-1
///   F_i in -Fs_i/(1 + delta |s_i|) Sgn(s_i),  s_i = x_i' - v                        (law (11) of the source)
///
/// Method: fixed steps h. Spring forces are frozen at the midpoint position x + h/2 x'; within the step each block
/// solves its contact problem exactly (M is diagonal, so the blocks decouple): slide with the friction of the mean
/// speed, and where the slip speed reaches zero inside the step, stick if the frozen force is within the bound, else
/// slide on the other way. No integrator order control, no dense output, no root finding beyond this straight line.
/// Second order in h, events included.
#ifndef ORACLE_CHAIN_H
#define ORACLE_CHAIN_H

#include <stdbool.h>

enum { ORACLE_BLOCKS = 6, ORACLE_EVENTS = 512 };

typedef struct oracle_chain {
  int n;
  double m[ORACLE_BLOCKS], ground[ORACLE_BLOCKS], coupling[ORACLE_BLOCKS];  // coupling[i] between i and i+1
  double Fs[ORACLE_BLOCKS], delta, v;
  double x[ORACLE_BLOCKS], u[ORACLE_BLOCKS];  // initial state
} oracle_chain;

typedef struct oracle_event {
  double t;
  int block, from, to;  // modes: sign of the slip speed, 0 = stick
} oracle_event;

typedef struct oracle_run {
  int start[ORACLE_BLOCKS];  // modes at t = 0
  oracle_event event[ORACLE_EVENTS];
  int events;
  bool overflow;
  double x[ORACLE_BLOCKS], u[ORACLE_BLOCKS];  // at t_end
} oracle_run;

/// Run with `steps` equal steps to t_end. Records every change of mode, however short; there is no filter.
void oracle_chain_run(const oracle_chain *c, double t_end, long steps, oracle_run *r);

/// The oracle with its own error: runs with h, h/2, h/4.
///
/// Mode sequences of the three runs must be equal block by block. Where they are not (a graze, a chaotic orbit: the
/// brute force itself does not know the answer), t_end is shortened to just before the first difference and the runs
/// are repeated. The rule looks at the oracle alone, so it cannot hide an error of the engine.
///
/// Error estimates (Richardson): e(h) = C h^2 gives d1 = y(h) - y(h/2) = 3/4 C h^2 and d2 = y(h/2) - y(h/4) = 3/16 C h^2.
/// The larger C of the two is taken, and of all final state components (all event times) together; the error of the
/// finest run would be C (h/4)^2. Where an event falls in its step makes C irregular from run to run, so a bound needs
/// a factor: 2. Runs with a step ten times finer, of the oracle alone (24 random chains, 837 events), needed 1.31.
/// An event so close to t_end that the estimate cannot tell on which side it lies also shortens t_end.
typedef struct oracle_result {
  oracle_run run;      // the finest
  double t_end;        // <= asked for
  double state_error;  // of each final position and velocity
  double time_error;   // of each event time
  double order;        // observed: log2(|d1|/|d2|) over the final state
} oracle_result;

void oracle_chain_solve(const oracle_chain *c, double t_end, double h, oracle_result *r);

#endif
