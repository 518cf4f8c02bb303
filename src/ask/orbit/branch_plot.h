// SPDX-License-Identifier: Apache-2.0
/// The figure of `continue --plot`: amplitude and period over the parameter, stable parts full, special points named.
#ifndef AMO_ASK_ORBIT_BRANCH_PLOT_H
#define AMO_ASK_ORBIT_BRANCH_PLOT_H

#include "amontons/amontons.h"

amo_status amo_branch_plot(const amo_model *m, const amo_branch *b, const char *parameter, const char *path,
                           amo_diags *diags);

#endif
