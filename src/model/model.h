// SPDX-License-Identifier: Apache-2.0
/// Pieces of a model that the loader's files create and model.c releases.
#ifndef AMO_MODEL_MODEL_H
#define AMO_MODEL_MODEL_H

#include "model/loader.h"

void amo_drawn_free(amo_drawn *d);
/// A symbol with owned strings; NULL texts become "". False when out of memory.
bool amo_sym_make(amo_sym *s, const char *name, const char *unit, const char *doc);

// ---- plain.c ----
/// Note whether the model is plain, and its explicit form; once it is assembled.
amo_status amo_find_plain(amo_model *m);
amo_status amo_find_mechanisms(amo_model *m);
/// Is the motion with all supports open linear? Fills m->flight (linear.c).
amo_status amo_find_flight(amo_model *m);
void amo_flight_free(amo_flight *f);

// ---- programs.c ----
amo_status amo_compile_step(amo_model *m);
amo_status amo_compile_report(amo_model *m);

// ---- expanded.c ----
amo_status amo_kept_new(struct amo_kept **out);
void amo_kept_free(struct amo_kept *k);  // accepts NULL
amo_status amo_expanded_new(struct amo_expanded **out);
void amo_expanded_free(struct amo_expanded *e);
/// A copy x of m that is to be compiled anew gets its own arrays wherever the compiler notes registers, and no step
/// program yet. False: without memory, but amo_places_free may and must be called.
bool amo_places_own(amo_model *x, const amo_model *m);
void amo_places_free(amo_model *x);

// ---- settings.c ----
/// Report settings that no name of the model took.
void amo_settings_check(amo_loader *ld);

#endif
