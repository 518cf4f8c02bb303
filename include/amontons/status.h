// SPDX-License-Identifier: Apache-2.0
/// Status codes: one list yields the enum, the names and the texts.
#ifndef AMONTONS_STATUS_H
#define AMONTONS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define AMO_API                __attribute__((visibility("default")))
#define AMO_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define AMO_API
#define AMO_PRINTF(fmt, first)
#endif

#define AMO_STATUS_LIST(X)                                               \
  X(OK, 0, "success")                                                    \
  X(EINPUT, 1, "bad input; the diagnostics say what and where")          \
  X(ENOANSWER, 2, "the question has no answer; the diagnostics say why") \
  X(EAUDIT, 3, "the result failed its own audit")                        \
  X(ENOMEM, 4, "out of memory")                                          \
  X(EIO, 5, "reading or writing failed")                                 \
  X(ERANGE, 6, "argument out of range")                                  \
  X(ELIMIT, 7, "a size or effort limit was reached")                     \
  X(EINTR, 8, "interrupted")                                             \
  X(EUNSUPPORTED, 9, "not supported by this method or build")

/// Options (amo_..._opts) begin with their size, which their _default sets: it is compiled into the program, so that a program
/// goes on to work with a later library whose options have more fields. _default calls _init(o, size), which writes the defaults of no
/// more than `size` bytes. A function that is given options of size 0 answers AMO_ERANGE; a field that only the program knows of, and
/// that is not zero, AMO_EUNSUPPORTED.
typedef enum amo_status {
#define AMO_STATUS_ENUM(name, value, text) AMO_##name = value,
  AMO_STATUS_LIST(AMO_STATUS_ENUM)  // one for each line of the list
#undef AMO_STATUS_ENUM
} amo_status;

/// "AMO_OK", ...; "AMO_?" for a value outside the list.
AMO_API const char *amo_status_name(amo_status st);
/// One sentence for a person.
AMO_API const char *amo_status_text(amo_status st);

#ifdef __cplusplus
}
#endif
#endif
