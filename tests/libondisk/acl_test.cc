// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/acl.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/damage.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

// u::rwx u:1000:r-x g::r-x m::rwx o::r--
std::vector<uint8_t> Sample() {
  std::vector<uint8_t> value(4 + 5 * 12);
  PutBig(value, 0, 4, 5);
  const uint32_t rows[5][3] = {{1, 0xffffffff, 7},
                               {2, 1000, 5},
                               {4, 0xffffffff, 5},
                               {16, 0xffffffff, 7},
                               {32, 0xffffffff, 4}};
  for (size_t i = 0; i < 5; ++i) {
    PutBig(value, 4 + 12 * i, 4, rows[i][0]);
    PutBig(value, 8 + 12 * i, 4, rows[i][1]);
    PutBig(value, 12 + 12 * i, 2, rows[i][2]);
  }
  return value;
}

std::string FieldOf(const Geometry& geometry,
                    const std::vector<uint8_t>& value) {
  Checker check("acl", Where{});
  VerifyAcl(geometry, value, check);
  return check.failed() ? check.findings()[0].field : "none";
}

// The layout of <linux/posix_acl_xattr.h>: version 2, then tag, permissions
// and id, little-endian.
TEST(Acl, BecomesTheKernelsWireFormat) {
  ASSERT_EQ(FieldOf(SampleGeometry(), Sample()), "none");
  const std::string xattr = AclToXattr(Sample());
  const std::string expected(
      "\2\0\0\0"
      "\1\0\7\0\xff\xff\xff\xff"
      "\2\0\5\0\xe8\3\0\0"
      "\4\0\5\0\xff\xff\xff\xff"
      "\x10\0\7\0\xff\xff\xff\xff"
      "\x20\0\4\0\xff\xff\xff\xff",
      44);
  EXPECT_EQ(xattr, expected);
}

TEST(Acl, CatchesLies) {
  const Geometry geometry = SampleGeometry();
  auto value = Sample();
  value.pop_back();
  EXPECT_EQ(FieldOf(geometry, value), "size");
  EXPECT_EQ(FieldOf(geometry, {0, 0, 0}), "size");
  value = Sample();
  PutBig(value, 0, 4, 6);
  EXPECT_EQ(FieldOf(geometry, value), "size");
  PutBig(value, 0, 4, 0xffffffff);
  EXPECT_EQ(FieldOf(geometry, value), "acl_cnt");
  value = Sample();
  PutBig(value, 4 + 12, 4, 64);
  EXPECT_EQ(FieldOf(geometry, value), "acl_entry[1].ae_tag");
}

TEST(Acl, HasMoreRoomOnV5) {
  EXPECT_EQ(MaxAclEntries(SampleGeometry()), 5461u);
  EXPECT_EQ(MaxAclEntries(SampleGeometryV4()), 25u);
  std::vector<uint8_t> value(4 + 26 * 12);
  PutBig(value, 0, 4, 26);
  for (size_t i = 0; i < 26; ++i) PutBig(value, 4 + 12 * i, 4, 2);
  EXPECT_EQ(FieldOf(SampleGeometry(), value), "none");
  EXPECT_EQ(FieldOf(SampleGeometryV4(), value), "acl_cnt");
}

}  // namespace
}  // namespace ondisk
