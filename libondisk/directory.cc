// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/directory.h"

#include <array>

#include <dirent.h>

#include "libondisk/v5_identity.h"

namespace ondisk {
namespace {

constexpr Field kHeaderFields[] = {
    ONDISK_FIELD(Directory3BlockHeader, magic, kMagic,
                 "tells the kind of block"),
    ONDISK_FIELD(Directory3BlockHeader, crc, kCrc,
                 "checksum of the whole block"),
    ONDISK_FIELD(Directory3BlockHeader, blkno, kUnsigned,
                 "where the block is, in 512-byte sectors"),
    ONDISK_FIELD(Directory3BlockHeader, lsn, kBlockLsn,
                 "log position of the last write"),
    ONDISK_FIELD(Directory3BlockHeader, uuid, kUuid,
                 "filesystem it belongs to"),
    ONDISK_FIELD(Directory3BlockHeader, owner, kUnsigned,
                 "directory it belongs to"),
};

constexpr NamedValue kFileTypes[] = {
    {0, "unknown"},     {1, "file"},         {2, "directory"},
    {3, "char device"}, {4, "block device"}, {5, "fifo"},
    {6, "socket"},      {7, "symlink"},      {8, "whiteout"},
};

}  // namespace

const FieldTable kDirectory3BlockHeaderFields = {
    "directory block header",
    "Opens data, block-form and free blocks of V5 directories",
    sizeof(Directory3BlockHeader), kHeaderFields};

const std::span<const NamedValue> kDirectoryFileTypeNames = kFileTypes;

bool VerifyDirectoryBlockHeader(const Geometry& geometry, DiskAddress address,
                                Bytes block, uint32_t magic_v4,
                                uint32_t magic_v5, Checker& check) {
  if (!check.Equal("size", block.size(), geometry.directory_block_size)) {
    return false;
  }
  const bool v5 = geometry.features.crc;
  if (!check.EqualHex("magic", View<Be32>(block).value(),
                      v5 ? magic_v5 : magic_v4)) {
    return false;
  }
  if (v5) {
    const auto& header = View<Directory3BlockHeader>(block);
    VerifyV5Identity(geometry, address, block,
                     offsetof(Directory3BlockHeader, crc), header.blkno.value(),
                     header.uuid, check);
  }
  return !check.done();
}

void VerifyDirectoryOwner(const Geometry& geometry, Bytes block,
                          InodeNumber owner, Checker& check) {
  if (!geometry.features.crc) return;
  check.Equal("owner", View<Directory3BlockHeader>(block).owner.value(),
              owner.value);
}

uint8_t ToDirentType(uint8_t file_type) {
  static constexpr std::array<uint8_t, kDirectoryFileTypeCount> kTypes = {
      DT_UNKNOWN, DT_REG,  DT_DIR, DT_CHR, DT_BLK,
      DT_FIFO,    DT_SOCK, DT_LNK, DT_WHT};
  return file_type < kTypes.size() ? kTypes[file_type] : uint8_t{DT_UNKNOWN};
}

bool IsLegalDirectoryName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameLength &&
         name.find('/') == name.npos && name.find('\0') == name.npos;
}

bool IsLegalDirectoryInode(const Geometry& geometry, InodeNumber inode) {
  // With a metadata directory the internal inodes have names in it.
  if (geometry.features.metadir) return geometry.IsValid(inode);
  if (inode == geometry.realtime_bitmap_inode ||
      inode == geometry.realtime_summary_inode) {
    return false;
  }
  if (geometry.features.quota && (inode == geometry.user_quota_inode ||
                                  inode == geometry.group_quota_inode ||
                                  inode == geometry.project_quota_inode)) {
    return false;
  }
  return geometry.IsValid(inode);
}

}  // namespace ondisk
