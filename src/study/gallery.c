// SPDX-License-Identifier: Apache-2.0
/// Where the gallery is, and what is in it.
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "study/study_verbs.h"
#include "base/mem.h"

static bool is_folder(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/// Folder of the running program: the link in /proc knows it even when argv[0] is a bare name.
static bool program_folder(const char *program, char *out, size_t size)
{
  ssize_t n = readlink("/proc/self/exe", out, size - 1);
  if (n > 0)
    out[n] = 0;
  else if (program && strchr(program, '/') && strlen(program) < size)
    strcpy(out, program);
  else
    return false;
  char *slash = strrchr(out, '/');
  if (!slash) return false;
  *slash = 0;
  return true;
}

char *amo_gallery_find(const char *program, const char *wanted, amo_diags *d)
{
  static const char *const beside[] = {"../gallery", "../share/amontons/gallery", "gallery", "../../gallery"};
  char folder[3072], path[4096];
  const char *env = getenv("AMONTONS_GALLERY");
  if (!wanted && env && env[0]) wanted = env;
  if (wanted) {
    if (is_folder(wanted)) return amo_strdup(wanted);
    amo_error(d, (amo_at){0}, NULL, "there is no gallery folder '%s'", wanted);
    return NULL;
  }
  bool known = program_folder(program, folder, sizeof folder);
  for (size_t i = 0; known && i < sizeof beside / sizeof beside[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, beside[i]);
    if (is_folder(path)) {
      char *real = realpath(path, NULL);
      return real ? real : amo_strdup(path);
    }
  }
  amo_error(d, (amo_at){0}, "set AMONTONS_GALLERY or use --gallery DIR", "cannot find the gallery");
  return NULL;
}

char *amo_installed_file(const char *program, const char *path)
{
  char folder[3072];
  amo_text t = {0};
  if (path[0] == '/' || strstr(path, "..") || access(path, F_OK) == 0) return NULL;
  if (!program_folder(program, folder, sizeof folder)) return NULL;
  amo_text_printf(&t, "%s/../share/amontons/%s", folder, path);
  char *file = amo_text_take(&t), *real = file ? realpath(file, NULL) : NULL;
  free(file);
  return real;
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_study(const char *name)
{
  size_t n = strlen(name);
  return name[0] != '.' &&
         ((n > 5 && !strcmp(name + n - 5, ".yaml")) || (n > 4 && !strcmp(name + n - 4, ".yml")));
}

char **amo_gallery_files(const char *folder, amo_diags *d)
{
  DIR *dir = opendir(folder);
  char **list = NULL;
  size_t n = 0, cap = 0;
  if (!dir) {
    amo_error(d, (amo_at){0}, NULL, "cannot read the folder '%s'", folder);
    return NULL;
  }
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    if (!is_study(e->d_name)) continue;
    amo_text path = {0};
    amo_text_printf(&path, "%s/%s", folder, e->d_name);
    if (!AMO_ROOM(list, n, cap)) break;
    list[n] = amo_text_take(&path);
    if (list[n]) n++;
  }
  closedir(dir);
  if (n) qsort(list, n, sizeof *list, by_name);
  if (!AMO_ROOM(list, n, cap)) return NULL;
  list[n] = NULL;
  return list;
}
