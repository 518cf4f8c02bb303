// SPDX-License-Identifier: Apache-2.0
/// The state of one compilation.
#ifndef AMO_EXPR_COMPILE_IMPL_H
#define AMO_EXPR_COMPILE_IMPL_H

#include "expr/dag_impl.h"
#include "expr/program_impl.h"

/// Hidden registers that several instructions may share, by what they hold.
enum { AMO_H_INVERSE, AMO_H_LIFT, AMO_H_LOG, AMO_HIDDEN_KINDS };

/// A register as a linear combination of others with factors that are fixed during a run.
enum { AMO_TERMS = 3 };
typedef struct amo_form {
  uint32_t terms;  // 0: not a combination
  amo_node base[AMO_TERMS];
  uint32_t factor[AMO_TERMS];  // fixed registers
} amo_form;

typedef struct amo_compiler {
  const amo_dag *d;
  amo_prog *p;
  amo_node last;                     // highest node in use
  bool *used;                        // [nodes]
  unsigned char *kind;               // [nodes] FIXED, STEADY, VARYING
  uint32_t *reg;                     // [nodes]
  uint32_t *slot;                    // [nodes] switch of a switching argument, plus 1
  unsigned char *stage;              // [nodes] at which stage the series is needed; 0 = not at all
  amo_form *form;                    // [varying registers] from the first one on
  uint32_t first_varying;            // that is no leaf
  uint32_t one, zero;                // fixed registers
  amo_list *out;                     // where recurrences go: jet or tail list
  amo_map hidden[AMO_HIDDEN_KINDS];  // register + 1 -> hidden register
  amo_map factors;                   // of combinations: hash -> instruction of the fixed list
  amo_status status;
} amo_compiler;

static inline bool amo_is_switch(uint32_t op)
{
  return op == AMO_OP_ABS || op == AMO_OP_SIGN || op == AMO_OP_POS || op == AMO_OP_NONNEG ||
         op == AMO_OP_SEAM;
}

/// The combination that a node is; without terms where it is none.
static inline amo_form amo_form_at(const amo_compiler *c, amo_node n)
{
  return c->reg[n] < c->first_varying ? (amo_form){0} : c->form[c->reg[n] - c->first_varying];
}

void amo_emit(amo_compiler *c, amo_list *list, amo_instr in);
uint32_t amo_new_register(amo_compiler *c, int kind);
/// Which varying nodes are combinations of others, and of which. Uses c->reg, c->kind.
void amo_find_forms(amo_compiler *c);
/// The recurrence of a varying node, with the hidden registers it needs.
void amo_compile_jet(amo_compiler *c, amo_node n);

#endif
