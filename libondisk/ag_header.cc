// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/ag_header.h"

#include <fmt/format.h>

#include "libondisk/crc32c.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"

namespace ondisk {

AgNumber AgOf(const Geometry& geometry, DiskAddress address) {
  return geometry.AgOf(geometry.ToFsBlock(address));
}

bool VerifyWholeSector(Bytes sector, const Geometry& geometry, Checker& check) {
  return sector.size() >= geometry.sector_size ||
         check.Fail("magicnum", fmt::format("within {} bytes", sector.size()),
                    fmt::format("a sector of {} bytes", geometry.sector_size));
}

bool VerifyHeaderCrc(Bytes sector, const Geometry& geometry, size_t crc_offset,
                     Checker& check) {
  if (!geometry.features.crc) return true;
  const Bytes whole = sector.first(geometry.sector_size);
  if (!MetadataCrcMatches(whole, crc_offset)) {
    check.Fail("crc",
               fmt::format("{:#010x}", View<Le32>(whole, crc_offset).value()),
               fmt::format("{:#010x}", MetadataCrc(whole, crc_offset)));
  }
  return !check.done();
}

void VerifyHeaderUuid(const Uuid& uuid, const Geometry& geometry,
                      Checker& check) {
  if (geometry.features.crc && uuid != geometry.meta_uuid) {
    check.Fail("uuid", RenderUuid(uuid), RenderUuid(geometry.meta_uuid));
  }
}

bool VerifyAgLength(uint32_t seqno, uint32_t length, const Geometry& geometry,
                    AgNumber ag, Checker& check) {
  const bool named = check.Equal("seqno", seqno, ag.value);
  return check.Equal("length", length, geometry.AgSize(ag)) && named;
}

bool VerifyRoot(std::string_view field, uint32_t root, const Geometry& geometry,
                AgNumber ag, Checker& check) {
  return check.InRange(field, root, geometry.AgflBlock().value + 1,
                       geometry.AgSize(ag) - 1);
}

}  // namespace ondisk
