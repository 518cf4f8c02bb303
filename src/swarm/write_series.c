// SPDX-License-Identifier: Apache-2.0
/// The motion of a lane as power series.
///
/// With masks for modes every lane solves the same equations: M a - n R - w lambda = h, and for each contact n a = -zeta_n if it is
/// closed, else R = 0; w a = -zeta_w if it sticks, else lambda = -sigma side mu R (pressed ones have that friction in h).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "swarm/write_impl.h"

void amo_swarm_coefficient(const amo_writer *w, uint32_t reg, char out[96])
{
  char name[64];
  if (w->p->kind[reg] != AMO_VARYING) {
    amo_swarm_value(w, reg, name);
    snprintf(out, 96, "(k == 0 ? %s : S(0.0))", name);
    return;
  }
  amo_swarm_series_name(w, reg, name);
  snprintf(out, 96, "%s[k]", name);
}

/// Entries of the balance that are not zero in some mode, and those that its factors add.
static void find_fill(const amo_writer *w, bool *full)
{
  const amo_model *m = w->m;
  const uint32_t n = w->unknowns;
  for (uint32_t i = 0; i < n; i++) full[i * n + i] = true;
  for (uint32_t e = 0; e < m->nmass; e++)
    full[m->mass[e].row * n + m->mass[e].col] = full[m->mass[e].col * n + m->mass[e].row] = true;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    const long r = w->normal[c], s = w->tangent[c];
    for (uint32_t e = 0; r >= 0 && e < k->nn; e++)
      full[k->n[e].col * n + r] = full[r * n + k->n[e].col] = true;
    for (uint32_t e = 0; s >= 0 && e < k->nw; e++)
      full[k->w[e].col * n + s] = full[s * n + k->w[e].col] = true;
    if (r >= 0 && s >= 0) full[s * n + r] = true;
  }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t r = i + 1; r < n; r++)
      for (uint32_t j = i + 1; j < n && full[r * n + i]; j++) full[r * n + j] |= full[i * n + j];
}

void amo_swarm_write_fill(const amo_writer *w)
{
  const uint32_t n = w->unknowns;
  bool *full = calloc((size_t)n * n + 1u, sizeof *full);
  if (!full) {
    w->to->failed = true;
    return;
  }
  if (n > 0) find_fill(w, full);
  amo_text_str(w->to, "/// May entry (r, j) of the balance and its factors be other than zero?\n"
                      "FN int FILL(int r, int j)\n{\n  switch (r * NK + j) {\n");
  for (uint32_t i = 0; i < n * n; i++)
    if (full[i]) amo_text_printf(w->to, "    case %u: return 1;\n", i);
  amo_text_str(w->to, "    default: return 0;\n  }\n}\n");
  free(full);
}

/// Does row r of the balance have a right side beyond order 0?
static bool has_series(const amo_writer *w, uint32_t r)
{
  const amo_model *m = w->m;
  for (uint32_t e = 0; e < m->nmass; e++)
    if ((m->mass[e].row == r || m->mass[e].col == r) && w->p->kind[m->mass[e].reg] == AMO_VARYING)
      return true;
  if (r < m->nq) return w->p->kind[m->r_h[r]] == AMO_VARYING;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (w->normal[c] == (long)r) return w->p->kind[k->r_gap_zeta] == AMO_VARYING;
    if (w->tangent[c] != (long)r) continue;
    return w->p->kind[k->r_zeta] == AMO_VARYING ||
           (w->normal[c] >= 0 && w->p->kind[k->r_kinetic] == AMO_VARYING);
  }
  return false;
}

/// Unknowns for a right side of 1 in each row that has one beyond order 0: what later orders are made of, without waiting for eliminations.
static void write_columns(const amo_writer *w)
{
  for (uint32_t r = 0; r < w->unknowns; r++)
    if (has_series(w, r))
      amo_text_printf(w->to,
                      "  UNROLL for (int i = 0; i < NK; i++) G%u[i] = S(i == %u);\n  N(solve)(K, G%u);\n", r,
                      r, r);
}

static void write_matrix(const amo_writer *w)
{
  const amo_model *m = w->m;
  char v[64];
  amo_text_str(w->to, "  V K[NK][NK];\n  UNROLL for (int i = 0; i < NK; i++) UNROLL for (int j = 0; j < NK; "
                      "j++) K[i][j] = S(0.0);\n");
  for (uint32_t e = 0; e < m->nmass; e++) {
    amo_swarm_value(w, m->mass[e].reg, v);
    amo_text_printf(w->to, "  K[%u][%u] = %s;\n", m->mass[e].row, m->mass[e].col, v);
    if (m->mass[e].row != m->mass[e].col)
      amo_text_printf(w->to, "  K[%u][%u] = %s;\n", m->mass[e].col, m->mass[e].row, v);
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    const long r = w->normal[c], s = w->tangent[c];
    if (r >= 0) amo_text_printf(w->to, "  K[%ld][%ld] = S(1.0) - L->closed[%u];\n", r, r, c);
    for (uint32_t e = 0; r >= 0 && e < k->nn; e++) {
      amo_swarm_value(w, k->n[e].reg, v);
      amo_text_printf(w->to, "  K[%u][%ld] = S(0.0) - %s;\n  K[%ld][%u] = L->closed[%u] * %s;\n", k->n[e].col,
                      r, v, r, k->n[e].col, c, v);
    }
    if (s < 0) continue;
    amo_text_printf(w->to, "  K[%ld][%ld] = S(1.0) - L->stick[%u];\n", s, s, c);
    for (uint32_t e = 0; e < k->nw; e++) {
      amo_swarm_value(w, k->w[e].reg, v);
      amo_text_printf(w->to, "  K[%u][%ld] = S(0.0) - %s;\n  K[%ld][%u] = L->stick[%u] * %s;\n", k->w[e].col,
                      s, v, s, k->w[e].col, c, v);
    }
    if (r < 0) continue;
    amo_swarm_value(w, k->r_kinetic, v);
    amo_text_printf(w->to, "  K[%ld][%ld] = L->sigma[%u] * L->side[%u] * %s;\n", s, r, c, c, v);
  }
  amo_text_str(w->to, "  bad = N(factor)(K);\n");
  write_columns(w);
}

/// The acceleration that a tie asks for where it holds; one that is constant has one coefficient.
static void write_given(const amo_writer *w, const char *holds, uint32_t c, uint32_t zeta)
{
  char v[96];
  if (w->p->kind[zeta] == AMO_VARYING)
    amo_swarm_coefficient(w, zeta, v);
  else
    amo_swarm_value(w, zeta, v);
  if (strcmp(v, "S(0)") == 0 || strcmp(v, "S(0.0)") == 0)
    amo_text_str(w->to, "S(0.0)");
  else if (w->p->kind[zeta] == AMO_VARYING)
    amo_text_printf(w->to, "S(0.0) - L->%s[%u] * %s", holds, c, v);
  else
    amo_text_printf(w->to, "(k == 0 ? S(0.0) - L->%s[%u] * %s : S(0.0))", holds, c, v);
}

/// Right side of the balance at order k.
static void write_right_side(const amo_writer *w, const char *indent)
{
  const amo_model *m = w->m;
  char v[96];
  amo_text *t = w->to;
  for (uint32_t i = 0; i < m->nq; i++) {
    amo_swarm_coefficient(w, m->r_h[i], v);
    amo_text_printf(t, "%s  x[%u] = %s;\n", indent, i, v);
  }
  for (uint32_t e = 0; e < m->nmass; e++) {
    if (w->p->kind[m->mass[e].reg] != AMO_VARYING) continue;
    amo_swarm_series_name(w, m->mass[e].reg, v);
    amo_text_printf(t, "%s  x[%u] = x[%u] - N(conv)(%s, a[%u], k, 1, k);\n", indent, m->mass[e].row,
                    m->mass[e].row, v, m->mass[e].col);
    if (m->mass[e].row != m->mass[e].col)
      amo_text_printf(t, "%s  x[%u] = x[%u] - N(conv)(%s, a[%u], k, 1, k);\n", indent, m->mass[e].col,
                      m->mass[e].col, v, m->mass[e].row);
  }
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    const long r = w->normal[c], s = w->tangent[c];
    if (r >= 0) {
      amo_text_printf(t, "%s  x[%ld] = ", indent, r);
      write_given(w, "closed", c, k->r_gap_zeta);
      amo_text_str(t, ";\n");
    }
    if (s < 0) continue;
    amo_text_printf(t, "%s  x[%ld] = ", indent, s);
    write_given(w, "stick", c, k->r_zeta);
    if (r >= 0 && w->p->kind[k->r_kinetic] == AMO_VARYING) {
      amo_swarm_series_name(w, k->r_kinetic, v);
      amo_text_printf(t, " - L->sigma[%u] * L->side[%u] * N(conv)(%s, a[%ld], k, 1, k)", c, c, v, r);
    }
    amo_text_str(t, ";\n");
  }
}

/// The unknowns at order k.
static void write_balance(const amo_writer *w, const char *indent, bool first)
{
  amo_text *t = w->to;
  amo_text_printf(t, "%s{\n%s  V x[NK];\n", indent, indent);
  write_right_side(w, indent);
  if (first) {
    amo_text_printf(t, "%s  N(solve)(K, x);\n%s  UNROLL for (int i = 0; i < NK; i++) a[i][k] = x[i];\n%s}\n",
                    indent, indent, indent);
    return;
  }
  amo_text_printf(t, "%s  UNROLL for (int i = 0; i < NK; i++) a[i][k] = S(0.0)", indent);
  for (uint32_t r = 0; r < w->unknowns; r++)
    if (has_series(w, r)) amo_text_printf(t, " + G%u[i] * x[%u]", r, r);
  amo_text_printf(t, ";\n%s}\n", indent);
}

static void write_rate(const amo_writer *w, uint32_t state, uint32_t reg, bool first)
{
  char v[96];
  amo_text_printf(w->to, "c[%u][k + 1] = ", state);
  amo_swarm_coefficient(w, reg, v);
  if (first)
    amo_text_printf(w->to, "%s * S(1.0 / (k + 1))", v);
  else
    amo_swarm_write_part(w, reg, "S(1.0 / (k + 1))");
  amo_text_str(w->to, ";\n");
}

/// Coefficients k + 1 of the states.
static void write_next(const amo_writer *w, const char *indent, bool first)
{
  const amo_model *m = w->m;
  for (uint32_t i = 0; i < m->nq; i++) {
    amo_text_printf(w->to, "%sc[%u][k + 1] = c[%u][k] * S(1.0 / (k + 1));\n%s", indent, i, m->nq + i, indent);
    if (w->unknowns > 0)
      amo_text_printf(w->to, "c[%u][k + 1] = a[%u][k] * S(1.0 / (k + 1));\n", m->nq + i, i);
    else
      write_rate(w, m->nq + i, m->r_acc[i], first);
  }
  for (uint32_t i = 0; i < m->nz; i++) {
    amo_text_str(w->to, indent);
    write_rate(w, 2 * m->nq + i, m->extra[i].r_rate, first);
  }
}

// ---- what a motion consists of ----

bool amo_swarm_is_series(const amo_writer *w, uint32_t reg)
{
  const amo_list *code = &w->p->jet;
  for (size_t i = 0; i < code->count; i++) {
    const amo_instr *in = &code->item[i];
    if (in->dst == reg || in->a == reg || in->b == reg || in->h == reg || in->x == reg || in->y == reg ||
        in->z == reg)
      return true;
  }
  return false;
}

static void write_motion(const amo_writer *w)
{
  amo_text *t = w->to;
  amo_text_str(t, "/// Series of a motion: states, time, and what they are made of.\n"
                  "typedef struct N(motion) {\n  V c[NS][P + 1], tt[P + 1]");
  if (w->unknowns > 0) amo_text_str(t, ", a[NK][P + 1]");
  amo_text_str(t, ";\n");
  for (uint32_t r = w->p->nleaf + w->p->constants; r < w->p->registers; r++) {
    if (w->p->kind[r] == AMO_VARYING)
      amo_text_printf(t, "  V r%u[%s];\n", r, amo_swarm_is_series(w, r) ? "P + 1" : "1");
    if (w->p->kind[r] == AMO_STEADY) amo_text_printf(t, "  V s%u;\n", r);
  }
  for (uint32_t r = 0; r < w->unknowns; r++)
    if (has_series(w, r)) amo_text_printf(t, "  V G%u[NK];\n", r);
  amo_text_str(t, "} N(motion);\n\n");
}

/// The names by which statements know the parts of a motion.
static void write_parts(const amo_writer *w, bool first)
{
  amo_text *t = w->to;
  amo_text_str(t, "  V(*const c)[P + 1] = m->c, *const tt = m->tt;\n");
  if (w->unknowns > 0) amo_text_str(t, "  V(*const a)[P + 1] = m->a;\n");
  for (uint32_t r = w->p->nleaf + w->p->constants; r < w->p->registers; r++) {
    if (w->p->kind[r] == AMO_VARYING) amo_text_printf(t, "  V *const r%u = m->r%u;\n", r, r);
    if (w->p->kind[r] == AMO_STEADY)
      amo_text_printf(t, first ? "  V s%u = S(0.0);\n" : "  const V s%u = m->s%u;\n", r, r);
  }
  for (uint32_t r = 0; r < w->unknowns; r++)
    if (has_series(w, r)) amo_text_printf(t, "  V *const G%u = m->G%u;\n", r, r);
}

/// What is known of a motion at once, and its first rates.
static void write_first(const amo_writer *w)
{
  amo_text *t = w->to;
  const amo_prog *p = w->p;
  amo_text_str(t, "/// A motion's values and first rates. True: their equations are in doubt.\n"
                  "FN M N(first)(const lane *L, N(motion) *m)\n{\n  M bad = NONE;\n");
  write_parts(w, true);
  amo_text_str(t, "  UNROLL for (int k = 0; k <= P; k++) tt[k] = k == 0 ? L->t : k == 1 ? S(1.0) : S(0.0);\n"
                  "  UNROLL for (int i = 0; i < NS; i++) c[i][0] = L->y[i];\n");
  amo_swarm_write_values(w, &p->value);
  amo_swarm_write_values(w, &p->seed);
  if (w->unknowns > 0) write_matrix(w);
  amo_text_str(t, "  {\n    enum { k = 0 };\n");
  if (w->unknowns > 0) write_balance(w, "    ", true);
  write_next(w, "    ", true);
  amo_text_str(t, "  }\n");
  for (uint32_t r = p->nleaf + p->constants; r < p->registers; r++)
    if (p->kind[r] == AMO_STEADY) amo_text_printf(t, "  m->s%u = s%u;\n", r, r);
  amo_text_str(t, "  return bad;\n}\n\n");
}

static void write_order(const amo_writer *w)
{
  amo_text *t = w->to;
  amo_text_str(t, "/// Order k of its series, and the next of its states.\n"
                  "FN void N(order)(const lane *L, N(motion) *m, int k)\n{\n");
  write_parts(w, false);
  for (size_t i = 0; i < w->p->jet.count; i++) amo_swarm_write_jet(w, &w->p->jet.item[i], "  ");
  amo_text_str(t, "  if (k == P) return;\n");
  if (w->unknowns > 0) write_balance(w, "  ", false);
  write_next(w, "  ", false);
  amo_text_str(t, "  (void)tt, (void)L;\n}\n\n");
}

void amo_swarm_write_series(const amo_writer *w)
{
  write_motion(w);
  write_first(w);
  write_order(w);
  amo_text_printf(w->to,
                  "FN M N(series)(const lane *L, N(motion) *m)\n{\n  const M bad = N(first)(L, m);\n"
                  "  ORDERS for (int k = 1; k < P + %d; k++) N(order)(L, m, k);\n  return bad;\n}\n\n"
                  "/// Two series at a time: each fills the time in which the other waits for its last sum.\n"
                  "FN void N(two_series)(const lane *L, N(motion) *m, M *bad, const lane *other, N(motion) "
                  "*n, M *bad_other)\n"
                  "{\n  *bad = N(first)(L, m), *bad_other = N(first)(other, n);\n"
                  "  ORDERS for (int k = 1; k < P + %d; k++) {\n    N(order)(L, m, k);\n    N(order)(other, "
                  "n, k);\n  }\n}\n\n",
                  w->p->tail_reads_jet, w->p->tail_reads_jet);
  amo_swarm_write_conditions(w);
}

/// A fixed register that is read by the fixed list alone.
static bool needs_name(const amo_writer *w, size_t i)
{
  const amo_instr *in = &w->p->fixed.item[i];
  return w->fixed[in->dst] == AMO_NO_SLOT && !amo_swarm_is_number(w, in);
}

void amo_swarm_write_prepare(const amo_writer *w)
{
  amo_text *t = w->to;
  char v[64];
  amo_text_str(t, "FN void prepare(lane *L)\n{\n");
  for (size_t i = 0; i < w->p->fixed.count; i++) {
    const uint32_t r = w->p->fixed.item[i].dst;
    amo_swarm_value(w, r, v);
    if (needs_name(w, i)) amo_text_printf(t, "  V %s;\n", v);
  }
  amo_swarm_write_values(w, &w->p->fixed);
  for (size_t i = 0; i < w->p->fixed.count; i++) {  // some serve others only
    const uint32_t r = w->p->fixed.item[i].dst;
    amo_swarm_value(w, r, v);
    if (needs_name(w, i)) amo_text_printf(t, "  (void)%s;\n", v);
  }
  amo_text_str(t, "  (void)L;\n}\n\n");
}

void amo_swarm_write_active(const amo_writer *w)
{
  amo_text *t = w->to;
  amo_text_str(t, "FN void active(const lane *L, M *on)\n{\n  (void)L;\n");
  for (uint32_t j = 0; j < w->conditions; j++) {
    const uint32_t c = w->condition[j].index;
    const bool guide = w->condition[j].what == AMO_SWARM_PRESSES && !amo_can_open(&w->m->contact[c]);
    switch (w->condition[j].what) {
      case AMO_SWARM_BRANCH: amo_text_printf(t, "  on[%u] = FULL;\n", j); break;
      case AMO_SWARM_SLIPS: amo_text_printf(t, "  on[%u] = NE(L->sigma[%u], S(0.0));\n", j, c); break;
      case AMO_SWARM_HOLDS_UP:
      case AMO_SWARM_HOLDS_DOWN: amo_text_printf(t, "  on[%u] = GT(L->stick[%u], S(0.0));\n", j, c); break;
      case AMO_SWARM_PRESSES:
        if (guide)
          amo_text_printf(t, "  on[%u] = NE(L->sigma[%u], S(0.0));\n", j, c);
        else
          amo_text_printf(t, "  on[%u] = GT(L->closed[%u], S(0.0));\n", j, c);
        break;
      case AMO_SWARM_APART: amo_text_printf(t, "  on[%u] = NOT(GT(L->closed[%u], S(0.0)));\n", j, c); break;
    }
  }
  amo_text_str(t, "}\n\n");
}

// ---- values of one instant ----

static void write_row(const amo_writer *w, const char *name, uint32_t c, const amo_entry *e, uint32_t n)
{
  char v[64];
  for (uint32_t i = 0; i < n; i++) {
    amo_swarm_value(w, e[i].reg, v);
    amo_text_printf(w->to, "  to->%s[%u] = %s;\n", name, c * w->m->nq + e[i].col, v);
  }
}

/// Sum of the sizes of the terms of a row times places or velocities, and what is left of `value` without them.
static void write_terms(const amo_writer *w, const char *name, uint32_t c, const char *value,
                        const amo_entry *e, uint32_t n, uint32_t first)
{
  char v[64];
  amo_text_printf(w->to, "  {\n    V terms = S(0.0), rest = to->%s[%u];\n", value, c);
  for (uint32_t i = 0; i < n; i++) {
    amo_swarm_value(w, e[i].reg, v);
    amo_text_printf(w->to, "    terms += ABS(%s * L->y[%u]), rest -= %s * L->y[%u];\n", v, first + e[i].col,
                    v, first + e[i].col);
  }
  amo_text_printf(w->to, "    to->%s[%u] = terms + ABS(rest);\n  }\n", name, c);
}

static void write_number(const amo_writer *w, const char *name, uint32_t c, uint32_t reg)
{
  char v[64] = "S(0.0)";
  if (reg != AMO_NO_REGISTER) amo_swarm_value(w, reg, v);
  amo_text_printf(w->to, "  to->%s[%u] = %s;\n", name, c, v);
}

void amo_swarm_write_look(const amo_writer *w)
{
  const amo_model *m = w->m;
  amo_text *t = w->to;
  char v[64];
  amo_text_str(
      t, "typedef struct look {\n  V mass[ROOM(NQ * NQ)], n[ROOM(NC * NQ)], w[ROOM(NC * NQ)];\n"
         "  V slip[ROOM(NC)], gap[ROOM(NC)], rate[ROOM(NC)], restitution[ROOM(NC)], bound[ROOM(NC)], "
         "kinetic[ROOM(NC)];\n"
         "  V slip_terms[ROOM(NC)], gap_terms[ROOM(NC)], rate_terms[ROOM(NC)];\n} look;\n\n"
         "/// Values of one instant that decisions read; signs of switches, as they are, if asked for.\n"
         "SLOW void look_and_branch(lane *L, look *to, int branch)\n{\n"
         "  V c[NS][1], tt[1] = {L->t};\n  for (int i = 0; i < NS; i++) c[i][0] = L->y[i];\n  (void)tt;\n");
  amo_swarm_declare(w);
  amo_swarm_write_values(w, &w->p->value);
  for (uint32_t i = 0; i < w->p->switches; i++) {
    amo_swarm_value(w, w->p->switch_register[i], v);
    if (w->p->switch_kind[i] == AMO_SWITCH_FOLD)
      amo_text_printf(t, "  if (branch) L->b[%u] = S(1.0);\n", i);
    else
      amo_text_printf(t,
                      "  if (branch) L->b[%u] = SEL(GT(%s, S(0.0)), S(1.0), SEL(LT(%s, S(0.0)), S(-1.0), "
                      "S(0.0)));\n",
                      i, v, v);
  }
  amo_text_str(
      t, "  for (int i = 0; i < NQ * NQ; i++) to->mass[i] = S(0.0);\n  for (int i = 0; i < NC * NQ; i++) "
         "to->n[i] = to->w[i] = S(0.0);\n");
  for (uint32_t e = 0; e < m->nmass; e++) {
    amo_swarm_value(w, m->mass[e].reg, v);
    amo_text_printf(t, "  to->mass[%u] = to->mass[%u] = %s;\n", m->mass[e].row * m->nq + m->mass[e].col,
                    m->mass[e].col * m->nq + m->mass[e].row, v);
  }
  for (uint32_t i = 0; i < m->nc; i++) {
    const amo_contact *k = &m->contact[i];
    write_row(w, "n", i, k->n, k->nn);
    write_row(w, "w", i, k->w, k->nw);
    write_number(w, "slip", i, k->r_slip);
    write_number(w, "gap", i, k->r_gap);
    write_number(w, "rate", i, k->r_gap_rate);
    write_number(w, "restitution", i, k->r_restitution);
    write_number(w, "bound", i, k->r_bound);
    write_number(w, "kinetic", i, k->r_kinetic);
    write_terms(w, "slip_terms", i, "slip", k->w, k->nw, m->nq);
    write_terms(w, "gap_terms", i, "gap", k->n, k->nn, 0);
    write_terms(w, "rate_terms", i, "rate", k->n, k->nn, m->nq);
  }
  amo_text_str(t, "}\nFN void look_at(lane *L, look *to) { look_and_branch(L, to, 0); }\n"
                  "FN void find_branches(lane *L) { look a; look_and_branch(L, &a, 1); }\n\n");
}
