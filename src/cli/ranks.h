// SPDX-License-Identifier: Apache-2.0
/// The processes that mpirun (or srun) has started together with this one.
#ifndef AMO_CLI_RANKS_H
#define AMO_CLI_RANKS_H

#include "amontons/diag.h"
#include "amontons/ranks.h"

typedef struct amo_job_ranks {
  amo_ranks ranks;
  void *module;  // NULL: this process is alone
} amo_job_ranks;

/// Nothing happens, and MPI is not even loaded, where there is one process. AMO_EUNSUPPORTED: there are several, and they cannot
/// talk to each other.
amo_status amo_ranks_join(amo_job_ranks *j, amo_diags *diags);
/// NULL: alone.
const amo_ranks *amo_ranks_of(const amo_job_ranks *j);
bool amo_ranks_help(const amo_job_ranks *j);  // is this a rank that only helps?
void amo_ranks_leave(amo_job_ranks *j);

#endif
