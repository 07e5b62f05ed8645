// SPDX-License-Identifier: GPL-2.0-or-later
// Log items as Linux 6.18 wrote them on a little-endian machine, for tests to
// read and to damage.
//
// All but the last kinds were cut out of logs of images that were shut down
// (xfs_io -x -c 'shutdown -f') amid creating files, truncating two reflinked
// files of 9,000 extents, and exchanging two files of 6,000 extents; what tests
// expect of them was printed by xfs_logprint 6.13. No kernel at hand writes
// dquot, quotaoff, ATTRI and 32-bit items where they stay to be seen: these are
// laid out by hand from xfs_log_format.h.
#ifndef FUSEXFS_TESTS_SUPPORT_LOG_SAMPLES_H_
#define FUSEXFS_TESTS_SUPPORT_LOG_SAMPLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "libondisk/geometry.h"
#include "libondisk/log_item.h"

namespace ondisk {

struct LogSample {
  std::string name;
  std::vector<std::vector<uint8_t>> regions;

  std::vector<Bytes> views() const { return {regions.begin(), regions.end()}; }
};

// Every sample, in the order of the item types.
const std::vector<LogSample>& LogSamples();
// By name; ends the program if there is none.
const LogSample& LogSampleOf(const std::string& name);

// An image that all samples fit into: 1 KiB blocks, two AGs of 131,072 blocks,
// inodes of 512 bytes, all features.
Geometry LogSampleGeometry();

}  // namespace ondisk

#endif  // FUSEXFS_TESTS_SUPPORT_LOG_SAMPLES_H_
