# Warnings, sanitizers and the one function that makes a library of a room.

add_library(fusexfs_compiler INTERFACE)
target_compile_options(fusexfs_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Werror)
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
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
