// SPDX-License-Identifier: Apache-2.0
/// Balances of a model whose matrices do not change in time: their factors belong to modes and parameters, and are kept.
#ifndef AMO_CONTACT_KEPT_H
#define AMO_CONTACT_KEPT_H

#include "contact/balance.h"

typedef struct amo_kept amo_kept;

/// Are masses, ties and the coefficients of friction that go with reactions constant in time?
bool amo_kept_applies(const amo_model *m);
/// Room for `count` of them.
amo_status amo_kept_new(const amo_model *m, int count, amo_kept **out);
void amo_kept_free(amo_kept *k);
/// Number of the balance for these modes (see amo_balance_arrange) and the parameters among the registers v, arranged. When there
/// is no more room the oldest goes, but none of held[n].
int amo_kept_find(amo_kept *k, const signed char *mode, const signed char *press, amo_span v, const int *held,
                  int n);
amo_balance *amo_kept_balance(const amo_kept *k, int i);
/// It has been arranged but not factored.
bool amo_kept_is_fresh(const amo_kept *k, int i);
/// Factor it, unless it is; what amo_balance_factor says.
amo_status amo_kept_factor(amo_kept *k, int i, amo_span v);

#endif
