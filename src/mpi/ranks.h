// SPDX-License-Identifier: Apache-2.0
/// What the module amontons-mpi.so offers.
#ifndef AMO_MPI_RANKS_H
#define AMO_MPI_RANKS_H

#include "amontons/ranks.h"
#include "amontons/status.h"

#define AMO_MPI_MODULE "amontons-mpi.so"

/// Begin MPI and say who we are. false: it cannot begin.
AMO_API bool amo_mpi_join(amo_ranks *out);
/// End it. Late messages are thrown away; a rank that was lost is not waited for.
AMO_API void amo_mpi_leave(amo_ranks *r);

#endif
