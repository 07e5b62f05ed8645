// SPDX-License-Identifier: GPL-2.0-or-later
// Where the metadata of an image is: every block, header sector and inode that
// carries a magic number (and, on V5, a right checksum).
//
// Found by scanning, without the engine's help, so that a fuzzer reaches each
// structure directly instead of by luck. Thread-safety: pure function.
#ifndef FUSEXFS_TESTS_SUPPORT_IMAGE_STRUCTURES_H_
#define FUSEXFS_TESTS_SUPPORT_IMAGE_STRUCTURES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "libondisk/btree_traits.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

enum class StructureKind : uint8_t {
  kSuperblock,
  kAgf,
  kAgi,
  kAgfl,
  kShortBtree,  // of an allocation group
  kBmbt,
  kInode,
  kDirectoryData,
  kDirectoryFree,
  kDirectoryLeaf,  // one leaf, or a leaf of a tree
  kDaNode,         // of a directory or an attribute fork
  kAttributeLeaf,
  kAttributeRemote,
  kSymlink,
  kLogBlock,  // 512 bytes of a log record
};

struct Structure {
  StructureKind kind;
  uint64_t offset;  // bytes, on the device
  uint32_t size;    // bytes
  // Of the Le32 within the structure; nothing if there is no checksum.
  std::optional<uint32_t> crc_offset;
  // The inode that it belongs to or is, if it says so.
  std::optional<ondisk::InodeNumber> owner;
  std::optional<ondisk::BtreeKind> tree;
};

// In the order of their offsets; they do not overlap.
std::vector<Structure> FindStructures(const ondisk::Geometry& geometry,
                                      ondisk::Bytes image);

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_IMAGE_STRUCTURES_H_
