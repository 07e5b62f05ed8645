// SPDX-License-Identifier: GPL-2.0-or-later
// journal/: the log.
//
// In this release the log is only read: where it is (log_area.h), where it
// starts and ends and whether it is clean (log_state.h), its records
// (log_record_reader.h), the transactions in them (log_transaction.h), and all
// of it in words (log_explain.h).
//
// A LogArea is the ring of 512-byte blocks that the log lives in: on the data
// device, or on a device of its own.
//
// Invariants: the area lies within its device and holds at least 2 blocks and
// fewer than 2^31. Thread-safety: immutable.
#ifndef FUSEXFS_FUSEXFS_JOURNAL_LOG_AREA_H_
#define FUSEXFS_FUSEXFS_JOURNAL_LOG_AREA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/device/device.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

class LogArea {
 public:
  // The log of an image. `log_device` is null for an internal log. Errors:
  // EINVAL if the image wants an external log and none was given (or the other
  // way round); corruption if the log does not fit into its device.
  // REQUIRES: devices outlive the area.
  static absl::StatusOr<LogArea> Of(const ondisk::Geometry& geometry,
                                    const Device& data_device,
                                    const Device* log_device);

  uint32_t blocks() const { return blocks_; }
  bool version2() const { return version2_; }
  // V5 images: a record whose checksum is wrong is an error. (V4 images only
  // have one if the kernel was asked to write it.)
  bool checksummed() const { return checksummed_; }
  const ondisk::Uuid& uuid() const { return uuid_; }
  // The size of a log buffer if nothing else is said: bytes.
  uint32_t default_buffer_bytes() const { return default_buffer_bytes_; }
  const Device& device() const { return *device_; }

  // Reads `into.size()` bytes (whole blocks) from `block` on, around the end of
  // the ring. REQUIRES: block < blocks(), at most the whole ring.
  absl::Status Read(uint32_t block, ondisk::MutableBytes into) const;

  // Block arithmetic around the ring.
  uint32_t Wrap(uint64_t block) const {
    return static_cast<uint32_t>(block % blocks_);
  }

 private:
  LogArea() = default;

  const Device* device_ = nullptr;
  uint64_t offset_ = 0;  // bytes on the device
  uint32_t blocks_ = 0;
  uint32_t default_buffer_bytes_ = 0;
  bool version2_ = false;
  bool checksummed_ = false;
  ondisk::Uuid uuid_{};
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_JOURNAL_LOG_AREA_H_
