# SPDX-License-Identifier: Apache-2.0
# How our C is compiled: amo_flags carries it to every target.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(amo_flags INTERFACE)
target_compile_definitions(amo_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(amo_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wvla
  # Results are the same bits in every build: no fused multiply-add, no reordering.
  -ffp-contract=off -fno-math-errno)
target_link_options(amo_flags INTERFACE -Wl,--as-needed)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")  # gcc knows that what is not named is zero
  target_compile_options(amo_flags INTERFACE -Wno-missing-field-initializers)
endif()
if(AMO_WERROR)
  target_compile_options(amo_flags INTERFACE -Werror)
endif()

if(AMO_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "AMO_FUZZ needs clang: cmake -DCMAKE_C_COMPILER=clang -DAMO_FUZZ=ON")
  endif()
  # clang's pointer-overflow also objects to "NULL + 0", the end of an empty array.
  set(sanitizers -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow)
elseif(AMO_SANITIZE)
  set(sanitizers -fsanitize=address,undefined)
endif()

if(sanitizers)
  list(APPEND sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(amo_flags INTERFACE ${sanitizers} -g -O1)
  target_link_options(amo_flags INTERFACE ${sanitizers})
  target_compile_definitions(amo_flags INTERFACE AMO_SANITIZE=1)  # compilers do not agree on a name of their own
elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Kernels are compiled for several instruction sets and chosen at load time. Sanitizers do not
  # go with the resolvers that this needs.
  target_compile_definitions(amo_flags INTERFACE AMO_TARGET_CLONES=1)
endif()
