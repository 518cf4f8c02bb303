# SPDX-License-Identifier: Apache-2.0
# cmake --install build --prefix DIR, or make install PREFIX=DIR.

install(TARGETS amontons RUNTIME)
install(TARGETS amontons_static amontons_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/amontons DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models gallery DESTINATION ${CMAKE_INSTALL_DATADIR}/amontons
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_file(amontons.pc.in amontons.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/amontons.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET manual)
  install(FILES "${PROJECT_BINARY_DIR}/amontons.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES "${PROJECT_BINARY_DIR}/amontons.bash" RENAME amontons
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
