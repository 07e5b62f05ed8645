// SPDX-License-Identifier: GPL-2.0-or-later
// The command line: which command, on which image, with which options.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_COMMAND_LINE_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_COMMAND_LINE_H_

#include <functional>

#include "absl/status/status.h"
#include "fusexfs/tools/ondisk/console.h"

namespace fusexfs::tool {

// Exit codes.
inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;

struct CommandLine {
  // Empty: nothing to do (--help, or wrong usage, both told already).
  std::function<absl::Status(Console&)> command;
  int exit_code = kExitOk;  // if there is nothing to do
  bool json = false;
};

CommandLine ParseCommandLine(int argc, char** argv);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_COMMAND_LINE_H_
