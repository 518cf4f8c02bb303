// SPDX-License-Identifier: Apache-2.0
/// Files of the source as texts, put together by cmake/embed.cmake: what an emitted source consists of besides its lists.
#ifndef AMO_EMIT_TEXTS_H
#define AMO_EMIT_TEXTS_H

extern const char amo_emit_text_head[], amo_emit_text_statements[], amo_emit_text_entry[];    // src/emit
extern const char amo_emit_text_instr[], amo_emit_text_power[], amo_emit_text_recurrences[];  // src/expr

#endif
