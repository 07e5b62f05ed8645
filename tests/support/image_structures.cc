// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/image_structures.h"

#include <algorithm>

#include "libondisk/crc32c.h"
#include "libondisk/endian.h"
#include "libondisk/log_record.h"

namespace fusexfs {
namespace {

using ondisk::Be16;
using ondisk::Be32;
using ondisk::Be64;
using ondisk::BtreeKind;
using ondisk::Bytes;
using ondisk::Geometry;
using ondisk::View;
using enum StructureKind;

constexpr uint32_t kNone = ~0u;

enum class Size { kSector, kBlock, kDirectoryBlock };

// Structures with a 32-bit magic at their start.
struct Magic32 {
  uint32_t magic;
  StructureKind kind;
  Size size;
  uint32_t crc_offset;
  uint32_t owner_offset;  // of a 64-bit inode number
  std::optional<BtreeKind> tree = std::nullopt;
};
constexpr Magic32 kMagics32[] = {
    {0x58465342, kSuperblock, Size::kSector, 224, kNone},
    {0x58414746, kAgf, Size::kSector, 216, kNone},
    {0x58414749, kAgi, Size::kSector, 312, kNone},
    {0x5841464c, kAgfl, Size::kSector, 32, kNone},
    {0x41423342, kShortBtree, Size::kBlock, 52, kNone, BtreeKind::kBnobt},
    {0x41423343, kShortBtree, Size::kBlock, 52, kNone, BtreeKind::kCntbt},
    {0x49414233, kShortBtree, Size::kBlock, 52, kNone, BtreeKind::kInobt},
    {0x46494233, kShortBtree, Size::kBlock, 52, kNone, BtreeKind::kFinobt},
    {0x524d4233, kShortBtree, Size::kBlock, 52, kNone, BtreeKind::kRmapbt},
    {0x52334643, kShortBtree, Size::kBlock, 52, kNone, BtreeKind::kRefcountbt},
    {0x424d4133, kBmbt, Size::kBlock, 64, 56, BtreeKind::kBmbt},
    {0x58444233, kDirectoryData, Size::kDirectoryBlock, 4, 40},
    {0x58444433, kDirectoryData, Size::kDirectoryBlock, 4, 40},
    {0x58444633, kDirectoryFree, Size::kDirectoryBlock, 4, 40},
    {0x5841524d, kAttributeRemote, Size::kBlock, 12, 32},
    {0x58534c4d, kSymlink, Size::kBlock, 12, 32},
    // V4
    {0x41425442, kShortBtree, Size::kBlock, kNone, kNone, BtreeKind::kBnobt},
    {0x41425443, kShortBtree, Size::kBlock, kNone, kNone, BtreeKind::kCntbt},
    {0x49414254, kShortBtree, Size::kBlock, kNone, kNone, BtreeKind::kInobt},
    {0x424d4150, kBmbt, Size::kBlock, kNone, kNone, BtreeKind::kBmbt},
    {0x58443242, kDirectoryData, Size::kDirectoryBlock, kNone, kNone},
    {0x58443244, kDirectoryData, Size::kDirectoryBlock, kNone, kNone},
    {0x58443246, kDirectoryFree, Size::kDirectoryBlock, kNone, kNone},
};

// Structures with a 16-bit magic at byte 8, behind two sibling pointers.
struct Magic16 {
  uint16_t magic;
  StructureKind kind;
  bool crc;
  bool directory;
};
constexpr Magic16 kMagics16[] = {
    {0x3df1, kDirectoryLeaf, true, true},
    {0x3dff, kDirectoryLeaf, true, true},
    {0x3ebe, kDaNode, true, true},
    {0x3bee, kAttributeLeaf, true, false},
    {0xd2f1, kDirectoryLeaf, false, true},
    {0xd2ff, kDirectoryLeaf, false, true},
    {0xfebe, kDaNode, false, true},
    {0xfbee, kAttributeLeaf, false, false},
};

class Scanner {
 public:
  Scanner(const Geometry& geometry, Bytes image)
      : geometry_(geometry), image_(image) {}

  std::vector<Structure> Scan();

 private:
  uint32_t SizeOf(Size size) const {
    return size == Size::kSector  ? geometry_.sector_size
           : size == Size::kBlock ? geometry_.block_size
                                  : geometry_.directory_block_size;
  }
  // Adds the structure if it is whole and its checksum is right.
  bool Add(Structure structure, uint32_t crc_offset, uint32_t owner_offset);
  bool AddMagic32(uint64_t at, bool block_start);
  bool AddMagic16(uint64_t at);
  bool AddInode(uint64_t at);
  bool AddLogRecord(uint64_t at);

  const Geometry& geometry_;
  const Bytes image_;
  std::vector<Structure> found_;
};

bool Scanner::Add(Structure structure, uint32_t crc_offset,
                  uint32_t owner_offset) {
  if (!ondisk::Within(image_, structure.offset, structure.size)) return false;
  const Bytes bytes = image_.subspan(structure.offset, structure.size);
  if (geometry_.features.crc) {
    if (crc_offset == kNone || !ondisk::MetadataCrcMatches(bytes, crc_offset)) {
      return false;
    }
    structure.crc_offset = crc_offset;
    if (owner_offset != kNone) {
      structure.owner =
          ondisk::InodeNumber(View<Be64>(bytes, owner_offset).value());
    }
  }
  found_.push_back(structure);
  return true;
}

bool Scanner::AddMagic32(uint64_t at, bool block_start) {
  const uint32_t magic = View<Be32>(image_, at).value();
  for (const Magic32& entry : kMagics32) {
    if (entry.magic != magic) continue;
    if (entry.size != Size::kSector && !block_start) continue;
    if (Add({entry.kind, at, SizeOf(entry.size), {}, {}, entry.tree},
            entry.crc_offset, entry.owner_offset)) {
      return true;
    }
  }
  return false;
}

bool Scanner::AddMagic16(uint64_t at) {
  const uint16_t magic = View<Be16>(image_, at + 8).value();
  for (const Magic16& entry : kMagics16) {
    if (entry.magic != magic || entry.crc != geometry_.features.crc) continue;
    const uint32_t crc = entry.crc ? 12 : kNone;
    const uint32_t owner = entry.crc ? 48 : kNone;
    // A node's size depends on whose it is: take the one that the sum fits.
    if (Add({entry.kind, at, geometry_.block_size, {}, {}, {}}, crc, owner)) {
      return true;
    }
    if (entry.directory &&
        Add({entry.kind, at, geometry_.directory_block_size, {}, {}, {}}, crc,
            owner)) {
      return true;
    }
  }
  return false;
}

bool Scanner::AddInode(uint64_t at) {
  if (View<Be16>(image_, at).value() != 0x494e) return false;
  if (View<Be16>(image_, at + 2).value() == 0) return false;  // free
  return Add({kInode, at, geometry_.inode_size, {}, {}, {}}, 100, 152);
}

bool Scanner::AddLogRecord(uint64_t at) {
  const Bytes block = image_.subspan(at, ondisk::kLogBlockSize);
  if (!ondisk::IsLogRecordHeader(block)) return false;
  const auto& header = View<ondisk::LogRecordHeader>(block);
  const uint32_t blocks =
      ondisk::LogHeaderBlocks(geometry_.features.log_v2, header) +
      ondisk::LogPayloadBlocks(header.h_len.value());
  if (header.h_len.value() == 0 || blocks > 1024 ||
      !ondisk::Within(image_, at, uint64_t{blocks} * ondisk::kLogBlockSize)) {
    return false;
  }
  for (uint32_t i = 0; i < blocks; ++i) {
    found_.push_back({kLogBlock,
                      at + uint64_t{i} * ondisk::kLogBlockSize,
                      ondisk::kLogBlockSize,
                      {},
                      {},
                      {}});
  }
  return true;
}

std::vector<Structure> Scanner::Scan() {
  uint64_t at = 0;
  while (ondisk::Within(image_, at, ondisk::kLogBlockSize)) {
    const bool block_start = at % geometry_.block_size == 0;
    const bool aligned = at % geometry_.inode_size == 0;
    const bool found = AddMagic32(at, block_start) ||
                       (block_start && AddMagic16(at)) || AddLogRecord(at) ||
                       (aligned && AddInode(at));
    at = found ? found_.back().offset + found_.back().size
               : at + std::min(ondisk::kLogBlockSize, geometry_.inode_size);
  }
  return std::move(found_);
}

}  // namespace

std::vector<Structure> FindStructures(const Geometry& geometry, Bytes image) {
  return Scanner(geometry, image).Scan();
}

}  // namespace fusexfs
