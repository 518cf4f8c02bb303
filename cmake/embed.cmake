# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE.c -DPREFIX=p_ -DHEADER=h.h -DNAMES="a;b" -DFILES="x;y" -P embed.cmake: files as C strings p_a, p_b,
# declared in h.h.
set(out "#include \"${HEADER}\"\n")
list(LENGTH NAMES count)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  list(GET NAMES ${i} name)
  list(GET FILES ${i} file)
  file(READ "${file}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  string(APPEND out "const char ${PREFIX}${name}[] =\n    \"${text}\";\n")
endforeach()
file(WRITE "${OUT}" "${out}")
