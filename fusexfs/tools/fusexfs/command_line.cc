// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/fusexfs/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "fusexfs/filesystem.h"
#include "fusexfs/fuse/library.h"
#include "fusexfs/space/refcount_lookup.h"
#include "libondisk/status.h"

namespace fusexfs::tool {

namespace {

// Its places: the default strategy for refcount=, and all of them.
constexpr char kHelp[] =
    R"(Usage: fusexfs IMAGE MOUNTPOINT [-o OPTION[,OPTION...]] [-f] [-d] [-s]

Mounts an XFS image: a file, a partition of a disk image, or a block device.
Mounts are read-only in this version. Unmount with: fusermount3 -u MOUNTPOINT
(or umount, as root).

  -o OPTIONS      see below; may be given several times
  -f              stay in the foreground
  -d              as -f, and print every request
  -s              serve with one thread
  -h, --help      print this
  -V, --version   print the version

Where the filesystem is:
  offset=BYTES    it starts there (K, M, G, T are understood)
  partition=N     it is partition N of a disk image, from 1
  logdev=PATH     its log is in another file or device

How it is read:
  ro              read-only (without it, fusexfs says that it is)
  norecovery      mount although the log has changes that are not in place yet;
                  what you see may be inconsistent
  cache=SIZE      memory for metadata, 256M unless given
  refcount=NAME   how shared blocks are looked up for FIEMAP ({} unless
                  given):
{}  pptr-fastpath   how parent pointers are written; no effect on a read-only
                  mount

How it is seen:
  allow_other     by all users, with the permissions of the files; for others
                  than root, /etc/fuse.conf must have user_allow_other
  default_permissions
                  the kernel checks permissions (always for root and with
                  allow_other; otherwise all files are open to the user who
                  mounted, and to nobody else)
  blkdev          as type fuseblk; IMAGE must be a block device (root's mounts
                  of one do so by themselves, unless it is in use or fsname=
                  is given)
  fsname=NAME     the source in /proc/mounts, the image's path unless given
  subtype=NAME    type fuse.NAME in /proc/mounts
  nosuid, nodev, noexec, sync, noatime, context=..., and the other words of
  mount(8) mean what they always mean. Of the kernel's words for XFS those that
  cannot change what is read (nouuid, inode64, noquota, discard, ...) are taken
  too, and do nothing.

Beyond system calls, any file of the mount answers (never listed):
  getfattr -n user.fusexfs.fiemap --only-values FILE
      its extents: logical, physical, length in bytes, flags
  getfattr -n user.fusexfs.paths --only-values FILE
      all its paths, from the image's root (needs parent pointers; for root and
      for the user who mounted)
See also fusexfs-ctl --help.
)";

// One strategy a paragraph, within 80 columns.
std::string DescribeRefcountStrategies() {
  constexpr std::string_view kIndent = "                    ";
  constexpr size_t kWidth = 79;
  std::string text;
  for (const RefcountStrategy& strategy : RefcountStrategies()) {
    std::string line = fmt::format("{}{}:", kIndent, strategy.name);
    std::istringstream words{std::string(strategy.about)};
    for (std::string word; words >> word;) {
      if (line.size() + 1 + word.size() > kWidth) {
        text += line + "\n";
        line = fmt::format("{}{}", kIndent, word);
      } else {
        line += " " + word;
      }
    }
    text += line + "\n";
  }
  return text;
}

void PrintVersion() {
  fmt::print("fusexfs {} (libfuse {})\n", FUSEXFS_VERSION, fuse_pkgversion());
}

std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::optional<CommandLine> ParseCommandLine(int argc, char** argv,
                                            int& exit_code) {
  exit_code = kExitOk;
  const bool is_mount_helper =
      argc > 0 && BaseName(argv[0]).substr(0, 6) == "mount.";

  CLI::App app;
  app.set_help_flag();
  CommandLine line;
  std::vector<std::string> options;
  bool help = false;
  bool version = false;
  app.add_option("IMAGE", line.image);
  app.add_option("MOUNTPOINT", line.mount_point);
  app.add_option("-o", options)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("-h,--help", help);
  app.add_flag("-V,--version", version);
  bool fake = false;
  bool ignored = false;
  std::string ignored_value;
  if (is_mount_helper) {
    // mount(8)'s own meanings: sloppy, fake, no mtab, verbose.
    app.add_flag("-f", fake);
    app.add_flag("-s", ignored);
    app.add_flag("-n", ignored);
    app.add_flag("-v", ignored);
    app.add_option("-t", ignored_value);
  } else {
    app.add_flag("-f", line.foreground);
    app.add_flag("-d", line.debug);
    app.add_flag("-s", line.single_threaded);
  }
  const auto fail = [&exit_code](std::string_view message) {
    fmt::print(stderr, "fusexfs: {}\nTry: fusexfs --help\n", message);
    exit_code = kExitUsage;
    return std::nullopt;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return fail(error.what());
  }
  if (help) {
    fmt::print(kHelp, MountOptions().refcount_strategy,
               DescribeRefcountStrategies());
    return std::nullopt;
  }
  if (version) {
    PrintVersion();
    return std::nullopt;
  }
  if (line.image.empty()) return fail("which image?");
  if (line.mount_point.empty()) return fail("mount it where?");
  for (const std::string& argument : options) {
    const absl::Status status = ParseMountWords(argument, line.words);
    if (!status.ok()) return fail(ondisk::MessageOf(status));
  }
  const absl::Status status = CheckMountWords(line.words);
  if (!status.ok()) return fail(ondisk::MessageOf(status));
  if (fake) return std::nullopt;
  return line;
}

}  // namespace fusexfs::tool
