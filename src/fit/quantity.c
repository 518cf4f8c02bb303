// SPDX-License-Identifier: Apache-2.0
#include "fit/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"

// ---- names ----

typedef struct named {
  char name[160];
  amo_node node;  // in the dag of the quantities; NONE where only its name is wanted
} named;

typedef struct quantity_names {
  const amo_model *m;
  amo_dag *dag;  // NULL: names only
  named *item;
  size_t count, cap;
  bool failed;
} quantity_names;

static void add(quantity_names *x, const char *name, const char *more, amo_node node)
{
  if (!AMO_ROOM(x->item, x->count, x->cap)) {
    x->failed = true;
    return;
  }
  snprintf(x->item[x->count].name, sizeof x->item->name, "%s%s", name, more);
  x->item[x->count++].node = node;
}

static amo_node copied(quantity_names *x, amo_node n)
{
  amo_node out = AMO_NODE_NONE;
  if (x->dag && n != AMO_NODE_NONE && amo_dag_copy(x->dag, x->m->dag, &n, 1, &out) != AMO_OK)
    x->failed = true;
  return out;
}

static amo_node leaf(quantity_names *x, uint32_t number)
{
  return x->dag ? amo_leaf(x->dag, number) : AMO_NODE_NONE;
}

/// Friction along the slip: what the balance says in stick, what the law says in slip.
static amo_node force_of(quantity_names *x, uint32_t c)
{
  const amo_contact *k = &x->m->contact[c];
  const amo_node stick = leaf(x, x->m->leaf.lambda + c);
  if (!x->dag || amo_is_massless(k)) return stick;
  amo_dag *d = x->dag;
  const amo_node sigma = leaf(x, x->m->leaf.sigma + c), one = amo_const(d, 1.0);
  amo_node slip = amo_neg(d, amo_mul(d, sigma, copied(x, k->kinetic)));
  if (amo_reacts(k)) slip = amo_mul(d, slip, amo_op1(d, AMO_OP_ABS, leaf(x, x->m->leaf.reaction + c)));
  return amo_add(d, amo_mul(d, amo_sub(d, one, amo_mul(d, sigma, sigma)), stick), slip);
}

/// The same along axis a of a slip in a plane.
static amo_node traction_of(quantity_names *x, uint32_t c, uint32_t a)
{
  const amo_contact *k = &x->m->contact[c];
  const amo_node stick = leaf(x, x->m->leaf.traction + k->xi + a);
  if (!x->dag) return stick;
  amo_dag *d = x->dag;
  const amo_node sigma = leaf(x, x->m->leaf.sigma + c), one = amo_const(d, 1.0);
  amo_node slip = amo_mul(d, copied(x, k->kinetic), leaf(x, x->m->leaf.xi + k->xi + a));
  if (amo_reacts(k)) slip = amo_mul(d, slip, amo_op1(d, AMO_OP_ABS, leaf(x, x->m->leaf.reaction + c)));
  return amo_sub(d, amo_mul(d, amo_sub(d, one, sigma), stick), amo_mul(d, sigma, slip));
}

static void add_spatial(quantity_names *x, uint32_t c)
{
  static const char *const name[2][2] = {{".slip1", ".slip2"}, {".force1", ".force2"}};
  const amo_contact *k = &x->m->contact[c];
  for (uint32_t a = 0; a < 2; a++) {
    add(x, k->sym.name, name[0][a], copied(x, k->axis[a].slip));
    add(x, k->sym.name, name[1][a], traction_of(x, c, a));
  }
}

static void add_contacts(quantity_names *x)
{
  const amo_model *m = x->m;
  for (uint32_t c = 0; c < m->nc; c++) {
    const amo_contact *k = &m->contact[c];
    if (amo_slip_rows(k) > 1) {
      add_spatial(x, c);
    } else {
      add(x, k->sym.name, ".slip", copied(x, k->slip));
      add(x, k->sym.name, ".force", force_of(x, c));
    }
    add(x, k->sym.name, ".normal", amo_reacts(k) ? leaf(x, m->leaf.reaction + c) : copied(x, k->normal));
  }
}

/// An output with friction in slip where the engine would have put it into the leaves of forces.
static amo_node output_of(quantity_names *x, amo_node n)
{
  const amo_model *m = x->m;
  amo_node out = copied(x, n), *put = x->dag ? amo_zalloc(m->leaf.count, sizeof *put) : NULL;
  if (!x->dag) return out;
  x->failed |= !put;
  for (uint32_t c = 0; put && c < m->nc; c++) {
    const uint32_t axes = amo_slip_rows(&m->contact[c]);
    if (axes < 2) put[m->leaf.lambda + c] = force_of(x, c);
    for (uint32_t a = 0; axes > 1 && a < axes; a++)
      put[m->leaf.traction + m->contact[c].xi + a] = traction_of(x, c, a);
  }
  if (put && !x->failed) out = amo_subst(x->dag, out, put, m->leaf.count);
  free(put);
  return out;
}

static void add_all(quantity_names *x)
{
  const amo_model *m = x->m;
  for (uint32_t i = 0; i < m->nq; i++) {
    add(x, m->sym.q[i].name, "", leaf(x, m->leaf.q + i));
    add(x, m->sym.u[i].name, "", leaf(x, m->leaf.u + i));
    add(x, m->sym.u[i].name, "'", leaf(x, m->leaf.acc + i));
  }
  for (uint32_t i = 0; i < m->nz; i++) add(x, m->extra[i].sym.name, "", leaf(x, m->leaf.z + i));
  for (uint32_t i = 0; i < m->nout; i++) add(x, m->output[i].sym.name, "", output_of(x, m->output[i].node));
  add_contacts(x);
}

bool amo_quantity_known(const amo_model *m, const char *name)
{
  quantity_names x = {.m = m};
  bool found = false;
  add_all(&x);
  for (size_t i = 0; i < x.count && !found; i++) found = !strcmp(x.item[i].name, name);
  free(x.item);
  return found;
}

static bool is_name(const amo_name *n, const char *known)
{
  const size_t length = strlen(known), primes = (size_t)n->primes;
  if (length != n->length + primes || memcmp(known, n->text, n->length) != 0) return false;
  return strspn(known + n->length, "'") == primes;
}

static amo_node resolve(const amo_scope *s, amo_dag *d, const amo_name *name, bool *reported)
{
  const quantity_names *x = s->ctx;
  (void)reported;
  for (size_t i = 0; i < x->count; i++)
    if (is_name(name, x->item[i].name)) return x->item[i].node;
  for (uint32_t i = 0; i < x->m->np; i++)
    if (is_name(name, x->m->param[i].sym.name)) return amo_leaf(d, x->m->leaf.param + i);
  return is_name(name, "t") ? amo_leaf(d, x->m->leaf.t) : AMO_NODE_NONE;
}

static const char *known(const amo_scope *s, size_t i)
{
  const quantity_names *x = s->ctx;
  if (i < x->count) return x->item[i].name;
  i -= x->count;
  return i < x->m->np ? x->m->param[i].sym.name : NULL;
}

// ---- making ----

static amo_status parse(quantity_names *x, const char *option, const char *const *text, size_t count,
                        amo_diags *diags, amo_node *root)
{
  const amo_scope scope = {.ctx = x, .resolve = resolve, .known = known, .paths = true};
  amo_status st = AMO_OK;
  for (size_t i = 0; i < count; i++) {
    const amo_at at = {amo_diags_source(diags, option, text[i], strlen(text[i])), 1, 1, 0};
    amo_status one = amo_parse(x->dag, text[i], strlen(text[i]), at, &scope, diags, &root[i]);
    if (one != AMO_OK) st = one;
  }
  return st;
}

static amo_status list_leaves(amo_quantities *q, amo_diags *diags)
{
  const amo_leaves *l = &q->m->leaf;
  AMO_TAKE(&q->memory, uint32_t, l->count + 1u, &q->leaf);
  AMO_TAKE(&q->memory, double, 2u * (size_t)amo_prog_registers(q->prog) + 2u, &q->jet);
  AMO_TAKE(&q->memory, signed char, amo_prog_switches(q->prog) + 1u, &q->branch);
  if (q->memory.failed) return AMO_ENOMEM;
  amo_jet_prepare1(q->prog, q->jet, 1);  // nothing in it is fixed but constants
  for (uint32_t i = 0; i < l->count; i++)
    if (amo_prog_reads(q->prog, i, 1)) q->leaf[q->leaves++] = i;
  q->forces = amo_prog_reads(q->prog, l->xi, l->count - l->xi);
  if (amo_prog_reads(q->prog, l->multiplier, l->reaction - l->multiplier))
    return amo_error(diags, (amo_at){0}, "measure positions, velocities or accelerations instead",
                     "derivatives of forces of constraints are not known"),
           AMO_EUNSUPPORTED;
  return AMO_OK;
}

amo_status amo_quantities_new(const amo_model *m, const char *option, const char *const *text, size_t count,
                              amo_diags *diags, amo_quantities **out)
{
  *out = NULL;
  amo_quantities *q = calloc(1, sizeof *q);
  amo_node *root = amo_zalloc(count, sizeof *root);
  bool *fixed = amo_zalloc(m->leaf.count, sizeof *fixed);
  if (q) *q = (amo_quantities){.m = m, .count = count, .dag = amo_dag_new(0)};
  amo_status st = q && root && fixed && q->dag ? AMO_OK : AMO_ENOMEM;
  quantity_names x = {.m = m, .dag = q ? q->dag : NULL};
  if (st == AMO_OK) add_all(&x);
  if (st == AMO_OK && x.failed) st = AMO_ENOMEM;
  if (st == AMO_OK) st = parse(&x, option, text, count, diags, root);
  if (st == AMO_OK) st = amo_prog_compile(q->dag, root, count, fixed, m->leaf.count, &q->prog);
  if (st == AMO_OK) st = list_leaves(q, diags);
  free(x.item);
  free(root);
  free(fixed);
  if (st == AMO_OK)
    *out = q;
  else
    amo_quantities_free(q);
  return st;
}

void amo_quantities_free(amo_quantities *q)
{
  if (!q) return;
  amo_prog_free(q->prog);
  amo_dag_free(q->dag);
  amo_arena_free(&q->memory);
  free(q);
}

// ---- values and slopes ----

/// Direction of a slip in a plane, and how far it is from none: `i` counts axes.
static double direction_of(const amo_instant_of *x, uint32_t i, double *speed)
{
  const amo_gradient *g = x->at->axis + i - i % 2;
  *speed = hypot(g[0].value, g[1].value);
  return *speed > 0.0 ? g[i % 2].value / *speed : 0.0;
}

static double value_of(const amo_quantities *q, const amo_instant_of *x, uint32_t leaf)
{
  const amo_model *m = q->m;
  const amo_leaves *l = &m->leaf;
  if (leaf < l->t) return x->param[leaf - l->param];
  if (leaf == l->t) return x->t;
  if (leaf < l->sigma) return x->state[leaf - l->q];
  if (leaf < l->eps) return amo_sigma(x->mode[leaf - l->sigma]);
  double speed;
  if (leaf >= l->xi && leaf < l->acc) return direction_of(x, leaf - l->xi, &speed);
  if (leaf >= l->traction) return x->at->pull[leaf - l->traction].value;
  if (leaf < l->lambda) return x->at->f[m->nq + leaf - l->acc];
  return leaf < l->multiplier ? x->at->lambda[leaf - l->lambda].value
                              : x->at->reaction[leaf - l->reaction].value;
}

/// d(something of the derivative) along change k; `stride` between its directions.
static double along(const amo_instant_of *x, size_t k, const double *d, size_t stride)
{
  const amo_derivative *at = x->at;
  double sum = 0.0;
  for (uint32_t i = 0; i < at->ns; i++) sum += d[i * stride] * x->column[k * at->ns + i];
  for (uint32_t i = 0; i < at->np; i++) sum += d[(at->ns + i) * stride] * x->direction[k * at->np + i];
  return sum;
}

/// xi = g/|g| turns by what g changes across itself.
static double turn_of(const amo_instant_of *x, size_t k, uint32_t i)
{
  double speed, xi[2];
  const uint32_t first = i - i % 2;
  for (uint32_t a = 0; a < 2; a++) xi[a] = direction_of(x, first + a, &speed);
  if (!(speed > 0.0)) return 0.0;
  const double across =
      xi[0] * along(x, k, x->at->axis[first + 1].d, 1) - xi[1] * along(x, k, x->at->axis[first].d, 1);
  return (i % 2 ? xi[0] : -xi[1]) * across / speed;
}

static double slope_of(const amo_quantities *q, const amo_instant_of *x, size_t k, uint32_t leaf)
{
  const amo_model *m = q->m;
  const amo_leaves *l = &m->leaf;
  const size_t ns = 2u * m->nq + m->nz;
  if (leaf < l->t) return x->rate[k * m->np + leaf - l->param];
  if (leaf == l->t) return 0.0;
  if (leaf < l->sigma) return x->column[k * ns + leaf - l->q];
  if (leaf < l->xi) return 0.0;
  if (leaf < l->acc) return turn_of(x, k, leaf - l->xi);
  if (leaf >= l->traction) return along(x, k, x->at->pull[leaf - l->traction].d, 1);
  if (leaf < l->lambda) return along(x, k, x->at->df + m->nq + leaf - l->acc, ns);
  return leaf < l->multiplier ? along(x, k, x->at->lambda[leaf - l->lambda].d, 1)
                              : along(x, k, x->at->reaction[leaf - l->reaction].d, 1);
}

void amo_quantities_at(amo_quantities *q, const amo_instant_of *x, double *value, double *slope)
{
  for (uint32_t i = 0; i < q->leaves; i++) q->jet[2 * q->leaf[i]] = value_of(q, x, q->leaf[i]);
  amo_jet_take_branches1(q->prog, q->jet, 1, q->branch);
  for (size_t i = 0; i < q->count; i++) value[i] = q->jet[2 * amo_prog_root(q->prog, i)];
  for (size_t k = 0; slope && k < x->changes; k++) {
    for (uint32_t i = 0; i < q->leaves; i++) q->jet[2 * q->leaf[i] + 1] = slope_of(q, x, k, q->leaf[i]);
    amo_jet_eval1(q->prog, q->jet, 1, 1, q->branch);
    for (size_t i = 0; i < q->count; i++) {
      const uint32_t reg = amo_prog_root(q->prog, i);
      slope[k * q->count + i] = amo_prog_is_fixed(q->prog, reg) ? 0.0 : q->jet[2 * reg + 1];
    }
  }
}
