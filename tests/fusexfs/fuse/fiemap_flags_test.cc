#include "fusexfs/fuse/fiemap_flags.h"

#include <gtest/gtest.h>

namespace fusexfs {
namespace {

// The values stand in Documentation/filesystems/fiemap.rst, the words in
// filefrag's output.
TEST(FiemapFlagNamesTest, NamesBitsInTheirOrder) {
  EXPECT_EQ(FiemapFlagNames(0), "");
  EXPECT_EQ(FiemapFlagNames(0x1), "last");
  EXPECT_EQ(FiemapFlagNames(0x801), "last,unwritten");
  EXPECT_EQ(FiemapFlagNames(0x2000), "shared");
  EXPECT_EQ(FiemapFlagNames(0x301), "last,not_aligned,inline");
}

TEST(FiemapFlagNamesTest, ShowsBitsWithoutANameAsANumber) {
  EXPECT_EQ(FiemapFlagNames(0x80000001), "last,0x80000000");
}

}  // namespace
}  // namespace fusexfs
