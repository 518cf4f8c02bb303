# SPDX-License-Identifier: Apache-2.0
# The linker's list of what libamontons.so shows: what the headers declare with AMO_API, nothing else.
# usage: cmake -DOUT=FILE "-DHEADERS=a.h;b.h" -P exports.cmake
set(names "")
foreach(header IN LISTS HEADERS)
  file(READ "${header}" text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX MATCHALL "AMO_API[^;(]*amo_[a-z0-9_]+\\(" found "${text}")
  foreach(declaration IN LISTS found)
    string(REGEX REPLACE ".*[^a-z0-9_](amo_[a-z0-9_]+)\\($" "\\1" name "${declaration}")
    list(APPEND names ${name})
  endforeach()
endforeach()
list(JOIN names ";\n  " lines)
file(WRITE "${OUT}" "{\nglobal:\n  ${lines};\nlocal:\n  *;\n};\n")
