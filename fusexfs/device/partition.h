// SPDX-License-Identifier: GPL-2.0-or-later
// The partitions of a disk image, as libblkid finds them (GPT, DOS, Mac, BSD,
// and whatever else it knows).
//
// Thread-safety: free functions; the file is only read.
// Source: libblkid's documentation.
#ifndef FUSEXFS_FUSEXFS_DEVICE_PARTITION_H_
#define FUSEXFS_FUSEXFS_DEVICE_PARTITION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fusexfs {

struct Partition {
  uint32_t number = 0;  // as the table counts, from 1
  uint64_t offset = 0;  // bytes
  uint64_t size = 0;    // bytes
  std::string name;     // empty if the table has none
};

struct PartitionTable {
  std::string type;  // "gpt", "dos", ...
  std::vector<Partition> partitions;
};

// ENOENT if there is no partition table. `path` is for messages.
absl::StatusOr<PartitionTable> ReadPartitionTable(int fd,
                                                  const std::string& path);

// Partition `number`; ENOENT with a list of what there is.
absl::StatusOr<Partition> FindPartition(int fd, const std::string& path,
                                        uint32_t number);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_DEVICE_PARTITION_H_
