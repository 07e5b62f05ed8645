// SPDX-License-Identifier: GPL-2.0-or-later
// Field tables of btree blocks, and their rendering for `ondisk explain`:
// header, then each record, or each key and pointer. Indexes count from 1, as
// xfs_db does.
#include <algorithm>

#include <fmt/format.h>

#include "libondisk/ag_header.h"
#include "libondisk/btree_block.h"
#include "libondisk/btree_records.h"
#include "libondisk/extents.h"

namespace ondisk {
namespace {

#define ROW(member, kind, meaning) \
  ONDISK_FIELD(BtreeShortHeader, member, kind, meaning)
const Field kShortRows[] = {
    ROW(magic, kMagic, "says which btree the block belongs to"),
    ROW(level, kUnsigned, "height above the leaves; 0: records"),
    ROW(numrecs, kUnsigned, "records, or keys and pointers"),
    ROW(leftsib, kUnsigned, "left neighbour on this level; all ones: none"),
    ROW(rightsib, kUnsigned, "right neighbour on this level; all ones: none"),
    ROW(blkno, kUnsigned, "this block's own address, 512-byte units"),
    ROW(lsn, kBlockLsn, "the log record that last wrote this"),
    ROW(uuid, kUuid, "the image's identity"),
    ROW(owner, kUnsigned, "allocation group that the tree belongs to"),
    ROW(crc, kCrc, "checksum of the block"),
};
#undef ROW
#define ROW(member, kind, meaning) \
  ONDISK_FIELD(BtreeLongHeader, member, kind, meaning)
const Field kLongRows[] = {
    ROW(magic, kMagic, "says which btree the block belongs to"),
    ROW(level, kUnsigned, "height above the leaves; 0: records"),
    ROW(numrecs, kUnsigned, "records, or keys and pointers"),
    ROW(leftsib, kUnsigned, "left neighbour on this level; all ones: none"),
    ROW(rightsib, kUnsigned, "right neighbour on this level; all ones: none"),
    ROW(blkno, kUnsigned, "this block's own address, 512-byte units"),
    ROW(lsn, kBlockLsn, "the log record that last wrote this"),
    ROW(uuid, kUuid, "the image's identity"),
    ROW(owner, kUnsigned, "inode whose extents these are"),
    ROW(crc, kCrc, "checksum of the block"),
    ROW(pad, kPadding, "zero"),
};
#undef ROW
const Field kRootRows[] = {
    ONDISK_FIELD(BmbtRootHeader, level, kUnsigned,
                 "height above the leaves, at least 1"),
    ONDISK_FIELD(BmbtRootHeader, numrecs, kUnsigned, "keys and pointers"),
};

std::string RmapText(const RmapRecord& r) {
  return fmt::format("{} offset {}{}{}{}", RmapOwnerName(r.owner), r.offset,
                     r.attr_fork ? ", attribute fork" : "",
                     r.bmbt_block ? ", bmbt block" : "",
                     r.unwritten ? ", unwritten" : "");
}

std::string RecordText(BtreeKind kind, Bytes record, const Geometry& geometry) {
  switch (kind) {
    case BtreeKind::kBnobt:
    case BtreeKind::kCntbt: {
      const AllocRecord r = AllocRecord::Decode(record);
      return fmt::format("startblock {} blockcount {}", r.start.value, r.count);
    }
    case BtreeKind::kInobt:
    case BtreeKind::kFinobt: {
      const InobtRecord r =
          InobtRecord::Decode(record, geometry.features.sparse_inodes);
      return fmt::format(
          "startino {} holemask {:#x} count {} freecount {} free {:#x}",
          r.start.value, r.holemask, r.count, r.freecount, r.free);
    }
    case BtreeKind::kRmapbt: {
      const RmapRecord r = RmapRecord::Decode(record);
      return fmt::format("startblock {} blockcount {} owner {}", r.start.value,
                         r.count, RmapText(r));
    }
    case BtreeKind::kRefcountbt: {
      const RefcountRecord r = RefcountRecord::Decode(record);
      return fmt::format("startblock {} blockcount {} refcount {}{}",
                         r.start.value, r.count, r.references,
                         r.cow_staging ? ", staged for copy-on-write" : "");
    }
    case BtreeKind::kBmbt: {
      const ExtentRecord r = UnpackExtent(View<DiskExtent>(record));
      return fmt::format("startoff {} startblock {} blockcount {}{}",
                         r.start.value, r.block.value, r.count,
                         r.unwritten ? ", unwritten" : "");
    }
  }
  return "";
}

std::string KeyText(BtreeKind kind, Bytes key) {
  switch (kind) {
    case BtreeKind::kBnobt:
    case BtreeKind::kCntbt: {
      const AllocRecord r = AllocRecord::Decode(key);
      return fmt::format("startblock {} blockcount {}", r.start.value, r.count);
    }
    case BtreeKind::kRmapbt: {
      const RmapRecord r = RmapRecord::DecodeKey(key);
      return fmt::format("startblock {} owner {}", r.start.value, RmapText(r));
    }
    case BtreeKind::kInobt:
    case BtreeKind::kFinobt:
      return fmt::format("startino {}", View<Be32>(key).value());
    case BtreeKind::kRefcountbt:
      return fmt::format("startblock {}", View<Be32>(key).value());
    case BtreeKind::kBmbt:
      return fmt::format("startoff {}", View<Be64>(key).value());
  }
  return "";
}

void VerifyRecord(BtreeKind kind, Bytes record, const Geometry& geometry,
                  AgNumber ag, Checker& check) {
  switch (kind) {
    case BtreeKind::kBnobt:
    case BtreeKind::kCntbt:
      return VerifyAllocRecord(AllocRecord::Decode(record), geometry, ag,
                               check);
    case BtreeKind::kInobt:
    case BtreeKind::kFinobt:
      return VerifyInobtRecord(
          InobtRecord::Decode(record, geometry.features.sparse_inodes),
          geometry, ag, check);
    case BtreeKind::kRmapbt:
      return VerifyRmapRecord(RmapRecord::Decode(record), geometry, ag, check);
    case BtreeKind::kRefcountbt:
      return VerifyRefcountRecord(RefcountRecord::Decode(record), geometry, ag,
                                  check);
    case BtreeKind::kBmbt:
      return VerifyExtent(geometry, Fork::kData, false,
                          UnpackExtent(View<DiskExtent>(record)), check);
  }
}

bool RecordsInOrder(BtreeKind kind, Bytes a, Bytes b) {
  switch (kind) {
    case BtreeKind::kBnobt:
      return InBlockOrder(AllocRecord::Decode(a), AllocRecord::Decode(b));
    case BtreeKind::kCntbt:
      return InLengthOrder(AllocRecord::Decode(a), AllocRecord::Decode(b));
    case BtreeKind::kInobt:
    case BtreeKind::kFinobt:
      return InOrder(InobtRecord::Decode(a, true),
                     InobtRecord::Decode(b, true));
    case BtreeKind::kRmapbt:
      return InOrder(RmapRecord::Decode(a), RmapRecord::Decode(b));
    case BtreeKind::kRefcountbt:
      return InOrder(RefcountRecord::Decode(a), RefcountRecord::Decode(b));
    case BtreeKind::kBmbt:
      return UnpackExtent(View<DiskExtent>(a)).end() <=
             UnpackExtent(View<DiskExtent>(b)).start;
  }
  return true;
}

void ExplainRecords(const BtreeBlock& block, uint32_t count,
                    const Geometry& geometry, AgNumber ag, Where where,
                    Explanation& into) {
  const BtreeKind kind = block.layout().kind;
  for (uint32_t i = 0; i < count; ++i) {
    const Bytes record = block.Record(i);
    into.Add(fmt::format("recs[{}]", i + 1), block.layout().RecordOffset(i),
             record, RecordText(kind, record, geometry), "");
    Checker check(into.structure, where, Checker::Mode::kAllFindings);
    VerifyRecord(kind, record, geometry, ag, check);
    if (i > 0) {
      check.That(RecordsInOrder(kind, block.Record(i - 1), record), "order", i,
                 "records in order");
    }
    std::string& problem = into.fields.back().problem;
    for (const Finding& f : check.findings()) {
      problem +=
          fmt::format("{}{} is {}, expected {}", problem.empty() ? "" : "; ",
                      f.field, f.found, f.expected);
    }
  }
}

void ExplainNode(const BtreeBlock& block, uint32_t count, Explanation& into) {
  const BtreeLayout& layout = block.layout();
  const bool overlapping = TraitsOf(layout.kind).overlapping;
  for (uint32_t i = 0; i < count; ++i) {
    into.Add(fmt::format("keys[{}]", i + 1), layout.KeyOffset(i),
             block.LowKey(i), KeyText(layout.kind, block.LowKey(i)),
             overlapping ? "lowest key below the pointer of this number"
                         : "first key below the pointer of this number");
    if (overlapping) {
      into.Add(fmt::format("high_keys[{}]", i + 1), layout.HighKeyOffset(i),
               block.HighKey(i), KeyText(layout.kind, block.HighKey(i)),
               "highest key below the pointer of this number");
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t offset = layout.PointerOffset(i);
    into.Add(fmt::format("ptrs[{}]", i + 1), offset,
             block.bytes().subspan(offset, layout.pointer_size),
             fmt::to_string(block.Pointer(i)), "block one level down");
  }
}

constexpr std::string_view kHeaderAbout =
    "A block of a btree: a header, then sorted records (level 0), or keys and "
    "pointers to blocks one level down.";

}  // namespace

const FieldTable kBtreeShortFields = {"btree block", kHeaderAbout,
                                      sizeof(BtreeShortHeader), kShortRows};
const FieldTable kBtreeLongFields = {"btree block", kHeaderAbout,
                                     sizeof(BtreeLongHeader), kLongRows};
const FieldTable kBmbtRootFields = {
    "bmbt root", "The root of a file's extent btree, in the inode itself.",
    sizeof(BmbtRootHeader), kRootRows};

Explanation ExplainBtreeBlock(Bytes bytes, BtreeKind kind,
                              const Geometry& geometry, DiskAddress address) {
  const BtreeTraits& traits = TraitsOf(kind);
  const BtreeLayout layout = BtreeLayout::Of(kind, geometry);
  const Where where = Where::Disk(address);
  Explanation explanation = ExplainTable(
      traits.long_pointers ? kBtreeLongFields : kBtreeShortFields,
      bytes.first(std::min<size_t>(bytes.size(), layout.header_size)), 0,
      where);
  explanation.structure = fmt::format("{} block", traits.name);
  explanation.about = fmt::format("{} {}", traits.about, kHeaderAbout);

  if (bytes.size() == layout.block_size) {
    const BtreeBlock block(bytes, layout);
    const uint32_t count =
        std::min(block.count(), layout.MaxEntries(block.level()));
    if (block.is_leaf()) {
      ExplainRecords(block, count, geometry, AgOf(geometry, address), where,
                     explanation);
    } else {
      ExplainNode(block, count, explanation);
    }
  }
  Checker check(explanation.structure, where, Checker::Mode::kAllFindings);
  VerifyBtreeBlock(bytes, kind, geometry, address, check);
  AttachFindings(check, explanation);
  return explanation;
}

}  // namespace ondisk
