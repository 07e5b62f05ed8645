// SPDX-License-Identifier: GPL-2.0-or-later
// The records and keys of the six btrees within an AG, decoded. (A bmbt's
// records are extents: extents.h.)
//
// Invariants: a decoded record is as untrusted as the bytes; its Verify
// function says whether it can be. Keys of a tree start like its records, so
// the first fields decode both.
// Thread-safety: plain values and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h, xfs_alloc.c, xfs_ialloc.c,
// xfs_rmap.c, xfs_refcount.c.
#ifndef FUSEXFS_LIBONDISK_BTREE_RECORDS_H_
#define FUSEXFS_LIBONDISK_BTREE_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

// ---- bnobt, cntbt: a run of free blocks ----
struct DiskAllocRecord {  // record and key
  Be32 startblock;
  Be32 blockcount;
};
static_assert(sizeof(DiskAllocRecord) == 8);

struct AllocRecord {
  AgBlock start;
  uint32_t count = 0;  // blocks

  static AllocRecord Decode(Bytes record);  // REQUIRES: 8 bytes
};

void VerifyAllocRecord(const AllocRecord& record, const Geometry& geometry,
                       AgNumber ag, Checker& check);
// Whether `b` may follow `a` in the tree ordered by block, or by length.
bool InBlockOrder(const AllocRecord& a, const AllocRecord& b);
bool InLengthOrder(const AllocRecord& a, const AllocRecord& b);

// ---- inobt, finobt: 64 inodes ----
inline constexpr uint32_t kInodesPerChunk = 64;
inline constexpr uint32_t kInodesPerHolemaskBit = 4;

struct DiskInobtRecord {  // as sparse-inode images have it
  Be32 startino;
  Be16 holemask;  // without sparse inodes, these three are one Be32
  uint8_t count;  // freecount
  uint8_t freecount;
  Be64 free;
};
static_assert(sizeof(DiskInobtRecord) == 16);
static_assert(offsetof(DiskInobtRecord, free) == 8);
// The key is startino alone.

struct InobtRecord {
  AgInode start;
  uint16_t holemask = 0;   // a set bit: four inodes that are not there
  uint32_t count = 0;      // inodes that are there
  uint32_t freecount = 0;  // of those, unused
  uint64_t free = 0;       // a set bit: unused (or not there)

  // REQUIRES: 16 bytes.
  static InobtRecord Decode(Bytes record, bool sparse_inodes);

  uint64_t HoleMask64() const;  // one bit per inode that is not there
  bool IsHole(uint32_t i) const { return (HoleMask64() >> i & 1) != 0; }
  // In use. REQUIRES: i < 64.
  bool IsUsed(uint32_t i) const {
    return ((free | HoleMask64()) >> i & 1) == 0;
  }
};

void VerifyInobtRecord(const InobtRecord& record, const Geometry& geometry,
                       AgNumber ag, Checker& check);
bool InOrder(const InobtRecord& a, const InobtRecord& b);

// ---- rmapbt: who owns a run of blocks ----
struct DiskRmapRecord {
  Be32 startblock;
  Be32 blockcount;
  Be64 owner;
  Be64 offset;  // with flags in its top bits
};
static_assert(sizeof(DiskRmapRecord) == 24);

struct DiskRmapKey {
  Be32 startblock;
  Be64 owner;
  Be64 offset;
};
static_assert(sizeof(DiskRmapKey) == 20 && alignof(DiskRmapKey) == 1);

inline constexpr uint64_t kRmapAttrFork = uint64_t{1} << 63;
inline constexpr uint64_t kRmapBmbtBlock = uint64_t{1} << 62;
inline constexpr uint64_t kRmapUnwritten = uint64_t{1} << 61;
inline constexpr uint64_t kRmapOffsetMask = (uint64_t{1} << 54) - 1;

// Owners that are not inodes.
inline constexpr uint64_t kRmapOwnerNull = ~uint64_t{0};
inline constexpr uint64_t kRmapOwnerUnknown = ~uint64_t{0} - 1;
inline constexpr uint64_t kRmapOwnerFs = ~uint64_t{0} - 2;
inline constexpr uint64_t kRmapOwnerLog = ~uint64_t{0} - 3;
inline constexpr uint64_t kRmapOwnerAg = ~uint64_t{0} - 4;
inline constexpr uint64_t kRmapOwnerInobt = ~uint64_t{0} - 5;
inline constexpr uint64_t kRmapOwnerInodes = ~uint64_t{0} - 6;
inline constexpr uint64_t kRmapOwnerRefcount = ~uint64_t{0} - 7;
inline constexpr uint64_t kRmapOwnerCow = ~uint64_t{0} - 8;

struct RmapRecord {
  AgBlock start;
  uint32_t count = 0;   // blocks; 0 when decoded from a key
  uint64_t owner = 0;   // inode number or kRmapOwner*
  uint64_t offset = 0;  // file block; 0 for bmbt blocks and non-inodes
  bool attr_fork = false;
  bool bmbt_block = false;
  bool unwritten = false;
  bool reserved_bits = false;  // bits 54 to 60 of the offset are not zero

  static RmapRecord Decode(Bytes record);  // REQUIRES: 24 bytes
  static RmapRecord DecodeKey(Bytes key);  // REQUIRES: 20 bytes

  bool owned_by_inode() const { return owner >> 63 == 0; }
};

void VerifyRmapRecord(const RmapRecord& record, const Geometry& geometry,
                      AgNumber ag, Checker& check);
// By start, owner, then fork, bmbt flag and offset.
bool InOrder(const RmapRecord& a, const RmapRecord& b);
// "inode 131", "AG btrees", ...
std::string RmapOwnerName(uint64_t owner);

// ---- refcountbt: shared blocks, and blocks staged for copy-on-write ----
struct DiskRefcountRecord {
  Be32 startblock;  // the top bit: staged for copy-on-write
  Be32 blockcount;
  Be32 refcount;
};
static_assert(sizeof(DiskRefcountRecord) == 12);
// The key is startblock alone.

inline constexpr uint32_t kRefcountCowFlag = 1u << 31;

struct RefcountRecord {
  AgBlock start;
  uint32_t count = 0;       // blocks
  uint32_t references = 0;  // 2 or more; staged blocks have 1
  bool cow_staging = false;

  static RefcountRecord Decode(Bytes record);  // REQUIRES: 12 bytes
};

void VerifyRefcountRecord(const RefcountRecord& record,
                          const Geometry& geometry, AgNumber ag,
                          Checker& check);
// Shared records by start, then staged ones by start; no overlap.
bool InOrder(const RefcountRecord& a, const RefcountRecord& b);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_BTREE_RECORDS_H_
