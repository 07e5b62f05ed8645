// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/partition.h"

#include <blkid/blkid.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs {
namespace {

// libblkid counts in these, whatever the sector size of the disk.
constexpr uint64_t kBlkidSector = 512;

struct FreeProbe {
  void operator()(blkid_probe probe) const { blkid_free_probe(probe); }
};
using Probe = std::unique_ptr<struct blkid_struct_probe, FreeProbe>;

PartitionTable Convert(blkid_partlist list) {
  PartitionTable table;
  const char* type = blkid_parttable_get_type(blkid_partlist_get_table(list));
  if (type != nullptr) table.type = type;
  const int count = blkid_partlist_numof_partitions(list);
  for (int i = 0; i < count; ++i) {
    blkid_partition entry = blkid_partlist_get_partition(list, i);
    Partition partition;
    partition.number = static_cast<uint32_t>(blkid_partition_get_partno(entry));
    partition.offset =
        static_cast<uint64_t>(blkid_partition_get_start(entry)) * kBlkidSector;
    partition.size =
        static_cast<uint64_t>(blkid_partition_get_size(entry)) * kBlkidSector;
    const char* name = blkid_partition_get_name(entry);
    if (name != nullptr) partition.name = name;
    table.partitions.push_back(std::move(partition));
  }
  return table;
}

}  // namespace

absl::StatusOr<PartitionTable> ReadPartitionTable(int fd,
                                                  const std::string& path) {
  // A GPT lies at the second sector, so an image of a disk with 4096-byte
  // sectors shows one only if it is looked at as such; looked at otherwise it
  // shows an empty table. set_device() forgets a sector size set before it.
  std::optional<PartitionTable> table;
  for (const unsigned sector_size : {512u, 4096u}) {
    const Probe probe(blkid_new_probe());
    if (probe == nullptr ||
        blkid_probe_set_device(probe.get(), fd, 0, 0) != 0 ||
        blkid_probe_set_sectorsize(probe.get(), sector_size) != 0 ||
        blkid_probe_enable_partitions(probe.get(), 1) != 0) {
      return ondisk::PosixError(
          EIO, fmt::format("{}: libblkid cannot look for partitions", path));
    }
    blkid_partlist list = blkid_probe_get_partitions(probe.get());
    if (list != nullptr && blkid_partlist_get_table(list) != nullptr) {
      table = Convert(list);
      if (!table->partitions.empty()) break;
    }
  }
  if (table.has_value()) return *std::move(table);
  return ondisk::PosixError(ENOENT,
                            fmt::format("{}: has no partition table", path));
}

absl::StatusOr<Partition> FindPartition(int fd, const std::string& path,
                                        uint32_t number) {
  ONDISK_ASSIGN_OR_RETURN(PartitionTable table, ReadPartitionTable(fd, path));
  std::string found;
  for (Partition& partition : table.partitions) {
    if (partition.number == number) return std::move(partition);
    found += fmt::format("{}{}{}{} ({} MiB)", found.empty() ? "" : ", ",
                         partition.number, partition.name.empty() ? "" : " ",
                         partition.name, partition.size >> 20);
  }
  return ondisk::PosixError(
      ENOENT,
      fmt::format("{}: has no partition {}; its {} table has {}", path, number,
                  table.type, found.empty() ? std::string("none") : found));
}

}  // namespace fusexfs
