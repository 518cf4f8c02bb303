// SPDX-License-Identifier: Apache-2.0
/// The functions of the expression language and how each is made of the DAG's operations.
#ifndef AMO_EXPR_FUNCTION_H
#define AMO_EXPR_FUNCTION_H

#include "expr/dag.h"

typedef struct amo_value {
  amo_node node;
  bool truth;  // a condition: its value is 0 or 1 and changes only where a comparison flips
} amo_value;

typedef struct amo_function amo_function;
/// What is wrong with a call; `argument` counts from 0, -1: the call as a whole.
typedef struct amo_call_error {
  const char *message, *hint;
  int argument;
} amo_call_error;

const amo_function *amo_function_find(const char *text, size_t length);
/// Is this diff(f, x) or rate(f)?
bool amo_function_derives(const amo_function *f);
/// Is this rate(f), whose value only the scope knows?
bool amo_function_is_rate(const amo_function *f);
const char *amo_function_name(size_t i);  // NULL at the end
/// "sin takes 1 argument": NULL if n arguments are right.
const char *amo_function_arguments(const amo_function *f, size_t n);
/// Build the call. An argument may be NONE (an earlier mistake); the result is NONE then.
amo_value amo_function_build(amo_dag *d, const amo_function *f, const amo_value *arg, size_t n,
                             amo_call_error *error);

amo_node amo_truth_and(amo_dag *d, amo_node a, amo_node b);
amo_node amo_truth_or(amo_dag *d, amo_node a, amo_node b);
amo_node amo_truth_not(amo_dag *d, amo_node a);

#endif
