// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/btree_records.h"

#include <bit>
#include <tuple>

#include <fmt/format.h>

namespace ondisk {
namespace {

// The run lies within the AG, past its headers.
void VerifyRun(AgBlock start, uint32_t count, const Geometry& geometry,
               AgNumber ag, Checker& check) {
  const uint32_t size = geometry.AgSize(ag);
  if (check.AtLeast("blockcount", count, 1) &&
      check.InRange("startblock", start.value, geometry.AgflBlock().value + 1,
                    size - 1)) {
    check.AtMost("blockcount", count, size - start.value);
  }
}

uint64_t End(AgBlock start, uint32_t count) {
  return uint64_t{start.value} + count;
}

}  // namespace

// ---- free space ----

AllocRecord AllocRecord::Decode(Bytes record) {
  const auto& disk = View<DiskAllocRecord>(record);
  return {AgBlock(disk.startblock.value()), disk.blockcount.value()};
}

void VerifyAllocRecord(const AllocRecord& record, const Geometry& geometry,
                       AgNumber ag, Checker& check) {
  VerifyRun(record.start, record.count, geometry, ag, check);
}

bool InBlockOrder(const AllocRecord& a, const AllocRecord& b) {
  return End(a.start, a.count) <= b.start.value;
}

bool InLengthOrder(const AllocRecord& a, const AllocRecord& b) {
  if (a.count != b.count) return a.count < b.count;
  return InBlockOrder(a, b);
}

// ---- inode chunks ----

InobtRecord InobtRecord::Decode(Bytes record, bool sparse_inodes) {
  const auto& disk = View<DiskInobtRecord>(record);
  InobtRecord r;
  r.start = AgInode(disk.startino.value());
  r.free = disk.free.value();
  if (sparse_inodes) {
    r.holemask = disk.holemask.value();
    r.count = disk.count;
    r.freecount = disk.freecount;
  } else {
    r.count = kInodesPerChunk;
    r.freecount =
        View<Be32>(record, offsetof(DiskInobtRecord, holemask)).value();
  }
  return r;
}

uint64_t InobtRecord::HoleMask64() const {
  uint64_t mask = 0;
  for (uint32_t bit = 0; bit < 16 && holemask != 0; ++bit) {
    if ((holemask >> bit & 1) != 0) {
      mask |= uint64_t{0xf} << (bit * kInodesPerHolemaskBit);
    }
  }
  return mask;
}

void VerifyInobtRecord(const InobtRecord& record, const Geometry& geometry,
                       AgNumber ag, Checker& check) {
  const uint64_t last = uint64_t{record.start.value} + kInodesPerChunk - 1;
  check.That(last >> geometry.ag_inode_log() == 0 &&
                 geometry.IsValid(geometry.ToInodeNumber(ag, record.start)) &&
                 geometry.IsValid(geometry.ToInodeNumber(
                     ag, AgInode(static_cast<uint32_t>(last)))),
             "startino", record.start.value,
             "64 inodes within the allocation group");
  const uint64_t holes = record.HoleMask64();
  check.Equal("count", record.count,
              kInodesPerChunk - static_cast<uint32_t>(std::popcount(holes)));
  check.AtLeast("count", record.count, kInodesPerHolemaskBit);
  check.Equal("freecount", record.freecount,
              static_cast<uint32_t>(std::popcount(record.free & ~holes)));
}

bool InOrder(const InobtRecord& a, const InobtRecord& b) {
  return uint64_t{a.start.value} + kInodesPerChunk <= b.start.value;
}

// ---- owners ----

namespace {

void UnpackOffset(uint64_t offset, RmapRecord& r) {
  constexpr uint64_t kFlags = kRmapAttrFork | kRmapBmbtBlock | kRmapUnwritten;
  r.offset = offset & kRmapOffsetMask;
  r.attr_fork = (offset & kRmapAttrFork) != 0;
  r.bmbt_block = (offset & kRmapBmbtBlock) != 0;
  r.unwritten = (offset & kRmapUnwritten) != 0;
  r.reserved_bits = (offset & ~kFlags & ~kRmapOffsetMask) != 0;
}

bool IsRmapOwner(uint64_t owner, const Geometry& geometry) {
  return (owner <= kRmapOwnerFs && owner >= kRmapOwnerCow) ||
         geometry.IsValid(InodeNumber(owner));
}

}  // namespace

RmapRecord RmapRecord::Decode(Bytes record) {
  const auto& disk = View<DiskRmapRecord>(record);
  RmapRecord r;
  r.start = AgBlock(disk.startblock.value());
  r.count = disk.blockcount.value();
  r.owner = disk.owner.value();
  UnpackOffset(disk.offset.value(), r);
  return r;
}

RmapRecord RmapRecord::DecodeKey(Bytes key) {
  const auto& disk = View<DiskRmapKey>(key);
  RmapRecord r;
  r.start = AgBlock(disk.startblock.value());
  r.owner = disk.owner.value();
  UnpackOffset(disk.offset.value(), r);
  return r;
}

void VerifyRmapRecord(const RmapRecord& record, const Geometry& geometry,
                      AgNumber ag, Checker& check) {
  const uint32_t header = geometry.AgflBlock().value;
  if (record.start.value <= header) {  // the AG's own headers, in one record
    check.Equal("startblock", record.start.value, 0);
    check.Equal("owner", record.owner, kRmapOwnerFs);
    check.Equal("blockcount", record.count, header + 1);
  } else {
    VerifyRun(record.start, record.count, geometry, ag, check);
  }
  check.That(IsRmapOwner(record.owner, geometry), "owner", record.owner,
             "an inode number or a known kind of metadata");
  check.That(!record.reserved_bits, "offset", record.offset,
             "bits 54 to 60 are zero");
  const bool flagged =
      record.attr_fork || record.bmbt_block || record.unwritten;
  if (!record.owned_by_inode()) {
    check.That(record.offset == 0 && !flagged, "offset", record.offset,
               "0 without flags: the owner is not an inode");
    return;
  }
  if (record.bmbt_block) {
    check.Equal("offset", record.offset, 0);
    check.That(!record.unwritten, "offset", record.offset,
               "not unwritten: it is a block of a bmbt");
    return;
  }
  check.That(!record.unwritten || !record.attr_fork, "offset", record.offset,
             "not unwritten: it belongs to an attribute fork");
  check.AtMost("blockcount", record.count, kRmapOffsetMask - record.offset + 1);
}

bool InOrder(const RmapRecord& a, const RmapRecord& b) {
  // Whether an extent is unwritten is no part of the key.
  const auto key = [](const RmapRecord& r) {
    return std::tuple(r.start, r.owner, r.attr_fork, r.bmbt_block, r.offset);
  };
  return key(a) <= key(b);
}

std::string RmapOwnerName(uint64_t owner) {
  switch (owner) {
    case kRmapOwnerNull:
      return "nobody";
    case kRmapOwnerUnknown:
      return "unknown";
    case kRmapOwnerFs:
      return "AG headers";
    case kRmapOwnerLog:
      return "log";
    case kRmapOwnerAg:
      return "free-space and rmap btrees";
    case kRmapOwnerInobt:
      return "inode btrees";
    case kRmapOwnerInodes:
      return "inode chunk";
    case kRmapOwnerRefcount:
      return "refcount btree";
    case kRmapOwnerCow:
      return "copy-on-write staging";
    default:
      return fmt::format("inode {}", owner);
  }
}

// ---- shared blocks ----

RefcountRecord RefcountRecord::Decode(Bytes record) {
  const auto& disk = View<DiskRefcountRecord>(record);
  const uint32_t start = disk.startblock.value();
  return {AgBlock(start & ~kRefcountCowFlag), disk.blockcount.value(),
          disk.refcount.value(), (start & kRefcountCowFlag) != 0};
}

void VerifyRefcountRecord(const RefcountRecord& record,
                          const Geometry& geometry, AgNumber ag,
                          Checker& check) {
  VerifyRun(record.start, record.count, geometry, ag, check);
  if (record.cow_staging) {
    check.Equal("refcount", record.references, 1);
  } else {
    check.AtLeast("refcount", record.references, 2);
  }
}

bool InOrder(const RefcountRecord& a, const RefcountRecord& b) {
  if (a.cow_staging != b.cow_staging) return b.cow_staging;
  return End(a.start, a.count) <= b.start.value;
}

}  // namespace ondisk
