// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/status.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace ondisk {
namespace {

TEST(StatusTest, CorruptionNamesStructurePlaceFieldFoundAndExpected) {
  const absl::Status status = CorruptionError(
      "AGF", Where::Disk(DiskAddress(1)), "agf_length", "7", "at most 5");
  EXPECT_TRUE(IsCorruption(status));
  EXPECT_EQ(ErrnoOf(status), EUCLEAN);
  EXPECT_EQ(MessageOf(status),
            "AGF at daddr 1: agf_length is 7, expected at most 5");
}

TEST(StatusTest, PlacesReadAsPeopleSayThem) {
  EXPECT_EQ(Where::Inode(InodeNumber(128)).ToString(), "inode 128");
  EXPECT_EQ(Where::DataFork(InodeNumber(128), 3).ToString(),
            "inode 128 data fork block 3");
  EXPECT_EQ(Where::AttrFork(InodeNumber(128), 4).ToString(),
            "inode 128 attribute fork block 4");
  EXPECT_EQ(Where::Log(9).ToString(), "log block 9");
  EXPECT_EQ(Where{}.ToString(), "");
}

TEST(StatusTest, TheFourKindsAreNeverMixedUp) {
  EXPECT_FALSE(IsCorruption(PosixError(EIO, "read failed")));
  EXPECT_FALSE(IsCorruption(PosixError(EUCLEAN, "forwarded")));
  EXPECT_FALSE(IsCorruption(UnsupportedError("zoned")));
  EXPECT_FALSE(IsCorruption(PosixError(ENOSPC, "full")));
  EXPECT_EQ(ErrnoOf(UnsupportedError("zoned")), EOPNOTSUPP);
}

TEST(StatusTest, EveryErrnoSurvivesAndSoDoesItThroughAnnotation) {
  for (int error = 1; error < 134; ++error) {
    const absl::Status status = PosixError(error, "x");
    ASSERT_FALSE(status.ok()) << error;
    EXPECT_EQ(ErrnoOf(status), error);
    EXPECT_EQ(ErrnoOf(Annotate(status, "while reading")), error);
  }
}

TEST(StatusTest, AnnotationPrefixesTheMessageAndKeepsTheKind) {
  const absl::Status status = Annotate(
      CorruptionError("inode", Where::Inode(InodeNumber(5)), "mode", "0", "x"),
      "/a/b");
  EXPECT_TRUE(IsCorruption(status));
  EXPECT_EQ(MessageOf(status), "/a/b: inode at inode 5: mode is 0, expected x");
  EXPECT_TRUE(Annotate(absl::OkStatus(), "x").ok());
}

TEST(StatusTest, StatusesOfOtherLibrariesMapToTheNearestErrno) {
  EXPECT_EQ(ErrnoOf(absl::OkStatus()), 0);
  EXPECT_EQ(ErrnoOf(absl::NotFoundError("")), ENOENT);
  EXPECT_EQ(ErrnoOf(absl::DataLossError("")), EUCLEAN);
  EXPECT_EQ(ErrnoOf(absl::InternalError("")), EIO);
}

}  // namespace
}  // namespace ondisk
