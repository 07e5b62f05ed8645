// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk: look into an XFS image without mounting it.
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/command_line.h"
#include "fusexfs/tools/ondisk/commands.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

int Run(int argc, char** argv) {
  const CommandLine line = ParseCommandLine(argc, argv);
  if (!line.command) return line.exit_code;
  Console::Settings settings = Console::DetectSettings();
  settings.json = line.json;
  Console console(stdout, stderr, settings);
  absl::Status status = line.command(console);
  if (const absl::Status written = console.Finish(); status.ok()) {
    status = written;
  }
  if (status.ok()) return kExitOk;
  console.Note(ondisk::MessageOf(status));
  return IsUsageError(status) ? kExitUsage : kExitError;
}

}  // namespace
}  // namespace fusexfs::tool

int main(int argc, char** argv) {
  try {
    return fusexfs::tool::Run(argc, argv);
  } catch (const std::exception& error) {  // out of memory
    fmt::print(stderr, "ondisk: {}\n", error.what());
    return fusexfs::tool::kExitError;
  }
}
