// SPDX-License-Identifier: Apache-2.0
/// The inside of the writer: which conditions and unknowns a model has, and how its registers are named in the text.
#ifndef AMO_SWARM_WRITE_IMPL_H
#define AMO_SWARM_WRITE_IMPL_H

#include "base/text.h"
#include "expr/program_impl.h"
#include "model/compiled.h"

enum { AMO_SWARM_CONDITIONS = 62, AMO_SWARM_COORDINATES = 12 };

/// What a condition of the text speaks of; the names of events.txt, in its order.
typedef enum amo_swarm_what {
  AMO_SWARM_SLIPS,
  AMO_SWARM_HOLDS_UP,
  AMO_SWARM_HOLDS_DOWN,
  AMO_SWARM_PRESSES,
  AMO_SWARM_APART,
  AMO_SWARM_BRANCH
} amo_swarm_what;

typedef struct amo_swarm_condition {
  amo_swarm_what what;
  uint32_t index;  // contact, or switch
  bool own;        // its series has a range of its own
} amo_swarm_condition;

typedef struct amo_writer {
  const amo_model *m;
  const amo_prog *p;
  amo_text *to;
  int order;
  amo_swarm_condition condition[AMO_SWARM_CONDITIONS];
  uint32_t conditions;
  uint32_t *fixed;  // [registers] place of a fixed register that is kept with a lane; AMO_NO_SLOT: none
  uint32_t kept;
  long *normal, *tangent;  // [nc] unknown of the balance; -1: none
  uint32_t unknowns;       // 0: plain
} amo_writer;

/// Series of a motion, order by order; the same names for every width.
void amo_swarm_write_series(const amo_writer *w);
/// Which entries of the balance may not be zero.
void amo_swarm_write_fill(const amo_writer *w);
/// Series of each condition that a motion is held against, made when they are asked for.
void amo_swarm_write_conditions(const amo_writer *w);
/// Values of one instant that decisions read.
void amo_swarm_write_look(const amo_writer *w);
/// Registers that follow from parameters and modes.
void amo_swarm_write_prepare(const amo_writer *w);
/// Which conditions count in the modes at hand; signs of switches.
void amo_swarm_write_active(const amo_writer *w);

/// Coefficient k of a register, which may be constant.
void amo_swarm_coefficient(const amo_writer *w, uint32_t reg, char out[96]);
/// Does the motion itself, not a condition alone, need the series of this register?
bool amo_swarm_is_series(const amo_writer *w, uint32_t reg);
/// A register as a value, and as a series.
void amo_swarm_value(const amo_writer *w, uint32_t reg, char out[64]);
void amo_swarm_series_name(const amo_writer *w, uint32_t reg, char out[64]);
/// Value instructions, one a line; what they yield is declared before.
void amo_swarm_write_values(const amo_writer *w, const amo_list *code);
/// A recurrence, coefficient k.
void amo_swarm_write_jet(const amo_writer *w, const amo_instr *in, const char *indent);
/// A part of coefficient k of a register, k > 0, straight from what it is made of, so that nothing waits for the register itself.
void amo_swarm_write_part(const amo_writer *w, uint32_t reg, const char *part);
/// Room for values of one instant.
void amo_swarm_declare(const amo_writer *w);
/// An instruction that yields 1 or 0, whatever the parameters: written as such wherever it is read.
bool amo_swarm_is_number(const amo_writer *w, const amo_instr *in);

#endif
