// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/da_btree.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/v5_identity.h"

namespace ondisk {
namespace {

constexpr Field kV4Fields[] = {
    ONDISK_FIELD(DaBlockInfo, forw, kUnsigned,
                 "fork block of the next block on this level, 0 for none"),
    ONDISK_FIELD(DaBlockInfo, back, kUnsigned,
                 "fork block of the previous block on this level"),
    ONDISK_FIELD(DaBlockInfo, magic, kHex, "tells the kind of block"),
    ONDISK_FIELD(DaBlockInfo, pad, kPadding, "unused"),
};

constexpr Field kV5Fields[] = {
    ONDISK_FIELD(Da3BlockInfo, forw, kUnsigned,
                 "fork block of the next block on this level, 0 for none"),
    ONDISK_FIELD(Da3BlockInfo, back, kUnsigned,
                 "fork block of the previous block on this level"),
    ONDISK_FIELD(Da3BlockInfo, magic, kHex, "tells the kind of block"),
    ONDISK_FIELD(Da3BlockInfo, pad, kPadding, "unused"),
    ONDISK_FIELD(Da3BlockInfo, crc, kCrc, "checksum of the whole block"),
    ONDISK_FIELD(Da3BlockInfo, blkno, kUnsigned,
                 "where the block is, in 512-byte sectors"),
    ONDISK_FIELD(Da3BlockInfo, lsn, kBlockLsn,
                 "log position of the last write"),
    ONDISK_FIELD(Da3BlockInfo, uuid, kUuid, "filesystem it belongs to"),
    ONDISK_FIELD(Da3BlockInfo, owner, kUnsigned, "inode it belongs to"),
};

constexpr Field kNodeFields[] = {
    ONDISK_FIELD(DaNodeHeader, count, kUnsigned, "entries in this node"),
    ONDISK_FIELD(DaNodeHeader, level, kUnsigned, "levels above the leaves"),
};
constexpr FieldTable kNodeTable = {"da node", "", sizeof(DaNodeHeader),
                                   kNodeFields};

constexpr Field kNode3Fields[] = {
    ONDISK_FIELD(Da3NodeHeader, count, kUnsigned, "entries in this node"),
    ONDISK_FIELD(Da3NodeHeader, level, kUnsigned, "levels above the leaves"),
    ONDISK_FIELD(Da3NodeHeader, pad, kPadding, "unused"),
};
constexpr FieldTable kNode3Table = {"da node", "", sizeof(Da3NodeHeader),
                                    kNode3Fields};

size_t NodeHeaderSize(const Features& features) {
  return features.crc ? sizeof(Da3NodeHeader) : sizeof(DaNodeHeader);
}

// Count and level stand behind the common header, whatever its size.
struct CountAndLevel {
  Be16 count;
  Be16 level;
};
const CountAndLevel& CountAndLevelOf(const Features& features, Bytes block) {
  return View<CountAndLevel>(
      block, features.crc ? sizeof(Da3BlockInfo) : sizeof(DaBlockInfo));
}

}  // namespace

const FieldTable kDaBlockInfoFields = {
    "da block header", "Opens every block of a directory's or attribute's tree",
    sizeof(DaBlockInfo), kV4Fields};
const FieldTable kDa3BlockInfoFields = {
    "da block header", "Opens every block of a directory's or attribute's tree",
    sizeof(Da3BlockInfo), kV5Fields};

uint16_t DaMagic(Bytes block) { return View<DaBlockInfo>(block).magic.value(); }

bool IsDaNode(Bytes block) {
  const uint16_t magic = DaMagic(block);
  return magic == kDaNodeMagicV4 || magic == kDaNodeMagicV5;
}

uint32_t DaForward(Bytes block) {
  return View<DaBlockInfo>(block).forw.value();
}

bool VerifyDaBlockInfo(const Geometry& geometry, DiskAddress address,
                       Bytes block, uint16_t magic_v4, uint16_t magic_v5,
                       Checker& check) {
  const bool v5 = geometry.features.crc;
  if (!check.AtLeast("size", block.size(), 512)) return false;
  if (!check.EqualHex("magic", DaMagic(block), v5 ? magic_v5 : magic_v4)) {
    return false;
  }
  if (v5) {
    const auto& info = View<Da3BlockInfo>(block);
    VerifyV5Identity(geometry, address, block, offsetof(Da3BlockInfo, crc),
                     info.blkno.value(), info.uuid, check);
  }
  return !check.done();
}

void VerifyDaOwner(const Geometry& geometry, Bytes block, InodeNumber owner,
                   Checker& check) {
  if (!geometry.features.crc) return;
  check.Equal("owner", View<Da3BlockInfo>(block).owner.value(), owner.value);
}

void VerifyDaNode(const Geometry& geometry, DiskAddress address, Bytes block,
                  Checker& check) {
  if (!VerifyDaBlockInfo(geometry, address, block, kDaNodeMagicV4,
                         kDaNodeMagicV5, check)) {
    return;
  }
  const CountAndLevel& header = CountAndLevelOf(geometry.features, block);
  if (!check.InRange("level", header.level.value(), 1, kDaMaxDepth) &&
      check.done()) {
    return;
  }
  const size_t most =
      (block.size() - NodeHeaderSize(geometry.features)) / sizeof(DaNodeEntry);
  if (!check.InRange("count", header.count.value(), 1, most)) return;

  // The kernel does not check the order; a search that trusts it misses names.
  const DaNodeView node = ViewDaNode(geometry, block);
  for (size_t i = 1; i < node.entries.size(); ++i) {
    const uint32_t hash = node.entries[i].hashval.value();
    const uint32_t previous = node.entries[i - 1].hashval.value();
    if (hash >= previous) continue;
    check.AtLeast(fmt::format("btree[{}].hashval", i), hash, previous);
    if (check.done()) return;
  }
}

DaNodeView ViewDaNode(const Geometry& geometry, Bytes block) {
  const CountAndLevel& header = CountAndLevelOf(geometry.features, block);
  const size_t start = NodeHeaderSize(geometry.features);
  const size_t count = std::min<size_t>(
      header.count.value(), (block.size() - start) / sizeof(DaNodeEntry));
  const auto& info = View<DaBlockInfo>(block);
  return {info.forw.value(),
          info.back.value(),
          header.level.value(),
          {&View<DaNodeEntry>(block, start), count}};
}

size_t FindDaChild(const DaNodeView& node, uint32_t hash) {
  const auto at = std::partition_point(
      node.entries.begin(), node.entries.end(),
      [hash](const DaNodeEntry& e) { return e.hashval.value() < hash; });
  const size_t index = static_cast<size_t>(at - node.entries.begin());
  return index == node.entries.size() && index > 0 ? index - 1 : index;
}

void ExplainDaBlockInfo(const Geometry& geometry, Bytes block,
                        Explanation& into) {
  ExplainFields(
      geometry.features.crc ? kDa3BlockInfoFields : kDaBlockInfoFields, block,
      0, into);
}

Explanation ExplainDaNode(const Geometry& geometry, DiskAddress address,
                          Bytes block) {
  Explanation node;
  node.structure = "da node";
  node.about =
      "An inner block of the B+tree that finds names by their hash: each "
      "entry leads to a child and carries the greatest hash below it.";
  node.where = Where::Disk(address).ToString();
  ExplainDaBlockInfo(geometry, block, node);
  ExplainFields(geometry.features.crc ? kNode3Table : kNodeTable, block, 0,
                node);
  Checker check(node.structure, Where::Disk(address),
                Checker::Mode::kAllFindings);
  VerifyDaNode(geometry, address, block, check);
  const size_t start = NodeHeaderSize(geometry.features);
  if (block.size() >= start) {
    const DaNodeView view = ViewDaNode(geometry, block);
    for (size_t i = 0; i < view.entries.size(); ++i) {
      const DaNodeEntry& entry = view.entries[i];
      const size_t offset = start + i * sizeof(DaNodeEntry);
      node.Add(fmt::format("btree[{}].hashval", i), offset,
               block.subspan(offset, 4),
               fmt::format("{:#010x}", entry.hashval.value()),
               "greatest hash below this child");
      node.Add(fmt::format("btree[{}].before", i), offset + 4,
               block.subspan(offset + 4, 4),
               fmt::to_string(entry.before.value()), "fork block of the child");
    }
  }
  AttachFindings(check, node);
  return node;
}

}  // namespace ondisk
