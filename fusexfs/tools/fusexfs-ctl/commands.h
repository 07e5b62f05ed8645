// SPDX-License-Identifier: GPL-2.0-or-later
// The commands of fusexfs-ctl. Each writes its answer to `console` and fails
// with a message that names the file.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_CTL_COMMANDS_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_CTL_COMMANDS_H_

#include <string>

#include "absl/status/status.h"
#include "fusexfs/file/fiemap.h"
#include "fusexfs/tools/ondisk/console.h"

namespace fusexfs::ctl {

// Where a file's bytes lie, as `filefrag -v` prints it.
absl::Status PrintFiemap(const std::string& path, FiemapFork fork,
                         tool::Console& console);

// Every path of a file (or directory, symbolic link, ...), one a line.
absl::Status PrintParents(const std::string& path, tool::Console& console);

// Returns when no mount uses the image any more.
absl::Status WaitForImage(const std::string& path);

}  // namespace fusexfs::ctl

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_CTL_COMMANDS_H_
