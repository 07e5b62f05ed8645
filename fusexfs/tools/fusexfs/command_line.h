// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of fusexfs, in both its forms: its own, and that in which
// mount(8) calls a helper (mount.fuse.fusexfs IMAGE MNT [-sfnv] [-o OPTS]).
//
// Thread-safety: plain values.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_COMMAND_LINE_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_COMMAND_LINE_H_

#include <optional>
#include <string>

#include "fusexfs/fuse/mount_options.h"

namespace fusexfs::tool {

// As mount(8) has them.
inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 1;
inline constexpr int kExitMountFailed = 32;

struct CommandLine {
  std::string image;
  std::string mount_point;
  MountWords words;
  bool foreground = false;
  bool debug = false;
  bool single_threaded = false;
};

// What the arguments ask for. Or nothing, with `exit_code` set, when all that
// they ask for is done (--help, --version) or they are wrong (said on standard
// error).
std::optional<CommandLine> ParseCommandLine(int argc, char** argv,
                                            int& exit_code);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_COMMAND_LINE_H_
