// SPDX-License-Identifier: Apache-2.0
/// Shared by the files that cut a model into clusters.
#ifndef AMO_MODEL_CLUSTERS_IMPL_H
#define AMO_MODEL_CLUSTERS_IMPL_H

#include "model/clusters.h"

/// One summand of an energy or power, as it stands in the model.
typedef struct amo_cluster_term {
  amo_node node;
  bool minus;
  unsigned char of;  // AMO_TERM_...
  uint32_t next;     // of the same cluster, UINT32_MAX: none
} amo_cluster_term;

enum { AMO_TERM_KINETIC, AMO_TERM_POTENTIAL, AMO_TERM_SUPPLIED, AMO_TERMS };

typedef struct amo_cutting {
  amo_clusters *x;
  const amo_model *m;
  amo_visit walk;
  amo_cluster_term *term;
  size_t terms, term_capacity;
  uint32_t *first_term;  // [count] of each cluster
  // scratch of the cluster at hand
  uint32_t *local;  // [leaves of the model] its leaf of that name
  uint32_t *list;   // what a walk has found
  size_t listed, list_capacity;
  uint32_t *taken, round;  // [leaves] in the list already
  uint32_t *first_mass;    // [coordinates + 1] where the masses of a row begin: they are sorted by rows
  bool failed, foreign;    // without memory; something was read that no cluster may read
} amo_cutting;

/// Number of a list of a cluster.
typedef struct amo_cluster_size {
  uint32_t nq, nz, nc, ng, given, np;
} amo_cluster_size;

/// Visit every expression of the step of a model, in place.
typedef void (*amo_node_visit)(void *ctx, amo_node *n);
void amo_model_each_node(amo_model *x, amo_node_visit visit, void *ctx);

/// Leaves below a node into the list, each once.
bool amo_cutting_read(amo_cutting *k, amo_node n);
void amo_cutting_begin(amo_cutting *k);  // an empty list
void amo_cutting_list(amo_cutting *k, uint32_t leaf);

/// The arrays of a cluster's own model, expressions still those of the whole. False without memory; free it either way.
bool amo_draft_new(const amo_cutting *k, uint32_t c, const amo_cluster_size *size, amo_model **out);
void amo_draft_free(amo_model *x);  // accepts NULL

/// Split the energies among the clusters, whose lists are known. False: it cannot be done.
bool amo_clusters_share_energies(amo_cutting *k, const amo_cluster_size *size);
/// Find or make the kind of every cluster.
amo_status amo_clusters_find_kinds(amo_cutting *k, const amo_cluster_size *size);

#endif
