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

/// The first of these folders beside the program that is there; caller frees.
static char *find_beside(const char *program, const char *const *beside)
{
  char folder[3072], path[4096];
  bool known = program_folder(program, folder, sizeof folder);
  for (size_t i = 0; known && beside[i]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, beside[i]);
    if (is_folder(path)) {
      char *real = realpath(path, NULL);
      return real ? real : amo_strdup(path);
    }
  }
  return NULL;
}

char *amo_models_find(const char *program, amo_diags *d)
{
  static const char *const beside[] = {"../models", "../share/amontons/models", "models", "../../models",
                                       NULL};
  char *found = find_beside(program, beside);
  if (!found) amo_error(d, (amo_at){0}, NULL, "cannot find the models that come with the program");
  return found;
}

char *amo_gallery_find(const char *program, const char *wanted, amo_diags *d)
{
  static const char *const beside[] = {"../gallery", "../share/amontons/gallery", "gallery", "../../gallery",
                                       NULL};
  const char *env = getenv("AMONTONS_GALLERY");
  if (!wanted && env && env[0]) wanted = env;
  if (wanted) {
    if (access(wanted, R_OK) == 0) return amo_strdup(wanted);
    amo_error(d, (amo_at){0}, NULL, "there is no gallery '%s'", wanted);
    return NULL;
  }
  char *found = find_beside(program, beside);
  if (found) return found;
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
  return ((n > 5 && !strcmp(name + n - 5, ".yaml")) || (n > 4 && !strcmp(name + n - 4, ".yml")));
}

typedef struct file_list {
  char **path;
  size_t count, capacity;
} file_list;

/// A study, or the studies of a folder and of the folders in it.
static void gather(const char *path, file_list *list)
{
  DIR *dir = opendir(path);
  if (!dir) {
    char *copy =
        is_study(path) && AMO_ROOM(list->path, list->count, list->capacity) ? amo_strdup(path) : NULL;
    if (copy) list->path[list->count++] = copy;
    return;
  }
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    amo_text inside = {0};
    if (e->d_name[0] == '.') continue;
    amo_text_printf(&inside, "%s/%s", path, e->d_name);
    if (!inside.failed) gather(inside.data, list);
    amo_text_free(&inside);
  }
  closedir(dir);
}

char **amo_gallery_files(const char *path, amo_diags *d)
{
  file_list list = {0};
  if (access(path, R_OK) != 0) {
    amo_error(d, (amo_at){0}, NULL, "cannot read '%s'", path);
    return NULL;
  }
  gather(path, &list);
  if (list.count) qsort(list.path, list.count, sizeof *list.path, by_name);
  if (!AMO_ROOM(list.path, list.count, list.capacity)) return NULL;
  list.path[list.count] = NULL;
  return list.path;
}
