// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/fusexfs/mount.h"

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "fusexfs/device/file_device.h"
#include "fusexfs/device/image_lock.h"
#include "fusexfs/device/kernel_mounts.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/fuse/session.h"
#include "fusexfs/tools/fusexfs/block_device.h"
#include "libondisk/status.h"

namespace fusexfs::tool {

namespace {

// What /proc/mounts shows as the source: the image as it was named, from the
// root, so that it can be found again from any directory.
std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

// Whether to mount as fuseblk: when asked to, or when root mounts a block
// device that nobody else uses. Its source in /proc/mounts is always the
// device.
absl::StatusOr<bool> DecideFuseblk(const CommandLine& line,
                                   const FileDevice& device) {
  const bool is_possible = device.is_block_device() && geteuid() == 0;
  if (line.words.block_device) {
    if (!device.is_block_device()) {
      return ondisk::PosixError(
          ENOTBLK,
          fmt::format("option blkdev: {} is no block device", line.image));
    }
    if (geteuid() != 0) {
      return ondisk::PosixError(EPERM, "option blkdev: only for root");
    }
    if (!IsFreeBlockDevice(line.image)) {
      return ondisk::PosixError(
          EBUSY, fmt::format("option blkdev: {} is in use", line.image));
    }
    return true;
  }
  return is_possible && line.words.fsname.empty() &&
         IsFreeBlockDevice(line.image);
}

absl::StatusOr<SessionOptions> MakeSessionOptions(const CommandLine& line,
                                                  const FileDevice& device) {
  const MountWords& words = line.words;
  SessionOptions options;
  options.mount_point = line.mount_point;
  options.debug = line.debug;
  options.max_read = words.max_read;
  options.transport.threads = line.single_threaded ? 1 : 0;

  std::vector<std::string>& out = options.mount_words;
  out.push_back("ro");
  out.insert(out.end(), words.library_words.begin(), words.library_words.end());
  if (words.allow_other) out.push_back("allow_other");
  // A user who mounts an image for nobody else sees all of it: it is theirs to
  // read anyway. As soon as others look, files are what their modes say.
  options.posix_acl =
      words.default_permissions || words.allow_other || geteuid() == 0;
  if (options.posix_acl) out.push_back("default_permissions");

  ONDISK_ASSIGN_OR_RETURN(const bool is_fuseblk, DecideFuseblk(line, device));
  const std::string image = AbsolutePath(line.image);
  if (is_fuseblk) {
    out.push_back("blkdev");
    out.push_back(fmt::format("blksize={}", FuseblkBlockSize(device.fd())));
    out.push_back(fmt::format("fsname={}", image));
  } else {
    out.push_back(
        fmt::format("fsname={}", words.fsname.empty() ? image : words.fsname));
  }
  if (!words.subtype.empty()) {
    out.push_back(fmt::format("subtype={}", words.subtype));
  }
  return options;
}

absl::StatusOr<std::unique_ptr<FileDevice>> OpenLogDevice(
    const std::string& path) {
  if (path.empty()) return nullptr;
  ONDISK_ASSIGN_OR_RETURN(std::unique_ptr<FileDevice> device,
                          FileDevice::Open(path, FileDevice::Options()));
  ONDISK_RETURN_IF_ERROR(CheckNotMountedForWriting(*device));
  return device;
}

// An image with unknown ro-compat features must never be written to: a mount
// without ro is refused, as by the kernel, whether or not this version writes.
absl::Status CheckReadOnlyAsked(const CommandLine& line,
                                const Filesystem& filesystem) {
  const std::string unknown = filesystem.UnknownRoCompatFeatures();
  if (line.words.read_only_asked || unknown.empty()) return absl::OkStatus();
  return ondisk::PosixError(
      EROFS, fmt::format("{}: the image has features that this program cannot "
                         "write: ro-compat {}; mount with -o ro",
                         line.image, unknown));
}

void SayWhatIsDifferent(const MountWords& words, const Filesystem& filesystem) {
  if (!words.read_only_asked) {
    spdlog::info("mounted read-only: this version does not write");
  }
  const std::string unknown = filesystem.UnknownRoCompatFeatures();
  if (!unknown.empty()) {
    spdlog::info(
        "the image has ro-compat features unknown to this program, {}: "
        "it can be read only",
        unknown);
  }
  if (words.pptr_fastpath) {
    spdlog::info("pptr-fastpath has no effect on a read-only mount");
  }
}

}  // namespace

absl::Status MountAndServe(const CommandLine& line,
                           std::function<void()> on_ready) {
  FileDevice::Options window;
  window.offset = line.words.offset;
  window.partition = line.words.partition;
  ONDISK_ASSIGN_OR_RETURN(std::unique_ptr<FileDevice> device,
                          FileDevice::Open(line.image, window));
  ONDISK_ASSIGN_OR_RETURN(std::unique_ptr<FileDevice> log_device,
                          OpenLogDevice(line.words.log_device));
  ONDISK_ASSIGN_OR_RETURN(const ImageLock lock,
                          ImageLock::Take(*device, ImageLock::Mode::kShared));
  ONDISK_RETURN_IF_ERROR(CheckNotMountedForWriting(*device));
  ONDISK_ASSIGN_OR_RETURN(SessionOptions options,
                          MakeSessionOptions(line, *device));

  MountOptions engine = line.words.engine;
  engine.read_only = true;
  ONDISK_ASSIGN_OR_RETURN(
      const std::unique_ptr<Filesystem> filesystem,
      Filesystem::Mount(std::move(device), std::move(log_device), engine));

  ONDISK_RETURN_IF_ERROR(CheckReadOnlyAsked(line, *filesystem));
  options.on_ready = [&line, &on_ready, &filesystem] {
    SayWhatIsDifferent(line.words, *filesystem);
    on_ready();
  };
  ONDISK_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                          Session::Mount(*filesystem, options));
  return session->Serve();
}

}  // namespace fusexfs::tool
