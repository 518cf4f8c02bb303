// SPDX-License-Identifier: Apache-2.0
/// FNV-1a, for telling whether two things are the same.
#ifndef AMO_BASE_HASH_H
#define AMO_BASE_HASH_H

#include <stddef.h>
#include <string.h>

#define AMO_HASH 14695981039346656037ULL  // where a hash begins

static inline unsigned long long amo_hash(unsigned long long h, const void *data, size_t n)
{
  const unsigned char *p = data;
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211ULL;
  return h;
}

static inline unsigned long long amo_hash_text(unsigned long long h, const char *s)
{
  return amo_hash(h, s, strlen(s) + 1);  // the end counts: "ab" "c" is not "a" "bc"
}

#endif
