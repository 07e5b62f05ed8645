// SPDX-License-Identifier: GPL-2.0-or-later
// What the reading ahead of a walk was worth, told from the device's accesses.
//
//   device->TakeAccesses();  // those until now do not count
//   ... walk ...
//   JudgeReadahead(device->TakeAccesses())
//
// Thread-safety: a pure function.
#ifndef FUSEXFS_TESTS_SUPPORT_READAHEAD_H_
#define FUSEXFS_TESTS_SUPPORT_READAHEAD_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "fusexfs/device/fault_device.h"

namespace fusexfs {

struct Readahead {
  size_t reads = 0;
  size_t announced = 0;      // reads of bytes that were all prefetched before
  uint64_t asked_twice = 0;  // bytes
  uint64_t never_read = 0;   // bytes that were prefetched
};

// Ranges count in sectors of 512 bytes, of which metadata blocks are made.
inline Readahead JudgeReadahead(
    const std::vector<FaultDevice::Access>& accesses) {
  constexpr uint64_t kSector = 512;
  Readahead judged;
  std::map<uint64_t, bool> prefetched;  // sector -> whether it was read
  for (const FaultDevice::Access& access : accesses) {
    const uint64_t first = access.offset / kSector;
    const uint64_t end = first + access.length / kSector;
    size_t known = 0;
    for (uint64_t sector = first; sector < end; ++sector) {
      if (access.is_prefetch) {
        if (!prefetched.emplace(sector, false).second) {
          judged.asked_twice += kSector;
        }
      } else if (const auto it = prefetched.find(sector);
                 it != prefetched.end()) {
        it->second = true;
        ++known;
      }
    }
    if (access.is_prefetch) continue;
    ++judged.reads;
    if (known == end - first) ++judged.announced;
  }
  for (const auto& [sector, was_read] : prefetched) {
    if (!was_read) judged.never_read += kSector;
  }
  return judged;
}

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_READAHEAD_H_
