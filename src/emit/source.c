// SPDX-License-Identifier: Apache-2.0
#include "emit/source.h"

#include "emit/texts.h"
#include "expr/program_impl.h"

/// A compiler's time grows faster than the length of a function: long lists are cut.
enum { MOST_AT_ONCE = 250 };
/// Sums of products, over all orders, of a program whose orders are written out one by one: a few, then loops of known length
/// vanish.
enum { FEW_SUMS = 64 };
/// Those of a program that does not call them.
enum { FEW_INLINE = 8 };

static const char *value_name(uint32_t op)
{
#define NAME_OP(name, arity, text) #name,
#define NAME_HIDDEN(name)          #name,
  static const char *const name[] = {AMO_OP_LIST(NAME_OP) AMO_V_LIST(NAME_HIDDEN)};
#undef NAME_OP
  return name[op];
}

static const char *jet_name(uint32_t op)
{
  static const char *const name[] = {AMO_J_LIST(NAME_HIDDEN)};
  return name[op];
}

size_t amo_emit_size(const amo_prog *p)
{
  return p->value.count + p->seed.count + p->jet.count + p->tail.count;
}

static void operands(amo_text *t, const amo_instr *in)
{
  amo_text_printf(t, "%u, %u, %u, %u, %u, %u, %u)\n", in->dst, in->a, in->b, in->h, in->x, in->y, in->z);
}

// ---- lists, cut into functions ----

typedef struct writer {
  amo_text *out;
  const char *name, *parameters;
  int statements, functions;
} writer;

/// Room for one more statement.
static amo_text *statement(writer *w)
{
  if (w->statements++ % MOST_AT_ONCE != 0) return w->out;
  if (w->functions > 0) amo_text_str(w->out, "}\n");
  amo_text_printf(w->out, "PART void %s_%d(%s)\n{\n", w->name, w->functions++, w->parameters);
  return w->out;
}

/// `name` is what calls all functions of a list, one after the other.
static void close_list(const writer *w, const char *arguments)
{
  if (w->functions > 0) amo_text_str(w->out, "}\n");
  amo_text_printf(w->out, "INLINE void %s(%s)\n{\n", w->name, w->parameters);
  for (int i = 0; i < w->functions; i++) amo_text_printf(w->out, "  %s_%d(%s);\n", w->name, i, arguments);
  amo_text_str(w->out, "}\n");
}

static void write_values(amo_text *t, const char *name, const amo_list *list)
{
  writer w = {t, name, "double *reg, const size_t unit, const size_t stride, const signed char *branch", 0,
              0};
  for (size_t i = 0; i < list->count; i++) {
    amo_text_printf(statement(&w), "  VALUE(%s, ", value_name(list->item[i].op));
    operands(t, &list->item[i]);
  }
  close_list(&w, "reg, unit, stride, branch");
}

static void write_recurrences(amo_text *t, const amo_list *list)
{
  writer w = {t, "recurrences", "double *jet, int k, const signed char *branch", 0, 0};
  for (size_t i = 0; i < list->count; i++) {
    amo_text_printf(statement(&w), "  JET(%s, ", jet_name(list->item[i].op));
    operands(t, &list->item[i]);
  }
  close_list(&w, "jet, k, branch");
}

static void write_finish(amo_text *t, const amo_list *list)
{
  writer w = {t, "finish_all", "double *jet, const signed char *branch", 0, 0};
  for (size_t i = 0; i < list->count; i++) {
    const amo_instr *in = &list->item[i];
    if (in->op >= AMO_J_LINEAR1 && in->op <= AMO_J_LINEAR3)
      amo_text_printf(statement(&w), "  FINISH_SUM(%u, ", in->op - AMO_J_LINEAR1 + 1);
    else
      amo_text_printf(statement(&w), "  FINISH(%s, ", jet_name(in->op));
    operands(t, in);
  }
  close_list(&w, "jet, branch");
}

/// Of states whose rate varies; the others have a series of order 1.
static void write_integrals(amo_text *t, const amo_emit_request *r)
{
  static const char *const name[2] = {"integrals", "still_states"}, *const what[2] = {"JET(INTEGRAL, ",
                                                                                      "STILL("};
  for (int still = 0; still < 2; still++) {
    writer w = {t, name[still], "double *jet, int k", 0, 0};
    for (size_t i = 0; i < r->integrals; i++) {
      if ((r->prog->kind[r->integral[i].rate] == AMO_VARYING) == (still == 1)) continue;
      amo_text_printf(statement(&w), "  %s", what[still]);
      operands(t, &(amo_instr){.dst = r->integral[i].leaf, .a = r->integral[i].rate});
    }
    close_list(&w, "jet, k");
  }
}

static void write_free(amo_text *t, const amo_emit_request *r)
{
  writer w = {t, "accelerations", "double *jet, double *acc, int k", 0, 0};
  for (size_t q = 0; q < r->frees; q++) {
    const amo_free_coordinate *x = &r->free[q];
    amo_text_printf(statement(&w), "  FREE_COORDINATE(%zu, %u, %u, %u, %d)\n", q, x->velocity, x->force,
                    x->mass, r->prog->kind[x->force] == AMO_FIXED);
  }
  close_list(&w, "jet, acc, k");
}

/// Instructions that sum products.
static size_t sums_of(const amo_list *list)
{
  size_t n = 0;
  for (size_t i = 0; i < list->count; i++) n += list->item[i].op >= AMO_J_MUL;
  return n;
}

void amo_emit_source(const amo_emit_request *r, amo_text *t)
{
  const amo_prog *p = r->prog;
  amo_text_printf(t, "#define W %d\n#define P %d\n#define AMO_MAX_ORDER %d\n", r->lanes, r->order,
                  AMO_MAX_ORDER);
  amo_text_printf(t, "#define SERIES %d\n#define FINISH_NEEDS_ORDER %d\n", r->integrals > 0 && r->frees == 0,
                  p->tail_reads_jet);
  amo_text_printf(t, "#define FREE %d\n", r->frees > 0);
  const bool prepares = p->fixed.count <= MOST_AT_ONCE;
  amo_text_printf(t, "#define PREPARES %d\n", prepares);
  const size_t sums = sums_of(&p->jet);
  amo_text_printf(t, "#define UNROLLED %d\n", sums * (size_t)r->order <= FEW_SUMS);
  if (sums + sums_of(&p->tail) > FEW_INLINE)
    amo_text_str(t, "#define RECURRENCE static __attribute__((noinline))\n");
  amo_text_printf(t, "#define PART %s\n",
                  p->value.count <= MOST_AT_ONCE ? "INLINE" : "static __attribute__((noinline))");
  amo_text_str(t, amo_emit_text_head);
  amo_text_str(t, amo_emit_text_instr);
  amo_text_str(t, amo_emit_text_power);
  amo_text_str(t, amo_emit_text_recurrences);
  amo_text_str(t, amo_emit_text_statements);
  if (prepares) write_values(t, "fixed_values", &p->fixed);
  write_values(t, "values", &p->value);
  write_values(t, "seeds", &p->seed);
  write_recurrences(t, &p->jet);
  write_finish(t, &p->tail);
  write_integrals(t, r);
  if (r->frees > 0) write_free(t, r);
  amo_text_str(t, amo_emit_text_entry);
}
