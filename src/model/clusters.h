// SPDX-License-Identifier: Apache-2.0
/// A model cut into clusters of coordinates that act on each other through forces alone: no inertia, tie, contact or
/// choice is shared. A cluster reads like a small model. What its forces read of others are further states of it, the
/// last ones, whose course is given; clusters that are alike (a chain of blocks) share one such model.
#ifndef AMO_MODEL_CLUSTERS_H
#define AMO_MODEL_CLUSTERS_H

#include "base/mem.h"
#include "model/compiled.h"

/// Numbers in the model, in the order in which the cluster has them.
typedef struct amo_cluster {
  uint32_t kind;
  uint32_t *coordinate, *extra, *contact, *constraint;
  uint32_t *given;      // states of others
  uint32_t *parameter;  // those it reads
  double *constant;     // values of the parameters of its kind that are numbers in the text of the model
} amo_cluster;

typedef struct amo_cluster_kind {
  amo_model *model;  // values of the file: those of its first member
  uint32_t given;    // how many of its further states are
  uint32_t states;   // of its own
  uint32_t reads;    // parameters of the whole; the others are numbers that differ from member to member
  uint32_t members;
} amo_cluster_kind;

/// Somebody who reads a state of a cluster.
typedef struct amo_cluster_reader {
  uint32_t cluster, given;  // it is its given state of this number
  uint32_t state;           // number among those of the cluster that is read
} amo_cluster_reader;

typedef struct amo_clusters {
  amo_arena memory;
  const amo_model *m;
  amo_dag *dag;  // of the kinds
  amo_cluster *item;
  uint32_t count;
  amo_cluster_kind *kind;
  uint32_t kinds;
  uint32_t *of_state, *place;  // [states] cluster of each, and its number among the states there
  uint32_t *first;             // [count + 1] of the readers of a cluster
  amo_cluster_reader *reader;
} amo_clusters;

/// *out = NULL with AMO_OK: the model does not fall apart, or not in a way that is worth something (see clusters.c).
amo_status amo_clusters_new(const amo_model *m, uint32_t reach, amo_clusters **out);
void amo_clusters_free(amo_clusters *x);  // accepts NULL

/// The number in the model of state i of a cluster, which is one of its own.
uint32_t amo_cluster_state(const amo_clusters *x, uint32_t cluster, uint32_t i);

/// The parameters of a cluster's model from those of the whole.
void amo_cluster_parameters(const amo_clusters *x, uint32_t cluster, const double *of_model, double *own);

#endif
