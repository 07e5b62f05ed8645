// SPDX-License-Identifier: GPL-2.0-or-later
// CRC32C (Castagnoli), the checksum of all V5 metadata, with the CPU's own
// instruction where there is one (through ISA-L).
//
// XFS computes it over a whole structure with the checksum field taken as zero
// and stores it little-endian. Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_cksum.h.
#ifndef FUSEXFS_LIBONDISK_CRC32C_H_
#define FUSEXFS_LIBONDISK_CRC32C_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kCrc32cSeed = 0xffffffffu;

// Extends a running value (not inverted at either end).
uint32_t Crc32cExtend(uint32_t crc, Bytes bytes);

// The checksum of `bytes` as XFS stores it, with the four bytes at `crc_offset`
// taken as zero. REQUIRES: crc_offset + 4 <= bytes.size().
uint32_t MetadataCrc(Bytes bytes, size_t crc_offset);

// Whether the Le32 at `crc_offset` is the checksum of `bytes`.
bool MetadataCrcMatches(Bytes bytes, size_t crc_offset);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_CRC32C_H_
