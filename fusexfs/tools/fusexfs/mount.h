// SPDX-License-Identifier: GPL-2.0-or-later
// From a command line to a mount that has been served to its end.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_MOUNT_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_MOUNT_H_

#include <functional>

#include "absl/status/status.h"
#include "fusexfs/tools/fusexfs/command_line.h"

namespace fusexfs::tool {

// Opens the image, mounts it, calls `on_ready` when the mount works, and serves
// until it is unmounted.
absl::Status MountAndServe(const CommandLine& line,
                           std::function<void()> on_ready);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_MOUNT_H_
