// SPDX-License-Identifier: Apache-2.0
#include "result/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define MAX_SVG ((size_t)32 << 20)

const char amo_html_style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--paper:#fff;--line:#d0d7de;--good:#116329;"
    "--bad:#a40e26;--card:#f6f8fa}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa4af;--paper:#0d1117;--line:#30363d;"
    "--good:#56d364;--bad:#ff7b72;--card:#161b22}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:62rem;"
    "margin:2rem auto;padding:0 1rem}\n"
    "h1{margin-bottom:.2rem}h2{border-top:1px solid var(--line);padding-top:1.4rem;margin-top:2.4rem}\n"
    "a{color:inherit}.soft{color:var(--soft)}table{border-collapse:collapse;width:100%;font-size:.9rem;"
    "margin:.6rem 0;display:block;overflow-x:auto}\n"
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "td.n{font-variant-numeric:tabular-nums;white-space:nowrap}code,pre{font:.85em ui-monospace,monospace}\n"
    "pre{background:var(--card);padding:.6rem .8rem;border-radius:6px;overflow-x:auto}\n"
    ".good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}\n"
    // Figures keep a white sheet in dark mode: their colours are chosen for it.
    "figure{margin:1rem 0;background:#fff;color:#000;border:1px solid "
    "var(--line);border-radius:6px;padding:.5rem}\n"
    "figure svg{max-width:100%;height:auto;display:block;margin:auto}figcaption{font-size:.9rem;color:#444;"
    "text-align:center}\n"
    ".note{border-left:4px solid var(--line);padding:.1rem .9rem;background:var(--card)}\n";

/// Text for HTML, also within a quoted attribute; control characters are shown, not obeyed.
void amo_html_text(FILE *f, const char *s)
{
  for (size_t n = strlen(s), length; n; s += length, n -= length) {
    length = amo_utf8_length(s, n);
    const char *name = *s == '<'   ? "&lt;"
                       : *s == '>' ? "&gt;"
                       : *s == '&' ? "&amp;"
                       : *s == '"' ? "&quot;"
                                   : NULL;
    amo_text t = {0};
    if (name || *s == '\n' || *s == '\t')
      fputs(name ? name : " ", f);
    else if (length && amo_utf8_printable(s, length))
      fwrite(s, 1, length, f);
    else {
      amo_text_safe(&t, s, length = length ? length : 1);
      if (t.data) fputs(t.data, f);
    }
    amo_text_free(&t);
  }
}

/// Copy SVG text with its ids made unique: drawings by one program name their parts alike, and on one
/// page the first `#gpDot` would serve them all.
static void put_renamed(FILE *f, const char *s, const char *end, int number)
{
  static const char *const mark[] = {" id=\"", "href=\"#", "url(#", " id='", "href='#"};
  while (s < end) {
    size_t n = 0;
    for (size_t i = 0; i < sizeof mark / sizeof mark[0] && !n; i++)
      if (!strncmp(s, mark[i], strlen(mark[i]))) n = strlen(mark[i]);
    if (n) {
      fwrite(s, 1, n, f);
      fprintf(f, "f%d-", number);
      s += n;
    } else {
      fputc(*s++, f);
    }
  }
}

/// The drawing itself: what stands between <svg and </svg>, so that no XML prologue lands in the page.
amo_status amo_html_svg(FILE *f, const char *path, int number, amo_diags *d)
{
  char *text = NULL;
  size_t size = 0;
  amo_status st = amo_file_read(path, MAX_SVG, d, &text, &size);
  const char *begin = st == AMO_OK ? strstr(text, "<svg") : NULL,
             *end = begin ? strstr(begin, "</svg>") : NULL;
  if (end) put_renamed(f, begin, end + 6, number);
  free(text);
  return st;
}
