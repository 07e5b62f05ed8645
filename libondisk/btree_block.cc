// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/btree_block.h"

#include <fmt/format.h>

#include "libondisk/ag_header.h"
#include "libondisk/crc32c.h"

namespace ondisk {
namespace {

const BtreeShortHeader& Short(Bytes block) {
  return View<BtreeShortHeader>(block);
}
const BtreeLongHeader& Long(Bytes block) {
  return View<BtreeLongHeader>(block);
}

bool IsLong(const BtreeLayout& layout) { return layout.pointer_size == 8; }

// CRC, UUID, self-address and owner. Only V5 blocks have them.
void VerifySelf(Bytes block, const BtreeLayout& layout,
                const Geometry& geometry, DiskAddress address, Checker& check) {
  const size_t crc_offset =
      IsLong(layout) ? kBtreeLongCrcOffset : kBtreeShortCrcOffset;
  if (!MetadataCrcMatches(block, crc_offset)) {
    check.Fail("crc",
               fmt::format("{:#010x}", View<Le32>(block, crc_offset).value()),
               fmt::format("{:#010x}", MetadataCrc(block, crc_offset)));
    if (check.done()) return;
  }
  const Uuid& uuid = IsLong(layout) ? Long(block).uuid : Short(block).uuid;
  if (uuid != geometry.meta_uuid) {
    check.Fail("uuid", RenderUuid(uuid), RenderUuid(geometry.meta_uuid));
  }
  if (IsLong(layout)) {
    const uint64_t owner = Long(block).owner.value();
    check.Equal("blkno", Long(block).blkno.value(), address.value);
    check.That(geometry.IsValid(InodeNumber(owner)), "owner", owner,
               "an inode number within the image");
    check.Equal("pad", Long(block).pad.value(), 0);
  } else {
    check.Equal("blkno", Short(block).blkno.value(), address.value);
    check.Equal("owner", Short(block).owner.value(),
                AgOf(geometry, address).value);
  }
}

void VerifyNeighbour(std::string_view field, uint64_t block, uint64_t self,
                     bool valid, Checker& check) {
  if (block == kNullFsBlock) return;
  check.That(valid, field, block, "a block past the AG headers, or none");
  check.That(block != self, field, block, "another block than itself");
}

}  // namespace

uint64_t BtreeBlock::left() const {
  if (IsLong(layout_)) return Long(block_).leftsib.value();
  const uint32_t left = Short(block_).leftsib.value();
  return left == kNullAgBlock ? kNullFsBlock : left;
}

uint64_t BtreeBlock::right() const {
  if (IsLong(layout_)) return Long(block_).rightsib.value();
  const uint32_t right = Short(block_).rightsib.value();
  return right == kNullAgBlock ? kNullFsBlock : right;
}

uint64_t BtreeBlock::owner() const {
  return IsLong(layout_) ? Long(block_).owner.value()
                         : Short(block_).owner.value();
}

void VerifyBtreeBlock(Bytes bytes, BtreeKind kind, const Geometry& geometry,
                      DiskAddress address, Checker& check) {
  const BtreeLayout layout = BtreeLayout::Of(kind, geometry);
  if (bytes.size() != layout.block_size) {
    check.Fail("magic", fmt::format("within {} bytes", bytes.size()),
               fmt::format("a block of {} bytes", layout.block_size));
    return;
  }
  const BtreeBlock block(bytes, layout);
  if (layout.magic == 0) {
    check.Fail("magic", TraitsOf(kind).name, "a V5 image: V4 has no such tree");
    return;
  }
  if (!check.EqualHex("magic", Short(bytes).magic.value(), layout.magic)) {
    return;
  }
  if (layout.crc) VerifySelf(bytes, layout, geometry, address, check);
  if (check.done() || !check.Less("level", block.level(), layout.max_levels) ||
      !check.AtMost("numrecs", block.count(),
                    layout.MaxEntries(block.level()))) {
    return;
  }

  const FsBlock self = geometry.ToFsBlock(address);
  const AgNumber ag = geometry.AgOf(self);
  const auto valid = [&](uint64_t pointer) {
    return IsLong(layout) ? geometry.IsValidPayload(FsBlock(pointer))
                          : geometry.IsValidPayload(
                                ag, AgBlock(static_cast<uint32_t>(pointer)));
  };
  const uint64_t self_pointer =
      IsLong(layout) ? self.value : geometry.AgBlockOf(self).value;
  VerifyNeighbour("leftsib", block.left(), self_pointer, valid(block.left()),
                  check);
  VerifyNeighbour("rightsib", block.right(), self_pointer, valid(block.right()),
                  check);
  if (block.is_leaf()) return;
  check.AtLeast("numrecs", block.count(), 1);
  for (uint32_t i = 0; i < block.count() && !check.done(); ++i) {
    const uint64_t pointer = block.Pointer(i);
    if (valid(pointer) && pointer != self_pointer) continue;
    check.Fail(fmt::format("ptrs[{}]", i + 1), fmt::to_string(pointer),
               "a block past the AG headers, and not this one");
  }
}

void VerifyBtreeLevel(const BtreeBlock& block, uint32_t level, Checker& check) {
  check.Equal("level", block.level(), level);
}

void VerifyBmbtOwner(const BtreeBlock& block, InodeNumber owner,
                     Checker& check) {
  if (block.layout().crc) check.Equal("owner", block.owner(), owner.value);
}

void VerifyBmbtRoot(Bytes fork, const Geometry& geometry, Checker& check) {
  if (fork.size() < sizeof(BmbtRootHeader)) {
    check.Fail("level", fmt::format("within {} bytes", fork.size()),
               "a fork with room for a btree root");
    return;
  }
  const BmbtRoot root(fork);
  const uint32_t max_levels =
      BtreeLayout::Of(BtreeKind::kBmbt, geometry).max_levels;
  if (!check.InRange("level", root.level(), 1, max_levels) ||
      !check.InRange("numrecs", root.count(), 1, root.max_pointers())) {
    return;
  }
  for (uint32_t i = 0; i < root.count() && !check.done(); ++i) {
    check.That(geometry.IsValidPayload(FsBlock(root.Pointer(i))), "ptrs",
               root.Pointer(i), "a block within the image");
  }
}

}  // namespace ondisk
