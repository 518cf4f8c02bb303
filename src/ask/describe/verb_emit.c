// SPDX-License-Identifier: Apache-2.0
// emit: the model as a program of its own.
#include <stdlib.h>
#include <string.h>

#include "amontons/emit.h"
#include "ask/motion/simulate.h"
#include "base/file.h"
#include "base/text.h"
#include "model/compiled.h"
#include "result/json.h"

// clang-format off
static const amo_opt_def opts[] = {
    {"target", AMO_OPT_CHOICE, "LANGUAGE", "c", "c|cuda", "for a C compiler, or for nvcc", 0, 0},
    {"order", AMO_OPT_INTEGER, "N", "16", NULL, "order of the power series", 8, 40},
    {"out", AMO_OPT_FILE, "FILE", NULL, NULL, "write the program here instead of to standard output (-)", 0, 0},
    {NULL, AMO_OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0}};
// clang-format on

static void add_names(cJSON *result, const char *key, const amo_model *m, size_t n,
                      amo_symbol (*name)(const amo_model *, size_t))
{
  cJSON *list = cJSON_AddArrayToObject(result, key);
  for (size_t i = 0; list && i < n; i++) cJSON_AddItemToArray(list, cJSON_CreateString(name(m, i).name));
}

static void add_lines(cJSON *result, const char *source)
{
  cJSON *list = cJSON_AddArrayToObject(result, "source");
  for (amo_text line = {0}; list && *source; source += strspn(source, "\n") > 0) {
    const size_t n = strcspn(source, "\n");
    amo_text_add(&line, source, n);
    char *text = amo_text_take(&line);
    cJSON_AddItemToArray(list, cJSON_CreateString(text ? text : ""));
    free(text);
    source += n;
  }
}

static amo_status answer(const amo_call *call, cJSON *result)
{
  const amo_model *m = call->model;
  const char *path = amo_opt_text(call->opt, "out"), *target = amo_opt_text(call->opt, "target");
  amo_emit_opts o = amo_emit_opts_default();
  char *source = NULL;
  o.target = strcmp(target, "cuda") == 0 ? AMO_EMIT_CUDA : AMO_EMIT_C;
  o.order = (int)amo_opt_integer(call->opt, "order");
  amo_status st = amo_emit_program(m, &o, call->diags, &source);
  if (st == AMO_OK && path) st = amo_file_write_text(path, source, call->diags);
  if (st == AMO_OK) {
    cJSON_AddStringToObject(result, "target", target);
    cJSON_AddNumberToObject(result, "order", o.order);
    add_names(result, "states", m, amo_model_states(m), amo_model_state);
    add_names(result, "parameters", m, amo_model_parameters(m), amo_model_parameter);
    add_names(result, "contacts", m, amo_model_contacts(m), amo_model_contact);
    if (path) cJSON_AddStringToObject(result, "file", path);
    add_lines(result, source);
  }
  free(source);
  return st;
}

static amo_status run(const amo_call *call, cJSON **result)
{
  cJSON *o = cJSON_CreateObject();
  amo_status st = o ? answer(call, o) : AMO_ENOMEM;
  *result = st == AMO_OK ? o : NULL;
  if (st != AMO_OK) cJSON_Delete(o);
  return st;
}

static void print(const cJSON *result, FILE *out, int wide)
{
  (void)wide;
  const char *path = amo_json_text(result, "file");
  const cJSON *line = NULL, *source = *path ? NULL : cJSON_GetObjectItemCaseSensitive(result, "source");
  if (*path) fprintf(out, "%s\n", path);
  cJSON_ArrayForEach(line, source) fprintf(out, "%s\n", line->valuestring);
}

const amo_verb amo_verb_emit = {
    .name = "emit",
    .summary = "the model as a program of its own, in C or CUDA",
    .usage = "MODEL [options]",
    .description =
        "Writes a program that moves many motions of this model at once and needs nothing but a "
        "compiler: power series of the motion in all its modes, events, decisions. Parameters and "
        "states are given when it is called. What it cannot decide for certain it says so. Ensembles "
        "of 10,000 motions and more use such a program by themselves.",
    .example = "amontons emit models/block-on-belt.yaml --out block.c\n"
               "amontons emit models/relief-valve.yaml --target cuda --out valve.cu",
    .opts = opts,
    .run = run,
    .print = print};
