// SPDX-License-Identifier: GPL-2.0-or-later
// Asking a filesystem everything it can be asked, with bounds, and letting the
// answers fall: what counts is that there is one.
#ifndef FUSEXFS_TESTS_FUZZ_EXERCISE_H_
#define FUSEXFS_TESTS_FUZZ_EXERCISE_H_

#include <cstddef>
#include <memory>

#include "fusexfs/filesystem.h"
#include "libondisk/types.h"
#include "tests/fuzz/patched_image.h"

namespace fusexfs::fuzz {

// Mounts read-only without recovery; null if the image is refused.
std::unique_ptr<Filesystem> MountPatched(const PatchedImage& image);

// Every operation on one inode.
void ExerciseInode(Filesystem& filesystem, ondisk::InodeNumber inode);

// The same on the inodes that are reached first from the root, `most` of them.
void ExerciseTree(Filesystem& filesystem, size_t most);

// The same on the inodes that own what was changed.
void ExerciseOwners(Filesystem& filesystem, const PatchedImage& image);

// Explains each changed structure.
void ExplainChanged(const PatchedImage& image);

// All of the above on one image: explains what was changed, mounts, and asks
// its owners and what is next to the root.
void ExercisePatched(const PatchedImage& image);

}  // namespace fusexfs::fuzz

#endif  // FUSEXFS_TESTS_FUZZ_EXERCISE_H_
