// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_leaf.h"

#include <algorithm>

#include <fmt/format.h>

namespace ondisk {
namespace {

constexpr Field kHeaderFields[] = {
    ONDISK_FIELD(DirectoryLeafHeader, count, kUnsigned,
                 "leaf entries, stale ones included"),
    ONDISK_FIELD(DirectoryLeafHeader, stale, kUnsigned,
                 "entries whose names are gone"),
};
constexpr FieldTable kHeaderTable = {
    "directory leaf", "", sizeof(DirectoryLeafHeader), kHeaderFields};
constexpr Field kHeader3Fields[] = {
    ONDISK_FIELD(Directory3LeafHeader, count, kUnsigned,
                 "leaf entries, stale ones included"),
    ONDISK_FIELD(Directory3LeafHeader, stale, kUnsigned,
                 "entries whose names are gone"),
    ONDISK_FIELD(Directory3LeafHeader, pad, kPadding, "unused"),
};
constexpr FieldTable kHeader3Table = {
    "directory leaf", "", sizeof(Directory3LeafHeader), kHeader3Fields};

struct Counts {
  Be16 count;
  Be16 stale;
};
const Counts& CountsOf(const Features& features, Bytes block) {
  return View<Counts>(
      block, features.crc ? sizeof(Da3BlockInfo) : sizeof(DaBlockInfo));
}

size_t HeaderSize(const Features& features) {
  return features.crc ? sizeof(Directory3LeafHeader)
                      : sizeof(DirectoryLeafHeader);
}

bool IsLeaf1(Bytes block) {
  const uint16_t magic = DaMagic(block);
  return magic == kDirectoryLeaf1MagicV4 || magic == kDirectoryLeaf1MagicV5;
}

uint32_t BestCount(Bytes block) {
  return View<DirectoryLeafTail>(block,
                                 block.size() - sizeof(DirectoryLeafTail))
      .bestcount.value();
}

void VerifyLeaf(const Geometry& geometry, DiskAddress address, Bytes block,
                bool leaf1, Checker& check) {
  if (!check.Equal("size", block.size(), geometry.directory_block_size)) {
    return;
  }
  if (!VerifyDaBlockInfo(
          geometry, address, block,
          leaf1 ? kDirectoryLeaf1MagicV4 : kDirectoryLeafNMagicV4,
          leaf1 ? kDirectoryLeaf1MagicV5 : kDirectoryLeafNMagicV5, check)) {
    return;
  }
  const Features& features = geometry.features;
  const size_t start = HeaderSize(features);
  const Counts& counts = CountsOf(features, block);
  size_t room = block.size() - start;
  uint32_t best_count = 0;
  if (leaf1) {
    room -= sizeof(DirectoryLeafTail);
    best_count = BestCount(block);
    if (!check.AtMost("bestcount", best_count, room / sizeof(Be16))) return;
    room -= best_count * sizeof(Be16);
  }
  if (!check.AtMost("count", counts.count.value(),
                    room / sizeof(DirectoryLeafEntry))) {
    return;
  }

  const auto entries = ViewDirectoryLeaf(features, block).entries;
  uint32_t stale = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const uint32_t hash = entries[i].hashval.value();
    if (i > 0 && hash < entries[i - 1].hashval.value()) {
      check.AtLeast(fmt::format("ents[{}].hashval", i), hash,
                    entries[i - 1].hashval.value());
    }
    const DirectoryPointer pointer(entries[i].address.value());
    if (pointer.value == kNullDirectoryPointer) ++stale;
    if (leaf1 && DirectoryBlockOf(geometry, pointer).value >= best_count) {
      check.That(false, fmt::format("ents[{}].address", i), pointer.value,
                 "a data block that bests tells of");
    }
    if (check.done()) return;
  }
  check.Equal("stale", counts.stale.value(), stale);
}

}  // namespace

void VerifyDirectoryLeaf1(const Geometry& geometry, DiskAddress address,
                          Bytes block, Checker& check) {
  VerifyLeaf(geometry, address, block, true, check);
}

void VerifyDirectoryLeafN(const Geometry& geometry, DiskAddress address,
                          Bytes block, Checker& check) {
  VerifyLeaf(geometry, address, block, false, check);
}

DirectoryLeafView ViewDirectoryLeaf(const Features& features, Bytes block) {
  const size_t start = HeaderSize(features);
  const Counts& counts = CountsOf(features, block);
  const auto& info = View<DaBlockInfo>(block);
  const size_t count =
      std::min<size_t>(counts.count.value(),
                       (block.size() - start) / sizeof(DirectoryLeafEntry));
  DirectoryLeafView leaf;
  leaf.forw = info.forw.value();
  leaf.back = info.back.value();
  leaf.stale = counts.stale.value();
  leaf.entries = {&View<DirectoryLeafEntry>(block, start), count};
  if (IsLeaf1(block)) {
    const size_t tail = block.size() - sizeof(DirectoryLeafTail);
    const size_t bests =
        std::min<size_t>(BestCount(block), (tail - start) / sizeof(Be16));
    leaf.bests = {&View<Be16>(block, tail - bests * sizeof(Be16)), bests};
  }
  return leaf;
}

size_t FindLeafEntry(std::span<const DirectoryLeafEntry> entries,
                     uint32_t hash) {
  const auto at = std::partition_point(
      entries.begin(), entries.end(),
      [hash](const auto& e) { return e.hashval.value() < hash; });
  return static_cast<size_t>(at - entries.begin());
}

Explanation ExplainDirectoryLeaf(const Geometry& geometry, DiskAddress address,
                                 Bytes block) {
  const bool leaf1 = block.size() >= sizeof(DaBlockInfo) && IsLeaf1(block);
  Explanation leaf;
  leaf.structure = leaf1 ? "directory leaf1 block" : "directory leafn block";
  leaf.about =
      leaf1 ? "The one leaf of a directory: finds entries by the hash of their "
              "names, and knows the free space of each data block."
            : "One of many leaves of a directory: finds entries by the hash of "
              "their names.";
  leaf.where = Where::Disk(address).ToString();
  Checker check(leaf.structure, Where::Disk(address),
                Checker::Mode::kAllFindings);
  VerifyLeaf(geometry, address, block, leaf1, check);
  if (block.size() == geometry.directory_block_size) {
    ExplainDaBlockInfo(geometry, block, leaf);
    ExplainFields(geometry.features.crc ? kHeader3Table : kHeaderTable, block,
                  0, leaf);
    const DirectoryLeafView view = ViewDirectoryLeaf(geometry.features, block);
    const auto row = [&](std::string_view name, size_t offset, size_t size,
                         std::string_view value, std::string_view meaning) {
      leaf.Add(name, offset, block.subspan(offset, size), value, meaning);
    };
    const size_t start = HeaderSize(geometry.features);
    for (size_t i = 0; i < view.entries.size(); ++i) {
      const size_t at = start + i * sizeof(DirectoryLeafEntry);
      const DirectoryPointer pointer(view.entries[i].address.value());
      row(fmt::format("ents[{}].hashval", i), at, 4,
          fmt::format("{:#010x}", view.entries[i].hashval.value()),
          "hash of a name");
      row(fmt::format("ents[{}].address", i), at + 4, 4,
          fmt::to_string(pointer.value),
          pointer.value == kNullDirectoryPointer
              ? "stale: the name is gone"
              : fmt::format("its entry: directory block {}, byte {}",
                            DirectoryBlockOf(geometry, pointer).value,
                            OffsetInDirectoryBlock(geometry, pointer)));
    }
    if (leaf1) {
      const size_t tail = block.size() - sizeof(DirectoryLeafTail);
      const size_t bests = tail - view.bests.size_bytes();
      for (size_t i = 0; i < view.bests.size(); ++i) {
        const uint16_t best = view.bests[i].value();
        row(fmt::format("bests[{}]", i), bests + i * sizeof(Be16), 2,
            fmt::to_string(best),
            best == kNullDirectoryOffset ? "no such data block"
                                         : "longest free run of this block");
      }
      row("bestcount", tail, 4, fmt::to_string(BestCount(block)),
          "data blocks that bests tells of");
    }
  }
  AttachFindings(check, leaf);
  return leaf;
}

}  // namespace ondisk
