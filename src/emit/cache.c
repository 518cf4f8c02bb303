// SPDX-License-Identifier: Apache-2.0
#include "emit/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

static const long long most_bytes = 64LL << 20, most_library = 32LL << 20;
static const double left_over = 3600.0;  // seconds after which a temporary file is nobody's
static const char library_end[] = ".so", temporary_start[] = "tmp-";

/// Behind a library: "\namontons KEY SUM\n".
enum { SEAL = 10 + 32 + 1 + 16 + 1 };

// ---- names ----

void amo_cache_key(const char *const *text, size_t n, char key[AMO_CACHE_KEY])
{
  unsigned long long a = AMO_HASH, b = ~AMO_HASH;
  for (size_t i = 0; i < n; i++) {
    a = amo_hash_text(a, text[i]);
    b = amo_hash_text(b ^ a, text[i]);
  }
  snprintf(key, AMO_CACHE_KEY, "%016llx%016llx", a, b);
}

char *amo_cache_path(const char *folder, const char *key)
{
  amo_text t = {0};
  amo_text_printf(&t, "%s/%s%s", folder, key, library_end);
  return amo_text_take(&t);
}

char *amo_cache_temporary(const char *folder)
{
  amo_text t = {0};
  amo_text_printf(&t, "%s/%sXXXXXX", folder, temporary_start);
  char *path = amo_text_take(&t);
  const int fd = path ? mkstemp(path) : -1;
  if (fd >= 0) {
    close(fd);
    return path;
  }
  free(path);
  return NULL;
}

// ---- seals ----

static void make_seal(const char *key, const char *data, size_t n, char seal[SEAL + 1])
{
  snprintf(seal, SEAL + 1, "\namontons %.32s %016llx\n", key, amo_hash(AMO_HASH, data, n));
}

amo_status amo_cache_store(const char *folder, const char *temporary, const char *key)
{
  char *data = NULL, *path = amo_cache_path(folder, key), seal[SEAL + 1];
  size_t n = 0;
  amo_status st = path ? amo_file_read(temporary, (size_t)most_library, NULL, &data, &n) : AMO_ENOMEM;
  const int fd = st == AMO_OK ? open(temporary, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (fd >= 0) {
    make_seal(key, data, n, seal);
    const bool written = write(fd, seal, SEAL) == SEAL && fchmod(fd, 0600) == 0;
    if (close(fd) != 0 || !written || rename(temporary, path) != 0) st = AMO_EIO;
  } else if (st == AMO_OK) {
    st = AMO_EIO;
  }
  if (st != AMO_OK) unlink(temporary);
  free(data);
  free(path);
  return st;
}

/// A plain file of the user's that nobody else may write to. Its contents; NULL: it is not.
static char *read_own(const char *path, size_t *n)
{
  struct stat s;
  char *data = NULL;
  const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  const bool own =
      fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() && (s.st_mode & 022) == 0;
  if (own && s.st_size > SEAL && s.st_size <= most_library) data = malloc((size_t)s.st_size);
  *n = data ? (size_t)s.st_size : 0;
  if (data != NULL && read(fd, data, *n) != (ssize_t)*n) {
    free(data);
    data = NULL;
  }
  close(fd);
  return data;
}

bool amo_cache_holds(const char *folder, const char *key)
{
  char *path = amo_cache_path(folder, key), seal[SEAL + 1];
  size_t n = 0;
  char *data = path ? read_own(path, &n) : NULL;
  bool good = data != NULL;
  if (good) {
    make_seal(key, data, n - SEAL, seal);
    good = memcmp(data + n - SEAL, seal, SEAL) == 0;
  }
  if (good)
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
  else if (path != NULL)
    unlink(path);
  free(data);
  free(path);
  return good;
}

// ---- all of them ----

typedef struct entry {
  char name[AMO_CACHE_KEY + sizeof library_end];
  double used;  // [s]
  long long bytes;
  bool temporary;
} entry;

typedef struct listing {
  int fd;  // of the folder
  entry *item;
  size_t count, room;
} listing;

static bool is_ours(const char *name, bool *temporary)
{
  const size_t n = strlen(name), end = strlen(library_end);
  *temporary = strncmp(name, temporary_start, strlen(temporary_start)) == 0;
  if (*temporary) return n < sizeof((entry *)0)->name;
  return n == AMO_CACHE_KEY - 1 + end && strspn(name, "0123456789abcdef") == AMO_CACHE_KEY - 1 &&
         strcmp(name + n - end, library_end) == 0;
}

static void add_entry(listing *l, const char *name)
{
  struct stat s;
  entry e = {0};
  if (!is_ours(name, &e.temporary) || fstatat(l->fd, name, &s, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (l->count == l->room) {
    const size_t room = l->room ? 2 * l->room : 64;
    entry *item = realloc(l->item, room * sizeof *item);
    if (item == NULL) return;
    l->item = item;
    l->room = room;
  }
  snprintf(e.name, sizeof e.name, "%s", name);
  e.used = (double)s.st_mtim.tv_sec + 1e-9 * (double)s.st_mtim.tv_nsec;
  e.bytes = (long long)s.st_size;
  l->item[l->count++] = e;
}

static int by_use(const void *a, const void *b)
{
  const double x = ((const entry *)a)->used, y = ((const entry *)b)->used;
  return (x > y) - (x < y);
}

/// Oldest first. Close it with close_listing.
static listing list_folder(const char *folder)
{
  listing l = {.fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  const int copy = l.fd >= 0 ? fcntl(l.fd, F_DUPFD_CLOEXEC, 0) : -1;
  DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
  if (d == NULL && copy >= 0) close(copy);
  for (struct dirent *e = d ? readdir(d) : NULL; e != NULL; e = readdir(d)) add_entry(&l, e->d_name);
  if (d != NULL) closedir(d);
  if (l.count > 0) qsort(l.item, l.count, sizeof *l.item, by_use);
  return l;
}

static void close_listing(listing *l)
{
  if (l->fd >= 0) close(l->fd);
  free(l->item);
}

void amo_cache_look(const char *folder, amo_cache_state *out)
{
  listing l = list_folder(folder);
  *out = (amo_cache_state){.most = most_bytes};
  for (size_t i = 0; i < l.count; i++) {
    out->files += !l.item[i].temporary;
    out->bytes += l.item[i].bytes;
  }
  close_listing(&l);
}

void amo_cache_sweep(const char *folder)
{
  listing l = list_folder(folder);
  long long bytes = 0;
  const double now = (double)time(NULL);
  for (size_t i = 0; i < l.count; i++) bytes += l.item[i].bytes;
  for (size_t i = 0; i < l.count; i++) {
    const entry *e = &l.item[i];
    const bool goes = e->temporary ? now - e->used > left_over : bytes > most_bytes;
    if (goes && unlinkat(l.fd, e->name, 0) == 0) bytes -= e->bytes;
  }
  close_listing(&l);
}

bool amo_cache_clear(const char *folder)
{
  listing l = list_folder(folder);
  bool all = l.fd >= 0;
  for (size_t i = 0; i < l.count; i++) all &= unlinkat(l.fd, l.item[i].name, 0) == 0;
  close_listing(&l);
  return all;
}
