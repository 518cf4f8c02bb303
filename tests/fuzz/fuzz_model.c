// SPDX-License-Identifier: Apache-2.0
/// Any bytes as a model file: load it and, where that works, step it a little. Nothing may crash, hang
/// or leak; a refusal must come with a message.
#include <stdint.h>
#include <stdlib.h>

#include "amontons/amontons.h"

static void step(const amo_model *m, amo_diags *diags)
{
  amo_sim_opts o = amo_sim_opts_default();
  o.max_steps = 20;
  o.max_events = 20;
  o.audit = true;
  amo_sim *s = NULL;
  if (amo_model_states(m) <= 40 && amo_sim_new(m, &o, diags, &s) == AMO_OK)
    (void)amo_sim_run(s, 1.0, NULL, NULL);
  amo_sim_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  amo_diags *diags = amo_diags_new();
  amo_model *m = NULL;
  amo_status st = amo_model_parse("fuzz.yaml", (const char *)data, size, NULL, 0, diags, &m);
  if (st == AMO_OK)
    step(m, diags);
  else if (st != AMO_ENOMEM && diags && !amo_diags_errors(diags))
    abort();  // refused without a word
  free(amo_diags_render(diags));
  amo_model_free(m);
  amo_diags_free(diags);
  return 0;
}
