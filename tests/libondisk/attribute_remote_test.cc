// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_remote.h"

#include <gtest/gtest.h>

#include <string>

#include "libondisk/attribute_leaf.h"
#include "tests/support/fork_block.h"
#include "tests/support/lie.h"
#include "tests/support/sample_geometry.h"

namespace ondisk {
namespace {

using fusexfs::ForkBlock;
using fusexfs::GoldenForkBlock;

constexpr size_t kCrc = offsetof(AttributeRemoteHeader, crc);

// The first block of the value of "largest", 65536 bytes.
ForkBlock ValueBlock() {
  const ForkBlock leaf =
      GoldenForkBlock("tiny-v5", "attributes/largest", Fork::kAttribute, 0);
  for (const auto& entry :
       ViewAttributeLeaf(leaf.geometry.features, leaf.bytes).entries) {
    const AttributeView attribute = AttributeOf(entry, leaf.bytes);
    // (The parent pointer has the same name, and its value beside it.)
    if (attribute.name == "largest" && attribute.remote_block.value != 0) {
      return GoldenForkBlock("tiny-v5", "attributes/largest", Fork::kAttribute,
                             attribute.remote_block.value);
    }
  }
  return {};
}

TEST(AttributeRemote, CountsBlocksWithTheirHeaders) {
  Geometry v5 = SampleGeometry(), v4 = SampleGeometryV4();
  v5.block_size = v4.block_size = 4096;
  v5.block_log = v4.block_log = 12;
  EXPECT_EQ(AttributeRemotePayload(v5), 4096u - 56u);
  EXPECT_EQ(AttributeRemoteBlocks(v5, 0), 0u);
  EXPECT_EQ(AttributeRemoteBlocks(v5, 4040), 1u);
  EXPECT_EQ(AttributeRemoteBlocks(v5, 4041), 2u);
  EXPECT_EQ(AttributeRemoteBlocks(v5, 65536), 17u);
  EXPECT_EQ(AttributeRemoteBlocks(v4, 65536), 16u);
  EXPECT_EQ(AttributeRemoteBlocks(v5, 0xffffffff), 1063111u);
}

TEST(AttributeRemote, HoldsAPieceOfTheValue) {
  const ForkBlock block = ValueBlock();
  ASSERT_EQ(FirstField(VerifyAttributeRemote, block, block.bytes), "none");
  const Bytes data = AttributeRemoteData(block.geometry, block.bytes);
  EXPECT_EQ(data.size(), 4040u);
  EXPECT_EQ(std::string(data.begin(), data.begin() + 32),
            "largest: this is line 00000000 o");
  Checker right("b", Where{});
  VerifyAttributeRemotePlace(block.geometry, block.bytes, block.owner, 0, 4040,
                             right);
  EXPECT_FALSE(right.failed());
}

TEST(AttributeRemote, CatchesLies) {
  ExpectLiesCaught(ValueBlock(), kCrc, VerifyAttributeRemote,
                   {
                       {"magic", 0, 4, 0, "magic"},
                       {"blkno", 40, 8, 8, "blkno"},
                       {"uuid", 16, 2, 0x1111, "uuid"},
                       {"bytes beyond the block", 8, 4, 4041, "bytes"},
                       {"bytes huge", 8, 4, 0xffffffff, "bytes"},
                       {"offset beyond 64 KiB", 4, 4, 65536, "offset"},
                       {"offset wraps", 4, 4, 0xffffffff, "offset"},
                       {"owner 0", 32, 8, 0, "owner"},
                   });
}

TEST(AttributeRemote, KnowsWhereItBelongs) {
  const ForkBlock block = ValueBlock();
  const auto field = [&](InodeNumber owner, uint32_t offset, uint32_t bytes) {
    Checker check("b", Where{});
    VerifyAttributeRemotePlace(block.geometry, block.bytes, owner, offset,
                               bytes, check);
    return check.failed() ? check.findings()[0].field : "none";
  };
  EXPECT_EQ(field(InodeNumber(5), 0, 4040), "owner");
  EXPECT_EQ(field(block.owner, 4040, 4040), "offset");
  EXPECT_EQ(field(block.owner, 0, 4039), "bytes");
}

TEST(AttributeRemote, SurvivesDamageToItsHeader) {
  const ForkBlock block = ValueBlock();
  for (size_t i = 0; i < sizeof(AttributeRemoteHeader); ++i) {
    if (i >= kCrc && i < kCrc + 4) continue;
    auto bytes = block.bytes;
    bytes[i] ^= 0xff;
    Reseal(bytes, kCrc);
    const bool holds =
        FirstField(VerifyAttributeRemote, block, bytes) == "none";
    EXPECT_EQ(ExplainAttributeRemote(block.geometry, block.address, bytes)
                  .AllChecksHold(),
              holds)
        << i;
    // Magic, UUID and own address leave no choice.
    if (i < 4 || (i >= 16 && i < 32) || (i >= 40 && i < 48)) {
      EXPECT_FALSE(holds) << i;
    }
  }
}

}  // namespace
}  // namespace ondisk
