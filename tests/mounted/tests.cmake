# SPDX-License-Identifier: GPL-2.0-or-later
# Tests over a mount: one CTest test for each file (label "mounted").
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB mounted_tests CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_LIST_DIR}/*_test.py ${CMAKE_CURRENT_LIST_DIR}/test_*.py)
foreach(path ${mounted_tests})
  get_filename_component(name ${path} NAME_WE)
  add_test(NAME mounted.${name} COMMAND ${Python3_EXECUTABLE} -B ${path})
  set_tests_properties(mounted.${name} PROPERTIES
    LABELS mounted TIMEOUT 1200
    ENVIRONMENT "FUSEXFS_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endforeach()
