// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/agf.h"

#include <algorithm>

#include "libondisk/ag_header.h"
#include "libondisk/agfl.h"
#include "libondisk/btree_traits.h"

namespace ondisk {
namespace {

#define ROW(member, kind, meaning, ...) \
  ONDISK_FIELD(Agf, member, kind, meaning __VA_OPT__(, ) __VA_ARGS__)

const Field kFields[] = {
    ROW(magicnum, kMagic, "says that this is an AGF"),
    ROW(versionnum, kUnsigned, "version of this header, always 1"),
    ROW(seqno, kUnsigned, "number of this allocation group"),
    ROW(length, kUnsigned, "blocks of this allocation group"),
    ROW(bnoroot, kUnsigned, "root block of the btree of free space by block"),
    ROW(cntroot, kUnsigned, "root block of the btree of free space by length"),
    ROW(rmaproot, kUnsigned, "root block of the reverse-mapping btree"),
    ROW(bnolevel, kUnsigned, "levels of the btree by block"),
    ROW(cntlevel, kUnsigned, "levels of the btree by length"),
    ROW(rmaplevel, kUnsigned, "levels of the reverse-mapping btree"),
    ROW(flfirst, kUnsigned, "slot of the AGFL where the free list starts"),
    ROW(fllast, kUnsigned, "slot of the AGFL where the free list ends"),
    ROW(flcount, kUnsigned, "blocks in the free list"),
    ROW(freeblks, kUnsigned, "free blocks, without those of the free list"),
    ROW(longest, kUnsigned, "blocks of the longest free extent"),
    ROW(btreeblks, kUnsigned,
        "blocks of the free-space and reverse-mapping btrees, without roots"),
    ROW(uuid, kUuid, "the image's identity"),
    ROW(rmapblocks, kUnsigned, "blocks of the reverse-mapping btree"),
    ROW(refcntblocks, kUnsigned, "blocks of the reference-count btree"),
    ROW(refcntroot, kUnsigned, "root block of the reference-count btree"),
    ROW(refcntlevel, kUnsigned, "levels of the reference-count btree"),
    {"spare64",
     offsetof(Agf, spare64),
     8,
     FieldKind::kPadding,
     "room for later fields, zero",
     {},
     14},
    ROW(lsn, kBlockLsn, "the log record that last wrote this"),
    ROW(crc, kCrc, "checksum of the sector"),
    ROW(spare2, kPadding, "zero"),
};
#undef ROW

constexpr std::string_view kAbout =
    "The free-space header of an allocation group: where its btrees of free "
    "space, owners and shared blocks start, and how much is free.";

void VerifyTree(std::string_view field, uint32_t level, BtreeKind kind,
                const Geometry& geometry, Checker& check) {
  check.InRange(field, level, 1, BtreeLayout::Of(kind, geometry).max_levels);
}

}  // namespace

const FieldTable kAgfFields = {"AGF", kAbout, sizeof(Agf), kFields};

void VerifyAgf(Bytes sector, const Geometry& geometry, DiskAddress address,
               Checker& check) {
  if (!VerifyWholeSector(sector, geometry, check)) return;
  const Agf& agf = View<Agf>(sector);
  if (!check.EqualHex("magicnum", agf.magicnum.value(), kAgfMagic) ||
      !VerifyHeaderCrc(sector, geometry, kAgfCrcOffset, check)) {
    return;
  }
  VerifyHeaderUuid(agf.uuid, geometry, check);
  check.Equal("versionnum", agf.versionnum.value(), kAgfVersion);
  const uint32_t length = agf.length.value();
  if (!VerifyAgLength(agf.seqno.value(), length, geometry,
                      AgOf(geometry, address), check)) {
    return;
  }

  const uint32_t slots = AgflSlots(geometry);
  check.Less("flfirst", agf.flfirst.value(), slots);
  check.Less("fllast", agf.fllast.value(), slots);
  check.AtMost("flcount", agf.flcount.value(), slots);

  check.AtMost("freeblks", agf.freeblks.value(), length);
  check.AtMost("longest", agf.longest.value(), agf.freeblks.value());
  if (geometry.features.lazy_counters) {
    check.AtMost("btreeblks", agf.btreeblks.value(), length);
  }
  VerifyTree("bnolevel", agf.bnolevel.value(), BtreeKind::kBnobt, geometry,
             check);
  VerifyTree("cntlevel", agf.cntlevel.value(), BtreeKind::kCntbt, geometry,
             check);
  if (geometry.features.rmapbt) {
    VerifyTree("rmaplevel", agf.rmaplevel.value(), BtreeKind::kRmapbt, geometry,
               check);
    check.AtMost("rmapblocks", agf.rmapblocks.value(), length);
  }
  if (geometry.features.reflink) {
    VerifyTree("refcntlevel", agf.refcntlevel.value(), BtreeKind::kRefcountbt,
               geometry, check);
    check.AtMost("refcntblocks", agf.refcntblocks.value(), length);
  }
}

void VerifyAgfRoots(const Agf& agf, const Geometry& geometry, AgNumber ag,
                    Checker& check) {
  VerifyRoot("bnoroot", agf.bnoroot.value(), geometry, ag, check);
  VerifyRoot("cntroot", agf.cntroot.value(), geometry, ag, check);
  if (geometry.features.rmapbt) {
    VerifyRoot("rmaproot", agf.rmaproot.value(), geometry, ag, check);
  }
  if (geometry.features.reflink) {
    VerifyRoot("refcntroot", agf.refcntroot.value(), geometry, ag, check);
  }
}

Explanation ExplainAgf(Bytes sector, const Geometry& geometry,
                       DiskAddress address) {
  const Where where = Where::Disk(address);
  const Bytes shown =
      geometry.features.crc
          ? sector
          : sector.first(std::min(sector.size(), offsetof(Agf, uuid)));
  Explanation explanation = ExplainTable(kAgfFields, shown, 0, where);
  Checker check(kAgfFields.structure, where, Checker::Mode::kAllFindings);
  VerifyAgf(sector, geometry, address, check);
  if (sector.size() >= sizeof(Agf)) {
    VerifyAgfRoots(View<Agf>(sector), geometry, AgOf(geometry, address), check);
  }
  AttachFindings(check, explanation);
  return explanation;
}

}  // namespace ondisk
