// SPDX-License-Identifier: GPL-2.0-or-later
// The copies of the superblock against the primary.
#include <algorithm>

#include <fmt/format.h>

#include "libondisk/crc32c.h"
#include "libondisk/superblock.h"

namespace ondisk {

void VerifySecondarySuperblock(Bytes sector, const Superblock& primary,
                               const Geometry& geometry, Checker& check) {
  if (sector.size() < geometry.sector_size ||
      sector.size() < sizeof(Superblock)) {
    check.Fail("magicnum", fmt::format("within {} bytes", sector.size()),
               fmt::format("a sector of {} bytes", geometry.sector_size));
    return;
  }
  const Superblock& sb = View<Superblock>(sector);
  if (!check.EqualHex("magicnum", sb.magicnum.value(), kSuperblockMagic)) {
    return;
  }
  // Old versions of growfs left rubbish behind the copies of V4 images, where
  // V5 has its checksum.
  if (geometry.features.crc) {
    const Bytes whole = sector.first(geometry.sector_size);
    if (!MetadataCrcMatches(whole, kSuperblockCrcOffset)) {
      check.Fail(
          "crc", fmt::format("{:#010x}", sb.crc.value()),
          fmt::format("{:#010x}", MetadataCrc(whole, kSuperblockCrcOffset)));
      if (check.done()) return;
    }
  }
  check.Equal("versionnum", sb.version(), primary.version());

#define SAME(member) \
  check.Equal(#member, sb.member.value(), primary.member.value())
  SAME(blocksize);
  SAME(dblocks);
  SAME(rblocks);
  SAME(rextents);
  SAME(logstart);
  SAME(rextsize);
  SAME(agblocks);
  SAME(agcount);
  SAME(rbmblocks);
  SAME(logblocks);
  SAME(sectsize);
  SAME(inodesize);
  SAME(inopblock);
  SAME(inoalignmt);
  SAME(logsectsize);
  SAME(logsunit);
#undef SAME
#define SAME(member) check.Equal(#member, sb.member, primary.member)
  SAME(blocklog);
  SAME(sectlog);
  SAME(inodelog);
  SAME(inopblog);
  SAME(agblklog);
  SAME(rextslog);
  SAME(dirblklog);
  SAME(logsectlog);
#undef SAME
  const Bytes uuid =
      geometry.features.meta_uuid ? Bytes(sb.meta_uuid) : Bytes(sb.uuid);
  if (!std::equal(uuid.begin(), uuid.end(), geometry.meta_uuid.begin())) {
    check.Fail(geometry.features.meta_uuid ? "meta_uuid" : "uuid",
               RenderUuid(uuid), RenderUuid(geometry.meta_uuid));
  }
}

}  // namespace ondisk
