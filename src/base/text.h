// SPDX-License-Identifier: Apache-2.0
/// A growing text. Failure is sticky, so a writer checks once at the end (amo_text_take).
#ifndef AMO_BASE_TEXT_H
#define AMO_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct amo_text {
  char *data;  // NUL-terminated when not NULL
  size_t size, cap;
  bool failed;  // out of memory happened; further writes are dropped
} amo_text;

void amo_text_add(amo_text *t, const char *s, size_t n);
void amo_text_str(amo_text *t, const char *s);
void amo_text_fill(amo_text *t, char c, size_t n);  // n times c
void amo_text_printf(amo_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/// Text from outside, made safe for a terminal: control characters and bytes that are not UTF-8 appear as \xNN, marks
/// that hide or turn text around as \uNNNN.
void amo_text_safe(amo_text *t, const char *s, size_t n);
/// Text within a JSON string; what amo_text_safe shows escaped is escaped here too, and reads back as it was.
void amo_text_json(amo_text *t, const char *s, size_t n);
/// The text, now the caller's (free()); NULL if any write failed. The buffer is empty afterwards.
char *amo_text_take(amo_text *t);
void amo_text_free(amo_text *t);

/// Is `s` one decimal number and nothing else? *out may be infinite (too large). strtod alone would take "nan", "inf"
/// and "0x1p3" too.
bool amo_decimal(const char *s, double *out);

/// Shortest of 15, 16 or 17 digits that reads back to x (finite).
void amo_number_text(double x, char out[32]);

/// Bytes of the UTF-8 character at s (n bytes left); 0 if it is not valid UTF-8.
size_t amo_utf8_length(const char *s, size_t n);
/// True for a character that is safe to show: not a control character (C0, DEL, C1) nor a mark that hides or turns text.
bool amo_utf8_printable(const char *s, size_t length);

#endif
