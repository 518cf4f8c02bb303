// SPDX-License-Identifier: Apache-2.0
/// The program of a model put together: its sizes and tables, then the texts that are the same for all, with its own equations between.
#include <stdlib.h>
#include <string.h>

#include "swarm/swarm.h"
#include "swarm/texts.h"
#include "swarm/write_impl.h"

enum { MOST_UNROLLED = 6000 };  // products in all orders together: what a compiler takes a second for

// ---- which models ----

static const char *refuses_contact(const amo_model *m, const amo_contact *k)
{
  if (k->npressing > 0) return "a joint rubs";
  if (k->rest != AMO_STICKS || amo_is_massless(k)) return "a contact has a law that does not stick and slip";
  if (!amo_has_gap(k) && k->parts) return "surfaces of a pressed contact part";
  if (k->nroom > 0) return "a support has ends";
  if (!amo_row_is_fixed(m, k->w, k->nw)) return "the direction of a slip changes with the motion";
  if (amo_has_gap(k) && !amo_row_is_fixed(m, k->n, k->nn))
    return "the direction of a guide or support changes";
  return NULL;
}

/// A number that only jumps, where a series is asked for.
static bool reads_jumps(const amo_prog *p)
{
  for (size_t i = 0; i < p->jet.count; i++)
    if (p->jet.item[i].op == AMO_J_ZERO && p->kind[p->jet.item[i].dst] == AMO_STEADY) return true;
  return false;
}

const char *amo_swarm_refuses(const amo_model *m)
{
  if (m->nq == 0) return "nothing has inertia";
  if (m->nq > AMO_SWARM_COORDINATES) return "it has more than 12 coordinates";
  if (m->ng > 0) return "it has constraints";
  if (m->nxi > 0) return "a contact slips in a plane";
  if (m->light) return "a coordinate has no inertia";
  for (uint32_t i = 0; i < m->nz; i++)
    if (m->extra[i].r_reset != AMO_NO_REGISTER) return "a law resets its memory";
  for (uint32_t c = 0; c < m->nc; c++) {
    const char *why = refuses_contact(m, &m->contact[c]);
    if (why) return why;
  }
  if (5u * m->nc + amo_prog_switches(m->step) > AMO_SWARM_CONDITIONS)
    return "it has too many contacts and switches";
  if (amo_prog_reads(m->step, m->leaf.acc, m->leaf.count - m->leaf.acc))
    return "its laws read forces of others";
  if (reads_jumps(m->step)) return "a number jumps between choices of the model's text";
  return NULL;
}

// ---- conditions and unknowns ----

static void add(amo_writer *w, amo_swarm_what what, uint32_t index, bool own)
{
  w->condition[w->conditions++] = (amo_swarm_condition){what, index, own};
}

static bool is_curved(const amo_writer *w, uint32_t reg)
{
  return reg >= w->p->nleaf && w->p->kind[reg] == AMO_VARYING && amo_prog_multiplies(w->p);
}

static void find_conditions(amo_writer *w)
{
  const amo_model *m = w->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    const bool curved = is_curved(w, k->r_bound) || (amo_has_gap(k) && amo_prog_multiplies(w->p));
    if (amo_can_open(k)) add(w, AMO_SWARM_APART, c, is_curved(w, k->r_gap));
    if (amo_can_open(k) || (amo_has_gap(k) && k->nw > 0))
      add(w, AMO_SWARM_PRESSES, c, amo_prog_multiplies(w->p));
    if (k->nw == 0) continue;
    add(w, AMO_SWARM_SLIPS, c, is_curved(w, k->r_slip));
    add(w, AMO_SWARM_HOLDS_UP, c, curved);
    add(w, AMO_SWARM_HOLDS_DOWN, c, curved);
  }
  for (uint32_t i = 0; i < w->p->switches; i++)
    add(w, AMO_SWARM_BRANCH, i, w->p->switch_register[i] >= w->p->nleaf);
}

static void find_unknowns(amo_writer *w)
{
  const amo_model *m = w->m;
  uint32_t n = m->nq;
  for (uint32_t c = 0; c < m->nc; c++) {
    w->normal[c] = w->tangent[c] = -1;
    if (m->plain) continue;
    if (amo_has_gap(&m->contact[c])) w->normal[c] = n++;
    if (m->contact[c].nw > 0) w->tangent[c] = n++;
  }
  w->unknowns = m->plain ? 0 : n;
}

static void keep(amo_writer *w, uint32_t reg)
{
  const amo_prog *p = w->p;
  if (reg >= p->registers || reg < p->nleaf + p->constants || p->kind[reg] != AMO_FIXED) return;
  if (w->fixed[reg] == AMO_NO_SLOT) w->fixed[reg] = w->kept++;
}

static void keep_operands(amo_writer *w, const amo_list *code)
{
  for (size_t i = 0; i < code->count; i++) {
    const amo_instr *in = &code->item[i];
    const uint32_t all[] = {in->a, in->b, in->h, in->x, in->y, in->z};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) keep(w, all[k]);
  }
}

/// Fixed registers that are read outside of the fixed list stay with a lane.
static void find_kept(amo_writer *w)
{
  const amo_prog *p = w->p;
  for (uint32_t r = 0; r < p->registers; r++) w->fixed[r] = AMO_NO_SLOT;
  keep_operands(w, &p->value);
  keep_operands(w, &p->seed);
  keep_operands(w, &p->jet);
  keep_operands(w, &p->tail);
  for (size_t i = 0; i < p->roots; i++) keep(w, p->root[i]);
}

static bool make(const amo_model *m, int order, amo_text *to, amo_writer *w)
{
  *w = (amo_writer){.m = m, .p = m->step, .to = to, .order = order};
  w->fixed = malloc((m->step->registers + 1u) * sizeof *w->fixed);
  w->normal = malloc(2u * (m->nc + 1u) * sizeof *w->normal);
  if (!w->fixed || !w->normal) return false;
  w->tangent = w->normal + m->nc + 1u;
  find_kept(w);
  find_conditions(w);
  find_unknowns(w);
  return true;
}

// ---- the text ----

/// A table of small numbers as a function: a shift of a constant for a device, where arrays would be memory.
static void write_table(amo_writer *w, const char *name, const int *value, uint32_t n)
{
  amo_text_printf(w->to, "FN int %s(int j)\n{\n  switch (j) {\n", name);
  for (uint32_t i = 0; i < n; i++) amo_text_printf(w->to, "    case %u: return %d;\n", i, value[i]);
  amo_text_str(w->to, "    default: return 0;\n  }\n}\n");
}

static void write_tables(amo_writer *w)
{
  int value[AMO_SWARM_CONDITIONS];
  const amo_model *m = w->m;
  for (uint32_t j = 0; j < w->conditions; j++) value[j] = w->condition[j].own;
  write_table(w, "OWN", value, w->conditions);
  for (uint32_t j = 0; j < w->conditions; j++) value[j] = (int)w->condition[j].what;
  write_table(w, "WHAT", value, w->conditions);
  for (uint32_t j = 0; j < w->conditions; j++) value[j] = (int)w->condition[j].index;
  write_table(w, "CONTACT", value, w->conditions);
  const amo_swarm_what first[] = {AMO_SWARM_SLIPS, AMO_SWARM_APART};
  for (int k = 0; k < 2; k++) {
    memset(value, 0, sizeof value);
    for (uint32_t j = 0; j < w->conditions; j++)
      if (w->condition[j].what == first[k]) value[w->condition[j].index] = (int)j;
    write_table(w, k == 0 ? "SLIP_OF" : "APART_OF", value, m->nc);
  }
  for (uint32_t c = 0; c < m->nc; c++) value[c] = amo_has_gap(&m->contact[c]);
  write_table(w, "HAS_GAP", value, m->nc);
  for (uint32_t c = 0; c < m->nc; c++) value[c] = amo_can_open(&m->contact[c]);
  write_table(w, "CAN_OPEN", value, m->nc);
  for (uint32_t c = 0; c < m->nc; c++) value[c] = m->contact[c].nw > 0;
  write_table(w, "RUBS", value, m->nc);
  for (uint32_t c = 0; c < m->nc; c++)
    value[c] =
        w->p->kind[m->contact[c].r_bound] == AMO_FIXED && w->p->kind[m->contact[c].r_kinetic] == AMO_FIXED;
  write_table(w, "STEADY_LAW", value, m->nc);
  for (uint32_t i = 0; i < w->p->switches; i++) value[i] = w->p->switch_kind[i] == AMO_SWITCH_FOLD;
  write_table(w, "IS_FOLD", value, w->p->switches);
  for (uint32_t i = 0; i < w->p->switches; i++) value[i] = w->p->switch_kind[i] == AMO_SWITCH_CHOICE;
  write_table(w, "IS_TOLD", value, w->p->switches);
}

static void write_sizes(amo_writer *w)
{
  const amo_model *m = w->m;
  amo_text_printf(w->to,
                  "enum { NS = %u, NQ = %u, NP = %u, NC = %u, NSW = %u, NG = %u, NF = %u, CHECKED = %d };\n"
                  "#define NK %u\n#define P %d\n",
                  2 * m->nq + m->nz, m->nq, m->np, m->nc, w->p->switches, w->conditions, w->kept,
                  amo_prog_multiplies(w->p), w->unknowns, w->order);
  size_t convolutions = (size_t)w->unknowns * w->unknowns / (unsigned)w->order * 2;
  const amo_list *const list[] = {&w->p->jet, &w->p->tail};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < list[k]->count; i++)
      convolutions += list[k]->item[i].op >= AMO_J_MUL && list[k]->item[i].op < AMO_J_LINEAR1;
  const size_t products = convolutions * (size_t)w->order * (size_t)w->order / 2;
  amo_text_printf(w->to, "#define ORDERS%s\n",
                  products <= MOST_UNROLLED ? " UNROLL" : "  // too many to unroll");
}

static void write_names(amo_writer *w)
{
  const amo_model *m = w->m;
  amo_text_str(w->to, "// Written by amontons from the model ");
  amo_text_safe(w->to, m->name, strlen(m->name));
  amo_text_str(w->to, ".\n// States in order:");
  for (uint32_t i = 0; i < 2 * m->nq + m->nz; i++) amo_text_printf(w->to, " %s", amo_model_state(m, i).name);
  amo_text_str(w->to, "\n// Parameters in order:");
  for (uint32_t i = 0; i < m->np; i++) amo_text_printf(w->to, " %s", m->param[i].sym.name);
  amo_text_str(w->to, "\n// Contacts in order:");
  for (uint32_t i = 0; i < m->nc; i++) amo_text_printf(w->to, " %s", m->contact[i].sym.name);
  amo_text_str(
      w->to,
      "\n// The call is swarm_run(job), see swarm_job below. Status 1 of a trajectory: not decided here.\n");
}

amo_status amo_swarm_write(const amo_model *m, int order, amo_swarm_target target, amo_text *to)
{
  amo_writer w;
  if (amo_swarm_refuses(m)) return AMO_EUNSUPPORTED;
  const bool room = make(m, order, to, &w);
  if (room) {
    write_names(&w);
    amo_text_str(to, amo_swarm_text_prelude);
    amo_text_str(to, target == AMO_SWARM_CPU ? amo_swarm_text_wide : amo_swarm_text_narrow);
    write_sizes(&w);
    write_tables(&w);
    amo_swarm_write_fill(&w);
    amo_text_str(to, amo_swarm_text_lane);
    amo_text_str(to, amo_swarm_text_flight);
    amo_swarm_write_prepare(&w);
    amo_swarm_write_active(&w);
    amo_text_str(to, amo_swarm_text_series);
    amo_swarm_write_series(&w);
    amo_text_str(to, amo_swarm_text_engine);
    amo_swarm_write_look(&w);
    amo_text_str(to, amo_swarm_text_low);
    amo_text_str(to, amo_swarm_text_series);
    amo_swarm_write_series(&w);
    amo_text_str(to, amo_swarm_text_events);
    amo_text_str(to, amo_swarm_text_start);
    amo_text_printf(to, "#define P %d\n", order);
    amo_text_str(to, amo_swarm_text_final);
    amo_text_str(to, target == AMO_SWARM_CPU ? amo_swarm_text_cpu : amo_swarm_text_gpu);
  }
  free(w.fixed);
  free(w.normal);
  return !room || to->failed ? AMO_ENOMEM : AMO_OK;
}
