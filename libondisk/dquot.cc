// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/dquot.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/crc32c.h"

namespace ondisk {
namespace {

constexpr uint8_t kDquotTypes = kDquotUser | kDquotProject | kDquotGroup;

constexpr NamedValue kTypes[] = {
    {kDquotUser, "user"},
    {kDquotProject, "project"},
    {kDquotGroup, "group"},
    {kDquotBigtime, "bigtime", "timers count units of four seconds"},
};

constexpr Field kDquotFields[] = {
    ONDISK_FIELD(DiskDquot, magic, kMagic, "\"DQ\""),
    ONDISK_FIELD(DiskDquot, version, kUnsigned, "1"),
    ONDISK_FIELD(DiskDquot, type, kFlags, "whose quota this is", kTypes),
    ONDISK_FIELD(DiskDquot, id, kUnsigned,
                 "user, group or project number; 0 holds the default limits"),
    ONDISK_FIELD(DiskDquot, blk_hardlimit, kUnsigned,
                 "blocks never to be exceeded; 0: none"),
    ONDISK_FIELD(DiskDquot, blk_softlimit, kUnsigned,
                 "blocks that start the timer; 0: none"),
    ONDISK_FIELD(DiskDquot, ino_hardlimit, kUnsigned,
                 "inodes never to be exceeded; 0: none"),
    ONDISK_FIELD(DiskDquot, ino_softlimit, kUnsigned,
                 "inodes that start the timer; 0: none"),
    ONDISK_FIELD(DiskDquot, bcount, kUnsigned, "blocks in use"),
    ONDISK_FIELD(DiskDquot, icount, kUnsigned, "inodes in use"),
    ONDISK_FIELD(DiskDquot, itimer, kUnsigned,
                 "when inodes beyond the soft limit are refused; 0: not over"),
    ONDISK_FIELD(DiskDquot, btimer, kUnsigned,
                 "when blocks beyond the soft limit are refused; 0: not over"),
    ONDISK_FIELD(DiskDquot, iwarns, kUnsigned, "warnings about inodes"),
    ONDISK_FIELD(DiskDquot, bwarns, kUnsigned, "warnings about blocks"),
    ONDISK_FIELD(DiskDquot, pad0, kPadding, "alignment"),
    ONDISK_FIELD(DiskDquot, rtb_hardlimit, kUnsigned,
                 "realtime blocks never to be exceeded; 0: none"),
    ONDISK_FIELD(DiskDquot, rtb_softlimit, kUnsigned,
                 "realtime blocks that start the timer; 0: none"),
    ONDISK_FIELD(DiskDquot, rtbcount, kUnsigned, "realtime blocks in use"),
    ONDISK_FIELD(DiskDquot, rtbtimer, kUnsigned,
                 "when more realtime blocks are refused; 0: not over"),
    ONDISK_FIELD(DiskDquot, rtbwarns, kUnsigned,
                 "warnings about realtime blocks"),
    ONDISK_FIELD(DiskDquot, pad, kPadding, "alignment"),
};

constexpr Field kBlockFields[] = {
    ONDISK_FIELD(DquotBlock, fill, kPadding, "room for later"),
    ONDISK_FIELD(DquotBlock, crc, kCrc, "CRC32C of the 136 bytes"),
    ONDISK_FIELD(DquotBlock, lsn, kLsn,
                 "log sequence number of the last change"),
    ONDISK_FIELD(DquotBlock, uuid, kUuid, "UUID of the filesystem's metadata"),
};

// A soft limit that is exceeded has a running timer.
void VerifyTimer(std::string_view field, uint64_t limit, uint64_t used,
                 uint32_t timer, Checker& check) {
  if (limit != 0 && used > limit) {
    check.That(timer != 0, field, timer, "a time, the soft limit is exceeded");
  }
}

}  // namespace

const FieldTable kDquotTable = {
    "dquot", "The limits and the usage of one user, group or project.",
    sizeof(DiskDquot), kDquotFields};

const FieldTable kDquotBlockTable = {"dquot trailer",
                                     "What V5 images add to each dquot.",
                                     sizeof(DquotBlock), kBlockFields};

void VerifyDquot(const Geometry& geometry, Bytes record,
                 std::optional<uint32_t> id, Checker& check) {
  if (!check.AtLeast("record size", record.size(), sizeof(DiskDquot))) return;
  const auto& dquot = View<DiskDquot>(record);
  check.EqualHex("magic", dquot.magic.value(), kDquotMagic);
  check.Equal("version", dquot.version, kDquotVersion);
  if (check.done()) return;
  const uint8_t type = dquot.type & kDquotTypes;
  check.That(
      (dquot.type & ~(kDquotTypes | kDquotBigtime)) == 0 &&
          (type == kDquotUser || type == kDquotProject || type == kDquotGroup),
      "type", dquot.type, "one of user, project, group");
  if ((dquot.type & kDquotBigtime) != 0) {
    check.That(geometry.features.bigtime && dquot.id.value() != 0, "type",
               dquot.type, "no bigtime on the defaults or without the feature");
  }
  if (id.has_value()) check.Equal("id", dquot.id.value(), *id);
  if (check.done() || dquot.id.value() == 0) return;
  VerifyTimer("btimer", dquot.blk_softlimit.value(), dquot.bcount.value(),
              dquot.btimer.value(), check);
  VerifyTimer("itimer", dquot.ino_softlimit.value(), dquot.icount.value(),
              dquot.itimer.value(), check);
  VerifyTimer("rtbtimer", dquot.rtb_softlimit.value(), dquot.rtbcount.value(),
              dquot.rtbtimer.value(), check);
}

void VerifyDquotBuffer(const Geometry& geometry, Bytes block, Checker& check) {
  std::optional<uint32_t> first;
  for (uint64_t at = 0, index = 0; Within(block, at, sizeof(DquotBlock));
       at += sizeof(DquotBlock), ++index) {
    const Bytes record = block.subspan(at, sizeof(DquotBlock));
    const auto& dquot = View<DquotBlock>(record);
    if (geometry.features.crc) {
      if (!MetadataCrcMatches(record, offsetof(DquotBlock, crc))) {
        check.EqualHex("crc", dquot.crc.value(),
                       MetadataCrc(record, offsetof(DquotBlock, crc)));
      }
      if (check.done()) return;
      if (!std::equal(geometry.meta_uuid.begin(), geometry.meta_uuid.end(),
                      dquot.uuid)) {
        check.Fail("uuid", RenderUuid(dquot.uuid),
                   RenderUuid(geometry.meta_uuid));
      }
    }
    if (!first.has_value()) first = dquot.dquot.id.value();
    VerifyDquot(geometry, record, static_cast<uint32_t>(*first + index), check);
    if (check.done()) return;
  }
}

int64_t DecodeDquotTimer(uint8_t type, uint32_t timer) {
  constexpr int kBigtimeShift = 2;
  return (type & kDquotBigtime) != 0 ? int64_t{timer} << kBigtimeShift
                                     : int64_t{timer};
}

Explanation ExplainDquotBuffer(const Geometry& geometry, DiskAddress address,
                               Bytes block) {
  Explanation all;
  all.structure = "quota block";
  all.about = "Dquots of identities that follow one another.";
  all.where = Where::Disk(address).ToString();
  for (uint64_t at = 0; Within(block, at, sizeof(DquotBlock));
       at += sizeof(DquotBlock)) {
    const Bytes record = block.subspan(at, sizeof(DquotBlock));
    Explanation part =
        ExplainTable(kDquotTable, record, at, Where::Disk(address));
    if (geometry.features.crc) {
      ExplainFields(kDquotBlockTable, record, at, part);
    }
    Checker check(kDquotTable.structure, Where::Disk(address),
                  Checker::Mode::kAllFindings);
    VerifyDquotBuffer(geometry, record, check);
    AttachFindings(check, part);
    all.parts.push_back(std::move(part));
  }
  return all;
}

}  // namespace ondisk
