# SPDX-License-Identifier: GPL-2.0-or-later
# fusexfs-bench: the experiments, side by side with the kernel.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
add_executable(fusexfs-bench ${sources})
target_link_libraries(fusexfs-bench PRIVATE
  fusexfs_engine CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt)
fusexfs_use_precompiled(fusexfs-bench fusexfs_precompiled)
fusexfs_compile_quickly(main.cc report.cc)
install(TARGETS fusexfs-bench)
