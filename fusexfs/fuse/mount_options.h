// SPDX-License-Identifier: GPL-2.0-or-later
// What follows -o: the words of a mount, sorted by whom they concern.
//
//   the engine      norecovery, cache=, refcount=, pptr-fastpath
//   the image       offset=, partition=, logdev=
//   the kernel      ro, nosuid, allow_other, fsname=, ... go to libfuse
//   mount(8), fstab defaults, _netdev, nofail, user, x-...: nothing to do here,
//                   as in any mount helper
//   the kernel's XFS  nouuid, inode64, discard, ...: without effect on reading
//
// Any other word is refused by its name, and each value is checked.
// Thread-safety: plain values.
#ifndef FUSEXFS_FUSEXFS_FUSE_MOUNT_OPTIONS_H_
#define FUSEXFS_FUSEXFS_FUSE_MOUNT_OPTIONS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"

namespace fusexfs {

struct MountWords {
  MountOptions engine;
  bool read_only_asked = false;   // ro was given, and no rw after it
  bool read_write_asked = false;  // rw was given, and no ro after it
  bool pptr_fastpath = false;

  uint64_t offset = 0;
  uint32_t partition = 0;  // 0: not given
  std::string log_device;

  bool allow_other = false;
  bool default_permissions = false;
  bool block_device = false;  // blkdev
  std::string fsname;         // empty: not given
  std::string subtype;
  uint32_t max_read = 0;  // 0: not given
  // The rest of what the kernel and libfuse know, in the order given.
  std::vector<std::string> library_words;
};

// Adds the words of one -o argument to `words`. EINVAL names the word that
// cannot be used, and why.
absl::Status ParseMountWords(std::string_view argument, MountWords& words);
// Checks what only the whole can tell (offset= with partition=).
absl::Status CheckMountWords(const MountWords& words);

// Splits at commas outside quotes (which stay); "\," is a comma within a word,
// "\\" a backslash.
std::vector<std::string> SplitMountWords(std::string_view argument);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_MOUNT_OPTIONS_H_
