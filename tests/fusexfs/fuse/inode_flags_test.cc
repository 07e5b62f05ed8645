// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/inode_flags.h"

#include <gtest/gtest.h>

#include "libondisk/inode_core.h"

namespace fusexfs {
namespace {

Attributes WithFlags(uint16_t flags, uint64_t flags2 = 0) {
  Attributes attributes;
  attributes.flags = flags;
  attributes.flags2 = flags2;
  return attributes;
}

// The bits of di_flags as the kernel's xfs_io shows them (lsattr letters
// r p i a s A d t P n e E f S).
TEST(ExtendedFlagsTest, EveryVisibleDiskFlag) {
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 0)), uint32_t{FS_XFLAG_REALTIME});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 1)), uint32_t{FS_XFLAG_PREALLOC});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 3)), uint32_t{FS_XFLAG_IMMUTABLE});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 4)), uint32_t{FS_XFLAG_APPEND});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 5)), uint32_t{FS_XFLAG_SYNC});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 6)), uint32_t{FS_XFLAG_NOATIME});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 7)), uint32_t{FS_XFLAG_NODUMP});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 9)), uint32_t{FS_XFLAG_PROJINHERIT});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 11)), uint32_t{FS_XFLAG_EXTSIZE});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 12)),
            uint32_t{FS_XFLAG_EXTSZINHERIT});
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 14)), uint32_t{FS_XFLAG_FILESTREAM});
}

TEST(ExtendedFlagsTest, RealtimeBitmapFlagAndUnknownBitsAreHidden) {
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 2)), 0u);
  EXPECT_EQ(ExtendedFlags(WithFlags(1u << 15)), 0u);
}

TEST(ExtendedFlagsTest, SecondWordAndAttributeFork) {
  EXPECT_EQ(ExtendedFlags(WithFlags(0, ondisk::kInodeFlag2Dax)),
            uint32_t{FS_XFLAG_DAX});
  EXPECT_EQ(ExtendedFlags(WithFlags(0, ondisk::kInodeFlag2CowExtentSize)),
            uint32_t{FS_XFLAG_COWEXTSIZE});
  EXPECT_EQ(ExtendedFlags(WithFlags(0, ondisk::kInodeFlag2Reflink |
                                           ondisk::kInodeFlag2Bigtime |
                                           ondisk::kInodeFlag2Nrext64)),
            0u);
  Attributes attributes;
  attributes.has_attribute_fork = true;
  EXPECT_EQ(ExtendedFlags(attributes), uint32_t{FS_XFLAG_HASATTR});
}

TEST(ChattrFlagsTest, OnlyThoseThatLsattrKnows) {
  EXPECT_EQ(
      ChattrFlags(FS_XFLAG_IMMUTABLE | FS_XFLAG_APPEND | FS_XFLAG_HASATTR |
                  FS_XFLAG_PREALLOC | FS_XFLAG_PROJINHERIT),
      static_cast<uint32_t>(FS_IMMUTABLE_FL | FS_APPEND_FL |
                            FS_PROJINHERIT_FL));
}

TEST(ExtendedAttributesTest, HintsAreBytesAndCountOnlyWithTheirFlag) {
  Attributes attributes = WithFlags(1u << 11);
  attributes.extent_size_hint = 8;
  attributes.cow_extent_size_hint = 4;
  attributes.project = 99;
  attributes.data_extents = 5;
  const fsxattr out = ExtendedAttributes(attributes, 4096);
  EXPECT_EQ(out.fsx_extsize, 32768u);
  EXPECT_EQ(out.fsx_cowextsize, 0u);
  EXPECT_EQ(out.fsx_projid, 99u);
  EXPECT_EQ(out.fsx_nextents, 5u);
}

}  // namespace
}  // namespace fusexfs
