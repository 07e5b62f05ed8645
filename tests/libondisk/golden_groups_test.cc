// SPDX-License-Identifier: GPL-2.0-or-later
// Every structure of every allocation group of every golden image passes its
// verifier: what mkfs.xfs and the kernel wrote is never called corrupt.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "libondisk/agf.h"
#include "libondisk/agfl.h"
#include "libondisk/agi.h"
#include "libondisk/btree_block.h"
#include "libondisk/superblock.h"
#include "tests/support/golden_image.h"

namespace ondisk {
namespace {

std::vector<std::string> GoldenNames() {
  constexpr std::string_view kEnd = ".img.zst";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(
           FUSEXFS_SOURCE_DIR "/images/golden")) {
    const std::string name = entry.path().filename();
    if (name.ends_with(kEnd)) {
      names.push_back(name.substr(0, name.size() - kEnd.size()));
    }
  }
  return names;
}

// Fails the test with each problem of `explanation`.
void ExpectHolds(const Explanation& explanation) {
  EXPECT_TRUE(explanation.AllChecksHold())
      << explanation.structure << " at " << explanation.where;
  for (const ExplainedField& field : explanation.fields) {
    EXPECT_EQ(field.problem, "") << field.name << " is " << field.value;
  }
  for (const Finding& finding : explanation.problems) {
    ADD_FAILURE() << finding.field << " is " << finding.found << ", expected "
                  << finding.expected;
  }
}

class GoldenGroups : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    image_ = fusexfs::GoldenBytes(GetParam());
    auto geometry = GeometryFromSuperblock(image_, image_.size());
    ASSERT_TRUE(geometry.ok()) << geometry.status();
    geometry_ = *geometry;
  }

  Bytes At(DiskAddress address, uint32_t bytes) const {
    return Bytes(image_).subspan(address.value << kDiskAddressShift, bytes);
  }
  Bytes Sector(DiskAddress address) const {
    return At(address, geometry_.sector_size);
  }

  // The records of the tree below `block`, all of whose blocks must hold.
  uint64_t WalkTree(BtreeKind kind, AgNumber ag, uint64_t block,
                    uint32_t level) const {
    const DiskAddress address =
        geometry_.ToDiskAddress(ag, AgBlock(static_cast<uint32_t>(block)));
    const Bytes bytes = At(address, geometry_.block_size);
    ExpectHolds(ExplainBtreeBlock(bytes, kind, geometry_, address));
    const BtreeLayout layout = BtreeLayout::Of(kind, geometry_);
    const BtreeBlock view(bytes, layout);
    EXPECT_EQ(view.level(), level);
    if (::testing::Test::HasFailure() || level == 0) return view.count();
    uint64_t records = 0;
    for (uint32_t i = 0; i < view.count(); ++i) {
      records += WalkTree(kind, ag, view.Pointer(i), level - 1);
    }
    return records;
  }

  std::vector<uint8_t> image_;
  Geometry geometry_;
};

TEST_P(GoldenGroups, HeadersAndTreesHold) {
  ExpectHolds(ExplainSuperblock(image_, image_.size()));
  const Superblock& primary = View<Superblock>(image_);
  const Features& features = geometry_.features;
  uint64_t inodes = 0;
  for (uint32_t i = 0; i < geometry_.ag_count; ++i) {
    const AgNumber ag(i);
    if (i > 0) {
      ExpectHolds(ExplainSecondarySuperblock(
          Sector(geometry_.SuperblockAddress(ag)), ag, primary, geometry_));
    }
    const DiskAddress agf_address = geometry_.AgfAddress(ag);
    const DiskAddress agi_address = geometry_.AgiAddress(ag);
    const DiskAddress agfl_address = geometry_.AgflAddress(ag);
    ExpectHolds(ExplainAgf(Sector(agf_address), geometry_, agf_address));
    ExpectHolds(ExplainAgi(Sector(agi_address), geometry_, agi_address));
    ExpectHolds(ExplainAgfl(Sector(agfl_address), geometry_, agfl_address));
    ASSERT_FALSE(HasFailure());

    const Agf& agf = View<Agf>(Sector(agf_address));
    const Agi& agi = View<Agi>(Sector(agi_address));
    // Both free-space trees hold the same extents.
    EXPECT_EQ(WalkTree(BtreeKind::kBnobt, ag, agf.bnoroot.value(),
                       agf.bnolevel.value() - 1),
              WalkTree(BtreeKind::kCntbt, ag, agf.cntroot.value(),
                       agf.cntlevel.value() - 1));
    if (features.rmapbt) {
      EXPECT_GT(WalkTree(BtreeKind::kRmapbt, ag, agf.rmaproot.value(),
                         agf.rmaplevel.value() - 1),
                0u);
    }
    if (features.reflink) {
      WalkTree(BtreeKind::kRefcountbt, ag, agf.refcntroot.value(),
               agf.refcntlevel.value() - 1);
    }
    const uint64_t chunks = WalkTree(BtreeKind::kInobt, ag, agi.root.value(),
                                     agi.level.value() - 1);
    EXPECT_LE(agi.count.value(), chunks * 64);
    inodes += agi.count.value();
    if (features.finobt) {
      EXPECT_LE(WalkTree(BtreeKind::kFinobt, ag, agi.free_root.value(),
                         agi.free_level.value() - 1),
                chunks);
    }
  }
  EXPECT_GE(inodes, 64u);
}

INSTANTIATE_TEST_SUITE_P(Images, GoldenGroups,
                         ::testing::ValuesIn(GoldenNames()),
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace ondisk
