// SPDX-License-Identifier: Apache-2.0
/// Lyapunov exponents: mean rates at which small changes of a motion grow, through slip, stick and every event.
///
///   const double after = 100, until = 1000;
///   amo_sim *sim = NULL;
///   amo_lyapunov *l = NULL;
///   const amo_lyapunov_result *result = NULL;
///   amo_status st = amo_sim_new(model, NULL, NULL, &sim);
///   if (st == AMO_OK) st = amo_lyapunov_new(model, after, until, 20, &l);
///   if (st == AMO_OK) st = amo_lyapunov_start(l, sim);
///   while (st == AMO_OK && amo_sim_time(sim) < until) {
///     st = amo_sim_step(sim, until);
///     if (st == AMO_OK) st = amo_lyapunov_step(l, sim);
///   }
///   if (st == AMO_OK) st = amo_lyapunov_finish(l, &result);
///   amo_lyapunov_free(l);
///   amo_sim_free(sim);
#ifndef AMONTONS_LYAPUNOV_H
#define AMONTONS_LYAPUNOV_H

#include "amontons/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_exponent {
  double
      value;  // -infinity: the direction is lost at once where a contact begins to stick or a memory is reset
  double error;  // standard error from the blocks, corrected for their correlation; 0 where it is lost
} amo_exponent;

typedef struct amo_lyapunov amo_lyapunov;  // averages under way; one thread's business

typedef struct amo_lyapunov_result {
  size_t count;            // exponents: one for each state that guides and constraints leave free
  size_t finite;           // those that are not lost
  amo_exponent *exponent;  // [count] falling
  double sum, sum_error;   // of the finite ones
  double divergence;       // mean divergence of the rates plus jumps at events; NaN if directions are lost
  double kaplan_yorke;     // dimension of the attractor by Kaplan and Yorke; NaN without exponents
  double time;             // over which was averaged
  double growth;    // logarithm of what the motion itself has grown by in that time, from its size before
  size_t blocks;    // parts of that time, from whose spread errors are estimated
  long events;      // in that time
  bool autonomous;  // rates do not depend on time: one exponent of a motion that does not rest is zero
  bool grazing;     // an event was met where there is no derivative; it was passed without a jump
  bool together;    // several events happened at once
} amo_lyapunov_result;

/// Averages run from `after` to `until`, in `blocks` parts. AMO_EUNSUPPORTED: a model with
/// supports or spatial contacts.
AMO_API amo_status amo_lyapunov_new(const amo_model *m, double after, double until, size_t blocks,
                                    amo_lyapunov **out);
AMO_API void amo_lyapunov_free(amo_lyapunov *l);  // accepts NULL
/// Call after amo_sim_start. AMO_EUNSUPPORTED: the simulation is not by the method `event`.
AMO_API amo_status amo_lyapunov_start(amo_lyapunov *l, amo_sim *s);
/// Call after every step. AMO_EUNSUPPORTED: an event through which there is no derivative; amo_lyapunov_message says
/// which. A step should end at `after`: averages begin with the first that does or is later.
AMO_API amo_status amo_lyapunov_step(amo_lyapunov *l, amo_sim *s);
AMO_API const char *amo_lyapunov_message(const amo_lyapunov *l);
/// The result; it lives as long as l. AMO_ENOANSWER: no time has passed since `after`.
AMO_API amo_status amo_lyapunov_finish(amo_lyapunov *l, const amo_lyapunov_result **out);

#ifdef __cplusplus
}
#endif
#endif
