// SPDX-License-Identifier: GPL-2.0-or-later
// Symlink targets that do not fit in the inode: one or more blocks, of at most
// 1023 bytes of target in all.
//
// On V5 images every block opens with a header that says which inode owns it
// and which bytes of the target follow. On V4 images the target stands there
// bare.
//
// Thread-safety: plain values and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_dsymlink_hdr),
// xfs_symlink_remote.c.
#ifndef FUSEXFS_LIBONDISK_SYMLINK_H_
#define FUSEXFS_LIBONDISK_SYMLINK_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kSymlinkMagic = 0x58534c4d;  // "XSLM"
inline constexpr uint32_t kMaxSymlinkLength = 1024;    // with its final NUL

struct SymlinkHeader {
  Be32 magic;
  Be32 offset;  // of this block's first byte in the target
  Be32 bytes;   // of the target in this block
  Le32 crc;
  uint8_t uuid[16];
  Be64 owner;
  Be64 blkno;
  Be64 lsn;
};
static_assert(sizeof(SymlinkHeader) == 56);
static_assert(offsetof(SymlinkHeader, crc) == 12);
static_assert(offsetof(SymlinkHeader, owner) == 32);

extern const FieldTable kSymlinkHeaderTable;

// Bytes of target that a block of `block_bytes` holds.
constexpr uint32_t SymlinkPayload(const Geometry& geometry,
                                  uint32_t block_bytes) {
  return geometry.features.crc
             ? block_bytes - static_cast<uint32_t>(sizeof(SymlinkHeader))
             : block_bytes;
}

// What the block says of itself: magic, CRC, UUID, its own address, an owner,
// and a range that ends within the longest target. V4 blocks have nothing to
// check.
void VerifySymlinkBlock(const Geometry& geometry, DiskAddress address,
                        Bytes block, Checker& check);

// Whether the block holds bytes [offset, offset + bytes) of `owner`'s target.
// REQUIRES: VerifySymlinkBlock held. V4 blocks: checks only that it fits.
void VerifySymlinkContents(const Geometry& geometry, Bytes block,
                           InodeNumber owner, uint32_t offset, uint32_t bytes,
                           Checker& check);

// The target bytes in the block, behind the header. REQUIRES: verified.
Bytes SymlinkTarget(const Geometry& geometry, Bytes block, uint32_t bytes);

Explanation ExplainSymlinkBlock(const Geometry& geometry, DiskAddress address,
                                Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_SYMLINK_H_
