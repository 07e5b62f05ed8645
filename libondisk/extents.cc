// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/extents.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "libondisk/btree_block.h"
#include "libondisk/btree_traits.h"

namespace ondisk {
namespace {

constexpr int kCountBits = 21;
constexpr int kBlockBitsInHigh = 9;  // the disk block's upper bits
constexpr int kBlockBitsInLow = 43;
constexpr uint64_t kUnwrittenBit = uint64_t{1} << 63;

// Rows per part: a hostile count must not fill the memory with text.
constexpr uint64_t kMostRows = 256;

std::string RenderBlock(const Geometry& geometry, FsBlock block) {
  if (!geometry.IsValid(block)) return fmt::format("{}", block.value);
  return fmt::format("{} (AG {} block {})", block.value,
                     geometry.AgOf(block).value,
                     geometry.AgBlockOf(block).value);
}

}  // namespace

ExtentRecord UnpackExtent(const DiskExtent& disk) {
  const uint64_t high = disk.high.value();
  const uint64_t low = disk.low.value();
  ExtentRecord record;
  record.unwritten = (high & kUnwrittenBit) != 0;
  record.start = FileBlock((high & ~kUnwrittenBit) >> kBlockBitsInHigh);
  record.block =
      FsBlock((high & ((1u << kBlockBitsInHigh) - 1)) << kBlockBitsInLow |
              low >> kCountBits);
  record.count = static_cast<uint32_t>(low & ((1u << kCountBits) - 1));
  return record;
}

DiskExtent PackExtent(const ExtentRecord& record) {
  DiskExtent disk;
  disk.high.set((record.unwritten ? kUnwrittenBit : 0) |
                record.start.value << kBlockBitsInHigh |
                record.block.value >> kBlockBitsInLow);
  disk.low.set(record.block.value << kCountBits | record.count);
  return disk;
}

void VerifyExtent(const Geometry& geometry, Fork fork, bool realtime,
                  const ExtentRecord& record, Checker& check) {
  if (!check.AtLeast("blockcount", record.count, 1)) return;
  check.AtMost("startoff", record.start.value + record.count - 1,
               kMaxFileBlock);
  if (!realtime || fork == Fork::kAttribute) {
    check.That(geometry.IsValidExtent(record.block, record.count), "startblock",
               record.block.value,
               "a range within one AG, behind the AG's headers");
  }
  if (fork == Fork::kAttribute) {
    check.Equal("extentflag", record.unwritten ? 1 : 0, 0);
  }
}

void VerifyExtentRoot(const Geometry& geometry, Bytes fork_bytes,
                      uint64_t extents, uint64_t nblocks, Checker& check) {
  constexpr uint64_t kSmallest = sizeof(BmbtRootHeader) + 2 * sizeof(Be64);
  if (!check.AtLeast("forkoff", fork_bytes.size(), kSmallest)) return;
  const BmbtRoot root(fork_bytes);
  check.InRange("level", root.level(), 1,
                BtreeLayout::Of(BtreeKind::kBmbt, geometry).max_levels);
  if (check.done()) return;
  if (!check.InRange("numrecs", root.count(), 1, root.max_pointers())) return;
  // Fewer would stand in the inode itself.
  check.AtLeast("nextents", extents,
                fork_bytes.size() / sizeof(DiskExtent) + 1);
  if (check.done()) return;
  check.AtMost("nextents", extents, nblocks);
}

void ExplainExtents(const Geometry& geometry, Bytes fork_bytes, uint64_t offset,
                    uint64_t count, Explanation& into) {
  Explanation part;
  part.structure = "extents";
  part.about =
      "Each record maps file blocks to disk blocks: 1 bit unwritten, 54 bits "
      "first file block, 52 bits first disk block, 21 bits length.";
  const uint64_t present =
      std::min<uint64_t>({count, kMostRows, fork_bytes.size() / 16});
  for (uint64_t i = 0; i < present; ++i) {
    const uint64_t place = i * sizeof(DiskExtent);
    const ExtentRecord record =
        UnpackExtent(View<DiskExtent>(fork_bytes, place));
    part.Add(fmt::format("[{}]", i), offset + place,
             fork_bytes.subspan(place, sizeof(DiskExtent)),
             fmt::format("file block {} -> {}, {} blocks{}", record.start.value,
                         RenderBlock(geometry, record.block), record.count,
                         record.unwritten ? ", unwritten" : ""),
             "one extent");
  }
  into.parts.push_back(std::move(part));
}

void ExplainExtentRoot(const Geometry& geometry, Bytes fork_bytes,
                       uint64_t offset, Explanation& into) {
  Explanation part = ExplainTable(kBmbtRootFields, fork_bytes, offset, Where{});
  if (fork_bytes.size() > sizeof(BmbtRootHeader)) {
    const BmbtRoot root(fork_bytes);
    const uint32_t count = std::min(root.count(), root.max_pointers());
    const uint64_t keys = sizeof(BmbtRootHeader);
    const uint64_t pointers =
        keys + uint64_t{root.max_pointers()} * sizeof(Be64);
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t place = keys + i * sizeof(Be64);
      part.Add(fmt::format("keys[{}]", i + 1), offset + place,
               fork_bytes.subspan(place, sizeof(Be64)),
               fmt::to_string(root.Key(i)),
               "first file block behind the pointer of this number");
    }
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t place = pointers + i * sizeof(Be64);
      part.Add(fmt::format("ptrs[{}]", i + 1), offset + place,
               fork_bytes.subspan(place, sizeof(Be64)),
               RenderBlock(geometry, FsBlock(root.Pointer(i))),
               "a btree block one level below");
    }
  }
  into.parts.push_back(std::move(part));
}

}  // namespace ondisk
