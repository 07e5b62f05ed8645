// SPDX-License-Identifier: GPL-2.0-or-later
// Shared blocks of AG 1 of the golden image tiny-1k. Expected values come from
// xfs_db 6.13: `agf 1`, `addr refcntroot`, `p`:
//   [7456,20,4] [7476,2,3] [7478,42,4] [7520,84,5] [7604,2,4] [7606,42,5]
//   [7648,84,4] [7732,2,3] [7734,126,4] [7860,2,3] [7862,106,4]
// which touch each other: blocks 7456 to 7967 are shared.
#include "fusexfs/space/refcount_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "libondisk/btree_block.h"
#include "libondisk/btree_records.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/test_image.h"
#include "tests/support/threads.h"

namespace fusexfs {
namespace {

using ondisk::AgBlock;
using ondisk::AgNumber;
using ::testing::Optional;
using ::testing::Pair;

using Run = std::optional<std::pair<uint32_t, uint32_t>>;

Run Ask(RefcountLookup& lookup, uint32_t start, uint32_t count,
        uint32_t ag = 1) {
  auto run = lookup.FindShared(AgNumber(ag), AgBlock(start), count);
  EXPECT_TRUE(run.ok()) << ondisk::MessageOf(run.status());
  if (!run.ok() || !run->has_value()) return std::nullopt;
  return std::pair((*run)->start.value, (*run)->count);
}

// Every strategy gives the same answers.
class RefcountLookupTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto lookup = NewRefcountLookup(GetParam(), image_.groups);
    ASSERT_TRUE(lookup.ok());
    lookup_ = *std::move(lookup);
  }
  TestImage image_{"tiny-1k"};
  std::unique_ptr<RefcountLookup> lookup_;
};

TEST_P(RefcountLookupTest, FindsTheFirstSharedRun) {
  EXPECT_THAT(Ask(*lookup_, 7456, 20), Optional(Pair(7456, 20)));
  EXPECT_THAT(Ask(*lookup_, 7460, 4), Optional(Pair(7460, 4)));
  EXPECT_THAT(Ask(*lookup_, 7400, 100), Optional(Pair(7456, 44)));
  EXPECT_THAT(Ask(*lookup_, 7967, 10), Optional(Pair(7967, 1)));
  EXPECT_THAT(Ask(*lookup_, 7300, 10000), Optional(Pair(7456, 512)));
}

TEST_P(RefcountLookupTest, RecordsThatTouchAreOneRun) {
  EXPECT_THAT(Ask(*lookup_, 7470, 300), Optional(Pair(7470, 300)));
}

TEST_P(RefcountLookupTest, NothingSharedIsNoRun) {
  EXPECT_EQ(Ask(*lookup_, 7400, 56), std::nullopt);
  EXPECT_EQ(Ask(*lookup_, 7968, 100), std::nullopt);
  EXPECT_EQ(Ask(*lookup_, 8, 100), std::nullopt);
  EXPECT_EQ(Ask(*lookup_, 8, 20000, /*ag=*/0), std::nullopt);  // an empty tree
}

TEST_P(RefcountLookupTest, ManyThreadsAskOneAg) {
  std::atomic<uint64_t> wrong{0};
  InThreads(8, [&](int i) {
    for (uint32_t n = 0; n < 2000; ++n) {
      const uint32_t start = 7456 + (n * 7 + static_cast<uint32_t>(i)) % 500;
      auto run = lookup_->FindShared(AgNumber(1), AgBlock(start), 10);
      if (!run.ok() || !run->has_value() || (*run)->start.value != start ||
          (*run)->count != 10) {
        ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
}

TEST_P(RefcountLookupTest, BlocksStagedForCopyOnWriteAreNotShared) {
  // Turn the last record into a staged one behind all others.
  ImageBytes bytes("tiny-1k");
  const AgBlock root =
      image_.groups[AgNumber(1)].Root(ondisk::BtreeKind::kRefcountbt)->block;
  const auto layout =
      ondisk::BtreeLayout::Of(ondisk::BtreeKind::kRefcountbt, image_.geometry);
  const ondisk::MutableBytes block =
      bytes.Block(image_.geometry.ToFsBlock(AgNumber(1), root));
  ondisk::PutBig(block, layout.RecordOffset(10), 4,
                 7862 | ondisk::kRefcountCowFlag);
  ondisk::PutBig(block, layout.RecordOffset(10) + 8, 4, 1);
  ondisk::Reseal(block, ondisk::kBtreeShortCrcOffset);
  TestImage staged(std::move(bytes.bytes));
  auto lookup = NewRefcountLookup(GetParam(), staged.groups);
  ASSERT_TRUE(lookup.ok());
  EXPECT_THAT(Ask(**lookup, 7850, 100), Optional(Pair(7850, 12)));
  EXPECT_EQ(Ask(**lookup, 7862, 100), std::nullopt);
}

TEST_P(RefcountLookupTest, NothingIsSharedWithoutReflink) {
  TestImage old("v4-1k");
  auto lookup = NewRefcountLookup(GetParam(), old.groups);
  ASSERT_TRUE(lookup.ok());
  EXPECT_EQ(Ask(**lookup, 8, 1000, /*ag=*/0), std::nullopt);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const RefcountStrategy& strategy : RefcountStrategies()) {
    names.emplace_back(strategy.name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Strategies, RefcountLookupTest,
                         ::testing::ValuesIn(Names()),
                         [](const auto& test) { return test.param; });

TEST(RefcountStrategies, UnknownNameIsRefused) {
  TestImage image("tiny-1k");
  EXPECT_EQ(ondisk::ErrnoOf(NewRefcountLookup("magic", image.groups).status()),
            EINVAL);
}

}  // namespace
}  // namespace fusexfs
