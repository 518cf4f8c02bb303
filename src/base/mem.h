// SPDX-License-Identifier: Apache-2.0
/// Memory helpers: growing arrays with overflow checks, and an arena for things that live together.
#ifndef AMO_BASE_MEM_H
#define AMO_BASE_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/// Make room for `need` items of `size` bytes. Returns the (moved) array, or NULL when out of
/// memory, and then the old array is still valid and *cap unchanged. New items are zeroed.
void *amo_grow(void *items, size_t *cap, size_t need, size_t size);

/// Room for one more item in a typed array: AMO_ROOM(v, n, cap) is true when v[n] may be written.
#define AMO_ROOM(v, n, cap) amo_room_((void **)&(v), &(cap), (size_t)(n) + 1, sizeof *(v))
bool amo_room_(void **items, size_t *cap, size_t need, size_t size);

/// calloc with at least one byte, so that NULL always means "out of memory".
void *amo_zalloc(size_t count, size_t size);
char *amo_strdup(const char *s);  // NULL s gives ""
char *amo_strndup(const char *s, size_t n);

/// An arena: many small blocks, freed at once. Blocks are zeroed and aligned for any type.
typedef struct amo_arena {
  struct amo_chunk *chunk;
  size_t used;   // in the newest chunk
  size_t total;  // bytes handed out, for limits
  bool failed;   // out of memory at least once: whoever fills many arrays asks at the end
} amo_arena;

void *amo_arena_alloc(amo_arena *a, size_t size);  // NULL when out of memory
/// The same number of zeroed items for each of several arrays: AMO_TAKE(&x->memory, double, n, &x->force, &x->speed).
#define AMO_TAKE(arena, type, count, ...) \
  amo_arena_take((arena), (count), sizeof(type), (void *)(type * *[]){__VA_ARGS__, NULL})
void amo_arena_take(amo_arena *a, size_t count, size_t size, void *pointers);
char *amo_arena_str(amo_arena *a, const char *s, size_t n);
char *amo_arena_printf(amo_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *amo_arena_vprintf(amo_arena *a, const char *fmt, va_list ap);
void amo_arena_free(amo_arena *a);  // the arena is empty and usable afterwards

#endif
