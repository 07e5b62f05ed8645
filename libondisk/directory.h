// SPDX-License-Identifier: GPL-2.0-or-later
// What all forms of a directory have in common: its address space, the
// pointers into it, file types, entry sizes and legal names.
//
// A directory is a sparse file of directory blocks (each one or more filesystem
// blocks) in three segments of 32 GiB:
//   data   entries: inode number, name, file type
//   leaf   name hash -> pointer to the entry: one leaf, or a B+tree
//   free   per data block, its longest free run (only beside a B+tree)
// Its forms, as it grows: short-form inside the inode; "block": one data block
// that ends with its own leaf array; "leaf": data blocks and one leaf1 block;
// "node": data blocks, a tree of da nodes over leafn blocks, free blocks.
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_dir2.h, xfs_dir2_priv.h.
#ifndef FUSEXFS_LIBONDISK_DIRECTORY_H_
#define FUSEXFS_LIBONDISK_DIRECTORY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

// Index of a directory block, counted from the start of the directory file.
using DirectoryBlock = Number<struct DirectoryBlockTag, uint32_t>;
// Place of an entry in the data segment, in units of 8 bytes. 0 is none: no
// entry lies in a block's header.
using DirectoryPointer = Number<struct DirectoryPointerTag, uint32_t>;

inline constexpr uint64_t kDirectorySegmentBytes = uint64_t{1} << 35;
inline constexpr uint64_t kDirectoryLeafOffset = kDirectorySegmentBytes;
inline constexpr uint64_t kDirectoryFreeOffset = 2 * kDirectorySegmentBytes;
inline constexpr uint64_t kDirectoryEndOffset = 3 * kDirectorySegmentBytes;
inline constexpr uint32_t kDirectoryAlignment = 8;  // bytes, of entries
inline constexpr uint32_t kMaxNameLength = 255;
inline constexpr uint32_t kNullDirectoryPointer = 0;

// V5 opening of data, block-form and free blocks.
struct Directory3BlockHeader {
  Be32 magic;
  Le32 crc;
  Be64 blkno;
  Be64 lsn;
  Uuid uuid;
  Be64 owner;
};
static_assert(sizeof(Directory3BlockHeader) == 48);
extern const FieldTable kDirectory3BlockHeaderFields;

// Checks magic, and for V5 checksum, UUID and own address, of a data, block
// or free block. False if the rest must not be looked at.
bool VerifyDirectoryBlockHeader(const Geometry& geometry, DiskAddress address,
                                Bytes block, uint32_t magic_v4,
                                uint32_t magic_v5, Checker& check);
// V5 only: the block belongs to `owner`. REQUIRES a verified block.
void VerifyDirectoryOwner(const Geometry& geometry, Bytes block,
                          InodeNumber owner, Checker& check);

// File types as entries carry them (feature ftype).
enum class DirectoryFileType : uint8_t {
  kUnknown = 0,
  kRegular,
  kDirectory,
  kCharacterDevice,
  kBlockDevice,
  kFifo,
  kSocket,
  kSymlink,
  kWhiteout,
};
inline constexpr uint8_t kDirectoryFileTypeCount = 9;
extern const std::span<const NamedValue> kDirectoryFileTypeNames;
// DT_* of <dirent.h>; DT_UNKNOWN for what is not one of them.
uint8_t ToDirentType(uint8_t file_type);

// One entry, of any form. `name` points into the block.
struct DirectoryEntryView {
  std::string_view name;
  InodeNumber inode;
  uint8_t file_type = 0;  // as on disk; 0 without the feature
  uint32_t offset = 0;    // bytes, in the block (short-form: the saved offset)
  uint32_t size = 0;      // bytes that it takes in its block
};

// Bytes that an entry with a name of `length` takes in a data block.
constexpr uint32_t DirectoryDataEntrySize(const Features& features,
                                          uint32_t length) {
  // inode number, length, name, type, tag
  return (8 + 1 + length + (features.ftype ? 1 : 0) + 2 + 7) & ~7u;
}
// Where the first entry of a data block starts: its header's size.
constexpr uint32_t DirectoryDataStart(const Features& features) {
  return features.crc ? 64 : 16;
}

// True for a name that may stand in a directory: 1 to 255 bytes without '/' and
// NUL.
bool IsLegalDirectoryName(std::string_view name);

// Says that an entry may lead there: an inode number of this image that is not
// one of the internal ones (realtime bitmap, quota).
bool IsLegalDirectoryInode(const Geometry& geometry, InodeNumber inode);

// ---- addresses ----
constexpr DirectoryBlock DirectoryBlockOf(const Geometry& g,
                                          DirectoryPointer pointer) {
  return DirectoryBlock(static_cast<uint32_t>((uint64_t{pointer.value} << 3) >>
                                              g.directory_block_log));
}
constexpr uint32_t OffsetInDirectoryBlock(const Geometry& g,
                                          DirectoryPointer pointer) {
  return static_cast<uint32_t>((uint64_t{pointer.value} << 3) &
                               (g.directory_block_size - 1));
}
constexpr DirectoryPointer ToDirectoryPointer(const Geometry& g,
                                              DirectoryBlock block,
                                              uint32_t offset) {
  return DirectoryPointer(static_cast<uint32_t>(
      ((uint64_t{block.value} << g.directory_block_log) + offset) >> 3));
}
// Fork block (in filesystem blocks) where a directory block starts, and back.
constexpr DaBlock ToDaBlock(const Geometry& g, DirectoryBlock block) {
  return DaBlock(block.value << (g.directory_block_log - g.block_log));
}
constexpr DirectoryBlock ToDirectoryBlock(const Geometry& g, DaBlock block) {
  return DirectoryBlock(block.value >> (g.directory_block_log - g.block_log));
}
// First fork block of the leaf and free segments, and the end of the space.
constexpr DaBlock DirectoryLeafStart(const Geometry& g) {
  return DaBlock(static_cast<uint32_t>(kDirectoryLeafOffset >> g.block_log));
}
constexpr DaBlock DirectoryFreeStart(const Geometry& g) {
  return DaBlock(static_cast<uint32_t>(kDirectoryFreeOffset >> g.block_log));
}
constexpr DaBlock DirectoryEnd(const Geometry& g) {
  return DaBlock(static_cast<uint32_t>(kDirectoryEndOffset >> g.block_log));
}

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DIRECTORY_H_
