// SPDX-License-Identifier: GPL-2.0-or-later
// The names room on a test image.
#ifndef FUSEXFS_TESTS_SUPPORT_NAMES_CONTEXT_H_
#define FUSEXFS_TESTS_SUPPORT_NAMES_CONTEXT_H_

#include <gtest/gtest.h>

#include <string_view>

#include "fusexfs/names/context.h"
#include "tests/support/test_image.h"

namespace fusexfs {

inline NamesContext ContextOf(TestImage& image) {
  return {image.geometry, image.buffers, image.inodes};
}

// The inode; a failure of the test if it cannot be read.
inline InodeRef GetInode(TestImage& image, ondisk::InodeNumber number) {
  absl::StatusOr<InodeRef> inode = image.inodes.Get(number);
  EXPECT_TRUE(inode.ok()) << inode.status();
  return inode.ok() ? *std::move(inode) : InodeRef();
}

// The images of the tests' matrix: V5 with 4 KiB and 1 KiB blocks, 64 KiB
// directory blocks over 1 KiB blocks, deep trees, V4 without and with
// file types.
inline constexpr const char* kAllImages[] = {
    "tiny-v5", "tiny-1k", "dir64k-1k", "deep-names", "tiny-v4", "v4-1k"};

inline std::string ImageName(
    const testing::TestParamInfo<const char*>& instance) {
  std::string name = instance.param;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_NAMES_CONTEXT_H_
