// SPDX-License-Identifier: GPL-2.0-or-later
// AGI: the inode header of an allocation group (its third sector). It holds the
// roots of the inode btrees, counts of inodes, and the heads of the lists of
// inodes that are unlinked but still open.
//
// Invariants: trusted only after VerifyAgi. Field names are those of xfs_db.
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (struct xfs_agi), xfs_ialloc.c.
#ifndef FUSEXFS_LIBONDISK_AGI_H_
#define FUSEXFS_LIBONDISK_AGI_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kAgiMagic = 0x58414749;  // "XAGI"
inline constexpr uint32_t kAgiVersion = 1;
inline constexpr uint32_t kAgiUnlinkedBuckets = 64;

struct Agi {
  Be32 magicnum;
  Be32 versionnum;
  Be32 seqno;
  Be32 length;  // blocks
  Be32 count;   // inodes
  Be32 root;
  Be32 level;  // levels: 1 means that the root is a leaf
  Be32 freecount;
  Be32 newino;
  Be32 dirino;
  Be32 unlinked[kAgiUnlinkedBuckets];
  // From here on V5 only.
  Uuid uuid;
  Le32 crc;
  Be32 pad32;
  Be64 lsn;
  Be32 free_root;
  Be32 free_level;
  Be32 ino_blocks;
  Be32 fino_blocks;
};
static_assert(sizeof(Agi) == 344 && alignof(Agi) == 1);
static_assert(offsetof(Agi, unlinked) == 40);
static_assert(offsetof(Agi, uuid) == 296);
static_assert(offsetof(Agi, crc) == 312);
static_assert(offsetof(Agi, lsn) == 320);
static_assert(offsetof(Agi, free_root) == 328);

inline constexpr size_t kAgiCrcOffset = offsetof(Agi, crc);

extern const FieldTable kAgiFields;

// `sector` is one sector at `address`, which says whose AGI it must be. Roots
// are checked too: no image with a bad one can be mounted. (The kernel lets
// freecount lie.)
void VerifyAgi(Bytes sector, const Geometry& geometry, DiskAddress address,
               Checker& check);

Explanation ExplainAgi(Bytes sector, const Geometry& geometry,
                       DiskAddress address);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_AGI_H_
