# SPDX-License-Identifier: GPL-2.0-or-later
# The fuzz targets: one program per *_fuzz.cc. See fuzz/README.md.
file(GLOB fuzz_common CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cc)
file(GLOB fuzz_targets CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_fuzz.cc)
list(REMOVE_ITEM fuzz_common ${fuzz_targets})
list(FILTER fuzz_common EXCLUDE REGEX "make_seeds\\.cc$")

add_library(fusexfs_fuzz STATIC ${fuzz_common})
target_link_libraries(fusexfs_fuzz PUBLIC fusexfs_engine fusexfs_test_support)
fusexfs_use_precompiled(fusexfs_fuzz fusexfs_precompiled)

foreach(source ${fuzz_targets})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE fusexfs_fuzz)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  fusexfs_use_precompiled(${name} fusexfs_precompiled)
  list(APPEND fuzz_programs ${name})
endforeach()

add_executable(make_fuzz_seeds ${CMAKE_CURRENT_LIST_DIR}/make_seeds.cc)
target_link_libraries(make_fuzz_seeds PRIVATE fusexfs_fuzz)
target_link_options(make_fuzz_seeds PRIVATE -fsanitize=fuzzer-no-link)
fusexfs_use_precompiled(make_fuzz_seeds fusexfs_precompiled)

add_custom_target(fuzz DEPENDS ${fuzz_programs} make_fuzz_seeds)
