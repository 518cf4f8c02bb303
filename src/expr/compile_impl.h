// SPDX-License-Identifier: Apache-2.0
/// The state of one compilation.
#ifndef AMO_EXPR_COMPILE_IMPL_H
#define AMO_EXPR_COMPILE_IMPL_H

#include "expr/dag_impl.h"
#include "expr/program_impl.h"

/// Hidden registers that several instructions may share, by what they hold.
enum { AMO_H_INVERSE, AMO_H_LIFT, AMO_H_LOG, AMO_HIDDEN_KINDS };

typedef struct amo_compiler {
  const amo_dag *d;
  amo_prog *p;
  amo_node last;                     // highest node in use
  bool *used;                        // [nodes]
  unsigned char *kind;               // [nodes] FIXED, STEADY, VARYING
  uint32_t *reg;                     // [nodes]
  uint32_t *slot;                    // [nodes] switch of a switching argument
  amo_map hidden[AMO_HIDDEN_KINDS];  // register + 1 -> hidden register
  amo_status status;
} amo_compiler;

static inline bool amo_is_switch(uint32_t op)
{
  return op == AMO_OP_ABS || op == AMO_OP_SIGN || op == AMO_OP_POS || op == AMO_OP_NONNEG;
}

void amo_emit(amo_compiler *c, amo_list *list, amo_instr in);
uint32_t amo_new_register(amo_compiler *c, int kind);
/// The recurrence of a varying node, with the hidden registers it needs.
void amo_compile_jet(amo_compiler *c, amo_node n);

#endif
