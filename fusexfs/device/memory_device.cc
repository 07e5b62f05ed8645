// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/memory_device.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {

absl::Status MemoryDevice::ReadAt(uint64_t offset,
                                  ondisk::MutableBytes into) const {
  if (!ondisk::Within(bytes_, offset, into.size())) {
    return ondisk::PosixError(
        EIO, fmt::format("{}: reading {} bytes at {}: past the end ({})", name_,
                         into.size(), offset, bytes_.size()));
  }
  // An empty range may come as a null pointer, which memcpy does not take.
  if (into.empty()) return absl::OkStatus();
  std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return absl::OkStatus();
}

}  // namespace fusexfs
