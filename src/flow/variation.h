// SPDX-License-Identifier: Apache-2.0
/// The flow linearised along a trajectory: columns of small changes carried through slip, stick and every event.
///
/// Between events a column Y obeys Y' = (df/dy) Y + (df/dp) D, D its constant change of parameters. At an event, where
/// the condition g reaches zero and the state may jump by z+ = j(z-),
///
///   Y+ = Dj Y- + (f+ - Dj f- - j_t) (g_y Y- + g_p D) / (g_y f- + g_t)  + j_p D
///
/// (j: memories that are reset, velocities changed by an impact), which is singular where stick begins: one direction
/// less for every contact that sticks, two for every support that closes. All derivatives are exact, columns as accurate as the motion.
///
///   amo_variation_new(model, NULL, 0, &g);        // identity: the fundamental matrix
///   amo_variation_begin(g, f, 0);                 // after amo_flow_start
///   while (...) { amo_flow_expand(f); amo_flow_advance(f, t_end); amo_variation_follow(g, f, 0); }
///   g->y[j * g->ns + i]                         // d state i / d direction j
#ifndef AMO_FLOW_VARIATION_H
#define AMO_FLOW_VARIATION_H

#include "num/column_series.h"
#include "num/gauss_fit.h"
#include "contact/derivative.h"
#include "flow/flow.h"

typedef struct amo_variation {
  amo_arena memory;
  const amo_model *m;
  amo_derivative *at;  // before an event
  amo_derivative *to;  // after it
  uint32_t ns, np;
  uint32_t columns;   // ns + np unless set otherwise: states, then parameters
  double *y;          // [columns][ns]
  double *y_before;   // [columns][ns] just before the last event
  double *direction;  // [columns][np] change of parameters of each column
  uint32_t rank;      // bound on the rank of the flow so far: columns of states that can be independent
  bool grazing;       // a condition reached zero without crossing it: the derivative holds to one side only
  bool one_sided;     // the start lies on a border of modes or branches: the same
  bool together;      // several events at once: their order was taken as the engine reports them
  long points;        // places where derivatives were taken
  char message[192];
  void (*along)(void *ctx, double s, double h);  // told of every stretch s to s + h of a step; or NULL
  void *ctx;
  amo_column_series series;  // of the columns there
  // work
  amo_gauss_fit *fit;                   // derivatives in time
  double blur;                          // largest of a stretch
  long stretches;                       // of the step under way
  struct amo_collocation *collocation;  // for steps that series do not follow; NULL until there is one
  double *node, *state, *sum, *old, *gradient, *before, *after;
  double *size, *reach;  // [ns + np] of states and parameters; [ns] what an effect on a state is measured by
  double *whole;         // [(ns + np) ns] what entries of the matrix do over the step at hand
  signed char *mode, *reaction_sign, *branch, *next_mode, *next_reaction_sign, *next_branch;
  signed char *struck;  // [nc] what each contact did in an impact
  signed char *bare;    // [nc] zeros: guides without friction
  bool *bounces;        // [nc]
} amo_variation;

/// @param param  [np] numbers of plain parameters for which there are sensitivities, too
/// AMO_ERANGE: a parameter that is computed from others.
amo_status amo_variation_new(const amo_model *m, const uint32_t *param, size_t np, amo_variation **out);
void amo_variation_free(amo_variation *g);
/// Start with the identity at the lane's present state and parameters.
void amo_variation_begin(amo_variation *g, const amo_flow *f, int lane);
/// Contacts that stick at the present state: a change of their slips is lost at once. After amo_variation_begin.
amo_status amo_variation_hold(amo_variation *g, const amo_flow *f, int lane);
/// Keep the columns as they are (after a change of basis, for example), but take over the lane's parameters.
void amo_variation_attach(amo_variation *g, const amo_flow *f, int lane);
/// Through the step that the lane has just made, and the events at its end. AMO_EUNSUPPORTED (with a message): an
/// event through which there is no derivative, such as a jam.
amo_status amo_variation_follow(amo_variation *g, const amo_flow *f, int lane);
/// Rates of the lane's present state in its present modes, [ns].
amo_status amo_variation_rates(amo_variation *g, const amo_flow *f, int lane, double *rates);
/// Through the events at the end of that step alone.
amo_status amo_variation_jump(amo_variation *g, const amo_flow *f, int lane);

#endif
