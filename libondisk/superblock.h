// SPDX-License-Identifier: GPL-2.0-or-later
// The superblock: the first sector of every allocation group. The one of AG 0
// (the primary) describes the whole image; the others are copies of its
// geometry for repair.
//
// Invariants: nothing in it is believed before VerifySuperblock has passed.
// Field names are those that xfs_db prints. Thread-safety: plain data and pure
// functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (struct xfs_dsb), xfs_sb.c.
#ifndef FUSEXFS_LIBONDISK_SUPERBLOCK_H_
#define FUSEXFS_LIBONDISK_SUPERBLOCK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/status.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kSuperblockMagic = 0x58465342;  // "XFSB"

// Read this many bytes from the start of an image (or all, if it is shorter) to
// hold its superblock whatever its sector size: the largest sector.
inline constexpr uint32_t kSuperblockReadBytes = 32768;

struct Superblock {
  Be32 magicnum;
  Be32 blocksize;  // bytes
  Be64 dblocks;
  Be64 rblocks;
  Be64 rextents;
  Uuid uuid;
  Be64 logstart;
  Be64 rootino;
  Be64 rbmino;
  Be64 rsumino;
  Be32 rextsize;  // blocks
  Be32 agblocks;
  Be32 agcount;
  Be32 rbmblocks;
  Be32 logblocks;
  Be16 versionnum;
  Be16 sectsize;   // bytes
  Be16 inodesize;  // bytes
  Be16 inopblock;
  char fname[12];
  uint8_t blocklog;
  uint8_t sectlog;
  uint8_t inodelog;
  uint8_t inopblog;
  uint8_t agblklog;
  uint8_t rextslog;
  uint8_t inprogress;
  uint8_t imax_pct;
  Be64 icount;
  Be64 ifree;
  Be64 fdblocks;
  Be64 frextents;
  Be64 uquotino;
  Be64 gquotino;
  Be16 qflags;
  uint8_t flags;
  uint8_t shared_vn;
  Be32 inoalignmt;  // blocks
  Be32 unit;        // blocks
  Be32 width;       // blocks
  uint8_t dirblklog;
  uint8_t logsectlog;
  Be16 logsectsize;  // bytes
  Be32 logsunit;     // bytes
  Be32 features2;
  Be32 bad_features2;
  // From here on V5 only.
  Be32 features_compat;
  Be32 features_ro_compat;
  Be32 features_incompat;
  Be32 features_log_incompat;
  Le32 crc;
  Be32 spino_align;  // blocks
  Be64 pquotino;
  Be64 lsn;
  Uuid meta_uuid;
  // metadir only.
  Be64 metadirino;
  Be32 rgcount;
  Be32 rgextents;
  uint8_t rgblklog;
  uint8_t pad[7];
  // zoned only.
  Be64 rtstart;
  Be64 rtreserved;

  // 4 or 5; others are not supported.
  uint32_t version() const { return versionnum.value() & 0xfu; }
  bool is_v5() const { return version() == 5; }
};
static_assert(sizeof(Superblock) == 304 && alignof(Superblock) == 1);
static_assert(offsetof(Superblock, logstart) == 48);
static_assert(offsetof(Superblock, versionnum) == 100);
static_assert(offsetof(Superblock, blocklog) == 120);
static_assert(offsetof(Superblock, icount) == 128);
static_assert(offsetof(Superblock, qflags) == 176);
static_assert(offsetof(Superblock, features2) == 200);
static_assert(offsetof(Superblock, crc) == 224);
static_assert(offsetof(Superblock, meta_uuid) == 248);
static_assert(offsetof(Superblock, metadirino) == 264);
static_assert(offsetof(Superblock, rtstart) == 288);

inline constexpr size_t kSuperblockCrcOffset = offsetof(Superblock, crc);

// versionnum: the version in the low four bits, and these flags.
inline constexpr uint16_t kVersionAttr = 0x0010;
inline constexpr uint16_t kVersionNlink = 0x0020;
inline constexpr uint16_t kVersionQuota = 0x0040;
inline constexpr uint16_t kVersionAlign = 0x0080;
inline constexpr uint16_t kVersionDalign = 0x0100;
inline constexpr uint16_t kVersionShared = 0x0200;
inline constexpr uint16_t kVersionLogV2 = 0x0400;
inline constexpr uint16_t kVersionSector = 0x0800;
inline constexpr uint16_t kVersionExtentFlag = 0x1000;
inline constexpr uint16_t kVersionDirV2 = 0x2000;
inline constexpr uint16_t kVersionAsciiCi = 0x4000;
inline constexpr uint16_t kVersionMoreBits = 0x8000;

// features2
inline constexpr uint32_t kFeatures2LazyCounters = 0x0002;
inline constexpr uint32_t kFeatures2Attr2 = 0x0008;
inline constexpr uint32_t kFeatures2ProjectId32 = 0x0080;
inline constexpr uint32_t kFeatures2Crc = 0x0100;
inline constexpr uint32_t kFeatures2Ftype = 0x0200;

extern const FieldTable kSuperblockFields;

// Checks a primary superblock in `bytes`, which starts with it and should hold
// kSuperblockReadBytes: CRC, version, feature words, geometry. `device_bytes`
// is the size of the data device; 0 if it is not known. Unknown incompat bits
// are a finding here; GeometryFromSuperblock tells them apart.
void VerifySuperblock(Bytes bytes, uint64_t device_bytes, Checker& check);

// Checks a copy (one sector) against the verified primary: magic, CRC, and
// equal geometry. Counters and feature words of a copy may be older than the
// primary's.
void VerifySecondarySuperblock(Bytes sector, const Superblock& primary,
                               const Geometry& geometry, Checker& check);

// The shape of an image from its first bytes, as VerifySuperblock wants them.
// Errors: EINVAL, "not an XFS image"; EOPNOTSUPP naming each unknown incompat
// bit or the old version; EUCLEAN for anything that cannot be.
absl::StatusOr<Geometry> GeometryFromSuperblock(Bytes bytes,
                                                uint64_t device_bytes);

// ---- may it be mounted? All REQUIRE a verified superblock. ----
struct MountRequest {
  bool read_only = true;
  bool has_log_device = false;
};
// OK, or why not: NEEDSREPAIR, an unfinished mkfs, unknown ro-compat bits or V4
// while writing, an external log without a log device. A realtime section is no
// reason: everything but the data of realtime files is on the data device.
absl::Status CheckMountable(const Superblock& superblock,
                            const MountRequest& request);
// OK, or EOPNOTSUPP naming each unknown log-incompat bit: its log must not be
// replayed.
absl::Status CheckLogRecoverable(const Superblock& superblock);

// Bits that this program does not know; 0 on V4.
uint32_t UnknownIncompat(const Superblock& superblock);
uint32_t UnknownRoCompat(const Superblock& superblock);
uint32_t UnknownLogIncompat(const Superblock& superblock);
// "zoned (bit 9), bit 12" for messages.
std::string NameBits(uint32_t bits, std::span<const NamedValue> names);

// The label, without its padding.
std::string VolumeLabel(const Superblock& superblock);

Explanation ExplainSuperblock(Bytes bytes, uint64_t device_bytes);
Explanation ExplainSecondarySuperblock(Bytes sector, AgNumber ag,
                                       const Superblock& primary,
                                       const Geometry& geometry);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_SUPERBLOCK_H_
