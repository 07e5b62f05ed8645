// SPDX-License-Identifier: GPL-2.0-or-later
// A block of a file's fork in a golden image: where it is, and a copy to
// damage.
//
// Thread-safety: pure functions and plain values.
#ifndef FUSEXFS_TESTS_SUPPORT_FORK_BLOCK_H_
#define FUSEXFS_TESTS_SUPPORT_FORK_BLOCK_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "libondisk/extents.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

struct ForkBlock {
  ondisk::Geometry geometry;
  ondisk::InodeNumber owner;
  ondisk::FsBlock block;
  ondisk::DiskAddress address;
  std::vector<uint8_t> bytes;
};

// The block at `at` of the fork of `path`; of a directory's data fork as many
// bytes as a directory block has, of another fork one filesystem block. Ends
// the program if it is not mapped, or not in one piece.
ForkBlock GoldenForkBlock(std::string_view golden_name, std::string_view path,
                          ondisk::Fork fork, uint64_t at);

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_FORK_BLOCK_H_
