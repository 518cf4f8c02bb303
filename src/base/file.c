// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
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
  int e = errno ? errno : EIO;  // a stream may have failed earlier
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
  // opening a pipe nobody writes to would wait for ever; what the shell has opened itself is fine
  if (strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 && stat(path, &info) == 0 &&
      S_ISFIFO(info.st_mode))
    return fail(diags, AMO_EIO, path, "read", "it is a pipe");
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

// ---- temporary files that a signal must find ----

enum { SLOTS = 8, NAME = 4096 };

/// Slot states; a signal handler reads only names that are complete.
enum { FREE, FILLING, TAKEN };

static struct {
  atomic_int state;
  char name[NAME];
} slot[SLOTS];

static const volatile sig_atomic_t *stop;

void amo_file_watch(const volatile sig_atomic_t *interrupted)
{
  stop = interrupted;
}

bool amo_file_interrupted(void)
{
  return stop && *stop;
}

/// A name that finds no slot is only not removed by a signal.
static void remember(const char *name)
{
  if (strlen(name) >= NAME) return;
  for (int i = 0; i < SLOTS; i++) {
    int expected = FREE;
    if (!atomic_compare_exchange_strong(&slot[i].state, &expected, FILLING)) continue;
    strcpy(slot[i].name, name);
    atomic_store(&slot[i].state, TAKEN);
    return;
  }
}

static void forget(const char *name)
{
  for (int i = 0; i < SLOTS; i++)
    if (atomic_load(&slot[i].state) == TAKEN && !strcmp(slot[i].name, name))
      atomic_store(&slot[i].state, FREE);
}

void amo_file_remove_temporaries(void)
{
  for (int i = 0; i < SLOTS; i++)
    if (atomic_load(&slot[i].state) == TAKEN) unlink(slot[i].name);
}

// ---- where a file goes ----

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

/// What is there already: *real is the file behind all links, *stream tells that it must not be replaced.
static amo_status look_at(const char *path, amo_diags *diags, char **real, bool *stream, mode_t *mode)
{
  struct stat info, link, out;
  *stream = false;
  *mode = 0;
  if (stat(path, &info) != 0) {
    if (errno == ENOENT && lstat(path, &link) == 0)
      return fail(diags, AMO_EIO, path, "write", "it is a link that leads nowhere");
    *real = amo_strdup(path);  // a new file; other troubles show when it is opened
    return *real ? AMO_OK : AMO_ENOMEM;
  }
  if (S_ISDIR(info.st_mode)) return fail(diags, AMO_EIO, path, "write", "it is a directory");
  // what our own output is redirected to is open already: replacing it would cut the rest off
  bool own = fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == info.st_dev && out.st_ino == info.st_ino;
  *stream = own || !S_ISREG(info.st_mode);
  *mode = info.st_mode & 0777;
  *real = *stream ? amo_strdup(path) : realpath(path, NULL);
  if (!*real) return fail_errno(diags, path, "write");
  if (!*stream && access(*real, W_OK) != 0) {
    amo_status st = fail_errno(diags, path, "write");
    free(*real);
    *real = NULL;
    return st;
  }
  return AMO_OK;
}

static void finish(amo_file_place *p)
{
  if (p->temporary) forget(p->temporary);
  free(p->path);
  free(p->temporary);
  *p = (amo_file_place){0};
}

amo_status amo_file_place_begin(const char *path, bool stream, amo_diags *diags, amo_file_place *out)
{
  bool special = false;
  mode_t mode = 0;
  amo_file_place p = {0};
  *out = p;
  if (!strcmp(path, "-"))
    return fail(diags, AMO_EINPUT, path, "write", "standard output takes text only; name a file");
  amo_status st = look_at(path, diags, &p.path, &special, &mode);
  if (st != AMO_OK) return st;
  if (special && !stream) st = fail(diags, AMO_EINPUT, path, "write", "it is not a plain file");
  if (special || st != AMO_OK) goto done;
  size_t size = strlen(p.path) + 48;
  p.temporary = malloc(size);
  if (!p.temporary) {
    st = AMO_ENOMEM;
    goto done;
  }
  int fd = open_beside(p.path, p.temporary, size);
  if (fd < 0) {
    st = fail_errno(diags, path, "write");
    goto done;
  }
  remember(p.temporary);
  if (mode) (void)!fchmod(fd, mode);  // the new file is as readable as the old one; no harm if it cannot be
  close(fd);
done:
  if (st == AMO_OK)
    *out = p;
  else
    finish(&p);
  return st;
}

amo_status amo_file_place_commit(amo_file_place *p, amo_diags *diags)
{
  amo_status st = AMO_OK;
  if (amo_file_interrupted()) st = fail(diags, AMO_EINTR, p->path, "write", "interrupted");
  if (st == AMO_OK && p->temporary && rename(p->temporary, p->path) != 0)
    st = fail_errno(diags, p->path, "write");
  if (st != AMO_OK && p->temporary) unlink(p->temporary);
  finish(p);
  return st;
}

void amo_file_place_abort(amo_file_place *p)
{
  if (p->temporary) unlink(p->temporary);
  finish(p);
}

// ---- writers ----

/// Our own output is written through its open descriptor, so that what follows goes on behind it.
static int open_stream(const char *path)
{
  struct stat info, out;
  bool own = stat(path, &info) == 0 && fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == info.st_dev &&
             out.st_ino == info.st_ino;
  return own ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

static amo_status begin(const char *path, bool stream, amo_diags *diags, amo_file_writer *out)
{
  amo_file_writer w = {0};
  *out = w;
  amo_status st = amo_file_place_begin(path, stream, diags, &w.place);
  if (st != AMO_OK) return st;
  int fd = w.place.temporary ? open(w.place.temporary, O_WRONLY | O_CLOEXEC) : open_stream(path);
  w.stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (!w.stream) {
    st = fail_errno(diags, path, "write");
    if (fd >= 0) close(fd);
    amo_file_place_abort(&w.place);
    return st;
  }
  *out = w;
  return AMO_OK;
}

amo_status amo_file_write_begin(const char *path, amo_diags *diags, amo_file_writer *out)
{
  return begin(path, false, diags, out);
}

amo_status amo_file_stream_begin(const char *path, amo_diags *diags, amo_file_writer *out)
{
  return begin(strcmp(path, "-") ? path : "/dev/fd/1", true, diags, out);
}

amo_status amo_file_write_commit(amo_file_writer *w, amo_diags *diags)
{
  if (!w->stream) return AMO_OK;
  errno = 0;
  bool bad = ferror(w->stream) != 0;
  if (fclose(w->stream) != 0) bad = true;
  w->stream = NULL;
  if (!bad) return amo_file_place_commit(&w->place, diags);
  bool gone = errno == EPIPE && !w->place.temporary;  // a reader that has seen enough is no error
  amo_status st = gone ? AMO_OK : fail_errno(diags, w->place.path, "write");
  amo_file_place_abort(&w->place);
  return st;
}

void amo_file_write_abort(amo_file_writer *w)
{
  if (!w->stream) return;
  fclose(w->stream);
  w->stream = NULL;
  amo_file_place_abort(&w->place);
}

amo_status amo_file_write_text(const char *path, const char *text, amo_diags *diags)
{
  amo_file_writer w = {0};
  bool own = !strcmp(path, "-");
  amo_status st = own ? amo_file_stream_begin(path, diags, &w) : amo_file_write_begin(path, diags, &w);
  if (st != AMO_OK) return st;
  fputs(text, w.stream);
  return amo_file_write_commit(&w, diags);
}

// ---- one file under two names ----

/// Folder and name of a file that need not exist, as a path without links; NULL if there is no such folder.
static char *resolved(const char *path)
{
  char *whole = realpath(path, NULL);
  if (whole) return whole;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char *folder = !slash ? amo_strdup(".") : amo_strndup(path, slash == path ? 1 : (size_t)(slash - path));
  char *real = folder ? realpath(folder, NULL) : NULL;
  size_t size = real ? strlen(real) + strlen(name) + 2 : 0;
  char *joined = real ? malloc(size) : NULL;
  if (joined) snprintf(joined, size, "%s/%s", real, name);
  free(folder);
  free(real);
  return joined;
}

bool amo_file_same(const char *a, const char *b)
{
  struct stat ia, ib;
  bool have_a = stat(a, &ia) == 0, have_b = stat(b, &ib) == 0;
  if (have_a != have_b) return false;
  if (have_a) return S_ISREG(ia.st_mode) && ia.st_dev == ib.st_dev && ia.st_ino == ib.st_ino;
  char *ra = resolved(a), *rb = resolved(b);
  bool same = ra && rb && !strcmp(ra, rb);
  free(ra);
  free(rb);
  return same;
}
