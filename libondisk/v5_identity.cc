// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/v5_identity.h"

#include "libondisk/crc32c.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"

namespace ondisk {

void VerifyV5Identity(const Geometry& geometry, DiskAddress address,
                      Bytes block, size_t crc_offset, uint64_t blkno,
                      const Uuid& uuid, Checker& check) {
  if (!MetadataCrcMatches(block, crc_offset)) {
    check.EqualHex("crc", View<Le32>(block, crc_offset).value(),
                   MetadataCrc(block, crc_offset));
    if (check.done()) return;
  }
  check.Equal("blkno", blkno, address.value);
  if (uuid != geometry.meta_uuid) {
    check.Fail("uuid", RenderUuid(uuid), RenderUuid(geometry.meta_uuid));
  }
}

}  // namespace ondisk
