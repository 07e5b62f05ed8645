// SPDX-License-Identifier: GPL-2.0-or-later
// What is particular to each tree: how a record and a key are decoded, how keys
// compare, what a record may say. Each struct is a policy of BtreeCursor:
//
//   kKind            which tree
//   Record, Key      decoded; keys compare in the tree's order
//   Decode, DecodeKey, KeyOf
//   Verify           what can be said of one record
//   InOrder(a, b)    whether b may follow a
//   Text(key)        for messages
//
// Thread-safety: pure functions. Source: libondisk/btree_records.h, extents.h.
#ifndef FUSEXFS_FUSEXFS_BTREE_TREES_H_
#define FUSEXFS_FUSEXFS_BTREE_TREES_H_

#include <compare>
#include <cstdint>
#include <string>

#include "fusexfs/btree/btree_root.h"
#include "libondisk/btree_records.h"
#include "libondisk/btree_traits.h"
#include "libondisk/checker.h"
#include "libondisk/extents.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

// Free space, ordered by block.
struct BnobtTree {
  static constexpr auto kKind = ondisk::BtreeKind::kBnobt;
  using Record = ondisk::AllocRecord;
  using Key = ondisk::AgBlock;

  static Record Decode(ondisk::Bytes bytes, const ondisk::Geometry&) {
    return Record::Decode(bytes);
  }
  static Key DecodeKey(ondisk::Bytes bytes) {
    return Key(ondisk::View<ondisk::Be32>(bytes).value());
  }
  static Key KeyOf(const Record& record) { return record.start; }
  static void Verify(const Record& record, const ondisk::Geometry& geometry,
                     const BtreeRoot& root, ondisk::Checker& check) {
    VerifyAllocRecord(record, geometry, root.ag, check);
  }
  static bool InOrder(const Record& a, const Record& b) {
    return InBlockOrder(a, b);
  }
  static std::string Text(Key key) { return std::to_string(key.value); }
};

// Free space, ordered by length, then by block.
struct CntbtTree {
  static constexpr auto kKind = ondisk::BtreeKind::kCntbt;
  using Record = ondisk::AllocRecord;
  struct Key {
    uint32_t count = 0;
    ondisk::AgBlock start;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  static Record Decode(ondisk::Bytes bytes, const ondisk::Geometry&) {
    return Record::Decode(bytes);
  }
  static Key DecodeKey(ondisk::Bytes bytes) {
    return KeyOf(Record::Decode(bytes));
  }
  static Key KeyOf(const Record& record) {
    return {record.count, record.start};
  }
  static void Verify(const Record& record, const ondisk::Geometry& geometry,
                     const BtreeRoot& root, ondisk::Checker& check) {
    VerifyAllocRecord(record, geometry, root.ag, check);
  }
  static bool InOrder(const Record& a, const Record& b) {
    return InLengthOrder(a, b);
  }
  static std::string Text(const Key& key) {
    return std::to_string(key.count) + " blocks at " +
           std::to_string(key.start.value);
  }
};

// Inode chunks.
struct InobtTree {
  static constexpr auto kKind = ondisk::BtreeKind::kInobt;
  using Record = ondisk::InobtRecord;
  using Key = ondisk::AgInode;

  static Record Decode(ondisk::Bytes bytes, const ondisk::Geometry& geometry) {
    return Record::Decode(bytes, geometry.features.sparse_inodes);
  }
  static Key DecodeKey(ondisk::Bytes bytes) {
    return Key(ondisk::View<ondisk::Be32>(bytes).value());
  }
  static Key KeyOf(const Record& record) { return record.start; }
  static void Verify(const Record& record, const ondisk::Geometry& geometry,
                     const BtreeRoot& root, ondisk::Checker& check) {
    VerifyInobtRecord(record, geometry, root.ag, check);
  }
  static bool InOrder(const Record& a, const Record& b) {
    return ondisk::InOrder(a, b);
  }
  static std::string Text(Key key) { return std::to_string(key.value); }
};

// Inode chunks that have a free inode.
struct FinobtTree : InobtTree {
  static constexpr auto kKind = ondisk::BtreeKind::kFinobt;
};

// Who owns a run of blocks. Runs of shared blocks may overlap: the high keys
// in the nodes, which searches by block use, come with their first user.
struct RmapTree {
  static constexpr auto kKind = ondisk::BtreeKind::kRmapbt;
  using Record = ondisk::RmapRecord;
  struct Key {
    ondisk::AgBlock start;
    uint64_t owner = 0;
    // Attribute fork and btree block sort above the offset.
    uint64_t packed_offset = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  static Record Decode(ondisk::Bytes bytes, const ondisk::Geometry&) {
    return Record::Decode(bytes);
  }
  static Key DecodeKey(ondisk::Bytes bytes) {
    return KeyOf(Record::DecodeKey(bytes));
  }
  static Key KeyOf(const Record& record) {
    return {record.start, record.owner,
            record.offset | (record.attr_fork ? ondisk::kRmapAttrFork : 0) |
                (record.bmbt_block ? ondisk::kRmapBmbtBlock : 0)};
  }
  static void Verify(const Record& record, const ondisk::Geometry& geometry,
                     const BtreeRoot& root, ondisk::Checker& check) {
    VerifyRmapRecord(record, geometry, root.ag, check);
  }
  static bool InOrder(const Record& a, const Record& b) {
    return ondisk::InOrder(a, b);
  }
  static std::string Text(const Key& key) {
    return "block " + std::to_string(key.start.value) + " of " +
           ondisk::RmapOwnerName(key.owner);
  }
};

// Shared blocks; staged ones (for copy-on-write) sort behind all of them.
struct RefcountTree {
  static constexpr auto kKind = ondisk::BtreeKind::kRefcountbt;
  using Record = ondisk::RefcountRecord;
  struct Key {
    bool cow_staging = false;
    ondisk::AgBlock start;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  static Record Decode(ondisk::Bytes bytes, const ondisk::Geometry&) {
    return Record::Decode(bytes);
  }
  static Key DecodeKey(ondisk::Bytes bytes) {
    const uint32_t raw = ondisk::View<ondisk::Be32>(bytes).value();
    return {(raw & ondisk::kRefcountCowFlag) != 0,
            ondisk::AgBlock(raw & ~ondisk::kRefcountCowFlag)};
  }
  static Key KeyOf(const Record& record) {
    return {record.cow_staging, record.start};
  }
  static void Verify(const Record& record, const ondisk::Geometry& geometry,
                     const BtreeRoot& root, ondisk::Checker& check) {
    VerifyRefcountRecord(record, geometry, root.ag, check);
  }
  static bool InOrder(const Record& a, const Record& b) {
    return ondisk::InOrder(a, b);
  }
  static std::string Text(const Key& key) {
    return (key.cow_staging ? "staged block " : "block ") +
           std::to_string(key.start.value);
  }
};

// The extents of one fork of an inode.
template <ondisk::Fork kFork>
struct BmbtTree {
  static constexpr auto kKind = ondisk::BtreeKind::kBmbt;
  using Record = ondisk::ExtentRecord;
  using Key = ondisk::FileBlock;

  static Record Decode(ondisk::Bytes bytes, const ondisk::Geometry&) {
    return ondisk::UnpackExtent(ondisk::View<ondisk::DiskExtent>(bytes));
  }
  static Key DecodeKey(ondisk::Bytes bytes) {
    return Key(ondisk::View<ondisk::Be64>(bytes).value());
  }
  static Key KeyOf(const Record& record) { return record.start; }
  static void Verify(const Record& record, const ondisk::Geometry& geometry,
                     const BtreeRoot&, ondisk::Checker& check) {
    VerifyExtent(geometry, kFork, /*realtime=*/false, record, check);
  }
  static bool InOrder(const Record& a, const Record& b) {
    return a.end() <= b.start;
  }
  static std::string Text(Key key) { return std::to_string(key.value); }
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_BTREE_TREES_H_
