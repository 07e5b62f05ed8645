// SPDX-License-Identifier: GPL-2.0-or-later
// A device in memory: unit tests, fuzzing, decompressed golden images.
//
// Thread-safety: immutable after construction.
#ifndef FUSEXFS_FUSEXFS_DEVICE_MEMORY_DEVICE_H_
#define FUSEXFS_FUSEXFS_DEVICE_MEMORY_DEVICE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fusexfs/device/device.h"

namespace fusexfs {

class MemoryDevice : public Device {
 public:
  explicit MemoryDevice(std::vector<uint8_t> bytes, std::string name = "memory")
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override;

 private:
  const std::vector<uint8_t> bytes_;
  const std::string name_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_MEMORY_DEVICE_H_
