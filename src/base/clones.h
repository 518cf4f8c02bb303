// SPDX-License-Identifier: Apache-2.0
/// AMO_TARGET_CLONES=1: the kernels are compiled for AVX2 and for the baseline, chosen at load time.
/// Neither version may fuse multiply and add, so both give the same bits. Sanitizers cannot run the
/// chooser before they are set up, hence 0 there.
#ifndef AMO_BASE_CLONES_H
#define AMO_BASE_CLONES_H

#ifndef AMO_TARGET_CLONES
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__) && \
    !defined(AMO_SANITIZE)
#define AMO_TARGET_CLONES 1
#else
#define AMO_TARGET_CLONES 0
#endif
#endif

#if AMO_TARGET_CLONES
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

#endif
