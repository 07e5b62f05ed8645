// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/agfl.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/ag_header.h"

namespace ondisk {
namespace {

#define ROW(member, kind, meaning) \
  ONDISK_FIELD(AgflHeader, member, kind, meaning)

const Field kFields[] = {
    ROW(magicnum, kMagic, "says that this is an AGFL"),
    ROW(seqno, kUnsigned, "number of this allocation group"),
    ROW(uuid, kUuid, "the image's identity"),
    ROW(lsn, kBlockLsn, "the log record that last wrote this"),
    ROW(crc, kCrc, "checksum of the sector"),
};
#undef ROW

constexpr std::string_view kAbout =
    "The free list of an allocation group: a ring of blocks kept aside so that "
    "the free-space btrees can grow while space is being allocated. The AGF "
    "says which slots are in use.";

uint32_t HeaderBytes(const Geometry& geometry) {
  return geometry.features.crc ? sizeof(AgflHeader) : 0;
}

std::string SlotName(uint32_t slot) { return fmt::format("bno[{}]", slot); }

}  // namespace

const FieldTable kAgflFields = {"AGFL", kAbout, sizeof(AgflHeader), kFields};

uint32_t AgflSlots(const Geometry& geometry) {
  return (geometry.sector_size - HeaderBytes(geometry)) / sizeof(Be32);
}

uint32_t AgflEntry(Bytes sector, const Geometry& geometry, uint32_t slot) {
  return View<Be32>(sector, HeaderBytes(geometry) + slot * sizeof(Be32))
      .value();
}

void VerifyAgfl(Bytes sector, const Geometry& geometry, DiskAddress address,
                Checker& check) {
  if (!VerifyWholeSector(sector, geometry, check)) return;
  if (!geometry.features.crc) return;
  const AgflHeader& agfl = View<AgflHeader>(sector);
  if (!check.EqualHex("magicnum", agfl.magicnum.value(), kAgflMagic) ||
      !VerifyHeaderCrc(sector, geometry, kAgflCrcOffset, check)) {
    return;
  }
  VerifyHeaderUuid(agfl.uuid, geometry, check);
  check.Equal("seqno", agfl.seqno.value(), AgOf(geometry, address).value);
  // Slots out of use keep old numbers, which were of this AG; it may have
  // shrunk since.
  for (uint32_t slot = 0; slot < AgflSlots(geometry); ++slot) {
    const uint32_t block = AgflEntry(sector, geometry, slot);
    if (block == kNullAgBlock ||
        (block > geometry.AgflBlock().value && block < geometry.ag_blocks)) {
      continue;
    }
    check.Fail(
        SlotName(slot), fmt::to_string(block),
        fmt::format("a block from {} to {}, or all ones",
                    geometry.AgflBlock().value + 1, geometry.ag_blocks - 1));
  }
}

Explanation ExplainAgfl(Bytes sector, const Geometry& geometry,
                        DiskAddress address) {
  const Where where = Where::Disk(address);
  const uint32_t header = HeaderBytes(geometry);
  Explanation explanation = ExplainTable(
      kAgflFields, sector.first(std::min<size_t>(sector.size(), header)), 0,
      where);
  if (sector.size() >= geometry.sector_size) {
    for (uint32_t slot = 0; slot < AgflSlots(geometry); ++slot) {
      const uint32_t block = AgflEntry(sector, geometry, slot);
      const uint64_t offset = header + slot * sizeof(Be32);
      explanation.Add(SlotName(slot), offset,
                      sector.subspan(offset, sizeof(Be32)),
                      block == kNullAgBlock ? "none" : fmt::to_string(block),
                      "a block set aside, if the AGF counts this slot");
    }
  }
  Checker check(kAgflFields.structure, where, Checker::Mode::kAllFindings);
  VerifyAgfl(sector, geometry, address, check);
  AttachFindings(check, explanation);
  return explanation;
}

}  // namespace ondisk
