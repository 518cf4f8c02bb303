// SPDX-License-Identifier: Apache-2.0
/// A mechanical model: loaded from a YAML text, validated, compiled, then frozen.
/// A model is structure: names, equations, programs. It never changes and serves any number of threads. The numbers it is
/// asked with are amo_values; what moves lives in amo_sim objects.
#ifndef AMONTONS_MODEL_H
#define AMONTONS_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct amo_model
    amo_model;  // a mechanism as read and compiled; never changes, may be shared by threads

/// A value for a parameter, size or initial value, as in `--set k=2`. Settings are applied before validation.
/// `text` may be any expression of parameters ("2*k0"); names may be indexed ("m[2]").
typedef struct amo_setting {
  const char *name;  // of a parameter, a size or a state
  const char *text;  // a number or an expression
} amo_setting;

/// Load a model from a file. All mistakes of the file are reported in `diags`.
/// @return AMO_OK and *out; AMO_EIO (no such file, not readable), AMO_EINPUT, AMO_ELIMIT, AMO_ENOMEM; *out = NULL then.
AMO_API amo_status amo_model_load(const char *path, const amo_setting *set, size_t nset, amo_diags *diags,
                                  amo_model **out);
/// The same from memory; `name` stands for the file in messages.
AMO_API amo_status amo_model_parse(const char *name, const char *text, size_t size, const amo_setting *set,
                                   size_t nset, amo_diags *diags, amo_model **out);
/// The same model with further settings, read again from its own text: for what values cannot change (sizes of families, an
/// expression in the place of a number). Settings of the same name take the place of earlier ones.
AMO_API amo_status amo_model_with(const amo_model *m, const amo_setting *set, size_t nset, amo_diags *diags,
                                  amo_model **out);
/// Would a setting of this name change the model: is it a parameter, a size or an initial value? Families go by their name
/// with or without an index.
AMO_API bool amo_model_settable(const amo_model *m, const char *name);
AMO_API void amo_model_free(amo_model *m);  // accepts NULL

AMO_API const char *amo_model_name(const amo_model *m);   // key `name` of the file
AMO_API const char *amo_model_title(const amo_model *m);  // "" if none

/// What a name of the model stands for. Columns of a state vector are, in this order:
/// coordinates, velocities (x'), extra states (controller and law memory).
typedef struct amo_symbol {
  const char *name;  // "x", "x[2]", "x'", "belt.t_stick"
  const char *unit;  // "" if not stated
  const char *doc;   // "" if not stated
} amo_symbol;

AMO_API size_t amo_model_parameters(const amo_model *m);               // how many, derived ones included
AMO_API amo_symbol amo_model_parameter(const amo_model *m, size_t i);  // number i; all NULL out of range
/// Index of a parameter by name, or -1.
AMO_API long amo_model_find_parameter(const amo_model *m, const char *name);
/// Parameter values of the file and its settings, derived ones evaluated. Array of amo_model_parameters().
AMO_API const double *amo_model_parameter_values(const amo_model *m);

AMO_API size_t amo_model_states(const amo_model *m);               // 2*coordinates + extra
AMO_API size_t amo_model_coordinates(const amo_model *m);          // free ones (prescribed ones are outputs)
AMO_API amo_symbol amo_model_state(const amo_model *m, size_t i);  // number i; all NULL out of range
/// Index of a state by name, or -1.
AMO_API long amo_model_find_state(const amo_model *m, const char *name);
/// Initial state as the file (and settings) give it; array of amo_model_states().
AMO_API const double *amo_model_initial(const amo_model *m);

AMO_API size_t amo_model_contacts(const amo_model *m);               // how many
AMO_API amo_symbol amo_model_contact(const amo_model *m, size_t i);  // number i; all NULL out of range
/// Index of a contact by name, or -1.
AMO_API long amo_model_find_contact(const amo_model *m, const char *name);

AMO_API size_t amo_model_outputs(const amo_model *m);  // named outputs, prescribed coordinates included
AMO_API amo_symbol amo_model_output(const amo_model *m, size_t i);  // number i; all NULL out of range

/// Numbers for the names of a model: what a question is asked with. Many questions may be asked of one model at once, each
/// with its own; a question reads them and keeps no more than the pointer, so they must outlive what was made with it.
typedef struct amo_values {
  const amo_model *model;  // whose names they belong to
  double *param;           // [parameters] derived ones included
  double *initial;         // [states]
  double t0;               // time of the initial state
} amo_values;

/// Those of the file and its settings: what a question without values is asked with.
AMO_API const amo_values *amo_model_values(const amo_model *m);
/// A copy of them, to be changed. AMO_ERANGE, AMO_ENOMEM; *out = NULL then.
AMO_API amo_status amo_values_new(const amo_model *m, amo_values **out);
AMO_API void amo_values_free(amo_values *v);  // accepts NULL
/// Change parameter i; derived parameters, the initial state as the file writes it, and its time follow.
/// AMO_ERANGE: no such parameter, one that follows from others, or not a finite value. AMO_ENOANSWER: the value is set, but
/// the model does not allow it (`require`).
AMO_API amo_status amo_values_set(amo_values *v, size_t i, double value);
/// Make a state [states] that fits the model: values that are not given follow from guides and constraints at time t, in
/// positions, then in velocities. given [states] says which are to stay; NULL: none. A state that fits is not touched.
/// AMO_ENOANSWER: it cannot be done, or a support is penetrated; diags says which.
AMO_API amo_status amo_values_complete(const amo_values *v, double t, const bool *given, amo_diags *diags,
                                       double *state);

#ifdef __cplusplus
}
#endif
#endif
