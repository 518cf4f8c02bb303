// SPDX-License-Identifier: Apache-2.0
/// A second look at a model, for derivatives: its step program compiled anew so that chosen parameters are variables
/// like the states, and so that everything a step reads has a series. A series of order 1 along a direction is a
/// derivative along it, exact.
#ifndef AMO_MODEL_VARY_H
#define AMO_MODEL_VARY_H

#include "model/compiled.h"

typedef struct amo_vary {
  amo_model view;    // shares all but the step program and the places of its results with the model
  uint32_t np;       // chosen parameters
  uint32_t *param;   // [np]
  bool *moves;       // [view.np] changes with some of them
  amo_prog *derive;  // parameters that are computed from others, nothing fixed
} amo_vary;

/// @param param  [n] numbers of plain parameters (not computed from others). The model must outlive the result.
/// AMO_ERANGE: a number is not a parameter, or one that is computed.
amo_status amo_vary_new(const amo_model *m, const uint32_t *param, size_t n, amo_vary **out);
void amo_vary_free(amo_vary *v);
/// Rates [view.np] of all parameters, at `value`, when chosen parameter i has rate 1. `work`: see amo_vary_work.
void amo_vary_direction(const amo_vary *v, const double *value, uint32_t i, double *work, double *rate);
size_t amo_vary_work(const amo_vary *v);  // doubles

#endif
