# SPDX-License-Identifier: Apache-2.0
# The module with MPI, where MPI is found. The program loads it when mpirun has started several of it; library and program do not
# link with MPI.
option(AMO_MPI "Maps and bootstraps under mpirun, where MPI is found" ON)
set(AMO_MPI_FOUND OFF)
if(AMO_MPI)
  find_package(MPI QUIET COMPONENTS C)
  set(AMO_MPI_FOUND ${MPI_C_FOUND})
endif()
if(AMO_MPI_FOUND)
  add_library(amontons_mpi MODULE src/mpi/ranks.c)
  set_target_properties(amontons_mpi PROPERTIES PREFIX "" OUTPUT_NAME amontons-mpi
                        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(amontons_mpi PRIVATE include src)
  target_include_directories(amontons_mpi SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
  target_link_libraries(amontons_mpi PRIVATE amo_flags ${MPI_C_LIBRARIES})
  add_dependencies(amontons amontons_mpi)
else()
  message(STATUS "no MPI (package libopenmpi-dev): amontons does not run under mpirun, --part works")
endif()
# Where an installed program looks for it, from its own folder.
file(RELATIVE_PATH modules "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}/amontons")
string(REGEX REPLACE "^\\.\\./" "" modules "${modules}")
target_compile_definitions(program PRIVATE AMO_MODULES="${modules}")
