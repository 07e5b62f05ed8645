// SPDX-License-Identifier: GPL-2.0-or-later
// The log of a golden image, to look at and to damage.
//
//   GoldenLog log("dirty-log");
//   PutBig(log.Block(893), 320, 4, 0);  // h_size of the record at block 893
//   log.SealRecord(893);                // its checksum is right again
//   auto state = FindLogState(log.Area());
//
// Thread-safety: belongs to one thread.
#ifndef FUSEXFS_TESTS_SUPPORT_GOLDEN_LOG_H_
#define FUSEXFS_TESTS_SUPPORT_GOLDEN_LOG_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fusexfs/device/memory_device.h"
#include "fusexfs/journal/log_area.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace fusexfs {

class GoldenLog {
 public:
  explicit GoldenLog(std::string_view golden_name);

  ondisk::Geometry geometry;

  uint32_t blocks() const;
  // From this block of the log to its end.
  ondisk::MutableBytes From(uint32_t block);
  ondisk::MutableBytes Block(uint32_t block) { return From(block).first(512); }
  // Makes the checksum of the record whose header is at `block` right.
  void SealRecord(uint32_t block);

  // The log as it is now. Valid until the next call.
  LogArea Area();

 private:
  std::vector<uint8_t> bytes_;
  std::unique_ptr<MemoryDevice> device_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_GOLDEN_LOG_H_
