// SPDX-License-Identifier: Apache-2.0
/// Which folder, and is it safe?
#define _XOPEN_SOURCE 700  // realpath, the sticky bit
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "emit/cache.h"

static char *join(const char *folder, const char *name)
{
  amo_text t = {0};
  amo_text_printf(&t, "%s/%s", folder, name);
  return amo_text_take(&t);
}

static bool is_set(const char *s)
{
  return s != NULL && *s != '\0';
}

/// Where the environment says; NULL: nowhere.
static char *wanted(void)
{
  const char *own = getenv("AMONTONS_CACHE"), *all = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (is_set(own)) return own[0] == '/' ? amo_strdup(own) : NULL;
  if (is_set(all) && all[0] == '/') return join(all, "amontons");
  return is_set(home) && home[0] == '/' ? join(home, ".cache/amontons") : NULL;
}

/// The folder above it, and those that are missing there.
static bool make_above(const char *path)
{
  char *above = amo_strdup(path);
  char *end = above ? strrchr(above, '/') : NULL;
  bool ok = end != NULL;
  if (ok && end != above) {
    *end = '\0';
    ok = mkdir(above, 0700) == 0 || errno == EEXIST ||
         (errno == ENOENT && make_above(above) && (mkdir(above, 0700) == 0 || errno == EEXIST));
  }
  free(above);
  return ok;
}

/// May nobody but the user and the administrator change what this folder holds? In one with the sticky bit everybody keeps to
/// his own.
static bool is_kept(const struct stat *s)
{
  return (s->st_uid == geteuid() || s->st_uid == 0) &&
         ((s->st_mode & 022) == 0 || (s->st_mode & S_ISVTX) != 0);
}

/// The folders that lead to it, by their real names.
static bool is_kept_above(const char *path)
{
  char *real = realpath(path, NULL);
  bool ok = real != NULL;
  for (char *end = real ? strrchr(real, '/') : NULL; ok && end != NULL; end = strrchr(real, '/')) {
    struct stat s;
    *end = '\0';
    ok = stat(*real != '\0' ? real : "/", &s) == 0 && is_kept(&s);
  }
  free(real);
  return ok;
}

static const char *fault(const char *path)
{
  struct stat s;
  if (geteuid() != getuid()) return "the program runs with other rights than the user's";
  if (mkdir(path, 0700) != 0 && errno != EEXIST && !(make_above(path) && mkdir(path, 0700) == 0))
    return "it cannot be made";
  if (lstat(path, &s) != 0 || !S_ISDIR(s.st_mode)) return "it is not a folder, or a link to one";
  if (s.st_uid != geteuid()) return "it belongs to somebody else";
  if ((s.st_mode & 077) != 0) return "others may look or write into it (its mode must be 0700)";
  if ((s.st_mode & 0700) != 0700) return "it may not be written to";
  return is_kept_above(path) ? NULL : "others may change a folder that leads to it";
}

amo_status amo_cache_folder(char **folder, const char **why)
{
  const char *own = getenv("AMONTONS_CACHE"),
             *said = "AMONTONS_CACHE, XDG_CACHE_HOME or HOME must be the full name of a folder";
  *folder = NULL;
  if (own != NULL && strcmp(own, "off") == 0) return AMO_EUNSUPPORTED;
  char *path = wanted();
  if (path != NULL) said = fault(path);
  if (path != NULL && said == NULL) {
    *folder = path;
    return AMO_OK;
  }
  free(path);
  if (why != NULL) *why = said;
  return AMO_EIO;
}
