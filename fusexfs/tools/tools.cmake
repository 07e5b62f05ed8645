# SPDX-License-Identifier: GPL-2.0-or-later
# Each tool is a directory with its own CMakeLists.txt.
file(GLOB tool_lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
foreach(tool_list ${tool_lists})
  cmake_path(GET tool_list PARENT_PATH tool_directory)
  add_subdirectory(${tool_directory})
endforeach()
