// SPDX-License-Identifier: Apache-2.0
/// Balances of a model whose matrices do not change in time: their factors belong to modes and parameters, and are kept.
#ifndef AMO_CONTACT_BALANCE_CACHE_H
#define AMO_CONTACT_BALANCE_CACHE_H

#include "contact/balance.h"

typedef struct amo_balance_cache amo_balance_cache;

/// Are masses, ties and the coefficients of friction that go with reactions constant in time?
bool amo_balance_cache_applies(const amo_model *m);
/// Room for `count` of them.
amo_status amo_balance_cache_new(const amo_model *m, int count, amo_balance_cache **out);
void amo_balance_cache_free(amo_balance_cache *k);
/// Number of the balance for these modes (see amo_balance_arrange) and the parameters among the registers v, arranged. When there
/// is no more room the oldest goes, but none of held[n].
int amo_balance_cache_find(amo_balance_cache *k, const signed char *mode, const signed char *reaction_sign,
                           amo_span v, const int *held, int n);
amo_balance *amo_balance_cache_balance(const amo_balance_cache *k, int i);
/// It has been arranged but not factored.
bool amo_balance_cache_is_fresh(const amo_balance_cache *k, int i);
/// Factor it, unless it is; what amo_balance_factor says.
amo_status amo_balance_cache_factor(amo_balance_cache *k, int i, amo_span v);

#endif
