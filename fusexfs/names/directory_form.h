// SPDX-License-Identifier: GPL-2.0-or-later
// Which form a directory outside its inode has, and the one block of the block
// form.
//
// Thread-safety: pure functions, see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_DIRECTORY_FORM_H_
#define FUSEXFS_FUSEXFS_NAMES_DIRECTORY_FORM_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/names/da_fork.h"
#include "libondisk/directory.h"

namespace fusexfs {

// True if nothing is mapped behind the first directory block. All other forms
// have data blocks and a tree.
bool HasDirectoryBlockForm(const DaFork& fork);

// The block of the block form, owner checked.
absl::StatusOr<BufferRef> ReadDirectoryBlockForm(const DaFork& fork);

// A data block of the other forms, owner checked.
absl::StatusOr<BufferRef> ReadDirectoryData(const DaFork& fork,
                                            ondisk::DirectoryBlock number);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_DIRECTORY_FORM_H_
