// SPDX-License-Identifier: Apache-2.0
/// The engine of models that fall apart into clusters (model/clusters.h). Each has a lane with a step of its own; what it reads of
/// others are their power series, moved to the start of its step. Where a cluster starts anew, by an event or at the end of its
/// step, those around it do so with it as far as its new series differs from the old one by more than is allowed over what is left of
/// their steps: at a jump of its acceleration its neighbours differ from order 4 on, theirs from order 6.
#ifndef AMO_FLOW_CLUSTERS_H
#define AMO_FLOW_CLUSTERS_H

#include "flow/flow.h"
#include "flow/sim.h"
#include "flow/stretch.h"
#include "model/clusters.h"

/// A cluster that starts anew with others. Memory belongs to the bench, which goes from one cluster to the next.
typedef struct amo_bench {
  amo_flow *flow;
  uint32_t cluster;
  double *given;  // [givens][P+1] what it reads of others, about now
  double *old;    // [own states][P+1] its series from before, about now
  int known;      // its coefficients below this are there
} amo_bench;

/// What a cluster did between two starts within the last step of the simulation.
typedef struct amo_cluster_piece {
  uint32_t cluster, before;  // before: the piece of this cluster before it; UINT32_MAX: none
  double start, end;
  size_t at;  // of its series
} amo_cluster_piece;

/// When the step of a cluster ends.
typedef struct amo_cluster_end {
  double t;
  uint32_t cluster;
} amo_cluster_end;

/// Benches of one kind, and who audits its clusters.
typedef struct amo_bench_kind {
  amo_bench *item;
  uint32_t count, used;
  amo_sim *judge;  // its engine is that of the first bench
} amo_bench_kind;

typedef struct amo_cluster_flow {
  amo_arena memory;
  const amo_model *m;
  amo_clusters *cut;
  uint32_t count;
  int P;
  size_t item;  // P + 1
  double tol;
  double t;
  amo_lane *lane;      // [count] at the start of its step, planned to its end
  size_t lane_arrays;  // bytes of the arrays of a lane, which lie together
  size_t *at;          // [count] place of its series: all states
  double *series;
  double **param;         // [count] one for all that read the same
  char **name;            // [coordinates, their velocities, contacts] of each cluster
  size_t *first_name;     // [count]
  bool *is_read;          // [states of all clusters] by another cluster
  double *shift, *power;  // see amo_lanes_shift
  double *began;          // [count] start of its step, beside each other: its neighbours ask for it
  // what comes next
  double *due;      // [count] end of its step
  bool *cut_short;  // [count] it is due before that: something that it reads has changed
  amo_cluster_end *heap;
  uint32_t *place;  // [count] of each in it
  bool may_crawl,
      crawls;  // steps could be implicit if they were those of the whole; a cluster would be better off so
  // who starts anew now
  amo_bench_kind *kind;  // [kinds]
  amo_bench **member;    // [count]
  uint32_t members;
  uint32_t *number;  // [count] among the members, plus 1; 0: it is none
  // the last step
  amo_cluster_piece *piece;
  uint32_t pieces, most_pieces;
  uint32_t *last_piece;  // [count]
  double *piece_series;
  size_t piece_used;
  amo_event *event;  // [contacts + switches and more]
  size_t events;
  uint32_t *changed;  // [contacts] whose mode changed
  uint32_t changes;
  double last_event;
  const signed char **mode_of;  // [contacts] where each mode is
  uint32_t *cluster_of;         // [contacts]
  double shown;                 // the time of the state that was asked for last
  amo_stats stats;
  // the audit
  amo_ledger *ledger;  // [count]; NULL: no audit
  double *audited;     // [count] up to when
  long judged;         // stretches since energies were last balanced
  int held;            // see amo_audit
  double held_time;
  bool booked;                  // what was lost at the start is known
  double lost;                  // it
  double balanced;              // when energies were last balanced
  double kinetic0, potential0;  // at the start, added up as at the end
  uint32_t *own_state;          // numbers of the states of a cluster that is told about
  amo_stretch_look look;        // who wants to see every stretch; NULL: nobody
  void *look_ctx;
  amo_point *point;  // of the whole, for samples
  char message[256];
} amo_cluster_flow;

/// At one instant.
static inline size_t amo_cluster_most_events(const amo_model *m)
{
  return 2u * m->nc + amo_prog_switches(m->step) + 1u;
}

/// From now on by steps of the whole: where a step crawls, and for whoever wants to see all of it. Simulations of other kinds stay.
amo_status amo_cluster_join(amo_sim *s);

/// *out = NULL with AMO_OK: the model does not fall apart.
amo_status amo_cluster_flow_new(const amo_model *m, const amo_sim_opts *opt, amo_cluster_flow **out);
void amo_cluster_flow_free(amo_cluster_flow *e);

// ---- clusters_due.c: what comes next ----
void amo_cluster_due(amo_cluster_flow *e, uint32_t cluster, double t);
static inline uint32_t amo_cluster_next(const amo_cluster_flow *e)
{
  return e->heap[0].cluster;
}

// ---- clusters_expand.c ----
/// All seats are free.
void amo_cluster_leave(amo_cluster_flow *e);
/// What a seat of this cluster needs will be wanted soon.
void amo_cluster_fetch(const amo_cluster_flow *e, uint32_t cluster);
/// A bench for the cluster, its lane and series on it, and what it reads about now. NULL: none is free.
amo_bench *amo_cluster_seat(amo_cluster_flow *e, uint32_t cluster);
/// The series of all members together, and of those whom it concerns; these are landed first.
amo_status amo_cluster_expand(amo_cluster_flow *e);

// ---- clusters_step.c ----
amo_status amo_cluster_flow_start(amo_cluster_flow *e, double t, const double *state);
/// Everything that happens at the next instant. AMO_OK; events in e->event.
amo_status amo_cluster_flow_advance(amo_cluster_flow *e);
/// The cluster that is seated goes to now; what it did since its last start is audited and kept.
amo_status amo_cluster_land(amo_cluster_flow *e, amo_bench *b, bool as_planned);
void amo_cluster_forget_pieces(amo_cluster_flow *e);
/// The state of the whole at t, within the last step; after_events: at its end.
void amo_cluster_flow_state(const amo_cluster_flow *e, double t, bool after_events, double *y);

// ---- clusters_audit.c ----
amo_status amo_cluster_audit_start(amo_cluster_flow *e);
/// The step that the seated cluster has just ended.
amo_status amo_cluster_audit_stretch(amo_cluster_flow *e, amo_bench *b);
/// Slip and friction of one of its contacts now.
amo_status amo_cluster_contact(amo_cluster_flow *e, uint32_t contact, double *slip, double *force);
/// All of the model up to now.
amo_status amo_cluster_audit_all(amo_cluster_flow *e, amo_sim *s);

#endif
