// SPDX-License-Identifier: GPL-2.0-or-later
// A changed log whose records have right checksums again.
//
// Thread-safety: immutable after construction.
#ifndef FUSEXFS_TESTS_FUZZ_LOG_RESEAL_H_
#define FUSEXFS_TESTS_FUZZ_LOG_RESEAL_H_

#include <cstdint>
#include <map>
#include <string>

#include "fusexfs/device/device.h"
#include "tests/fuzz/patched_image.h"

namespace fusexfs::fuzz {

class ResealedLog : public Device {
 public:
  // REQUIRES: `image` outlives it; its changes are log blocks.
  explicit ResealedLog(const PatchedImage& image);

  uint64_t size() const override { return image_.size(); }
  const std::string& name() const override { return image_.name(); }
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override;

 private:
  // The record that `changed` lies in is the last one before it.
  void Reseal(uint64_t header_offset);

  const PatchedImage& image_;
  std::map<uint64_t, uint32_t> checksums_;  // by offset of the Le32
};

}  // namespace fusexfs::fuzz

#endif  // FUSEXFS_TESTS_FUZZ_LOG_RESEAL_H_
