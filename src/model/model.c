// SPDX-License-Identifier: Apache-2.0
/// A model's own functions: looking at it, and letting it go.
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "emit/emitted.h"

bool amo_sym_make(amo_sym *s, const char *name, const char *unit, const char *doc)
{
  s->name = amo_strdup(name);
  s->unit = amo_strdup(unit);
  s->doc = amo_strdup(doc);
  return s->name && s->unit && s->doc;
}

const char *amo_contact_kind_name(const amo_contact *k)
{
  static const char *const name[] = {"pressed", "guide", "support"};
  return k->npressing > 0 ? "joint" : name[k->kind];
}

static void sym_free(amo_sym *s)
{
  free(s->name);
  free(s->unit);
  free(s->doc);
}

void amo_drawn_free(amo_drawn *d)
{
  free(d->name);
  free(d->label);
  free(d->speed_label);
}

static void free_symbols(amo_model *m)
{
  for (uint32_t i = 0; m->param && i < m->np; i++) sym_free(&m->param[i].sym);
  for (uint32_t i = 0; m->sym.q && i < m->nq; i++) sym_free(&m->sym.q[i]);
  for (uint32_t i = 0; m->sym.u && i < m->nq; i++) sym_free(&m->sym.u[i]);
  for (uint32_t i = 0; m->extra && i < m->nz; i++) sym_free(&m->extra[i].sym);
  for (uint32_t i = 0; m->prescribed.item && i < m->prescribed.count; i++)
    sym_free(&m->prescribed.item[i].sym);
  for (uint32_t i = 0; m->output && i < m->nout; i++) sym_free(&m->output[i].sym);
  for (uint32_t i = 0; m->shares.item && i < m->shares.count; i++) sym_free(&m->shares.item[i].sym);
  for (uint32_t i = 0; m->contact && i < m->nc; i++) {
    sym_free(&m->contact[i].sym);
    free(m->contact[i].law_type);
    free(m->contact[i].w);
    free(m->contact[i].n);
    for (int a = 0; a < 2; a++) free(m->contact[i].axis[a].w);
  }
  for (uint32_t i = 0; m->constraint && i < m->ng; i++) {
    sym_free(&m->constraint[i].sym);
    free(m->constraint[i].g);
  }
}

void amo_model_free(amo_model *m)
{
  if (!m) return;
  amo_emitted_free(m->emitted);  // before the programs
  free_symbols(m);
  amo_source_free(&m->source);
  amo_schematic_free(m->drawing.schematic);
  for (uint32_t i = 0; m->materials.item && i < m->materials.count; i++) free(m->materials.item[i].name);
  free(m->materials.item);
  void *const all[] = {
      m->name,        m->title,        m->param,         m->file.param,      m->sym.q,  m->sym.u,
      m->extra,       m->contact,      m->constraint,    m->prescribed.item, m->output, m->file.initial,
      m->start.state, m->start.stated, m->start.require, m->shares.item,     m->mass,   m->h,
      m->h_smooth,    m->r_h,          m->acc,           m->r_acc,           m->fixed,  m->report.r_output,
      m->drawing.x,   m->drawing.y,    m->mechanism};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  amo_kept_free(m->kept);
  amo_expanded_free(m->expanded);
  amo_prog_free(m->step);
  amo_prog_free(m->report.prog);
  amo_flight_free(m->flight);
  amo_prog_free(m->start.prog);
  amo_prog_free(m->shares.prog);
  amo_dag_free(m->dag);
  free(m);
}

static amo_symbol view(const amo_sym *s)
{
  return (amo_symbol){s->name, s->unit, s->doc};
}

static amo_symbol nothing(void)
{
  return (amo_symbol){"", "", ""};
}

static bool has_kind(const amo_model *m, amo_contact_kind kind)
{
  for (uint32_t c = 0; c < m->nc; c++)
    if (m->contact[c].kind == kind) return true;
  return false;
}

bool amo_has_guides(const amo_model *m)
{
  return has_kind(m, AMO_GUIDE);
}

bool amo_has_supports(const amo_model *m)
{
  return has_kind(m, AMO_SUPPORT);
}

const char *amo_model_name(const amo_model *m)
{
  return m ? m->name : "";
}
const char *amo_model_title(const amo_model *m)
{
  return m ? m->title : "";
}
size_t amo_model_parameters(const amo_model *m)
{
  return m ? m->np : 0;
}
const double *amo_model_parameter_values(const amo_model *m)
{
  return m ? m->file.param : NULL;
}
size_t amo_model_states(const amo_model *m)
{
  return m ? (size_t)2 * m->nq + m->nz : 0;
}
size_t amo_model_coordinates(const amo_model *m)
{
  return m ? m->nq : 0;
}
const double *amo_model_initial(const amo_model *m)
{
  return m ? m->file.initial : NULL;
}
size_t amo_model_contacts(const amo_model *m)
{
  return m ? m->nc : 0;
}
size_t amo_model_outputs(const amo_model *m)
{
  return m ? m->nout : 0;
}

amo_symbol amo_model_parameter(const amo_model *m, size_t i)
{
  return m && i < m->np ? view(&m->param[i].sym) : nothing();
}

amo_symbol amo_model_state(const amo_model *m, size_t i)
{
  if (!m) return nothing();
  size_t n = m->nq;
  if (i < n) return view(&m->sym.q[i]);
  if (i < 2 * n) return view(&m->sym.u[i - n]);
  return i < 2 * n + m->nz ? view(&m->extra[i - 2 * n].sym) : nothing();
}

amo_symbol amo_model_contact(const amo_model *m, size_t i)
{
  return m && i < m->nc ? view(&m->contact[i].sym) : nothing();
}

amo_symbol amo_model_output(const amo_model *m, size_t i)
{
  return m && i < m->nout ? view(&m->output[i].sym) : nothing();
}

long amo_model_find_state(const amo_model *m, const char *name)
{
  for (size_t i = 0; name && i < amo_model_states(m); i++)
    if (strcmp(amo_model_state(m, i).name, name) == 0) return (long)i;
  return -1;
}

long amo_model_find_parameter(const amo_model *m, const char *name)
{
  for (uint32_t i = 0; m && name && i < m->np; i++)
    if (strcmp(m->param[i].sym.name, name) == 0) return (long)i;
  return -1;
}

long amo_model_find_contact(const amo_model *m, const char *name)
{
  for (uint32_t i = 0; m && name && i < m->nc; i++)
    if (strcmp(m->contact[i].sym.name, name) == 0) return (long)i;
  return -1;
}
