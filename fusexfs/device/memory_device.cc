#include "fusexfs/device/memory_device.h"

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "libondisk/status.h"

namespace fusexfs {

absl::Status MemoryDevice::ReadAt(uint64_t offset,
                                  ondisk::MutableBytes into) const {
  if (!ondisk::Within(bytes_, offset, into.size())) {
    return ondisk::PosixError(
        EIO, absl::StrCat(name_, ": reading ", into.size(), " bytes at ",
                          offset, ": past the end (", bytes_.size(), ")"));
  }
  std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return absl::OkStatus();
}

}  // namespace fusexfs
