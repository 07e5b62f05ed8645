// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/realtime.h"

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {

absl::Status CheckOnDataDevice(const Inode& inode) {
  if (!inode.core().is_realtime()) return absl::OkStatus();
  return ondisk::UnsupportedError(
      fmt::format("inode {}: its data is on the image's realtime device, which "
                  "fusexfs does not read",
                  inode.number().value));
}

}  // namespace fusexfs
