// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/virtual_xattr.h"

#include <gtest/gtest.h>
#include <linux/fiemap.h>

namespace fusexfs {
namespace {

TEST(VirtualXattrOfTest, KnowsBothPrefixesAndNothingElse) {
  EXPECT_EQ(VirtualXattrOf("user.fusexfs.fiemap"), VirtualXattr::kFiemap);
  EXPECT_EQ(VirtualXattrOf("system.fusexfs.fiemap"), VirtualXattr::kFiemap);
  EXPECT_EQ(VirtualXattrOf("user.fusexfs.paths"), VirtualXattr::kPaths);
  EXPECT_EQ(VirtualXattrOf("system.fusexfs.version"), VirtualXattr::kVersion);
  for (const char* name :
       {"", "user.", "user.fusexfs", "user.fusexfs.", "user.fusexfs.fiemaps",
        "user.fusexfs.fiema", "trusted.fusexfs.fiemap", "fusexfs.fiemap",
        "user.fiemap", "User.fusexfs.fiemap", "system.posix_acl_access"}) {
    EXPECT_EQ(VirtualXattrOf(name), std::nullopt) << name;
  }
}

TEST(FiemapLineTest, FourColumnsWithFlagsByName) {
  FiemapExtent extent;
  extent.logical = 0;
  extent.physical = 98304;
  extent.length = 4096;
  EXPECT_EQ(FiemapLine(extent), "0 98304 4096 -\n");
  extent.logical = 9223372036854771712u;
  extent.flags = FIEMAP_EXTENT_LAST | FIEMAP_EXTENT_SHARED;
  EXPECT_EQ(FiemapLine(extent), "9223372036854771712 98304 4096 last,shared\n");
}

}  // namespace
}  // namespace fusexfs
