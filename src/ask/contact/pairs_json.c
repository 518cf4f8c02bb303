// SPDX-License-Identifier: Apache-2.0
// Several slipping pairs as JSON and in words: determinants, uniqueness for every load, the friction that would end it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/json.h"
#include "ask/contact/solutions_json.h"

enum { MOST_SHOWN = 6 };  // contacts of a block whose determinants are listed one by one

// ---- one solution ----

static void add_compliance(cJSON *o, const amo_solution *x)
{
  static const char *const name[] = {"divergence", "centre", "flutter"};
  cJSON *c = cJSON_AddObjectToObject(o, "compliance");
  cJSON_AddStringToObject(c, "class", name[x->stable]);
  cJSON *all = cJSON_AddArrayToObject(c, "eigenvalues");
  for (size_t i = 0; i < x->eigenvalues; i++) {
    cJSON *one = cJSON_CreateObject();
    amo_json_add(one, "re", x->re[i]);
    amo_json_add(one, "im", x->im[i]);
    cJSON_AddItemToArray(all, one);
  }
  amo_json_add(c, "growth", x->growth);
  amo_json_add(c, "damping", x->damping);
}

/// Does the solution lie in the pattern, or on its border?
static bool touches(const amo_pairs *p, const amo_solution *x, size_t pattern)
{
  for (size_t j = 0; j < p->n; j++) {
    const uint32_t c = p->contact[j];
    const int side = x->mode[c] == AMO_OPEN ? -1 : x->reaction_sign[c];
    if (side != 0 && (side < 0) != (pattern >> j & 1u)) return false;
  }
  return true;
}

/// 0 regular, 1 grazing (patterns meet and the solution goes on), 2 fold (two solutions merge here), 3 degenerate.
static int type_of(const amo_pairs *p, const amo_solution *x)
{
  size_t all = 0, below = 0, above = 0;
  for (size_t pattern = 0; pattern < (size_t)1 << p->n; pattern++) {
    if (!touches(p, x, pattern)) continue;
    all++;
    below += p->determinant[pattern] < 0.0;
    above += p->determinant[pattern] > 0.0;
  }
  return below + above < all ? 3 : below > 0 && above > 0 ? 2 : all > 1;
}

void amo_pairs_add(cJSON *o, const amo_solutions *s, const amo_solution *x)
{
  static const char *const name[] = {"regular", "grazing", "fold", "degenerate"};
  int type = 0;
  if (s->assesses && x->eigenvalues > 0) add_compliance(o, x);
  if (s->assessed == 0) return;
  for (size_t b = 0; b < s->assessed; b++) {
    const int one = type_of(&s->pairs[b], x);
    type = one > type ? one : type;
  }
  cJSON_AddStringToObject(o, "type", name[type]);
}

// ---- blocks ----

/// As many signs as there are contacts: '+' presses along its normal, '-' against it, 'o' is open.
static const char *signs(const amo_pairs *p, size_t pattern, char *text)
{
  for (size_t j = 0; j < p->n; j++) text[j] = !(pattern >> j & 1u) ? '+' : p->one_sided[j] ? 'o' : '-';
  text[p->n] = '\0';
  return text;
}

static cJSON *row(const double *a, size_t n)
{
  cJSON *all = cJSON_CreateArray();
  for (size_t j = 0; j < n; j++) cJSON_AddItemToArray(all, amo_json_number(a[j]));
  return all;
}

static cJSON *matrix(const double *a, size_t rows, size_t n)
{
  cJSON *all = cJSON_CreateArray();
  for (size_t i = 0; i < rows; i++) cJSON_AddItemToArray(all, row(a + i * n, n));
  return all;
}

static void add_determinants(cJSON *o, const amo_pairs *p)
{
  char text[AMO_MOST_PAIRS + 1];
  size_t least = 0;
  cJSON *all = p->n <= MOST_SHOWN ? cJSON_AddArrayToObject(o, "determinants") : NULL;
  for (size_t pattern = 0; pattern < (size_t)1 << p->n; pattern++) {
    if (p->determinant[pattern] < p->determinant[least]) least = pattern;
    if (all == NULL) continue;
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "signs", signs(p, pattern, text));
    amo_json_add(one, "value", p->determinant[pattern]);
    cJSON_AddItemToArray(all, one);
  }
  amo_json_add(o, "least_determinant", p->determinant[least]);
  cJSON_AddStringToObject(o, "least_at", signs(p, least, text));
}

static void add_continua(cJSON *o, const amo_pairs *p)
{
  char text[AMO_MOST_PAIRS + 1];
  cJSON *all = cJSON_AddArrayToObject(o, "continua");
  for (size_t i = 0; i < p->continua; i++) {
    const amo_continuum *c = &p->continuum[i];
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "signs", signs(p, c->pattern, text));
    cJSON_AddItemToObject(one, "vertices", matrix(c->at, c->vertices, p->n));
    cJSON_AddItemToObject(one, "rays", matrix(c->at + c->vertices * p->n, c->rays, p->n));
    cJSON_AddItemToArray(all, one);
  }
}

static cJSON *block_json(const amo_solutions *s, const amo_pairs *p)
{
  char text[AMO_MOST_PAIRS + 1];
  cJSON *o = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(o, "contacts"),
        *slip = cJSON_AddArrayToObject(o, "slip");
  for (size_t j = 0; j < p->n; j++) {
    cJSON_AddItemToArray(names, cJSON_CreateString(s->m->contact[p->contact[j]].sym.name));
    cJSON_AddItemToArray(slip, cJSON_CreateNumber(p->slip[j]));
  }
  cJSON_AddItemToObject(o, "L", matrix(p->influence, p->n, p->n));
  cJSON_AddItemToObject(o, "R0", row(p->frictionless, p->n));
  cJSON_AddItemToObject(o, "inertia", matrix(p->inertia, p->n, p->n));
  add_determinants(o, p);
  cJSON_AddBoolToObject(o, "unique_for_all_loads", p->unique);
  if (p->has_degree)
    cJSON_AddNumberToObject(o, "degree", p->degree);
  else
    cJSON_AddNullToObject(o, "degree");
  amo_json_add(o, "critical_factor", p->critical);
  cJSON_AddStringToObject(o, "critical_at", isfinite(p->critical) ? signs(p, p->critical_pattern, text) : "");
  add_continua(o, p);
  return o;
}

cJSON *amo_pairs_json(const amo_solutions *s)
{
  cJSON *all = cJSON_CreateArray();
  for (size_t b = 0; b < s->assessed; b++) cJSON_AddItemToArray(all, block_json(s, &s->pairs[b]));
  return all;
}

static void print_names(const cJSON *block, FILE *out)
{
  const cJSON *name = NULL, *all = cJSON_GetObjectItemCaseSensitive(block, "contacts");
  cJSON_ArrayForEach(name, all) fprintf(out, "%s%s", name == all->child ? "\n" : ", ", name->valuestring);
}

void amo_pairs_print(const cJSON *result, FILE *out)
{
  const cJSON *x = NULL;
  cJSON_ArrayForEach(x, cJSON_GetObjectItemCaseSensitive(result, "pairs"))
  {
    const double factor = amo_json_get(x, "critical_factor");
    const bool unique = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(x, "unique_for_all_loads"));
    print_names(x, out);
    fprintf(out, ": %s",
            unique ? "one solution whatever the loads" : "loads exist with none or several solutions");
    if (isfinite(factor) && unique)
      fprintf(out, "; %.6g times the friction would end that (signs %s)", factor,
              amo_json_text(x, "critical_at"));
    else if (isfinite(factor))
      fprintf(out, "; not so below %.6g times the friction (signs %s)", factor,
              amo_json_text(x, "critical_at"));
    fprintf(out, "\n");
  }
}
