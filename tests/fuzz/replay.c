// SPDX-License-Identifier: Apache-2.0
/// Feeds every file of the named folders to a fuzz target, where libFuzzer is not at hand.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_BYTES ((size_t)4 << 20)

static int replay_file(const char *path)
{
  FILE *f = fopen(path, "rb");
  if (!f) return perror(path), 1;
  uint8_t *data = malloc(MAX_BYTES);
  size_t size = data ? fread(data, 1, MAX_BYTES, f) : 0;
  fclose(f);
  // A block of exactly `size` bytes, so that reading beyond it is seen.
  uint8_t *exact = data ? realloc(data, size ? size : 1) : NULL;
  if (!exact) return free(data), 1;
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 0;
}

int main(int argc, char **argv)
{
  int files = 0, bad = 0;
  for (int i = 1; i < argc; i++) {
    DIR *d = opendir(argv[i]);
    if (!d) return perror(argv[i]), 1;
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
      char path[4096];
      if (e->d_name[0] == '.') continue;
      int n = snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
      if (n < 0 || (size_t)n >= sizeof path) continue;
      bad += replay_file(path);
      files++;
    }
    closedir(d);
  }
  printf("%d files replayed\n", files);
  return bad || !files;  // an empty corpus proves nothing
}
