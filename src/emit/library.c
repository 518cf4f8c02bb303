// SPDX-License-Identifier: Apache-2.0
#include "emit/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "emit/cache.h"

void amo_library_close(amo_library *l)
{
  if (l->handle != NULL) dlclose(l->handle);
  l->handle = NULL;
}

/// What the compiler says of itself: part of the key, since another one, or another machine, needs other code.
static amo_status describe(amo_compiler_run *run, amo_compiler_language language, const char *folder,
                           amo_text *out)
{
  char *scratch = amo_cache_temporary(folder);
  if (scratch == NULL) return AMO_EIO;
  const amo_status st = amo_compiler_describe(run, language, scratch, out);
  unlink(scratch);
  free(scratch);
  return st == AMO_OK && out->failed ? AMO_ENOMEM : st;
}

/// The source with its key, into a file that is there.
static amo_status write_source(const char *path, const char *source, const char *key)
{
  FILE *f = fopen(path, "w");
  if (f == NULL) return AMO_EIO;
  bool ok = fprintf(f, "#define KEY \"%s\"\n#define ABI %d\n", key, AMO_EMIT_ABI) > 0;
  ok &= fputs(source, f) >= 0;
  ok &= fclose(f) == 0;
  return ok ? AMO_OK : AMO_EIO;
}

static amo_status compile(amo_compiler_run *run, amo_compiler_language language, const char *folder,
                          const char *source, const char *key)
{
  char *text = amo_cache_temporary(folder), *library = amo_cache_temporary(folder);
  amo_status st = text && library ? write_source(text, source, key) : AMO_EIO;
  if (st == AMO_OK) st = amo_compiler_compile(run, language, text, library);
  if (st == AMO_OK)
    st = amo_cache_store(folder, library, key);
  else if (library != NULL)
    unlink(library);
  if (text != NULL) unlink(text);
  free(text);
  free(library);
  if (st == AMO_OK) amo_cache_sweep(folder);
  return st;
}

/// The library of this key, made if it is missing; its path and the key.
static amo_status find(amo_compiler_run *run, amo_compiler_language language, const char *source,
                       char key[AMO_CACHE_KEY], char **path)
{
  char *folder;
  amo_text compiler = {0};
  *path = NULL;
  amo_status st = amo_cache_folder(&folder, NULL);
  if (st == AMO_OK) st = describe(run, language, folder, &compiler);
  if (st == AMO_OK) {
    amo_cache_key((const char *const[]){source, compiler.data}, 2, key);
    if (!amo_cache_holds(folder, key)) st = compile(run, language, folder, source, key);
    if (st == AMO_OK && (*path = amo_cache_path(folder, key)) == NULL) st = AMO_ENOMEM;
  }
  amo_text_free(&compiler);
  free(folder);
  return st;
}

static const void *open_library(const char *path, const char *symbol, void **handle)
{
  *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return *handle != NULL ? dlsym(*handle, symbol) : NULL;
}

static amo_status keep(const char *path, bool good, void **handle)
{
  if (good) return AMO_OK;
  if (*handle != NULL) dlclose(*handle);
  *handle = NULL;
  unlink(path);
  return AMO_EIO;
}

amo_status amo_library_open(amo_compiler_run *run, amo_compiler_language language, const char *source,
                            const char *symbol, void **handle)
{
  char key[AMO_CACHE_KEY], *path;
  *handle = NULL;
  amo_status st = find(run, language, source, key, &path);
  if (st == AMO_OK) {
    const char *const *shown = open_library(path, symbol, handle);
    st = keep(path, shown != NULL && strcmp(*shown, key) == 0, handle);
  }
  free(path);
  return st;
}

static bool fits(const amo_emitted_table *t, const char *key, int order, int lanes)
{
  return t != NULL && t->abi == AMO_EMIT_ABI && t->size == (int)sizeof *t && strcmp(t->key, key) == 0 &&
         t->code.order == order && t->code.lanes == lanes;
}

amo_status amo_library_get(amo_compiler_run *run, const char *source, int order, int lanes, amo_library *out)
{
  char key[AMO_CACHE_KEY], *path;
  amo_library l = {0};
  amo_status st = find(run, AMO_COMPILER_C, source, key, &path);
  if (st == AMO_OK) {
    const amo_emitted_table *t = open_library(path, AMO_EMIT_SYMBOL, &l.handle);
    const bool good = fits(t, key, order, lanes);
    if (good) l.code = t->code;
    st = keep(path, good, &l.handle);
  }
  if (st == AMO_OK) *out = l;
  free(path);
  return st;
}
