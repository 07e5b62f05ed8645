// SPDX-License-Identifier: GPL-2.0-or-later
// Dquots: how much of the filesystem one user, group or project uses, and may
// use. They fill the blocks of the quota inodes, one fixed place per identity.
//
// Thread-safety: plain values and pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_disk_dquot, xfs_dqblk),
// xfs_dquot_buf.c.
#ifndef FUSEXFS_LIBONDISK_DQUOT_H_
#define FUSEXFS_LIBONDISK_DQUOT_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint16_t kDquotMagic = 0x4451;  // "DQ"
inline constexpr uint8_t kDquotVersion = 1;
inline constexpr uint8_t kDquotUser = 1u << 0;
inline constexpr uint8_t kDquotProject = 1u << 1;
inline constexpr uint8_t kDquotGroup = 1u << 2;
inline constexpr uint8_t kDquotBigtime = 1u << 7;

// One identity's record; also what the log carries of it.
struct DiskDquot {
  Be16 magic;
  uint8_t version;
  uint8_t type;
  Be32 id;
  Be64 blk_hardlimit;
  Be64 blk_softlimit;
  Be64 ino_hardlimit;
  Be64 ino_softlimit;
  Be64 bcount;
  Be64 icount;
  Be32 itimer;
  Be32 btimer;
  Be16 iwarns;
  Be16 bwarns;
  Be32 pad0;
  Be64 rtb_hardlimit;
  Be64 rtb_softlimit;
  Be64 rtbcount;
  Be32 rtbtimer;
  Be16 rtbwarns;
  Be16 pad;
};
static_assert(sizeof(DiskDquot) == 104);
static_assert(offsetof(DiskDquot, bcount) == 40);

// A record as it fills a quota block. The last three fields are V5's.
struct DquotBlock {
  DiskDquot dquot;
  uint8_t fill[4];
  Le32 crc;
  Be64 lsn;
  uint8_t uuid[16];
};
static_assert(sizeof(DquotBlock) == 136);
static_assert(offsetof(DquotBlock, crc) == 108);

extern const FieldTable kDquotTable;       // DiskDquot
extern const FieldTable kDquotBlockTable;  // the V5 fields behind it

// One record. `id`: the identity that belongs at this place, if it is known.
void VerifyDquot(const Geometry& geometry, Bytes record,
                 std::optional<uint32_t> id, Checker& check);
// A whole quota block: CRCs and UUIDs on V5, ids that count up by one.
void VerifyDquotBuffer(const Geometry& geometry, Bytes block, Checker& check);

// When a timer runs out, in seconds since 1970; 0 if it does not run.
int64_t DecodeDquotTimer(uint8_t type, uint32_t timer);

Explanation ExplainDquotBuffer(const Geometry& geometry, DiskAddress address,
                               Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DQUOT_H_
