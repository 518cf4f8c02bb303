// SPDX-License-Identifier: Apache-2.0
/// The folder of compiled code: AMONTONS_CACHE, or amontons below XDG_CACHE_HOME, or below ~/.cache. What lies in it is run, so
/// it must be the user's own: a folder (not a link) that belongs to them and that nobody else may write to, below folders that nobody
/// else may change. Files appear whole, and carry what they were made from and their own check sum.
#ifndef AMO_EMIT_CACHE_H
#define AMO_EMIT_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "amontons/status.h"

/// The folder, made if it was missing; *folder is the caller's. AMO_EUNSUPPORTED: switched off (AMONTONS_CACHE=off). AMO_EIO: there is none
/// that is fit; *why (may be NULL) says so in words that live on.
amo_status amo_cache_folder(char **folder, const char **why);

enum { AMO_CACHE_KEY = 33 };  // 32 digits and an end

/// What a library is found by.
void amo_cache_key(const char *const *text, size_t n, char key[AMO_CACHE_KEY]);
/// Where it lies; the caller's.
char *amo_cache_path(const char *folder, const char *key);
/// A name of a file that is made now, empty, and only the user's; the caller's. NULL: the folder is full or may not be written to.
char *amo_cache_temporary(const char *folder);
/// Write key and check sum behind a library and put it in its place. It is removed if that fails.
amo_status amo_cache_store(const char *folder, const char *temporary, const char *key);
/// Is there a whole library of the user's own, made for this key? One that is not is removed. It counts as used now.
bool amo_cache_holds(const char *folder, const char *key);

typedef struct amo_cache_state {
  size_t files;
  long long bytes, most;  // most: what it may hold; the libraries unused for longest go first
} amo_cache_state;

/// Keeps the folder within its bounds and removes what broken-off runs have left.
void amo_cache_sweep(const char *folder);
void amo_cache_look(const char *folder, amo_cache_state *out);
/// Removes all that is ours. False: something stays.
bool amo_cache_clear(const char *folder);

#endif
