# SPDX-License-Identifier: Apache-2.0
# Libraries we build on. docs/dependencies.md says why each; scripts/bootstrap installs them.

find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# amo_find(TARGET PACKAGE HEADER LIBRARY...): a target to link with, or one clear message.
function(amo_find target package header)
  find_path(${target}_INCLUDE ${header})
  set(found "")
  foreach(lib IN LISTS ARGN)
    find_library(${target}_${lib} ${lib})
    list(APPEND found "${${target}_${lib}}")
    mark_as_advanced(${target}_${lib})
  endforeach()
  mark_as_advanced(${target}_INCLUDE)
  if(NOT ${target}_INCLUDE OR "${found}" MATCHES "NOTFOUND")
    message(FATAL_ERROR "${header} or lib ${ARGN} is missing. Debian/Ubuntu: apt install ${package}\n"
                        "scripts/bootstrap installs everything that Amontons needs.")
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${found})
endfunction()

amo_find(dep_yaml libyaml-dev yaml.h yaml)
amo_find(dep_cjson libcjson-dev cjson/cJSON.h cjson)
amo_find(dep_sundials libsundials-dev cvode/cvode.h
         sundials_cvode sundials_nvecserial sundials_sunmatrixdense sundials_sunmatrixband
         sundials_sunlinsoldense sundials_sunlinsolband sundials_generic)
amo_find(dep_lapacke liblapacke-dev lapacke.h lapacke lapack blas)
amo_find(dep_cminpack libcminpack-dev cminpack-1/cminpack.h cminpack)

# Debian keeps a serial and an MPI build of HDF5 side by side; we want the serial one. It is not linked with but loaded when a file
# is written (src/result/h5_library.h), by the name that linking would have recorded.
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
find_program(AMO_READELF NAMES ${CMAKE_READELF} readelf)
mark_as_advanced(AMO_READELF)
list(GET HDF5_LINK_LIBRARIES 0 hdf5_file)
execute_process(COMMAND "${AMO_READELF}" -d "${hdf5_file}" OUTPUT_VARIABLE hdf5_says ERROR_QUIET)
if(NOT hdf5_says MATCHES "SONAME[^\\[]*\\[([^]]+)\\]")
  message(FATAL_ERROR "${hdf5_file} is not a shared library that says its name (readelf -d)")
endif()
set(AMO_HDF5_LIBRARY "${CMAKE_MATCH_1}" CACHE INTERNAL "shared library of HDF5")
add_library(dep_hdf5 INTERFACE)
target_include_directories(dep_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})

add_library(amo_engine_deps INTERFACE)
target_link_libraries(amo_engine_deps INTERFACE dep_yaml dep_cjson dep_hdf5 dep_sundials dep_lapacke
                      dep_cminpack Threads::Threads ${CMAKE_DL_LIBS} m)
