// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_remote.h"

#include <algorithm>

#include "libondisk/v5_identity.h"

namespace ondisk {
namespace {

constexpr Field kFields[] = {
    ONDISK_FIELD(AttributeRemoteHeader, magic, kMagic,
                 "tells the kind of block"),
    ONDISK_FIELD(AttributeRemoteHeader, offset, kUnsigned,
                 "where in the value this block's bytes belong"),
    ONDISK_FIELD(AttributeRemoteHeader, bytes, kUnsigned,
                 "bytes of the value in this block"),
    ONDISK_FIELD(AttributeRemoteHeader, crc, kCrc,
                 "checksum of the whole block"),
    ONDISK_FIELD(AttributeRemoteHeader, uuid, kUuid,
                 "filesystem it belongs to"),
    ONDISK_FIELD(AttributeRemoteHeader, owner, kUnsigned,
                 "inode it belongs to"),
    ONDISK_FIELD(AttributeRemoteHeader, blkno, kUnsigned,
                 "where the block is, in 512-byte sectors"),
    ONDISK_FIELD(AttributeRemoteHeader, lsn, kLsn,
                 "always the null LSN: values do not go through the log"),
};
constexpr FieldTable kTable = {
    "attribute value block",
    "A piece of the value of an extended attribute that does not fit a leaf.",
    sizeof(AttributeRemoteHeader), kFields};

}  // namespace

uint32_t AttributeRemotePayload(const Geometry& geometry) {
  return geometry.block_size -
         (geometry.features.crc ? sizeof(AttributeRemoteHeader) : 0);
}

uint32_t AttributeRemoteBlocks(const Geometry& geometry, uint32_t length) {
  const uint64_t payload = AttributeRemotePayload(geometry);
  return static_cast<uint32_t>((length + payload - 1) / payload);
}

void VerifyAttributeRemote(const Geometry& geometry, DiskAddress address,
                           Bytes block, Checker& check) {
  if (!check.Equal("size", block.size(), geometry.block_size)) return;
  if (!geometry.features.crc) return;
  const auto& header = View<AttributeRemoteHeader>(block);
  if (!check.EqualHex("magic", header.magic.value(), kAttributeRemoteMagic)) {
    return;
  }
  VerifyV5Identity(geometry, address, block,
                   offsetof(AttributeRemoteHeader, crc), header.blkno.value(),
                   header.uuid, check);
  if (check.done()) return;
  check.AtMost("bytes", header.bytes.value(), AttributeRemotePayload(geometry));
  check.AtMost("offset", uint64_t{header.offset.value()} + header.bytes.value(),
               kMaxAttributeValueLength);
  check.AtLeast("owner", header.owner.value(), 1);
}

void VerifyAttributeRemotePlace(const Geometry& geometry, Bytes block,
                                InodeNumber owner, uint32_t offset,
                                uint32_t bytes, Checker& check) {
  if (!geometry.features.crc) return;
  const auto& header = View<AttributeRemoteHeader>(block);
  check.Equal("offset", header.offset.value(), offset);
  check.Equal("bytes", header.bytes.value(), bytes);
  check.Equal("owner", header.owner.value(), owner.value);
}

Bytes AttributeRemoteData(const Geometry& geometry, Bytes block) {
  if (!geometry.features.crc) return block;
  const Bytes data = block.subspan(sizeof(AttributeRemoteHeader));
  const uint32_t bytes = View<AttributeRemoteHeader>(block).bytes.value();
  return data.first(std::min<size_t>(bytes, data.size()));
}

Explanation ExplainAttributeRemote(const Geometry& geometry,
                                   DiskAddress address, Bytes block) {
  const Where where = Where::Disk(address);
  Explanation value;
  value.structure = kTable.structure;
  value.about = kTable.about;
  value.where = where.ToString();
  Checker check(value.structure, where, Checker::Mode::kAllFindings);
  VerifyAttributeRemote(geometry, address, block, check);
  if (geometry.features.crc) ExplainFields(kTable, block, 0, value);
  if (block.size() == geometry.block_size) {
    const Bytes data = AttributeRemoteData(geometry, block);
    value.Add("data", static_cast<uint64_t>(data.data() - block.data()), data,
              RenderHex(data, 32), "bytes of the value");
  }
  AttachFindings(check, value);
  return value;
}

}  // namespace ondisk
