// SPDX-License-Identifier: Apache-2.0
/// Pieces of a model that the loader's files create and model.c releases.
#ifndef AMO_MODEL_MODEL_H
#define AMO_MODEL_MODEL_H

#include "model/loader.h"

void amo_drawn_free(amo_drawn *d);
/// A symbol with owned strings; NULL texts become "". False when out of memory.
bool amo_sym_make(amo_sym *s, const char *name, const char *unit, const char *doc);

// ---- plain.c ----
/// Note whether the model is plain, and its explicit form; before the programs are compiled.
amo_status amo_find_plain(amo_model *m);
/// Is the motion with all supports open linear? Fills m->flight (linear.c).
amo_status amo_find_flight(amo_model *m);
void amo_flight_free(amo_flight *f);

// ---- programs.c ----
/// Compile m->step and note where its results lie. all_series: also what a step needs as a value only.
amo_status amo_compile_step(amo_model *m, bool all_series);

// ---- expanded.c ----
amo_status amo_expanded_new(struct amo_expanded **out);
void amo_expanded_free(struct amo_expanded *e);

// ---- settings.c ----
/// Report settings that no name of the model took.
void amo_settings_check(amo_loader *ld);

#endif
