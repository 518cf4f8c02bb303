// SPDX-License-Identifier: Apache-2.0
/// A loaded program.
#ifndef AMO_SWARM_LOADED_H
#define AMO_SWARM_LOADED_H

#include "swarm/job.h"

struct amo_swarm {
  void *handle;
  int (*run)(const amo_swarm_job *job);  // 0: done
};

#endif
