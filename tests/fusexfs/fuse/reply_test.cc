// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/reply.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

TEST(ReplyErrnoTest, KeepsTheErrnoOfAStatusAlsoWhenAnnotated) {
  for (const int error : {ENOENT, ENOTDIR, ENODATA, ERANGE, ENXIO, EUCLEAN, EIO,
                          EOPNOTSUPP, ENAMETOOLONG, E2BIG}) {
    EXPECT_EQ(
        ReplyErrno(ondisk::Annotate(ondisk::PosixError(error, "why"), "where")),
        error);
  }
}

TEST(ReplyErrnoTest, CorruptionIsEuclean) {
  EXPECT_EQ(ReplyErrno(ondisk::CorruptionError("inode", ondisk::Where(),
                                               "magic", "1", "2")),
            EUCLEAN);
}

TEST(ReplyErrnoTest, NeverLeavesTheRangeThatTheKernelTakes) {
  EXPECT_EQ(ReplyErrno(absl::OkStatus()), EIO);
  EXPECT_EQ(ReplyErrno(ondisk::PosixError(512, "ERESTARTSYS")), EIO);
  EXPECT_EQ(ReplyErrno(ondisk::PosixError(511, "the last")), 511);
  const int error = ReplyErrno(absl::InternalError("no errno"));
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 512);
}

}  // namespace
}  // namespace fusexfs
