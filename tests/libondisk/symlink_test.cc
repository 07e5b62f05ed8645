// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/symlink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "libondisk/crc32c.h"
#include "libondisk/extents.h"
#include "libondisk/inode_core.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace ondisk {
namespace {

// The block of a target of 1000 bytes, as the kernel wrote it.
class SymlinkBlock : public testing::Test {
 protected:
  SymlinkBlock() {
    owner_ = fusexfs::InodeOfPath("tiny-v5", "symlinks/length-1000");
    const Bytes inode = image_.Inode(owner_);
    const FsBlock block =
        UnpackExtent(View<DiskExtent>(inode, sizeof(DiskInode))).block;
    address_ = image_.geometry.ToDiskAddress(block);
    const MutableBytes bytes = image_.Block(block);
    block_.assign(bytes.begin(), bytes.end());
  }

  SymlinkHeader& header() {
    return *reinterpret_cast<SymlinkHeader*>(block_.data());
  }
  void Seal() {
    header().crc.set(MetadataCrc(block_, offsetof(SymlinkHeader, crc)));
  }
  // The first field that fails, the block by itself.
  std::string Failed() const {
    Checker check("symlink block", Where{});
    VerifySymlinkBlock(image_.geometry, address_, block_, check);
    return check.failed() ? check.findings().front().field : "";
  }
  std::string FailedContents(InodeNumber owner, uint32_t offset,
                             uint32_t bytes) const {
    Checker check("symlink block", Where{});
    VerifySymlinkContents(image_.geometry, block_, owner, offset, bytes, check);
    return check.failed() ? check.findings().front().field : "";
  }

  fusexfs::ImageBytes image_{std::string_view("tiny-v5")};
  InodeNumber owner_;
  DiskAddress address_;
  std::vector<uint8_t> block_;
};

TEST_F(SymlinkBlock, OfTheKernelPassesAndHoldsTheTarget) {
  EXPECT_EQ(Failed(), "");
  EXPECT_EQ(FailedContents(owner_, 0, 1000), "");
  const Bytes target = SymlinkTarget(image_.geometry, block_, 1000);
  EXPECT_EQ(std::string(target.begin(), target.end()),
            fusexfs::UnquoteManifest(fusexfs::GoldenManifest("tiny-v5")
                                         .At("symlinks/length-1000")["target"]
                                         .get<std::string>()));
}

TEST_F(SymlinkBlock, IsRefusedForEachLie) {
  const std::vector<uint8_t> good = block_;
  const struct {
    const char* field;
    std::function<void(SymlinkHeader&)> lie;
  } kLies[] = {
      {"magic", [](auto& h) { h.magic.set(0x58534c4e); }},
      {"uuid", [](auto& h) { h.uuid[3] ^= 1; }},
      {"blkno", [](auto& h) { h.blkno.set(h.blkno.value() + 8); }},
      {"bytes", [](auto& h) { h.bytes.set(4000); }},
      {"bytes", [](auto& h) { h.bytes.set(0xffffffffu); }},
      {"bytes", [](auto& h) { h.offset.set(24); }},
      {"owner", [](auto& h) { h.owner.set(0); }},
  };
  for (const auto& lie : kLies) {
    block_ = good;
    lie.lie(header());
    Seal();
    EXPECT_EQ(Failed(), lie.field);
  }
  block_ = good;
  block_[2000] ^= 1;
  EXPECT_EQ(Failed(), "crc");
  block_.resize(40);
  EXPECT_EQ(Failed(), "block size");
}

TEST_F(SymlinkBlock, MustBelongToTheInodeAndThePlace) {
  EXPECT_EQ(FailedContents(owner_ + 1, 0, 1000), "owner");
  EXPECT_EQ(FailedContents(owner_, 8, 1000), "offset");
  EXPECT_EQ(FailedContents(owner_, 0, 999), "bytes");
  EXPECT_EQ(FailedContents(owner_, 0, 4041), "bytes");
}

TEST_F(SymlinkBlock, OfV4HasNoHeader) {
  image_.geometry.features.crc = false;
  EXPECT_EQ(SymlinkPayload(image_.geometry, 4096), 4096u);
  std::fill(block_.begin(), block_.end(), 'x');
  EXPECT_EQ(Failed(), "");
  EXPECT_EQ(FailedContents(owner_, 0, 1000), "");
  EXPECT_EQ(SymlinkTarget(image_.geometry, block_, 5).data(), block_.data());
}

TEST_F(SymlinkBlock, IsExplainedWithItsFindings) {
  header().owner.set(0);
  Seal();
  const Explanation explanation =
      ExplainSymlinkBlock(image_.geometry, address_, block_);
  EXPECT_FALSE(explanation.AllChecksHold());
  ASSERT_EQ(explanation.fields.size(), 9u);
  EXPECT_EQ(explanation.fields[5].name, "owner");
  EXPECT_NE(explanation.fields[5].problem, "");
  EXPECT_EQ(explanation.fields[8].name, "target");
  EXPECT_EQ(explanation.fields[8].value.substr(0, 6), "\"abcde");
}

}  // namespace
}  // namespace ondisk
