// SPDX-License-Identifier: Apache-2.0
#include "base/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Chunks grow from the first size to the last. Checkers of memory see each array by itself.
#ifdef AMO_SANITIZE
static const size_t first_chunk = 0, last_chunk = 0;
#else
static const size_t first_chunk = 960, last_chunk = (size_t)64 * 1024;
#endif

void *amo_grow(void *items, size_t *cap, size_t need, size_t size)
{
  if (need <= *cap && items) return items;
  size_t want = *cap < 8 ? 8 : *cap;
  while (want < need) {
    if (want > SIZE_MAX / 2) return NULL;
    want *= 2;
  }
  if (size && want > SIZE_MAX / size) return NULL;
  char *p = realloc(items, want * size);
  if (!p) return NULL;
  size_t old = items ? *cap : 0;
  memset(p + old * size, 0, (want - old) * size);
  *cap = want;
  return p;
}

bool amo_room_(void **items, size_t *cap, size_t need, size_t size)
{
  void *p = NULL;
  memcpy(&p, items, sizeof p);  // the caller's pointer has its own type: copy, do not alias
  p = amo_grow(p, cap, need, size);
  if (!p) return false;
  memcpy(items, &p, sizeof p);
  return true;
}

void *amo_zalloc(size_t count, size_t size)
{
  return calloc(count ? count : 1, size ? size : 1);
}

char *amo_strndup(const char *s, size_t n)
{
  char *p = n < SIZE_MAX ? malloc(n + 1) : NULL;
  if (!p) return NULL;
  if (n) memcpy(p, s, n);
  p[n] = '\0';
  return p;
}

char *amo_strdup(const char *s)
{
  return s ? amo_strndup(s, strlen(s)) : amo_strndup("", 0);
}

struct amo_chunk {
  struct amo_chunk *next;
  size_t size;
  alignas(max_align_t) char data[];
};

static size_t round_up(size_t n)
{
  const size_t a = last_chunk ? alignof(max_align_t) : 1;  // alone in its chunk nothing need be aligned
  return n > SIZE_MAX - a ? 0 : (n + a - 1) / a * a;
}

/// A new chunk with room for n bytes.
static bool add_chunk(amo_arena *a, size_t n)
{
  size_t bytes = a->chunk ? 2 * a->chunk->size : first_chunk;
  if (bytes > last_chunk) bytes = last_chunk;
  if (bytes < n) bytes = n;
  struct amo_chunk *c =
      n && bytes <= SIZE_MAX - sizeof(struct amo_chunk) ? calloc(1, sizeof *c + bytes) : NULL;
  a->failed |= !c;
  if (!c) return false;
  *c = (struct amo_chunk){.next = a->chunk, .size = bytes};
  a->chunk = c;
  a->used = 0;
  return true;
}

void *amo_arena_alloc(amo_arena *a, size_t size)
{
  size_t n = round_up(size ? size : 1);
  if ((!n || !a->chunk || a->chunk->size - a->used < n) && !add_chunk(a, n)) return NULL;
  void *p = a->chunk->data + a->used;
  a->used += n;
  a->total += n;
  return p;
}

void amo_arena_take(amo_arena *a, size_t count, size_t size, void *pointers)
{
  for (char *at = pointers;; at += sizeof(void *)) {
    void *place, *p = NULL;
    memcpy(&place, at, sizeof place);
    if (!place) return;
    if (count <= SIZE_MAX / size)
      p = amo_arena_alloc(a, count * size);
    else
      a->failed = true;
    memcpy(place, &p, sizeof p);  // the caller's pointer has its own type: copy, do not alias
  }
}

char *amo_arena_str(amo_arena *a, const char *s, size_t n)
{
  char *p = n < SIZE_MAX ? amo_arena_alloc(a, n + 1) : NULL;
  if (p && n) memcpy(p, s, n);
  return p;
}

char *amo_arena_vprintf(amo_arena *a, const char *fmt, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  char *p = n >= 0 ? amo_arena_alloc(a, (size_t)n + 1) : NULL;
  if (p) vsnprintf(p, (size_t)n + 1, fmt, ap);
  return p;
}

char *amo_arena_printf(amo_arena *a, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  char *p = amo_arena_vprintf(a, fmt, ap);
  va_end(ap);
  return p;
}

void amo_arena_free(amo_arena *a)
{
  while (a->chunk) {
    struct amo_chunk *next = a->chunk->next;
    free(a->chunk);
    a->chunk = next;
  }
  *a = (amo_arena){0};
}
