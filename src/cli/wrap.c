// SPDX-License-Identifier: Apache-2.0
#include "cli/wrap.h"

#include <string.h>

void amo_wrap(FILE *out, const char *text, int column, int indent, int width)
{
  int at = column, words = 0;
  while (*text) {
    size_t n = strcspn(text, " \n");
    if (n && words && at + 1 + (int)n > width) {
      fprintf(out, "\n%*s", indent, "");
      at = indent;
      words = 0;
    }
    if (n) at += fprintf(out, "%s%.*s", words++ ? " " : "", (int)n, text);
    text += n;
    if (text[0] == '\n' && text[1] == '\n') {
      fprintf(out, "\n\n%*s", indent, "");
      at = indent;
      words = 0;
      text++;
    }
    if (*text) text++;
  }
  fprintf(out, "\n");
}
