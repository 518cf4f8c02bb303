// SPDX-License-Identifier: Apache-2.0
#include "num/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = 0xff };

typedef struct choice_tree {
  amo_choices *p;
  amo_corner corner;
  unsigned char *now;  // [groups] OPEN: not chosen yet
  bool *met;           // [columns] seen to be positive at the choice at hand
  size_t *first;       // [groups + 1] in `own`
  size_t *own;         // [columns] by group
  size_t room;
} choice_tree;

// ---- one choice of some groups ----

static bool chosen_needs(const choice_tree *s, size_t j)
{
  const amo_choice_column *c = &s->p->column[j];
  return c->group < s->p->groups && c->needs != 0 && s->now[c->group] != OPEN &&
         c->needs >> s->now[c->group] & 1u;
}

static void bar_group(choice_tree *s, size_t g, bool aids)
{
  for (size_t i = s->first[g]; i < s->first[g + 1]; i++) {
    const amo_choice_column *c = &s->p->column[s->own[i]];
    s->corner.barred[s->own[i]] = (s->now[g] != OPEN && !(c->with >> s->now[g] & 1u)) || (c->aid && !aids);
  }
}

static void mark_met(choice_tree *s, bool aids)
{
  for (size_t i = 0; i < s->corner.rows; i++) {
    const size_t j = s->corner.basis[i];
    if (j < s->p->columns && chosen_needs(s, j) && s->p->column[j].aided == aids)
      s->met[j] |= amo_corner_value(&s->corner, j) > 0.0;
  }
}

/// Can everything be positive that must be? By convexity it is enough that each can.
static bool meets_needs(choice_tree *s, bool aids)
{
  for (size_t j = 0; j < s->p->columns; j++) {
    if (s->met[j] || !chosen_needs(s, j) || s->p->column[j].aided != aids) continue;
    if (!amo_corner_positive(&s->corner, j)) return false;
    mark_met(s, aids);
  }
  return true;
}

static bool possible(choice_tree *s)
{
  memset(s->met, 0, s->p->columns * sizeof *s->met);
  s->p->nodes++;
  if (!amo_corner_solve(&s->corner)) return false;
  if (!meets_needs(s, false)) return false;
  for (size_t g = 0; g < s->p->groups; g++) bar_group(s, g, s->now[g] != OPEN);
  const bool met = meets_needs(s, true);
  for (size_t g = 0; g < s->p->groups; g++) bar_group(s, g, false);
  return met;
}

// ---- all of them ----

/// What the corner uses of a group beyond alternative k.
static double beyond(const choice_tree *s, size_t g, int k)
{
  double sum = 0.0;
  for (size_t i = s->first[g]; i < s->first[g + 1]; i++)
    if (!(s->p->column[s->own[i]].with >> k & 1u)) sum += amo_corner_value(&s->corner, s->own[i]);
  return sum;
}

/// The group in which the corner is farthest from any one alternative; groups: all are chosen. *best: its nearest one.
static size_t pick_group(const choice_tree *s, int *best)
{
  size_t pick = s->p->groups;
  double most = -1.0;
  for (size_t g = 0; g < s->p->groups; g++) {
    if (s->now[g] != OPEN) continue;
    double least = INFINITY;
    int nearest = 0;
    for (int k = 0; k < s->p->count[g]; k++) {
      const double x = beyond(s, g, k);
      if (x >= least) continue;
      least = x;
      nearest = k;
    }
    if (!(least > most)) continue;
    most = least;
    pick = g;
    *best = nearest;
  }
  return pick;
}

static amo_status keep(choice_tree *s)
{
  amo_choices *p = s->p;
  const size_t n = p->groups;
  unsigned char *all = amo_grow(p->choice, &s->room, (p->found + 1) * n, 1);
  if (all == NULL) return AMO_ENOMEM;
  p->choice = all;
  memcpy(all + p->found++ * n, s->now, n);
  return AMO_OK;
}

static amo_status visit(choice_tree *s)
{
  int best = 0;
  amo_status st = AMO_OK;
  const size_t g = pick_group(s, &best);
  if (g == s->p->groups) return keep(s);
  for (int i = 0; st == AMO_OK && i < s->p->count[g] && s->p->complete; i++) {
    s->now[g] = (unsigned char)((best + i) % s->p->count[g]);
    bar_group(s, g, false);
    if (s->p->nodes >= s->p->most_nodes)
      s->p->complete = false;
    else if (possible(s))
      st = visit(s);
  }
  s->now[g] = OPEN;
  bar_group(s, g, false);
  return st;
}

/// Variables measured so that their columns are of size 1.
static void scale(amo_choices *p)
{
  for (size_t j = 0; j < p->columns; j++) {
    double size = 0.0;
    for (size_t i = 0; i < p->rows; i++) size = fmax(size, fabs(p->a[i * p->columns + j]));
    for (size_t i = 0; size > 0.0 && i < p->rows; i++) p->a[i * p->columns + j] /= size;
  }
}

static void list_groups(choice_tree *s)
{
  const amo_choices *p = s->p;
  size_t n = 0;
  for (size_t g = 0; g <= p->groups; g++) {
    s->first[g] = n;
    for (size_t j = 0; j < p->columns; j++)
      if (p->column[j].group == g) s->own[n++] = j;
    if (g < p->groups) s->now[g] = OPEN;
  }
}

typedef struct listed_choice {
  const unsigned char *choice;
  size_t groups;
} listed_choice;

static int compare(const void *a, const void *b)
{
  const listed_choice *x = a, *y = b;
  for (size_t g = x->groups; g-- > 0;)
    if (x->choice[g] != y->choice[g]) return x->choice[g] < y->choice[g] ? -1 : 1;
  return 0;
}

static amo_status sort(amo_choices *p)
{
  const size_t n = p->groups;
  listed_choice *all = amo_zalloc(p->found, sizeof *all);
  unsigned char *sorted = amo_zalloc(p->found * n, 1);
  const amo_status st = all && sorted ? AMO_OK : AMO_ENOMEM;
  for (size_t i = 0; st == AMO_OK && i < p->found; i++) all[i] = (listed_choice){p->choice + i * n, n};
  if (st == AMO_OK) qsort(all, p->found, sizeof *all, compare);
  for (size_t i = 0; st == AMO_OK && i < p->found; i++) memcpy(sorted + i * n, all[i].choice, n);
  free(all);
  free(st == AMO_OK ? p->choice : sorted);
  if (st == AMO_OK) p->choice = sorted;
  return st;
}

amo_status amo_choices_find(amo_choices *p)
{
  amo_arena memory = {0};
  choice_tree s = {.p = p};
  p->choice = NULL;
  p->found = p->nodes = 0;
  p->complete = true;
  AMO_TAKE(&memory, unsigned char, p->groups, &s.now);
  AMO_TAKE(&memory, bool, p->columns, &s.met);
  AMO_TAKE(&memory, size_t, p->groups + 2, &s.first);
  AMO_TAKE(&memory, size_t, p->columns, &s.own);
  scale(p);
  amo_status st = amo_corner_new(&memory, p->rows, p->columns, p->a, p->b, &s.corner) ? AMO_OK : AMO_ENOMEM;
  if (st == AMO_OK) {
    list_groups(&s);
    for (size_t g = 0; g < p->groups; g++) bar_group(&s, g, false);
    if (possible(&s)) st = visit(&s);
  }
  if (st == AMO_OK) st = sort(p);
  amo_arena_free(&memory);
  return st;
}
