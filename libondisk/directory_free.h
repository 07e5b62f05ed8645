// SPDX-License-Identifier: GPL-2.0-or-later
// Free-index blocks of node-form directories: for each data block, how long its
// longest free run is, so that a new entry finds room without reading them all.
//
// Readers never need them; they are verified for `ondisk explain`.
//
// Thread-safety: pure functions on the caller's bytes.
// Source: kernel fs/xfs/libxfs/xfs_da_format.h, xfs_dir2_node.c.
#ifndef FUSEXFS_LIBONDISK_DIRECTORY_FREE_H_
#define FUSEXFS_LIBONDISK_DIRECTORY_FREE_H_

#include <cstdint>
#include <span>

#include "libondisk/checker.h"
#include "libondisk/directory.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr uint32_t kDirectoryFreeMagicV4 = 0x58443246;  // XD2F
inline constexpr uint32_t kDirectoryFreeMagicV5 = 0x58444633;  // XDF3

struct DirectoryFreeHeader {
  Be32 magic;
  Be32 firstdb;  // DirectoryBlock of the first value
  Be32 nvalid;   // values that count
  Be32 nused;    // of these, not 0xffff (no such data block)
};
static_assert(sizeof(DirectoryFreeHeader) == 16);

struct Directory3FreeHeader {
  Directory3BlockHeader header;
  Be32 firstdb;
  Be32 nvalid;
  Be32 nused;
  Be32 pad;
};
static_assert(sizeof(Directory3FreeHeader) == 64);

// Values that one free block can hold.
uint32_t DirectoryFreeMaxBests(const Geometry& geometry);

void VerifyDirectoryFree(const Geometry& geometry, DiskAddress address,
                         Bytes block, Checker& check);
// What depends on where in the directory the block stands: `firstdb`.
// REQUIRES: VerifyDirectoryFree held; `at` lies in the free segment.
void VerifyDirectoryFreePlace(const Geometry& geometry, DaBlock at, Bytes block,
                              Checker& check);

struct DirectoryFreeView {
  DirectoryBlock first;
  uint32_t used = 0;
  std::span<const Be16> bests;
};
DirectoryFreeView ViewDirectoryFree(const Geometry& geometry, Bytes block);

Explanation ExplainDirectoryFree(const Geometry& geometry, DiskAddress address,
                                 Bytes block);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_DIRECTORY_FREE_H_
