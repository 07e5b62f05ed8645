// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory_data.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "libondisk/name_hash.h"

namespace ondisk {
namespace {

constexpr uint32_t kSmallestUnused = kDirectoryAlignment;

uint32_t Magic(Bytes block) { return View<Be32>(block).value(); }

const DirectoryBlockTail& Tail(Bytes block) {
  return View<DirectoryBlockTail>(block,
                                  block.size() - sizeof(DirectoryBlockTail));
}

bool IsUnused(Bytes block, uint32_t offset) {
  return View<Be16>(block, offset).value() == kDirectoryFreeTag;
}

// The three longest free runs, as the header tells them, against those found in
// the block.
class BestFreeCheck {
 public:
  BestFreeCheck(std::span<const DirectoryDataFree> table, Checker& check)
      : check_(check) {
    for (size_t i = 0; i < kDirectoryBestFreeCount; ++i) {
      offset_[i] = table[i].offset.value();
      length_[i] = table[i].length.value();
    }
  }

  // What the table must satisfy by itself: longest first, unused ones zero.
  bool TableHolds() {
    for (size_t i = 0; i < kDirectoryBestFreeCount; ++i) {
      if ((length_[i] == 0) != (offset_[i] == 0)) {
        return check_.That(false, Name(i, "offset"), offset_[i],
                           "zero just if its length is");
      }
      if (i > 0 && length_[i] > length_[i - 1]) {
        return check_.AtMost(Name(i, "length"), length_[i], length_[i - 1]);
      }
      seen_[i] = length_[i] == 0;
    }
    return true;
  }

  // A free run that the block has: it is in the table, exactly, or shorter than
  // (or as short as) all that are.
  bool Found(uint32_t offset, uint32_t length) {
    for (size_t i = 0; i < kDirectoryBestFreeCount; ++i) {
      if (offset_[i] != offset || length_[i] == 0) continue;
      seen_[i] = true;
      return length_[i] == length ||
             check_.Equal(Name(i, "length"), length_[i], length);
    }
    constexpr size_t kLast = kDirectoryBestFreeCount - 1;
    return length <= length_[kLast] ||
           check_.AtLeast(Name(kLast, "length"), length_[kLast], length);
  }

  void AllFound() {
    for (size_t i = 0; i < kDirectoryBestFreeCount; ++i) {
      if (!seen_[i]) {
        check_.That(false, Name(i, "offset"), offset_[i],
                    "the start of a free run");
      }
    }
  }

 private:
  static std::string Name(size_t i, std::string_view field) {
    return fmt::format("bestfree[{}].{}", i, field);
  }

  Checker& check_;
  std::array<uint32_t, kDirectoryBestFreeCount> offset_{};
  std::array<uint32_t, kDirectoryBestFreeCount> length_{};
  std::array<bool, kDirectoryBestFreeCount> seen_{};
};

// The leaf array of a block-form directory: hash order, stale count.
bool LeavesHold(Bytes block, Checker& check) {
  const auto leaves = DirectoryBlockLeaves(block);
  uint32_t stale = 0;
  bool sorted = true;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].address.value() == kNullDirectoryPointer) ++stale;
    if (i == 0) continue;
    const uint32_t hash = leaves[i].hashval.value();
    const uint32_t previous = leaves[i - 1].hashval.value();
    if (hash < previous) {
      sorted =
          check.AtLeast(fmt::format("bleaf[{}].hashval", i), hash, previous);
      if (check.done()) return false;
    }
  }
  check.Equal("stale", Tail(block).stale.value(), stale);
  return sorted;
}

// REQUIRES: leaves in hash order.
bool HasLeaf(std::span<const DirectoryLeafEntry> leaves, uint32_t hash,
             DirectoryPointer address) {
  auto leaf = std::partition_point(
      leaves.begin(), leaves.end(),
      [hash](const auto& l) { return l.hashval.value() < hash; });
  for (; leaf != leaves.end() && leaf->hashval.value() == hash; ++leaf) {
    if (leaf->address.value() == address.value) return true;
  }
  return false;
}

// False if the walk cannot go on.
bool VerifyUnused(Bytes block, uint32_t offset, uint32_t end,
                  BestFreeCheck& best_free, Checker& check) {
  const auto name = [offset](std::string_view field) {
    return fmt::format("unused entry at {}: {}", offset, field);
  };
  const uint32_t length =
      View<DirectoryDataUnusedHead>(block, offset).length.value();
  if (length < kSmallestUnused || length % kDirectoryAlignment != 0) {
    return check.That(false, name("length"), length,
                      "a multiple of 8 that is not zero");
  }
  if (length > end - offset) {
    return check.AtMost(name("length"), length, end - offset);
  }
  const uint16_t tag = View<Be16>(block, offset + length - 2).value();
  if (tag != offset) check.Equal(name("tag"), tag, offset);
  best_free.Found(offset, length);
  return !check.done();
}

bool VerifyUsed(const Geometry& geometry, Bytes block, uint32_t offset,
                uint32_t end, Checker& check) {
  const auto name = [offset](std::string_view field) {
    return fmt::format("entry at {}: {}", offset, field);
  };
  const Features& features = geometry.features;
  const auto& head = View<DirectoryDataEntryHead>(block, offset);
  const uint32_t size = DirectoryDataEntrySize(features, head.namelen);
  if (head.namelen == 0) return check.AtLeast(name("namelen"), 0, 1);
  if (size > end - offset) {
    return check.That(false, name("namelen"), head.namelen,
                      "a name that fits the block");
  }
  const uint16_t tag = View<Be16>(block, offset + size - 2).value();
  if (tag != offset) check.Equal(name("tag"), tag, offset);
  const InodeNumber inode(head.inumber.value());
  if (!IsLegalDirectoryInode(geometry, inode)) {
    check.That(false, name("inumber"), inode.value, "a possible inode number");
  }
  return !check.done();
}

// What data blocks and block-form directories share: the walk over the area
// that ends at `end`. `leaves`: to look each entry up in, if in order.
void VerifyArea(const Geometry& geometry, Bytes block, uint32_t end,
                std::optional<std::span<const DirectoryLeafEntry>> leaves,
                uint32_t& entries, Checker& check) {
  const Features& features = geometry.features;
  BestFreeCheck best_free(DirectoryBestFree(features, block), check);
  if (!best_free.TableHolds() && check.done()) return;

  bool after_unused = false;
  uint32_t offset = DirectoryDataStart(features);
  while (offset < end) {
    if (end - offset < kSmallestUnused) {
      check.That(false, "entries", offset, "entries that fill the block");
      return;
    }
    if (IsUnused(block, offset)) {
      if (after_unused) {
        check.That(false, fmt::format("unused entry at {}", offset), offset,
                   "no free run right behind another");
        if (check.done()) return;
      }
      if (!VerifyUnused(block, offset, end, best_free, check)) return;
      offset += View<DirectoryDataUnusedHead>(block, offset).length.value();
      after_unused = true;
      continue;
    }
    // The shortest entry is longer than the fixed part that is read next.
    if (end - offset < DirectoryDataEntrySize(features, 1)) {
      check.That(false, "entries", offset, "entries that fill the block");
      return;
    }
    if (!VerifyUsed(geometry, block, offset, end, check)) return;
    const auto entry = DirectoryEntryAt(features, block, offset);
    if (entry && leaves &&
        !HasLeaf(*leaves, DirectoryNameHash(features, entry->name),
                 ToDirectoryPointer(geometry, DirectoryBlock(0), offset))) {
      check.That(false, fmt::format("entry at {}: name", offset),
                 DirectoryNameHash(features, entry->name),
                 "a leaf entry with its hash and address");
      if (check.done()) return;
    }
    ++entries;
    after_unused = false;
    offset += DirectoryDataEntrySize(
        features, View<DirectoryDataEntryHead>(block, offset).namelen);
  }
  best_free.AllFound();
}

}  // namespace

void VerifyDirectoryData(const Geometry& geometry, DiskAddress address,
                         Bytes block, Checker& check) {
  if (!VerifyDirectoryBlockHeader(geometry, address, block,
                                  kDirectoryDataMagicV4, kDirectoryDataMagicV5,
                                  check)) {
    return;
  }
  uint32_t entries = 0;
  VerifyArea(geometry, block, static_cast<uint32_t>(block.size()), std::nullopt,
             entries, check);
}

void VerifyDirectoryBlock(const Geometry& geometry, DiskAddress address,
                          Bytes block, Checker& check) {
  if (!VerifyDirectoryBlockHeader(geometry, address, block,
                                  kDirectoryBlockMagicV4,
                                  kDirectoryBlockMagicV5, check)) {
    return;
  }
  const DirectoryBlockTail& tail = Tail(block);
  const uint64_t most = (block.size() - sizeof(DirectoryBlockTail) -
                         DirectoryDataStart(geometry.features)) /
                        sizeof(DirectoryLeafEntry);
  if (!check.Less("count", tail.count.value(), most)) return;

  const bool sorted = LeavesHold(block, check);
  if (check.done()) return;
  std::optional<std::span<const DirectoryLeafEntry>> leaves;
  if (sorted) leaves = DirectoryBlockLeaves(block);
  uint32_t entries = 0;
  VerifyArea(geometry, block, DirectoryDataEnd(block), leaves, entries, check);
  if (check.done()) return;
  check.Equal("count", tail.count.value(),
              uint64_t{entries} + tail.stale.value());
}

bool IsDirectoryBlockForm(Bytes block) {
  const uint32_t magic = Magic(block);
  return magic == kDirectoryBlockMagicV4 || magic == kDirectoryBlockMagicV5;
}

std::span<const DirectoryDataFree> DirectoryBestFree(const Features& features,
                                                     Bytes block) {
  if (features.crc) return View<Directory3DataHeader>(block).bestfree;
  return View<DirectoryDataHeader>(block).bestfree;
}

uint32_t DirectoryDataEnd(Bytes block) {
  if (!IsDirectoryBlockForm(block)) return static_cast<uint32_t>(block.size());
  const uint64_t taken =
      sizeof(DirectoryBlockTail) +
      uint64_t{Tail(block).count.value()} * sizeof(DirectoryLeafEntry);
  return taken <= block.size() ? static_cast<uint32_t>(block.size() - taken)
                               : 0;
}

std::span<const DirectoryLeafEntry> DirectoryBlockLeaves(Bytes block) {
  const uint32_t end = DirectoryDataEnd(block);
  if (end == 0 || !IsDirectoryBlockForm(block)) return {};
  return {&View<DirectoryLeafEntry>(block, end), Tail(block).count.value()};
}

std::optional<DirectoryEntryView> DirectoryEntryAt(const Features& features,
                                                   Bytes block,
                                                   uint32_t offset) {
  const uint32_t end = DirectoryDataEnd(block);
  if (offset < DirectoryDataStart(features) ||
      offset % kDirectoryAlignment != 0 || offset >= end ||
      end - offset < DirectoryDataEntrySize(features, 1) ||
      IsUnused(block, offset)) {
    return std::nullopt;
  }
  const auto& head = View<DirectoryDataEntryHead>(block, offset);
  DirectoryEntryView entry;
  entry.size = DirectoryDataEntrySize(features, head.namelen);
  if (head.namelen == 0 || entry.size > end - offset ||
      View<Be16>(block, offset + entry.size - 2).value() != offset) {
    return std::nullopt;
  }
  const uint32_t name_at = offset + sizeof(DirectoryDataEntryHead);
  entry.name = {reinterpret_cast<const char*>(block.data()) + name_at,
                head.namelen};
  entry.inode = InodeNumber(head.inumber.value());
  entry.file_type = features.ftype ? block[name_at + head.namelen] : 0;
  entry.offset = offset;
  return entry;
}

DirectoryDataEntries::DirectoryDataEntries(const Features& features,
                                           Bytes block, uint32_t start)
    : block_(block),
      position_(start),
      end_(DirectoryDataEnd(block)),
      features_(features) {}

bool DirectoryDataEntries::Next(DirectoryEntryView& entry) {
  while (position_ < end_ && end_ - position_ >= kSmallestUnused) {
    if (!IsUnused(block_, position_)) {
      const auto found = DirectoryEntryAt(features_, block_, position_);
      if (!found) return false;
      entry = *found;
      position_ += entry.size;
      return true;
    }
    const uint32_t length =
        View<DirectoryDataUnusedHead>(block_, position_).length.value();
    if (length == 0 || length > end_ - position_) return false;
    position_ += length;
  }
  return false;
}

}  // namespace ondisk
