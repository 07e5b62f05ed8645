// SPDX-License-Identifier: GPL-2.0-or-later
// fusexfs-ctl: ask a mount what system calls cannot.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "fusexfs/tools/fusexfs-ctl/commands.h"
#include "libondisk/status.h"

namespace fusexfs::ctl {

namespace {

constexpr int kExitError = 1;
constexpr int kExitUsage = 2;

struct Arguments {
  std::vector<std::string> files;
  bool attributes = false;
  std::string image;
};

int Run(int argc, char** argv) {
  CLI::App app("Ask a fusexfs mount what system calls cannot.", "fusexfs-ctl");
  Arguments arguments;
  app.set_version_flag("-V,--version", "fusexfs-ctl " FUSEXFS_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 all is well, 1 an error, 2 wrong usage.");

  CLI::App* const fiemap = app.add_subcommand(
      "fiemap", "show where a file's bytes lie, as `filefrag -v` does");
  fiemap->add_option("FILE", arguments.files, "files on a fusexfs mount")
      ->required();
  fiemap->add_flag("-x", arguments.attributes,
                   "of its extended attributes, not of its data");
  CLI::App* const parents = app.add_subcommand(
      "parents", "print every path of a file, from its parent pointers");
  parents->add_option("FILE", arguments.files, "files on a fusexfs mount")
      ->required();
  CLI::App* const wait = app.add_subcommand(
      "wait", "return when no fusexfs mount uses an image any more");
  wait->add_option("IMAGE", arguments.image, "image file or block device")
      ->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }

  tool::Console console(stdout, stderr, tool::Console::DetectSettings());
  int exit_code = 0;
  const auto report = [&exit_code](const absl::Status& status) {
    if (status.ok()) return;
    fmt::print(stderr, "fusexfs-ctl: {}\n", ondisk::MessageOf(status));
    exit_code = kExitError;
  };
  if (wait->parsed()) report(WaitForImage(arguments.image));
  for (const std::string& file : arguments.files) {
    if (parents->parsed()) {
      report(PrintParents(file, console));
    } else {
      report(PrintFiemap(
          file,
          arguments.attributes ? FiemapFork::kAttribute : FiemapFork::kData,
          console));
    }
  }
  report(console.Finish());
  return exit_code;
}

}  // namespace

}  // namespace fusexfs::ctl

int main(int argc, char** argv) { return fusexfs::ctl::Run(argc, argv); }
