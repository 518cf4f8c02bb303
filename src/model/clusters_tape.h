// SPDX-License-Identifier: Apache-2.0
/// Expressions written down operation by operation, in numbers of their own: clusters that are alike have the same tape, whatever
/// numbers stand in the text of their expressions. These are kept beside it, one for each place in which one stands.
#ifndef AMO_MODEL_CLUSTERS_TAPE_H
#define AMO_MODEL_CLUSTERS_TAPE_H

#include "expr/dag.h"

typedef struct amo_tape {
  const amo_dag *d;
  uint32_t *entry, base;  // [nodes] its number on the tape, plus base; base or less: it is not on it
  uint32_t *word;
  size_t words, word_capacity;
  uint32_t entries;
  double *constant;
  size_t constants, constant_capacity;
  uint32_t *stack;
  size_t stacked, stack_capacity;
  bool failed;
} amo_tape;

/// The number of a leaf on the tape.
typedef uint32_t (*amo_tape_leaf)(void *ctx, uint32_t leaf);

bool amo_tape_open(amo_tape *x, const amo_dag *d);
void amo_tape_close(amo_tape *x);
void amo_tape_begin(amo_tape *x);  // an empty one
/// The number of an expression, written down if it is not there yet. AMO_NODE_NONE has one, too.
uint32_t amo_tape_put(amo_tape *x, amo_node n, amo_tape_leaf leaf, void *ctx);

/// The expressions of words[..count] made in a DAG: node[e] of number e, leaf[l] for its leaf l, slot[i] for its constant i: a leaf, or
/// UINT32_MAX for constant[i] itself.
bool amo_tape_play(const uint32_t *word, size_t count, const uint32_t *leaf, const uint32_t *slot,
                   const double *constant, amo_dag *to, amo_node *node);

#endif
