// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/agi.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/ag_header.h"
#include "libondisk/btree_traits.h"

namespace ondisk {
namespace {

#define ROW(member, kind, meaning, ...) \
  ONDISK_FIELD(Agi, member, kind, meaning __VA_OPT__(, ) __VA_ARGS__)

const Field kFields[] = {
    ROW(magicnum, kMagic, "says that this is an AGI"),
    ROW(versionnum, kUnsigned, "version of this header, always 1"),
    ROW(seqno, kUnsigned, "number of this allocation group"),
    ROW(length, kUnsigned, "blocks of this allocation group"),
    ROW(count, kUnsigned, "allocated inodes"),
    ROW(root, kUnsigned, "root block of the inode btree"),
    ROW(level, kUnsigned, "levels of the inode btree"),
    ROW(freecount, kUnsigned, "of the allocated inodes, unused"),
    ROW(newino, kUnsigned, "the chunk allocated last (a hint)"),
    ROW(dirino, kUnsigned, "not used"),
    {"unlinked",
     offsetof(Agi, unlinked),
     4,
     FieldKind::kHex,
     "heads of the lists of inodes unlinked but still open, by number modulo "
     "64; all ones: empty",
     {},
     kAgiUnlinkedBuckets},
    ROW(uuid, kUuid, "the image's identity"),
    ROW(crc, kCrc, "checksum of the sector"),
    ROW(pad32, kPadding, "zero"),
    ROW(lsn, kBlockLsn, "the log record that last wrote this"),
    ROW(free_root, kUnsigned, "root block of the free-inode btree"),
    ROW(free_level, kUnsigned, "levels of the free-inode btree"),
    ROW(ino_blocks, kUnsigned, "blocks of the inode btree (inobtcount only)"),
    ROW(fino_blocks, kUnsigned,
        "blocks of the free-inode btree (inobtcount only)"),
};
#undef ROW

constexpr std::string_view kAbout =
    "The inode header of an allocation group: where its inode btrees start, "
    "how many inodes there are, and which ones are unlinked but still open.";

void VerifyUnlinked(const Agi& agi, const Geometry& geometry, AgNumber ag,
                    Checker& check) {
  for (uint32_t bucket = 0; bucket < kAgiUnlinkedBuckets; ++bucket) {
    const uint32_t inode = agi.unlinked[bucket].value();
    if (inode == kNullAgInode ||
        (inode >> geometry.ag_inode_log() == 0 &&
         geometry.IsValid(geometry.ToInodeNumber(ag, AgInode(inode))))) {
      continue;
    }
    check.Fail("unlinked", fmt::format("{:#x} in bucket {}", inode, bucket),
               "an inode of this allocation group");
  }
}

}  // namespace

const FieldTable kAgiFields = {"AGI", kAbout, sizeof(Agi), kFields};

void VerifyAgi(Bytes sector, const Geometry& geometry, DiskAddress address,
               Checker& check) {
  if (!VerifyWholeSector(sector, geometry, check)) return;
  const Agi& agi = View<Agi>(sector);
  if (!check.EqualHex("magicnum", agi.magicnum.value(), kAgiMagic) ||
      !VerifyHeaderCrc(sector, geometry, kAgiCrcOffset, check)) {
    return;
  }
  VerifyHeaderUuid(agi.uuid, geometry, check);
  check.Equal("versionnum", agi.versionnum.value(), kAgiVersion);
  const AgNumber ag = AgOf(geometry, address);
  if (!VerifyAgLength(agi.seqno.value(), agi.length.value(), geometry, ag,
                      check)) {
    return;
  }
  const uint32_t max_levels =
      BtreeLayout::Of(BtreeKind::kInobt, geometry).max_levels;
  check.InRange("level", agi.level.value(), 1, max_levels);
  VerifyRoot("root", agi.root.value(), geometry, ag, check);
  if (geometry.features.finobt) {
    check.InRange("free_level", agi.free_level.value(), 1, max_levels);
    VerifyRoot("free_root", agi.free_root.value(), geometry, ag, check);
  }
  VerifyUnlinked(agi, geometry, ag, check);
}

Explanation ExplainAgi(Bytes sector, const Geometry& geometry,
                       DiskAddress address) {
  const Where where = Where::Disk(address);
  const Bytes shown =
      geometry.features.crc
          ? sector
          : sector.first(std::min(sector.size(), offsetof(Agi, uuid)));
  Explanation explanation = ExplainTable(kAgiFields, shown, 0, where);
  Checker check(kAgiFields.structure, where, Checker::Mode::kAllFindings);
  VerifyAgi(sector, geometry, address, check);
  AttachFindings(check, explanation);
  return explanation;
}

}  // namespace ondisk
