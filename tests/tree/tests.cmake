# SPDX-License-Identifier: GPL-2.0-or-later
# The tree's own promises (label "tree"): includes, golden images, documents.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME tree COMMAND ${Python3_EXECUTABLE} -B
                           ${CMAKE_CURRENT_LIST_DIR}/tree_test.py)
set_tests_properties(tree PROPERTIES
  LABELS tree TIMEOUT 300
  ENVIRONMENT "FUSEXFS_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
