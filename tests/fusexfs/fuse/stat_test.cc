// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/stat.h"

#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "fusexfs/fuse/context.h"

namespace fusexfs {
namespace {

Attributes ADevice() {
  Attributes attributes;
  attributes.inode = ondisk::InodeNumber(131);
  attributes.generation = 9;
  attributes.mode = S_IFCHR | 0640;
  attributes.links = 3;
  attributes.user = 4294967294u;
  attributes.group = 70000;
  attributes.device_major = 511;
  attributes.device_minor = 262143;
  attributes.block_size = 4096;
  attributes.blocks = 8;
  attributes.access = {-2147483648, 1};
  attributes.modify = {16299260424, 999999999};
  attributes.change = {0, 0};
  return attributes;
}

TEST(ToStatTest, CarriesEveryField) {
  const struct stat out = ToStat(ADevice());
  EXPECT_EQ(out.st_ino, 131u);
  EXPECT_EQ(out.st_mode, static_cast<mode_t>(S_IFCHR | 0640));
  EXPECT_EQ(out.st_nlink, 3u);
  EXPECT_EQ(out.st_uid, 4294967294u);
  EXPECT_EQ(out.st_gid, 70000u);
  EXPECT_EQ(out.st_blksize, 4096);
  EXPECT_EQ(out.st_blocks, 8);
  EXPECT_EQ(out.st_atim.tv_sec, -2147483648);
  EXPECT_EQ(out.st_atim.tv_nsec, 1);
  EXPECT_EQ(out.st_mtim.tv_sec, 16299260424);
  EXPECT_EQ(out.st_mtim.tv_nsec, 999999999);
}

// FUSE carries 32 bits of st_rdev, laid out as the kernel's new_encode_dev:
// 0x1ff and 0x3ffff give 0x3ff1ffff there.
TEST(ToStatTest, DeviceNumberFitsFuse) {
  const struct stat out = ToStat(ADevice());
  EXPECT_EQ(out.st_rdev, 0x3ff1ffffu);
  EXPECT_EQ(major(out.st_rdev), 511u);
  EXPECT_EQ(minor(out.st_rdev), 262143u);
}

TEST(ToStatTest, MajorBeyondTheKernelsTwelveBitsIsCutAsTheKernelDoes) {
  Attributes attributes = ADevice();
  attributes.device_major = 0x1003;  // 13 bits, which XFS can hold
  EXPECT_EQ(major(ToStat(attributes).st_rdev), 3u);
  EXPECT_EQ(ToStat(attributes).st_rdev >> 32, 0u);
}

TEST(ToStatTest, LargestFileSizeSurvives) {
  Attributes attributes = ADevice();
  attributes.size = 9223372036854775807u;
  EXPECT_EQ(ToStat(attributes).st_size, 9223372036854775807);
}

TEST(ToStatxTest, CarriesEveryField) {
  Attributes attributes = ADevice();
  attributes.size = 9223372036854775807u;
  attributes.birth = Timestamp{-2147483647, 123456789};
  const struct statx out = ToStatx(attributes);
  EXPECT_EQ(out.stx_mask, 0xfffu);  // STATX_BASIC_STATS and STATX_BTIME
  EXPECT_EQ(out.stx_ino, 131u);
  EXPECT_EQ(out.stx_mode, S_IFCHR | 0640);
  EXPECT_EQ(out.stx_nlink, 3u);
  EXPECT_EQ(out.stx_uid, 4294967294u);
  EXPECT_EQ(out.stx_gid, 70000u);
  EXPECT_EQ(out.stx_rdev_major, 511u);
  EXPECT_EQ(out.stx_rdev_minor, 262143u);
  EXPECT_EQ(out.stx_size, 9223372036854775807u);
  EXPECT_EQ(out.stx_blksize, 4096u);
  EXPECT_EQ(out.stx_blocks, 8u);
  EXPECT_EQ(out.stx_atime.tv_sec, -2147483648);
  EXPECT_EQ(out.stx_atime.tv_nsec, 1u);
  EXPECT_EQ(out.stx_mtime.tv_sec, 16299260424);
  EXPECT_EQ(out.stx_mtime.tv_nsec, 999999999u);
  EXPECT_EQ(out.stx_btime.tv_sec, -2147483647);
  EXPECT_EQ(out.stx_btime.tv_nsec, 123456789u);
}

TEST(ToStatxTest, MajorBeyondTheKernelsTwelveBitsIsCutAsInStat) {
  Attributes attributes = ADevice();
  attributes.device_major = 0x1003;
  EXPECT_EQ(ToStatx(attributes).stx_rdev_major, 3u);
}

// Inodes of V4 images have none.
TEST(ToStatxTest, NoBirthTimeIsNotClaimed) {
  const struct statx out = ToStatx(ADevice());
  EXPECT_EQ(out.stx_mask, 0x7ffu);
  EXPECT_EQ(out.stx_btime.tv_sec, 0);
}

TEST(ToEntryTest, NodeGenerationAndTimeouts) {
  const NodeIds nodes(ondisk::InodeNumber(128));
  const fuse_entry_param entry = ToEntry(nodes, ADevice());
  EXPECT_EQ(entry.ino, 131u);
  EXPECT_EQ(entry.generation, 9u);
  EXPECT_EQ(entry.attr.st_ino, 131u);
  EXPECT_GE(entry.attr_timeout, 1e9);
  EXPECT_GE(entry.entry_timeout, 1e9);
}

TEST(ToEntryTest, RootKeepsItsNumberForPeople) {
  Attributes attributes = ADevice();
  attributes.mode = S_IFDIR | 0755;
  const fuse_entry_param entry = ToEntry(NodeIds(attributes.inode), attributes);
  EXPECT_EQ(entry.ino, 1u);
  EXPECT_EQ(entry.generation, 0u);
  EXPECT_EQ(entry.attr.st_ino, 131u);
}

}  // namespace
}  // namespace fusexfs
