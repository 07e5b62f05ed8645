// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/kernel_mounts.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.h"

namespace fusexfs {
namespace {

TEST(KernelMountTest, LineIsTakenApart) {
  const auto mount = KernelMount::Parse(
      "41 27 7:3 / /mnt/image rw,relatime shared:12 master:1 - xfs /dev/loop3 "
      "rw,attr2,inode64");
  ASSERT_TRUE(mount.has_value());
  EXPECT_EQ(mount->device, "7:3");
  EXPECT_EQ(mount->mount_point, "/mnt/image");
  EXPECT_EQ(mount->type, "xfs");
  EXPECT_TRUE(mount->writes);
}

TEST(KernelMountTest, FilesystemDecidesWhoWritesNotTheMountPoint) {
  const auto bind = KernelMount::Parse(
      "42 27 7:3 /sub /mnt/bound ro,relatime - xfs /dev/loop3 rw,attr2");
  ASSERT_TRUE(bind.has_value());
  EXPECT_TRUE(bind->writes);
  const auto read_only = KernelMount::Parse(
      "43 27 7:3 / /mnt/image rw - xfs /dev/loop3 ro,attr2,rwx");
  ASSERT_TRUE(read_only.has_value());
  EXPECT_FALSE(read_only->writes);
}

TEST(KernelMountTest, QuotedAndOddMountPointsAreReadAsTheyAre) {
  const auto mount = KernelMount::Parse(
      R"(44 27 7:3 / /mnt/a\040b\134c\011d\04 rw - xfs /dev/loop3 rw)");
  ASSERT_TRUE(mount.has_value());
  EXPECT_EQ(mount->mount_point, "/mnt/a b\\c\td\\04");
  // A directory may have the separator's name; the separator comes later.
  const auto dash = KernelMount::Parse("44 27 7:3 - - rw - xfs - ro");
  ASSERT_TRUE(dash.has_value());
  EXPECT_EQ(dash->mount_point, "-");
  EXPECT_EQ(dash->type, "xfs");
}

TEST(KernelMountTest, OtherLinesAreNone) {
  for (const char* line :
       {"", "41 27 7:3 / /mnt rw", "41 27 7:3 / /mnt rw - xfs /dev/loop3",
        "41 27 7:3 / /mnt rw shared:1 xfs /dev/loop3 rw"}) {
    EXPECT_FALSE(KernelMount::Parse(line).has_value()) << line;
  }
}

TEST(ByteWindowTest, OverlapsWhatSharesAByte) {
  const auto overlap = [](ByteWindow a, ByteWindow b) {
    EXPECT_EQ(a.Overlaps(b), b.Overlaps(a));
    return a.Overlaps(b);
  };
  EXPECT_TRUE(overlap({100, 50}, {149, 1}));
  EXPECT_FALSE(overlap({100, 50}, {150, 1}));
  EXPECT_TRUE(overlap({100, 50}, {0, 101}));
  EXPECT_FALSE(overlap({100, 50}, {0, 100}));
  EXPECT_TRUE(overlap({100, 50}, {120, 5}));
  EXPECT_TRUE(overlap({100, 50}, {100, 50}));
}

TEST(ByteWindowTest, WithoutASizeGoesToTheEnd) {
  EXPECT_TRUE((ByteWindow{0, 0}.Overlaps({uint64_t{1} << 60, 1})));
  EXPECT_TRUE((ByteWindow{uint64_t{1} << 60, 1}.Overlaps({100, 0})));
  EXPECT_FALSE((ByteWindow{100, 0}.Overlaps({0, 100})));
  EXPECT_TRUE((ByteWindow{100, 0}.Overlaps({200, 0})));
  // As lying sizes have it: the end does not wrap around.
  EXPECT_TRUE((ByteWindow{100, ~uint64_t{0}}.Overlaps({200, 1})));
}

TEST(KernelMountsTest, FileThatNobodyMountsIsFree) {
  const TemporaryDirectory directory;
  auto device = FileDevice::Open(directory.Write("image", "0123456789"), {});
  ASSERT_TRUE(device.ok());
  EXPECT_TRUE(CheckNotMountedForWriting(**device).ok());
}

}  // namespace
}  // namespace fusexfs
