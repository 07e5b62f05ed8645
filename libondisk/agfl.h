// SPDX-License-Identifier: GPL-2.0-or-later
// AGFL: the free list of an allocation group (its fourth sector), a ring of
// block numbers kept aside for the free-space and reverse-mapping btrees. The
// AGF says which part of the ring is in use.
//
// On V4 it is a bare array that nobody initialises; on V5 it has a header.
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (struct xfs_agfl), xfs_alloc.c.
#ifndef FUSEXFS_LIBONDISK_AGFL_H_
#define FUSEXFS_LIBONDISK_AGFL_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kAgflMagic = 0x5841464c;  // "XAFL"

struct AgflHeader {  // V5 only; block numbers (Be32) follow at once
  Be32 magicnum;
  Be32 seqno;
  Uuid uuid;
  Be64 lsn;
  Le32 crc;
};
static_assert(sizeof(AgflHeader) == 36 && alignof(AgflHeader) == 1);
static_assert(offsetof(AgflHeader, lsn) == 24);
static_assert(offsetof(AgflHeader, crc) == 32);

inline constexpr size_t kAgflCrcOffset = offsetof(AgflHeader, crc);

extern const FieldTable kAgflFields;  // of the V5 header

// Slots of the ring.
uint32_t AgflSlots(const Geometry& geometry);
// The block number in a slot, or kNullAgBlock. REQUIRES: slot < AgflSlots, and
// a whole sector.
uint32_t AgflEntry(Bytes sector, const Geometry& geometry, uint32_t slot);

// `sector` is one sector at `address`. Nothing of a V4 AGFL can be checked
// without its AGF.
void VerifyAgfl(Bytes sector, const Geometry& geometry, DiskAddress address,
                Checker& check);

Explanation ExplainAgfl(Bytes sector, const Geometry& geometry,
                        DiskAddress address);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_AGFL_H_
