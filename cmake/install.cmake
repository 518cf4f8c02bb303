# SPDX-License-Identifier: Apache-2.0
# cmake --install build --prefix DIR, or make install PREFIX=DIR.

install(TARGETS amontons RUNTIME)
install(TARGETS amontons_static amontons_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(AMO_MPI_FOUND)
  install(TARGETS amontons_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/amontons COMPONENT mpi)
endif()
install(DIRECTORY include/amontons DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models gallery DESTINATION ${CMAKE_INSTALL_DATADIR}/amontons
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

# pkg-config and CMake: paths from where their files are, so that an installed tree may be moved.
include(CMakePackageConfigHelpers)
file(RELATIVE_PATH to_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
file(RELATIVE_PATH to_prefix_from_config "/${CMAKE_INSTALL_LIBDIR}/cmake/amontons" "/")
configure_file(amontons.pc.in amontons.pc @ONLY)
configure_file(cmake/amontonsConfig.cmake.in amontonsConfig.cmake @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/amontonsConfigVersion.cmake" VERSION ${PROJECT_VERSION}
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/amontons.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES "${PROJECT_BINARY_DIR}/amontonsConfig.cmake" "${PROJECT_BINARY_DIR}/amontonsConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/amontons)

if(TARGET manual)
  install(FILES "${PROJECT_BINARY_DIR}/amontons.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES "${PROJECT_BINARY_DIR}/amontons.bash" RENAME amontons
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  foreach(name model study results)
    install(FILES "${PROJECT_BINARY_DIR}/${name}.json" DESTINATION ${CMAKE_INSTALL_DATADIR}/amontons/schema)
  endforeach()
endif()
