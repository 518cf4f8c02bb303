// SPDX-License-Identifier: Apache-2.0
/// Springs and dampers: between two points, or along any expression.
#include <string.h>

#include "model/model.h"
#include "model/keys.h"

typedef struct element {
  bool damper;
  amo_node e;  // elongation
  amo_node end[2][3];
  bool drawn;
} element;

/// Ends of `between` or `drawn`.
static amo_status load_ends(amo_loader *ld, const amo_yaml *n, const amo_item *it, amo_node end[2][3])
{
  const amo_part *part = NULL;
  if (!amo_yaml_is(n, AMO_YAML_LIST) || n->count != 2) {
    amo_status st =
        amo_error(ld->diags, n->at, "between: [[0, 0], block]", "%s needs two points", n->key->text);
    amo_load_fail(ld, st);
    return st;
  }
  amo_status a = amo_load_point(ld, n->first, it, end[0], &part);
  amo_status b = amo_load_point(ld, n->first->next, it, end[1], &part);
  return a != AMO_OK ? a : b;
}

/// Length minus rest length. On one axis the elongation is signed (second end minus first end), so
/// that a spring stays linear when its ends pass one another; without rest length no root is needed.
static void elongate(amo_loader *ld, element *el, amo_node rest, amo_node along[3], int *parts)
{
  amo_dag *d = ld->dag;
  amo_node sum = amo_const(d, 0.0);
  *parts = 0;
  for (int i = 0; i < 3; i++) {
    amo_node dx = amo_sub(d, el->end[1][i], el->end[0][i]);
    if (amo_node_zero(d, dx)) continue;
    along[(*parts)++] = dx;
    sum = amo_add(d, sum, amo_op1(d, AMO_OP_SQR, dx));
  }
  if (*parts <= 1) {
    along[0] = *parts ? amo_sub(d, along[0], rest) : amo_neg(d, rest);
    *parts = 1;
  } else if (!amo_node_zero(d, rest) || el->damper) {
    along[0] = amo_sub(d, amo_op1(d, AMO_OP_SQRT, sum), rest);
    *parts = 1;
  }
}

static void apply(amo_loader *ld, const element *el, amo_node coefficient, amo_node *e, int n)
{
  for (int i = 0; i < n; i++) {
    if (el->damper)
      amo_mech_damper(&ld->mech, coefficient, e[i]);
    else
      amo_mech_spring(&ld->mech, coefficient, e[i]);
  }
}

static amo_status load_element(amo_loader *ld, const amo_item *it, void *ctx)
{
  element el = {.damper = *(const bool *)ctx};
  const char *key = el.damper ? "damping" : "stiffness";
  char what[AMO_WHAT];
  amo_node e[3] = {0}, rest = amo_const(ld->dag, 0.0);
  int n = 1;
  amo_say(what, key, " of ", it->name);
  amo_status st = amo_yaml_expect(it->node, AMO_YAML_MAP, it->name, ld->diags);
  if (st != AMO_OK) return st;
  if (!it->again)
    st = amo_yaml_only_of(it->node, it->name, amo_model_keys, el.damper ? "dampers.NAME" : "springs.NAME",
                          ld->diags);
  const amo_yaml *c = amo_yaml_get(it->node, key), *r = amo_yaml_get(it->node, "rest");
  const amo_yaml *between = amo_yaml_get(it->node, "between"), *along = amo_yaml_get(it->node, "along");
  const amo_yaml *drawn = amo_yaml_get(it->node, "drawn");
  if (!c) return amo_error(ld->diags, amo_yaml_at(it->node), NULL, "%s has no %s", it->name, key);
  amo_expr_in in = amo_item_scope(it, what, AMO_ON_STATE);
  if (!el.damper) in.on = AMO_ON_POSITION;
  amo_node coefficient = amo_load_expr(ld, c, &in);
  amo_load_check(ld, coefficient, AMO_IS_NONNEGATIVE, c->at, what, NULL);
  in.on = AMO_ON_POSITION;
  in.what = it->name;
  if (r) rest = amo_load_expr(ld, r, &in);
  if (!between == !along)
    return amo_error(ld->diags, amo_yaml_at(it->node), "between: [[0, 0], block], or along: x",
                     "%s needs either 'between' (two points) or 'along' (its elongation)", it->name);
  if (along) {
    e[0] = amo_sub(ld->dag, amo_load_expr(ld, along, &in), rest);
    if (drawn && load_ends(ld, drawn, it, el.end) != AMO_OK) st = AMO_EINPUT;
  } else if (load_ends(ld, between, it, el.end) == AMO_OK && rest != AMO_NODE_NONE) {
    elongate(ld, &el, rest, e, &n);
  }
  if (st != AMO_OK || e[0] == AMO_NODE_NONE || coefficient == AMO_NODE_NONE) return AMO_EINPUT;
  apply(ld, &el, coefficient, e, n);
  if (between || drawn)
    amo_load_draw(ld,
                  (amo_drawn){.kind = el.damper ? AMO_DRAWN_DAMPER : AMO_DRAWN_SPRING,
                              .x1 = el.end[0][0],
                              .y1 = el.end[0][1],
                              .x2 = el.end[1][0],
                              .y2 = el.end[1][1]},
                  it->name, c->text);
  return AMO_OK;
}

void amo_load_springs(amo_loader *ld)
{
  bool damper = false;
  amo_load_each(ld, "springs", load_element, &damper);
  damper = true;
  amo_load_each(ld, "dampers", load_element, &damper);
}
