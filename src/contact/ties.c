// SPDX-License-Identifier: Apache-2.0
#include "contact/ties.h"

amo_status amo_ties_new(const amo_model *m, amo_arena *memory, amo_ties *t)
{
  *t = (amo_ties){0};
  AMO_TAKE(memory, uint32_t, 4u * (size_t)m->nc + 2u * (size_t)m->ng, &t->zero);
  AMO_TAKE(memory, const amo_entry *, 2u * (size_t)m->nc, &t->lock);
  AMO_TAKE(memory, uint32_t, 2u * (size_t)m->nc, &t->entries);
  return memory->failed ? AMO_ENOMEM : AMO_OK;
}

static void hold(amo_ties *t, uint32_t reg)
{
  if (reg != AMO_NO_REGISTER) t->zero[t->zeros++] = reg;
}

static void lock(amo_ties *t, const amo_entry *w, uint32_t n)
{
  t->lock[t->locks] = w;
  t->entries[t->locks++] = n;
}

/// Gaps that are closed, two-sided ones or the others.
static void hold_gaps(amo_ties *t, const amo_model *m, const signed char *mode, bool two_sided)
{
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (mode[c] == AMO_MODE_OPEN || !amo_has_gap(k) || amo_is_two_sided(k) != two_sided) continue;
    hold(t, k->r_gap);
    hold(t, k->r_gap_rate);
  }
}

void amo_ties_of(amo_ties *t, const amo_model *m, const signed char *mode)
{
  t->zeros = t->locks = 0;
  for (uint32_t g = 0; g < m->ng; g++) {
    if (!m->constraint[g].velocity_level) hold(t, m->constraint[g].r_residual);
    hold(t, m->constraint[g].r_rate);
  }
  hold_gaps(t, m, mode, true);
  t->lasting = t->zeros;
  hold_gaps(t, m, mode, false);
  t->places = t->zeros;
  for (uint32_t c = 0; c < m->nc; c++)
    for (uint32_t a = 0; mode[c] == 0 && a < amo_slip_rows(&m->contact[c]); a++) {
      const amo_slip_axis x = amo_slip_row(&m->contact[c], a);
      hold(t, x.r_slip);
      lock(t, x.w, x.nw);
    }
}
