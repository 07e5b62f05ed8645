// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_operation.h"

#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace ondisk {
namespace {

// As Linux 6.18 wrote them (xfs_logprint: tid 38e2cd6, 56 bytes, no flags).
TEST(LogOperationTest, KernelsHeaderReadsAsLogprintSaysAndPasses) {
  const std::vector<uint8_t> bytes =
      BytesFromHex("038e2cd6 00000038 69 00 0000");
  const auto& header = View<LogOperationHeader>(bytes);
  EXPECT_EQ(header.oh_tid.value(), 0x38e2cd6u);
  EXPECT_EQ(header.oh_len.value(), 56u);
  Checker check("log operation", Where::Log(2));
  VerifyLogOperationHeader(header, 56, check);
  EXPECT_TRUE(check.status().ok());
}

TEST(LogOperationTest, DataPastTheRecordIsRefused) {
  const std::vector<uint8_t> bytes =
      BytesFromHex("038e2cd6 00000038 69 00 0000");
  Checker check("log operation", Where::Log(2));
  VerifyLogOperationHeader(View<LogOperationHeader>(bytes), 55, check);
  ASSERT_TRUE(check.failed());
  EXPECT_EQ(check.findings()[0].field, "oh_len");
}

TEST(LogOperationTest, UnknownClientIsRefused) {
  const std::vector<uint8_t> bytes =
      BytesFromHex("00000000 00000000 00 00 0000");
  Checker check("log operation", Where::Log(2));
  VerifyLogOperationHeader(View<LogOperationHeader>(bytes), 0, check);
  ASSERT_TRUE(check.failed());
  EXPECT_EQ(check.findings()[0].field, "oh_clientid");
}

TEST(LogOperationTest, TransactionHeaderIsInTheWritersOrder) {
  std::vector<uint8_t> bytes =
      BytesFromHex("4e415254 28000000 d62c8e03 3d010000");
  const auto& header = View<LogTransactionHeader>(bytes);
  EXPECT_EQ(header.th_type.value(), kLogTransactionCheckpoint);
  EXPECT_EQ(header.th_tid.value(), 0x38e2cd6u);
  EXPECT_EQ(header.th_num_items.value(), 317u);
  Checker good("transaction header", Where::Log(2));
  VerifyLogTransactionHeader(header, good);
  EXPECT_TRUE(good.status().ok());
  bytes[0] ^= 1;
  Checker bad("transaction header", Where::Log(2));
  VerifyLogTransactionHeader(header, bad);
  EXPECT_FALSE(bad.status().ok());
}

}  // namespace
}  // namespace ondisk
