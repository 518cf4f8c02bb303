// SPDX-License-Identifier: Apache-2.0
/// The verbs that work on study files instead of a model. Their `run` is NULL: the command line calls
/// amo_test_main and amo_reproduce_main; the tables are for --help, the man page and completion.
#ifndef AMO_STUDY_STUDY_VERBS_H
#define AMO_STUDY_STUDY_VERBS_H

#include "ask/verb.h"

extern const amo_verb amo_verb_test, amo_verb_reproduce;

/// Render diagnostics to a stream; nothing if there are none.
void amo_print_diags(const amo_diags *d, FILE *err);

/// The folder of the gallery: --gallery, $AMONTONS_GALLERY, beside the program, or where it was installed.
/// Caller frees; NULL if there is none (reported).
char *amo_gallery_find(const char *program, const char *wanted, amo_diags *d);
/// Names of the study files in a folder and the folders in it, sorted, NULL-terminated; of a study file itself that one. Caller
/// frees each and the list.
char **amo_gallery_files(const char *path, amo_diags *d);

/// The folder of the models that come with the program. Caller frees; NULL if there is none (reported).
char *amo_models_find(const char *program, amo_diags *d);

/// Where a model or study of that name is installed (PREFIX/share/amontons/PATH), if there is no such file here. Caller
/// frees; NULL: it is here, or nowhere.
char *amo_installed_file(const char *program, const char *path);

#endif
