// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/image_lock.h"
#include "fusexfs/tools/fusexfs-ctl/commands.h"

namespace fusexfs::ctl {

absl::Status WaitForImage(const std::string& path) {
  return ImageLock::WaitUntilFree(path);
}

}  // namespace fusexfs::ctl
