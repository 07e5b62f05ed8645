// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/fiemap_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fusexfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The values stand in Documentation/filesystems/fiemap.rst, the words in
// filefrag's output.
TEST(FiemapFlagNames, NamesBitsInTheirOrder) {
  EXPECT_THAT(FiemapFlagNames(0), IsEmpty());
  EXPECT_THAT(FiemapFlagNames(0x1), ElementsAre("last"));
  EXPECT_THAT(FiemapFlagNames(0x2801),
              ElementsAre("last", "unwritten", "shared"));
  EXPECT_THAT(FiemapFlagNames(0x301),
              ElementsAre("last", "not_aligned", "inline"));
}

TEST(FiemapFlagNames, ShowsBitsWithoutANameAsOneNumber) {
  EXPECT_THAT(FiemapFlagNames(0xc0000200), ElementsAre("inline", "0xc0000000"));
}

}  // namespace
}  // namespace fusexfs
