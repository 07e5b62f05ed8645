// SPDX-License-Identifier: GPL-2.0-or-later
// Opening an image to look at it: a file or block device, a window or partition
// of it, and its external log. Everything is opened for reading only.
//
// Thread-safety: pure functions.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_IMAGE_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_IMAGE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "fusexfs/device/file_device.h"
#include "fusexfs/device/image_lock.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/tools/ondisk/console.h"

namespace fusexfs::tool {

struct ImageOptions {
  std::string path;
  uint64_t offset = 0;     // bytes
  uint32_t partition = 0;  // 1 is the first; 0: none
  std::string log_path;    // empty: no external log
};

struct Image {
  std::optional<ImageLock> lock;  // shared; none if somebody is writing
  std::unique_ptr<FileDevice> data;
  std::unique_ptr<FileDevice> log;  // null without --logdev
};

// The bytes, whatever they are. A read-write mount of the image is kept out
// meanwhile; if there is one already, standard error says that what is shown
// may be half old, half new.
absl::StatusOr<Image> OpenImage(const ImageOptions& options, Console& console);

// A filesystem to look at. Stands for a pointer to it.
class OpenedFilesystem {
 public:
  OpenedFilesystem(std::optional<ImageLock> lock,
                   std::unique_ptr<Filesystem> filesystem)
      : lock_(std::move(lock)), filesystem_(std::move(filesystem)) {}

  Filesystem& operator*() const { return *filesystem_; }
  Filesystem* operator->() const { return filesystem_.get(); }

 private:
  std::optional<ImageLock> lock_;
  std::unique_ptr<Filesystem> filesystem_;
};

// The filesystem as the image stands: the log is not replayed, and if it is
// dirty, standard error says so.
absl::StatusOr<OpenedFilesystem> OpenFilesystem(const ImageOptions& options,
                                                Console& console);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_IMAGE_H_
