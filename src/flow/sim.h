// SPDX-License-Identifier: Apache-2.0
/// amo_sim: what the three methods (event, switch, smooth) have in common, and the table by which each
/// joins in.
#ifndef AMO_FLOW_SIM_H
#define AMO_FLOW_SIM_H

#include "amontons/sim.h"
#include "base/mem.h"
#include "flow/audit_impact.h"
#include "model/compiled.h"

/// One method. Functions return AMO_OK or a failure with s->message set.
typedef struct amo_sim_ops {
  amo_status (*make)(amo_sim *s);
  void (*destroy)(amo_sim *s);
  amo_status (*start)(amo_sim *s);                       // from s->t, s->y; sets s->mode
  amo_status (*step)(amo_sim *s, double t_end);          // advances s->t, s->y, s->mode, events, stats
  void (*dense)(const amo_sim *s, double t, double *y);  // t in [start, t]
  /// Contact quantities, accelerations and multipliers at (p->t, p->state) in modes p->mode; also
  /// s->carry, s->carried and s->constraint_residual.
  amo_status (*forces)(amo_sim *s, bool at_end, amo_sample *p);
  amo_fate_kind (*fate)(amo_sim *s);  // NULL: never known
  void (*state)(amo_sim *s);          // brings s->y to s->t; NULL: it is there
  amo_status (*audit)(amo_sim *s);    // after a step; NULL: amo_audit_step
  void (*judge)(amo_sim *s);          // brings s->audit to s->t; NULL: it is there
} amo_sim_ops;

extern const amo_sim_ops amo_event_method, amo_switch_method, amo_smooth_method, amo_euler_method,
    amo_cluster_method;

typedef struct amo_ledger {  // running sums of the audit
  double energy0, kinetic0, potential0, work, size;
  size_t scales;                     // numbers in all that follow, which lie together from `pace` on
  double *pace;                      // [nq + 1] of a mechanism, at its first coordinate: the fastest slip met
  double *slip_scale;                // [nc]
  double *gap_scale, *normal_scale;  // [nc] of supports
  double *state_scale;  // [nz] largest size of each further state, and of what its rate makes in a step
  double *state_worst;  // [nz] worst difference of its change over a step from the integral of its rate
  double worst_energy;
  amo_impact_sizes impact;  // what violations in impacts are measured against
  double blur;              // of the work done
} amo_ledger;

struct amo_sim {
  amo_arena memory;
  const amo_model *m;
  amo_sim_opts opt;
  const amo_sim_ops *ops;
  void *impl;
  double *param;      // [np]
  amo_values values;  // with `param`; initial state and time are those of opt.values
  double t, start;
  double *y;  // [ns]
  signed char *mode, *step_mode;
  amo_event *event;  // [event_capacity]
  size_t events;
  amo_stats stats;
  amo_audit audit;
  amo_ledger ledger;
  amo_sample *probe;                 // scratch of the audit
  struct amo_step_samples *samples;  // the last step, see flow/step_samples.h
  double *report;                    // registers of the report program
  const signed char *report_branch;  // its branches; NULL: by the signs at the sample
  double *carry;     // [nc] W.u - slip at the sample: minus the speed of the surface; 0 of spatial contacts
  double carried;    // power that moving surfaces bring through the friction of spatial contacts
  double blur;       // and how well it is known
  double *lift;      // [nc] speed of the guide or support itself along its normal, at the sample
  double tie_power;  // of guides and constraints that move with time, at the sample
  double *rate;      // [nz] rates of the further states at the sample
  double *speed;     // [nc] size of the terms of the slip at the sample
  double *reach;     // [nc] size of the terms of the gap
  double *rounding;  // [registers] bounds, where a gap is looked at closely
  double constraint_residual;  // worst constraint violation at the sample, position or rate
  bool started;
  char message[256];
};

/// All of amo_sim_new but the start; options are in order.
amo_status amo_sim_make(const amo_model *m, const amo_sim_opts *o, const amo_sim_ops *ops, amo_sim **out);

/// The state at a time within the last step, as amo_sim_sample has it, without the forces.
void amo_sim_dense(const amo_sim *s, double t, double *state);

struct amo_flow;
/// The engine behind a simulation by events (one lane); NULL for other methods.
struct amo_flow *amo_sim_flow(amo_sim *s);

amo_status amo_sim_fail(amo_sim *s, amo_status st, const char *fmt, ...) AMO_PRINTF(3, 4);

/// Modes, forces and everything else of a sample whose time and state are filled; at_end as in amo_sim_sample.
amo_status amo_sample_complete(amo_sim *s, bool at_end, amo_sample *p);
/// Outputs and energies of a sample whose state and forces are filled, by the report program.
void amo_sample_report(amo_sim *s, amo_sample *p);

/// Events of contacts whose mode differs from that of the step, after the last one at `last` (NaN: none), which they become.
void amo_sim_log_modes(amo_sim *s, double *last);
/// Memory that laws reset where stick begins, as the point says. True if there was any.
bool amo_sim_reset_memory(amo_sim *s, const struct amo_point *p);

/// Every setting in its range? Reports all that are not.
amo_status amo_sim_check_options(const amo_sim_opts *o, amo_diags *d);

void amo_ledger_make(amo_ledger *l, const amo_model *m, amo_arena *memory);
/// Nothing has been met yet.
void amo_ledger_open(amo_ledger *l);
/// Audit: opened at the start, fed after every step.
amo_status amo_audit_open(amo_sim *s);
/// Energy of the state as given, before the start changes it; what an impact at the start takes of it is booked as lost.
double amo_audit_given_energy(amo_sim *s);
void amo_audit_start_loss(amo_sim *s, double given);
amo_status amo_audit_step(amo_sim *s);
/// The two halves of it: conditions and work from a time within the last step to its end; then the balance of energy.
amo_status amo_audit_look(amo_sim *s, double from);
void amo_audit_close(amo_sim *s);
/// A contact in stick whose static friction exceeds its kinetic friction at rest by `spare`: where it has fallen below and the
/// force is larger than it allows, kinetic friction holds; the first such is noted.
void amo_audit_note_held(amo_sim *s, uint32_t contact, double t, double spare, double force, double bound);

#endif
