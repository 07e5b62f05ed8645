// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/symlink.h"

#include <algorithm>

#include <fmt/format.h>

#include "libondisk/crc32c.h"

namespace ondisk {
namespace {

constexpr Field kFields[] = {
    ONDISK_FIELD(SymlinkHeader, magic, kMagic, "\"XSLM\""),
    ONDISK_FIELD(SymlinkHeader, offset, kUnsigned,
                 "place of this block's bytes in the target"),
    ONDISK_FIELD(SymlinkHeader, bytes, kUnsigned,
                 "bytes of the target in this block"),
    ONDISK_FIELD(SymlinkHeader, crc, kCrc, "CRC32C of the block"),
    ONDISK_FIELD(SymlinkHeader, uuid, kUuid,
                 "UUID of the filesystem's metadata"),
    ONDISK_FIELD(SymlinkHeader, owner, kUnsigned, "inode of the symlink"),
    ONDISK_FIELD(SymlinkHeader, blkno, kUnsigned,
                 "disk address of this block, in 512-byte sectors"),
    ONDISK_FIELD(SymlinkHeader, lsn, kBlockLsn,
                 "log sequence number of the last change"),
};

}  // namespace

const FieldTable kSymlinkHeaderTable = {
    "symlink block",
    "A piece of a symlink's target that is too long for the inode.",
    sizeof(SymlinkHeader), kFields};

void VerifySymlinkBlock(const Geometry& geometry, DiskAddress address,
                        Bytes block, Checker& check) {
  if (!geometry.features.crc) return;
  if (!check.AtLeast("block size", block.size(), sizeof(SymlinkHeader))) return;
  const auto& header = View<SymlinkHeader>(block);
  check.EqualHex("magic", header.magic.value(), kSymlinkMagic);
  if (check.done()) return;
  if (!MetadataCrcMatches(block, offsetof(SymlinkHeader, crc))) {
    check.EqualHex("crc", header.crc.value(),
                   MetadataCrc(block, offsetof(SymlinkHeader, crc)));
  }
  if (check.done()) return;
  if (!std::equal(geometry.meta_uuid.begin(), geometry.meta_uuid.end(),
                  header.uuid)) {
    check.Fail("uuid", RenderUuid(header.uuid), RenderUuid(geometry.meta_uuid));
  }
  check.Equal("blkno", header.blkno.value(), address.value);
  check.Less("bytes", uint64_t{header.offset.value()} + header.bytes.value(),
             kMaxSymlinkLength);
  check.AtMost("bytes", header.bytes.value(),
               block.size() - sizeof(SymlinkHeader));
  check.AtLeast("owner", header.owner.value(), 1);
}

void VerifySymlinkContents(const Geometry& geometry, Bytes block,
                           InodeNumber owner, uint32_t offset, uint32_t bytes,
                           Checker& check) {
  check.AtMost("bytes", bytes,
               SymlinkPayload(geometry, static_cast<uint32_t>(block.size())));
  if (!geometry.features.crc) return;
  const auto& header = View<SymlinkHeader>(block);
  check.Equal("owner", header.owner.value(), owner.value);
  check.Equal("offset", header.offset.value(), offset);
  check.Equal("bytes", header.bytes.value(), bytes);
}

Bytes SymlinkTarget(const Geometry& geometry, Bytes block, uint32_t bytes) {
  return block.subspan(geometry.features.crc ? sizeof(SymlinkHeader) : 0,
                       bytes);
}

Explanation ExplainSymlinkBlock(const Geometry& geometry, DiskAddress address,
                                Bytes block) {
  const Where where = Where::Disk(address);
  if (!geometry.features.crc) {
    Explanation bare;
    bare.structure = kSymlinkHeaderTable.structure;
    bare.about = "V4 symlink blocks hold the bare target, without a header.";
    bare.where = where.ToString();
    return bare;
  }
  Explanation explanation = ExplainTable(kSymlinkHeaderTable, block, 0, where);
  Checker check(kSymlinkHeaderTable.structure, where,
                Checker::Mode::kAllFindings);
  VerifySymlinkBlock(geometry, address, block, check);
  AttachFindings(check, explanation);
  if (block.size() > sizeof(SymlinkHeader)) {
    const uint64_t bytes =
        std::min<uint64_t>(View<SymlinkHeader>(block).bytes.value(),
                           block.size() - sizeof(SymlinkHeader));
    const Bytes target = block.subspan(sizeof(SymlinkHeader), bytes);
    const Field text{"target", 0, static_cast<uint32_t>(bytes),
                     FieldKind::kText, ""};
    explanation.Add("target", sizeof(SymlinkHeader), target,
                    RenderField(text, target), "this piece of the target");
  }
  return explanation;
}

}  // namespace ondisk
