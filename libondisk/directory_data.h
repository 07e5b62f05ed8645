// SPDX-License-Identifier: GPL-2.0-or-later
// Directory data blocks: the entries, and the free runs between them. Also the
// block form, where the only data block ends with its own leaf array and tail.
//
//   header (16 bytes; V5: 64) with the three longest free runs ("bestfree")
//   used entry:  inode number, name length, name, [file type], pad, tag
//   unused run:  0xffff, length, ..., tag
//   block form:  ... leaf entries by hash (DirectoryLeafEntry), count, stale
//
// Everything is 8-byte aligned; a tag repeats the offset of its own entry; no
// two unused runs touch.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_dir2_data.c,
// xfs_dir2_block.c.
#ifndef FUSEXFS_LIBONDISK_DIRECTORY_DATA_H_
#define FUSEXFS_LIBONDISK_DIRECTORY_DATA_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "libondisk/checker.h"
#include "libondisk/directory.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kDirectoryDataMagicV4 = 0x58443244;   // XD2D
inline constexpr uint32_t kDirectoryDataMagicV5 = 0x58444433;   // XDD3
inline constexpr uint32_t kDirectoryBlockMagicV4 = 0x58443242;  // XD2B
inline constexpr uint32_t kDirectoryBlockMagicV5 = 0x58444233;  // XDB3
inline constexpr uint16_t kDirectoryFreeTag = 0xffff;
inline constexpr size_t kDirectoryBestFreeCount = 3;

struct DirectoryDataFree {
  Be16 offset;
  Be16 length;
};
static_assert(sizeof(DirectoryDataFree) == 4);

struct DirectoryDataHeader {
  Be32 magic;
  DirectoryDataFree bestfree[kDirectoryBestFreeCount];
};
static_assert(sizeof(DirectoryDataHeader) == 16);

struct Directory3DataHeader {
  Directory3BlockHeader header;
  DirectoryDataFree bestfree[kDirectoryBestFreeCount];
  Be32 pad;
};
static_assert(sizeof(Directory3DataHeader) == 64);

// Fixed part of a used entry; name, file type, padding and tag follow.
struct DirectoryDataEntryHead {
  Be64 inumber;
  uint8_t namelen;
};
static_assert(sizeof(DirectoryDataEntryHead) == 9);

// Fixed part of an unused run; its last two bytes are the tag.
struct DirectoryDataUnusedHead {
  Be16 freetag;
  Be16 length;
};
static_assert(sizeof(DirectoryDataUnusedHead) == 4);

// Hash -> entry; in block form, leaf1 and leafn blocks.
struct DirectoryLeafEntry {
  Be32 hashval;
  Be32 address;  // DirectoryPointer; 0: stale
};
static_assert(sizeof(DirectoryLeafEntry) == 8);

struct DirectoryBlockTail {
  Be32 count;  // leaf entries, stale ones included
  Be32 stale;
};
static_assert(sizeof(DirectoryBlockTail) == 8);

// A data block of the leaf and node forms: as the kernel's verifier, all of it.
void VerifyDirectoryData(const Geometry& geometry, DiskAddress address,
                         Bytes block, Checker& check);
// The one block of a block-form directory; each entry has its leaf entry.
void VerifyDirectoryBlock(const Geometry& geometry, DiskAddress address,
                          Bytes block, Checker& check);

// ---- REQUIRE a verified block ----
bool IsDirectoryBlockForm(Bytes block);
std::span<const DirectoryDataFree> DirectoryBestFree(const Features& features,
                                                     Bytes block);
// Leaf entries of a block-form directory.
std::span<const DirectoryLeafEntry> DirectoryBlockLeaves(Bytes block);

// The used entry at `offset`; nothing if no entry starts there.
std::optional<DirectoryEntryView> DirectoryEntryAt(const Features& features,
                                                   Bytes block,
                                                   uint32_t offset);

// Walks the used entries from `start` on. `start` must be where an entry or an
// unused run begins: the header's end, or what next_offset() gave.
class DirectoryDataEntries {
 public:
  DirectoryDataEntries(const Features& features, Bytes block)
      : DirectoryDataEntries(features, block, DirectoryDataStart(features)) {}
  DirectoryDataEntries(const Features& features, Bytes block, uint32_t start);

  // False at the end (and at bytes that cannot be an entry).
  bool Next(DirectoryEntryView& entry);
  uint32_t next_offset() const { return position_; }

 private:
  Bytes block_;
  uint32_t position_;
  uint32_t end_;
  Features features_;
};

// Bytes up to which a data block holds entries: all of it, or up to the leaf
// array in block form. 0 if the tail cannot be.
uint32_t DirectoryDataEnd(Bytes block);

// Both forms, by magic.
Explanation ExplainDirectoryData(const Geometry& geometry, DiskAddress address,
                                 Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DIRECTORY_DATA_H_
