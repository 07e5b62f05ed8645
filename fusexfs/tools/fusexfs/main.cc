// SPDX-License-Identifier: GPL-2.0-or-later
// fusexfs IMAGE MOUNTPOINT: mounts an XFS image.

#include <spdlog/spdlog.h>

#include <optional>

#include "fusexfs/tools/fusexfs/background.h"
#include "fusexfs/tools/fusexfs/command_line.h"
#include "fusexfs/tools/fusexfs/log.h"
#include "fusexfs/tools/fusexfs/mount.h"
#include "libondisk/status.h"

int main(int argc, char** argv) {
  namespace tool = fusexfs::tool;
  int exit_code = tool::kExitOk;
  const std::optional<tool::CommandLine> line =
      tool::ParseCommandLine(argc, argv, exit_code);
  if (!line.has_value()) return exit_code;

  tool::LogToStandardError();
  tool::Background background(line->foreground || line->debug);
  absl::Status status = background.Start();
  if (status.ok()) {
    status = tool::MountAndServe(*line, [&background] { background.Ready(); });
  }
  if (status.ok()) return tool::kExitOk;
  spdlog::error(ondisk::MessageOf(status));
  return tool::kExitMountFailed;
}
