// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static amo_status fail(amo_diags *diags, amo_status st, const char *path, const char *verb, const char *why)
{
  amo_at nowhere = {0};
  amo_error(diags, nowhere, NULL, "cannot %s '%s': %s", verb, path, why);
  return st;
}

static amo_status fail_errno(amo_diags *diags, const char *path, const char *verb)
{
  char why[256] = "unknown reason";
  int e = errno;
  if (strerror_r(e, why, sizeof why) != 0) snprintf(why, sizeof why, "error %d", e);
  return fail(diags, e == ENOMEM ? AMO_ENOMEM : AMO_EIO, path, verb, why);
}

static amo_status too_large(amo_diags *diags, const char *path, size_t limit)
{
  char why[64];
  snprintf(why, sizeof why, "larger than %zu MB", limit >> 20);
  return fail(diags, AMO_ELIMIT, path, "read", why);
}

/// Reads to the end of the stream: also right for pipes, whose size is not known beforehand.
static amo_status slurp(FILE *f, const char *path, size_t limit, amo_diags *diags, char **text, size_t *size)
{
  size_t cap = 0, n = 0, got = 0;
  do {
    char *p = amo_grow(*text, &cap, n + 4096 + 1, 1);
    if (!p) return AMO_ENOMEM;
    *text = p;
    got = fread(p + n, 1, cap - n - 1, f);
    n += got;
    if (n > limit) return too_large(diags, path, limit);
  } while (got);
  if (ferror(f)) return fail_errno(diags, path, "read");
  (*text)[n] = '\0';
  *size = n;
  return AMO_OK;
}

amo_status amo_file_read(const char *path, size_t limit, amo_diags *diags, char **out, size_t *size)
{
  char *text = NULL;
  struct stat info;
  amo_status st = AMO_OK;
  *out = NULL;
  *size = 0;
  FILE *f = fopen(path, "rb");
  if (!f) return fail_errno(diags, path, "open");
  if (fstat(fileno(f), &info) != 0) {
    st = fail_errno(diags, path, "read");
  } else if (S_ISDIR(info.st_mode)) {
    st = fail(diags, AMO_EIO, path, "read", "it is a directory");
  } else if (S_ISREG(info.st_mode) && (unsigned long long)info.st_size > limit) {
    st = too_large(diags, path, limit);
  } else {
    st = slurp(f, path, limit, diags, &text, size);
  }
  fclose(f);
  if (st == AMO_OK)
    *out = text;
  else
    free(text);
  return st;
}

/// A fresh file beside the target. O_EXCL: never follow a link or reuse what somebody else put there.
static int open_beside(const char *path, char *name, size_t size)
{
  for (unsigned n = 0; n < 10000; n++) {
    snprintf(name, size, "%s.tmp-%ld-%u", path, (long)getpid(), n);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

amo_status amo_file_write_begin(const char *path, amo_diags *diags, amo_file_writer *out)
{
  amo_status st = AMO_OK;
  amo_file_writer w = {0};
  int fd = -1;
  size_t size = strlen(path) + 48;
  *out = w;
  w.path = amo_strdup(path);
  w.temporary = malloc(size);
  if (!w.path || !w.temporary) {
    st = AMO_ENOMEM;
    goto failed;
  }
  fd = open_beside(path, w.temporary, size);
  if (fd < 0) {
    st = fail_errno(diags, path, "write");
    goto failed;
  }
  w.stream = fdopen(fd, "wb");
  if (!w.stream) {
    st = fail_errno(diags, path, "write");
    close(fd);
    unlink(w.temporary);
    goto failed;
  }
  *out = w;
  return AMO_OK;
failed:
  free(w.path);
  free(w.temporary);
  return st;
}

static void finish(amo_file_writer *w)
{
  free(w->path);
  free(w->temporary);
  *w = (amo_file_writer){0};
}

amo_status amo_file_write_commit(amo_file_writer *w, amo_diags *diags)
{
  amo_status st = AMO_OK;
  if (!w->stream) return AMO_OK;
  errno = 0;
  bool bad = ferror(w->stream) != 0;
  if (fclose(w->stream) != 0) bad = true;
  w->stream = NULL;
  if (!bad) bad = rename(w->temporary, w->path) != 0;
  if (bad) {
    st = fail_errno(diags, w->path, "write");
    unlink(w->temporary);
  }
  finish(w);
  return st;
}

void amo_file_write_abort(amo_file_writer *w)
{
  if (!w->stream) return;
  fclose(w->stream);
  unlink(w->temporary);
  finish(w);
}
