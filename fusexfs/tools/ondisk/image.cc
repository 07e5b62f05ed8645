// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/image.h"

#include <cerrno>

#include <fmt/format.h>

#include "fusexfs/device/kernel_mounts.h"
#include "fusexfs/journal/log_area.h"
#include "fusexfs/journal/log_state.h"
#include "fusexfs/tools/ondisk/raw_image.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

// A damaged log hides nothing of the rest: what is wrong with it is told, and
// looking goes on.
absl::Status TellLogState(const Image& image, Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const RawImage raw, RawImage::Open(*image.data));
  absl::StatusOr<LogArea> area =
      LogArea::Of(raw.geometry(), *image.data, image.log.get());
  ONDISK_RETURN_IF_ERROR(area.status());
  const absl::StatusOr<LogState> state = FindLogState(*area);
  if (!state.ok()) {
    console.NoteOnce(
        fmt::format("the log cannot be read ({}): changes that are "
                    "in it only are not shown",
                    ondisk::MessageOf(state.status())));
  } else if (!state->clean) {
    console.NoteOnce(
        "the log is dirty and not replayed: changes that are in it only are "
        "not shown");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Image> OpenImage(const ImageOptions& options, Console& console) {
  Image image;
  ONDISK_ASSIGN_OR_RETURN(
      image.data,
      FileDevice::Open(options.path, {.offset = options.offset,
                                      .partition = options.partition}));
  if (!options.log_path.empty()) {
    ONDISK_ASSIGN_OR_RETURN(image.log, FileDevice::Open(options.log_path, {}));
  }
  auto lock = ImageLock::Take(*image.data, ImageLock::Mode::kShared);
  if (lock.ok()) {
    image.lock = *std::move(lock);
  } else if (ondisk::ErrnoOf(lock.status()) != EBUSY) {
    return lock.status();
  }
  for (const absl::Status& status :
       {lock.status(), CheckNotMountedForWriting(*image.data)}) {
    if (status.ok()) continue;
    console.NoteOnce(fmt::format("{}: what is shown may be half old, half new",
                                 ondisk::MessageOf(status)));
  }
  return image;
}

absl::StatusOr<OpenedFilesystem> OpenFilesystem(const ImageOptions& options,
                                                Console& console) {
  ONDISK_ASSIGN_OR_RETURN(Image image, OpenImage(options, console));
  ONDISK_RETURN_IF_ERROR(TellLogState(image, console));
  ONDISK_ASSIGN_OR_RETURN(
      auto filesystem,
      Filesystem::Mount(std::move(image.data), std::move(image.log),
                        {.read_only = true, .no_recovery = true}));
  return OpenedFilesystem(std::move(image.lock), std::move(filesystem));
}

}  // namespace fusexfs::tool
