// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/posix_acl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr char kName[] = "system.posix_acl_access";

// The wire form with one entry for a named user.
std::string AclFor(uint32_t id) {
  std::string acl = {2, 0, 0, 0, /*tag*/ 2, 0, /*rw-*/ 6, 0};
  for (int shift = 0; shift < 32; shift += 8) {
    acl += static_cast<char>(id >> shift);
  }
  return acl;
}

TEST(PosixAclTest, TakesEveryIdThatATarCanHold) {
  EXPECT_TRUE(CheckPosixAcl(kName, AclFor(0)).ok());
  EXPECT_TRUE(CheckPosixAcl(kName, AclFor(2147483647)).ok());
}

// As 0 it would be root's right.
TEST(PosixAclTest, RefusesIdsThatWouldBecomeOthers) {
  for (const uint32_t id : {2147483648u, 3000000000u, 4294967295u}) {
    const absl::Status status = CheckPosixAcl(kName, AclFor(id));
    EXPECT_EQ(ondisk::ErrnoOf(status), EOVERFLOW);
    EXPECT_THAT(std::string(ondisk::MessageOf(status)),
                testing::HasSubstr(std::to_string(id)));
    EXPECT_EQ(ondisk::ErrnoOf(AddPosixAcl(kName, AclFor(id), nullptr)),
              EOVERFLOW);
  }
}

TEST(PosixAclTest, RefusesWhatIsNoAcl) {
  EXPECT_EQ(ondisk::ErrnoOf(CheckPosixAcl(kName, "")), EINVAL);
  EXPECT_EQ(ondisk::ErrnoOf(CheckPosixAcl(kName, "\2")), EINVAL);
  EXPECT_EQ(ondisk::ErrnoOf(CheckPosixAcl(kName, AclFor(1) + "x")), EINVAL);
}

}  // namespace
}  // namespace fusexfs::tool
