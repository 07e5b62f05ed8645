# SPDX-License-Identifier: GPL-2.0-or-later
# Warnings, sanitizers and the one function that makes a library of a room.

add_library(fusexfs_compiler INTERFACE)
target_compile_options(fusexfs_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
target_include_directories(fusexfs_compiler INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(fusexfs_compiler INTERFACE
  FUSEXFS_VERSION="${PROJECT_VERSION}" _FILE_OFFSET_BITS=64)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(fusexfs_compiler INTERFACE
    -Wthread-safety -Wno-gnu-zero-variadic-macro-arguments)
endif()

if(FUSEXFS_SANITIZE)
  add_compile_options(-fsanitize=${FUSEXFS_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FUSEXFS_SANITIZE})
endif()
if(FUSEXFS_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Headers take most of the time of a build: they are compiled once, for all
# libraries and tools, and once more with GoogleTest for all tests. One setting of
# position independence for all, so that all can share them.
option(FUSEXFS_PRECOMPILE "Precompile the common headers" ON)
add_compile_options(-fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-fpch-preprocess)  # lets ccache look inside
else()
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# Makes `name` the place where `headers` are precompiled.
function(fusexfs_add_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBS" ${ARGN})
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled/${name}.cc "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL
              ${CMAKE_BINARY_DIR}/precompiled/${name}.cc)
  target_link_libraries(${name} PRIVATE fusexfs_compiler ${ARG_LIBS})
  if(FUSEXFS_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  endif()
endfunction()

function(fusexfs_use_precompiled name from)
  if(FUSEXFS_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM ${from})
  endif()
endfunction()

# Command lines and reports instantiate large header libraries and run once:
# `sources` are compiled without optimization, which halves their time.
function(fusexfs_compile_quickly)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS "-O0;-g1" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# A static library of all .cc files of the current directory and the named
# subdirectories.
function(fusexfs_add_library name)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBS" ${ARGN})
  set(globs ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  foreach(room ${ARG_ROOMS})
    list(APPEND globs ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cc)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${globs})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC fusexfs_compiler ${ARG_LIBS})
  fusexfs_use_precompiled(${name} fusexfs_precompiled)
endfunction()
