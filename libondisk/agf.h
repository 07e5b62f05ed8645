// SPDX-License-Identifier: GPL-2.0-or-later
// AGF: the free-space header of an allocation group (its second sector). It
// holds the roots of the two free-space btrees, of the reverse-mapping and of
// the reference-count btree, and the free-list's place within the AGFL.
//
// Invariants: trusted only after VerifyAgf. Field names are those of xfs_db.
// Thread-safety: plain data and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (struct xfs_agf), xfs_alloc.c.
#ifndef FUSEXFS_LIBONDISK_AGF_H_
#define FUSEXFS_LIBONDISK_AGF_H_

#include <cstddef>
#include <cstdint>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kAgfMagic = 0x58414746;  // "XAGF"
inline constexpr uint32_t kAgfVersion = 1;

struct Agf {
  Be32 magicnum;
  Be32 versionnum;
  Be32 seqno;
  Be32 length;  // blocks
  Be32 bnoroot;
  Be32 cntroot;
  Be32 rmaproot;
  Be32 bnolevel;  // levels: 1 means that the root is a leaf
  Be32 cntlevel;
  Be32 rmaplevel;
  Be32 flfirst;  // index within the AGFL
  Be32 fllast;
  Be32 flcount;
  Be32 freeblks;
  Be32 longest;
  Be32 btreeblks;
  // From here on V5 only.
  Uuid uuid;
  Be32 rmapblocks;
  Be32 refcntblocks;
  Be32 refcntroot;
  Be32 refcntlevel;
  Be64 spare64[14];
  Be64 lsn;
  Le32 crc;
  Be32 spare2;
};
static_assert(sizeof(Agf) == 224 && alignof(Agf) == 1);
static_assert(offsetof(Agf, flfirst) == 40);
static_assert(offsetof(Agf, uuid) == 64);
static_assert(offsetof(Agf, refcntroot) == 88);
static_assert(offsetof(Agf, lsn) == 208);
static_assert(offsetof(Agf, crc) == 216);

inline constexpr size_t kAgfCrcOffset = offsetof(Agf, crc);

extern const FieldTable kAgfFields;

// `sector` is one sector at `address`, which says whose AGF it must be.
void VerifyAgf(Bytes sector, const Geometry& geometry, DiskAddress address,
               Checker& check);
// The roots of all trees that the image has lie within the AG, past its
// headers. Apart from VerifyAgf, because the kernel finds a bad root only when
// it walks that tree: until then the image is usable.
void VerifyAgfRoots(const Agf& agf, const Geometry& geometry, AgNumber ag,
                    Checker& check);

Explanation ExplainAgf(Bytes sector, const Geometry& geometry,
                       DiskAddress address);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_AGF_H_
