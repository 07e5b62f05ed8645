// SPDX-License-Identifier: GPL-2.0-or-later
// Which directories have an inode, and under which names: its parent pointers.
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_PARENTS_H_
#define FUSEXFS_FUSEXFS_NAMES_PARENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fusexfs/names/context.h"
#include "libondisk/types.h"

namespace fusexfs {

// One name that leads to an inode, by parent pointer.
struct ParentName {
  ondisk::InodeNumber parent;
  uint32_t parent_generation = 0;
  std::string name;
};

// Every (parent, name) pair of an inode, in the order of the attribute fork;
// none for the root. EOPNOTSUPP on an image without parent pointers.
absl::StatusOr<std::vector<ParentName>> Parents(const NamesContext& context,
                                                const Inode& inode);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_PARENTS_H_
