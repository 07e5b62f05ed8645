// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "fusexfs/device/file_device.h"
#include "libondisk/status.h"
#include "tests/support/temporary_directory.h"

namespace fusexfs {
namespace {

using ::testing::HasSubstr;

constexpr size_t kDiskBytes = 4 << 20;

void PutLe(std::string& disk, size_t offset, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    disk[offset + i] = static_cast<char>(value >> (8 * i));
  }
}

// A DOS table with partitions 1 (at 1 MiB, 1 MiB long) and 2 (at 2 MiB).
std::string DosDisk() {
  std::string disk(kDiskBytes, '\0');
  for (size_t i = 0; i < 2; ++i) {
    const size_t entry = 446 + 16 * i;
    disk[entry + 4] = '\x83';
    PutLe(disk, entry + 8, 2048 * (i + 1), 4);
    PutLe(disk, entry + 12, 2048, 4);
  }
  PutLe(disk, 510, 0xaa55, 2);
  return disk;
}

// The CRC-32 of the UEFI specification.
uint32_t Crc32(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

// A GPT, as UEFI describes it, for a disk of this sector size, with one
// partition, number 3, "data": the second half of the disk but its last 64 KiB.
std::string GptDisk(size_t sector) {
  std::string disk(kDiskBytes, '\0');
  const uint64_t sectors = kDiskBytes / sector;
  disk[446 + 4] = '\xee';
  PutLe(disk, 446 + 8, 1, 4);
  PutLe(disk, 446 + 12, sectors - 1, 4);
  PutLe(disk, 510, 0xaa55, 2);

  constexpr size_t kEntries = 128, kEntryBytes = 128;
  const uint64_t table_sectors = kEntries * kEntryBytes / sector;
  const size_t entry = 2 * sector + 2 * kEntryBytes;
  std::memset(&disk[entry], 0x11, 32);  // type and own GUID
  PutLe(disk, entry + 32, sectors / 2, 8);
  PutLe(disk, entry + 40, sectors - 65536 / sector - 1, 8);
  for (size_t i = 0; i < 4; ++i) disk[entry + 56 + 2 * i] = "data"[i];

  const auto header = [&](size_t at, uint64_t mine, uint64_t other,
                          uint64_t entries) {
    std::memcpy(&disk[at], "EFI PART", 8);
    PutLe(disk, at + 8, 0x00010000, 4);
    PutLe(disk, at + 12, 92, 4);
    PutLe(disk, at + 24, mine, 8);
    PutLe(disk, at + 32, other, 8);
    // A partition that leaves the usable sectors is passed over.
    PutLe(disk, at + 40, 2 + table_sectors, 8);
    PutLe(disk, at + 48, sectors - 2 - table_sectors, 8);
    std::memset(&disk[at + 56], 0x22, 16);
    PutLe(disk, at + 72, entries, 8);
    PutLe(disk, at + 80, kEntries, 4);
    PutLe(disk, at + 84, kEntryBytes, 4);
    PutLe(disk, at + 88, Crc32({&disk[2 * sector], kEntries * kEntryBytes}), 4);
    PutLe(disk, at + 16, Crc32({&disk[at], 92}), 4);
  };
  header(sector, 1, sectors - 1, 2);
  return disk;
}

class PartitionTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<FileDevice>> Open(const std::string& disk,
                                                   uint32_t partition) {
    return FileDevice::Open(directory_.Write("disk", disk),
                            {.partition = partition});
  }
  TemporaryDirectory directory_;
};

TEST_F(PartitionTest, OpensTheWindowOfADosPartition) {
  auto device = Open(DosDisk(), 2);
  ASSERT_TRUE(device.ok()) << ondisk::MessageOf(device.status());
  EXPECT_EQ((*device)->size(), 1u << 20);
  EXPECT_EQ((*device)->file_window()->offset, 2u << 20);
}

TEST_F(PartitionTest, OpensAGptPartitionByItsOwnNumber) {
  auto device = Open(GptDisk(512), 3);
  ASSERT_TRUE(device.ok()) << ondisk::MessageOf(device.status());
  EXPECT_EQ((*device)->size(), (2u << 20) - 65536);
  EXPECT_EQ((*device)->file_window()->offset, 2u << 20);
}

// Checked with fdisk -b 4096 -l of util-linux 2.38.1: start 512, end 1007.
TEST_F(PartitionTest, OpensAGptPartitionOfADiskWith4096ByteSectors) {
  auto device = Open(GptDisk(4096), 3);
  ASSERT_TRUE(device.ok()) << ondisk::MessageOf(device.status());
  EXPECT_EQ((*device)->size(), (2u << 20) - 65536);
  EXPECT_EQ((*device)->file_window()->offset, 2u << 20);
}

TEST_F(PartitionTest, SaysWhichPartitionsThereAre) {
  absl::Status dos = Open(DosDisk(), 5).status();
  EXPECT_EQ(ondisk::ErrnoOf(dos), ENOENT);
  EXPECT_THAT(std::string(ondisk::MessageOf(dos)),
              HasSubstr("no partition 5; its dos table has 1 (1 MiB), "
                        "2 (1 MiB)"));
  absl::Status gpt = Open(GptDisk(512), 1).status();
  EXPECT_THAT(std::string(ondisk::MessageOf(gpt)),
              HasSubstr("its gpt table has 3 data (1 MiB)"));
  absl::Status large = Open(GptDisk(4096), 1).status();
  EXPECT_THAT(std::string(ondisk::MessageOf(large)),
              HasSubstr("its gpt table has 3 data (1 MiB)"));
  absl::Status none = Open(std::string(kDiskBytes, '\0'), 1).status();
  EXPECT_EQ(ondisk::ErrnoOf(none), ENOENT);
  EXPECT_THAT(std::string(ondisk::MessageOf(none)),
              HasSubstr("has no partition table"));
}

TEST_F(PartitionTest, PartitionBeyondTheImageIsRefused) {
  std::string disk = DosDisk();
  PutLe(disk, 446 + 16 + 12, 1 << 20, 4);
  EXPECT_EQ(ondisk::ErrnoOf(Open(disk, 2).status()), EINVAL);
}

}  // namespace
}  // namespace fusexfs
