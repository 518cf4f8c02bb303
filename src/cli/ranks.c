// SPDX-License-Identifier: Apache-2.0
// The module with MPI is loaded only where a launcher has started several processes: the program itself does not know MPI.
#include "cli/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "mpi/ranks.h"

/// How many processes the launcher says that it has started; 1: there is none.
static long started(void)
{
  static const char *const name[] = {"OMPI_COMM_WORLD_SIZE",
                                     "PMI_SIZE"};  // Open MPI; MPICH, Intel MPI, Slurm
  for (int i = 0; i < 2; i++)
    if (getenv(name[i])) return atol(getenv(name[i]));
  const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
  return getenv("PMIX_RANK") && tasks ? atol(tasks) : 1;
}

/// Beside the program (where it was built), or among libraries.
static void *load(void)
{
  static const char *const place[] = {"", "../" AMO_MODULES "/"};
  char self[4096];
  void *module = NULL;
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return NULL;
  self[n] = '\0';
  char *slash = strrchr(self, '/');
  for (int i = 0; i < 2 && !module; i++) {
    amo_text path = {0};
    amo_text_add(&path, self, (size_t)(slash - self) + 1);
    amo_text_str(&path, place[i]);
    amo_text_str(&path, AMO_MPI_MODULE);
    if (!path.failed && access(path.data, R_OK) == 0) module = dlopen(path.data, RTLD_NOW | RTLD_GLOBAL);
    amo_text_free(&path);
  }
  return module;
}

/// A function of the module; C has no conversion from what dlsym returns.
#define FUNCTION(module, name)  \
  (union {                      \
    void *object;               \
    __typeof__(&name) function; \
  }){dlsym(module, #name)}      \
      .function

amo_status amo_ranks_join(amo_job_ranks *j, amo_diags *diags)
{
  const long size = started();
  *j = (amo_job_ranks){0};
  if (size < 2) return AMO_OK;
  j->module = load();
  bool (*join)(amo_ranks *) = j->module ? FUNCTION(j->module, amo_mpi_join) : NULL;
  if (!join) {
    amo_error(diags, (amo_at){0}, "build with MPI (libopenmpi-dev, then make), or use --part I/N",
              "%ld processes were started together, but this build does not know MPI (" AMO_MPI_MODULE
              "): each would do all of the work",
              size);
    return AMO_EUNSUPPORTED;
  }
  if (join(&j->ranks) && j->ranks.size == size) return AMO_OK;
  amo_error(diags, (amo_at){0}, "use the mpirun of the MPI that amontons was built with",
            "%ld processes were started together, but MPI connects %d", size, j->ranks.size);
  return AMO_EUNSUPPORTED;
}

const amo_ranks *amo_ranks_of(const amo_job_ranks *j)
{
  return j->module ? &j->ranks : NULL;
}

bool amo_ranks_help(const amo_job_ranks *j)
{
  return j->module && j->ranks.rank != 0;
}

void amo_ranks_leave(amo_job_ranks *j)
{
  if (!j->module || !j->ranks.ctx) return;
  FUNCTION(j->module, amo_mpi_leave)(&j->ranks);
  j->module = NULL;
}
