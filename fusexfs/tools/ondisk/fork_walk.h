// SPDX-License-Identifier: GPL-2.0-or-later
// The extents of one fork, read straight from the image, for explaining what
// stands in them. Keeps going where it can: an extent or btree block that fails
// its checks is reported, and what is below it left out.
//
// Every loop is bounded: a tree is at most as deep as its root says (and the
// root as deep as the format permits), and no more blocks are read than the
// inode owns.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_FORK_WALK_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_FORK_WALK_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/tools/ondisk/raw_image.h"
#include "libondisk/extents.h"
#include "libondisk/fields.h"
#include "libondisk/inode_core.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

// The bytes of an inode. EINVAL if the number cannot name one.
absl::StatusOr<std::vector<uint8_t>> ReadInode(const RawImage& image,
                                               ondisk::InodeNumber inode);

// The same, verified and decoded.
struct RawInode {
  ondisk::InodeCore core;
  std::vector<uint8_t> bytes;

  ondisk::Bytes fork(ondisk::Fork fork) const {
    return fork == ondisk::Fork::kData ? ondisk::DataFork(core, bytes)
                                       : ondisk::AttributeFork(core, bytes);
  }
  ondisk::ForkFormat format(ondisk::Fork fork) const {
    return fork == ondisk::Fork::kData ? core.data_format
                                       : core.attribute_format;
  }
};
// Corruption if it is damaged, ENOENT if it is free.
absl::StatusOr<RawInode> LoadInode(const RawImage& image,
                                   ondisk::InodeNumber inode);

struct ForkVisitor {
  // A verified extent, in file order.
  absl::FunctionRef<absl::Status(const ondisk::ExtentRecord&)> extent;
  // A block of the extent btree with its findings, before what is below it.
  absl::FunctionRef<void(const ondisk::Explanation&)> btree_block;
  // Damage that no btree block carries: an extent, the root, a cycle.
  absl::FunctionRef<void(const absl::Status&)> damaged;
};

// Stops at the first error of `visitor.extent`, and at I/O errors.
absl::Status WalkFork(const RawImage& image, const RawInode& inode,
                      ondisk::Fork fork, const ForkVisitor& visitor);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_FORK_WALK_H_
