// SPDX-License-Identifier: GPL-2.0-or-later
// What every V5 metadata block says of itself: a checksum, its own address and
// the UUID of its filesystem.
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_cksum.h, the verifiers of each block type.
#ifndef FUSEXFS_LIBONDISK_V5_IDENTITY_H_
#define FUSEXFS_LIBONDISK_V5_IDENTITY_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

// Checks fields "crc", "blkno" and "uuid". REQUIRES: crc_offset + 4 bytes lie
// within `block`.
void VerifyV5Identity(const Geometry& geometry, DiskAddress address,
                      Bytes block, size_t crc_offset, uint64_t blkno,
                      const Uuid& uuid, Checker& check);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_V5_IDENTITY_H_
