// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/journal/log_explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/golden_log.h"

namespace fusexfs {
namespace {

using ::testing::HasSubstr;

std::vector<ondisk::Explanation> Explain(GoldenLog& log,
                                         absl::Status* status = nullptr) {
  std::vector<ondisk::Explanation> all;
  const absl::Status result = ExplainLog(
      log.Area(), log.geometry, [&all](const ondisk::Explanation& part) {
        all.push_back(part);
        return true;
      });
  if (status != nullptr) {
    *status = result;
  } else {
    EXPECT_TRUE(result.ok()) << ondisk::MessageOf(result);
  }
  return all;
}

std::string ValueOf(const ondisk::Explanation& explanation,
                    std::string_view field) {
  for (const auto& row : explanation.fields) {
    if (row.name == field) return row.value;
  }
  return "no such field";
}

// xfs_logprint: head 918, tail 265, 24 records between them.
TEST(LogExplainTest, DirtyLogIsShownFromTailToHead) {
  GoldenLog log("dirty-log");
  const std::vector<ondisk::Explanation> all = Explain(log);
  ASSERT_EQ(all.size(), 1u + 24);
  EXPECT_EQ(ValueOf(all[0], "state"), "dirty");
  EXPECT_EQ(ValueOf(all[0], "head"), "1:918");
  EXPECT_EQ(ValueOf(all[0], "recover from"), "265");
  EXPECT_EQ(ValueOf(all[1], "h_lsn"), "1:265");
  EXPECT_EQ(ValueOf(all[24], "h_lsn"), "1:893");
  EXPECT_EQ(ValueOf(all[24], "checksum"), "right");
  std::map<std::string, int> items;
  for (const auto& record : all) {
    EXPECT_TRUE(record.AllChecksHold());
    for (const auto& operation : record.parts) {
      for (const auto& part : operation.parts) ++items[part.structure];
    }
  }
  EXPECT_EQ(items["inode item"], 385);
  EXPECT_EQ(items["buffer item"], 205);
  EXPECT_EQ(items["inode create item"], 5);
  EXPECT_EQ(items["transaction header"], 20);
}

TEST(LogExplainTest, CleanLogShowsItsUnmountRecord) {
  GoldenLog log("tiny-v5");
  const std::vector<ondisk::Explanation> all = Explain(log);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(ValueOf(all[0], "state"), "clean");
  ASSERT_EQ(all[1].parts.size(), 1u);
  EXPECT_THAT(ValueOf(all[1].parts[0], "oh_flags"), HasSubstr("unmount"));
  ASSERT_EQ(all[1].parts[0].parts.size(), 1u);
  EXPECT_EQ(all[1].parts[0].parts[0].structure, "unmount record");
}

TEST(LogExplainTest, VisitorMayStop) {
  GoldenLog log("dirty-log");
  int calls = 0;
  EXPECT_TRUE(
      ExplainLog(log.Area(), log.geometry,
                 [&calls](const ondisk::Explanation&) { return ++calls < 3; })
          .ok());
  EXPECT_EQ(calls, 3);
}

TEST(LogExplainTest, BadOperationIsShownAndReturned) {
  GoldenLog log("dirty-log");
  const ondisk::MutableBytes header = log.Block(893);
  header[43] = static_cast<uint8_t>(header[43] + 1);  // h_num_logops
  log.SealRecord(893);
  absl::Status status;
  const std::vector<ondisk::Explanation> all = Explain(log, &status);
  EXPECT_TRUE(ondisk::IsCorruption(status));
  ASSERT_EQ(all.size(), 25u);
  EXPECT_FALSE(all.back().AllChecksHold());
  EXPECT_EQ(all.back().parts.size(), 44u);  // what there was
}

}  // namespace
}  // namespace fusexfs
