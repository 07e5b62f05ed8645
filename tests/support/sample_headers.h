// SPDX-License-Identifier: GPL-2.0-or-later
// Real metadata blocks of one small image, for tests to read and to damage.
//
// Made by Debian 13's mkfs.xfs 6.13 and Linux 6.18:
//   mkfs.xfs -b size=1024 -d agcount=2 -L sample -n parent=1 -i exchange=1
//     -m rmapbt=1,uuid=11111111-2222-3333-4444-555555555555 64-MiB-FILE
//   files f1 to f100; big, 400 blocks with every second one punched out; big2,
//   a reflink copy of big; then f1, f5 and f9 removed.
// What the tests expect of them was printed by xfs_db.
#ifndef FUSEXFS_TESTS_SUPPORT_SAMPLE_HEADERS_H_
#define FUSEXFS_TESTS_SUPPORT_SAMPLE_HEADERS_H_

#include <cstdint>
#include <vector>

namespace ondisk {

inline constexpr uint64_t kSampleDeviceBytes = uint64_t{64} << 20;

// One sector of 512 bytes each.
std::vector<uint8_t> SampleSuperblock();
std::vector<uint8_t> SampleSecondarySuperblock();
std::vector<uint8_t> SampleAgf();
std::vector<uint8_t> SampleAgi();
std::vector<uint8_t> SampleAgfl();

// One block of 1024 bytes each, of AG 0.
std::vector<uint8_t> SampleBnobtLeaf();
std::vector<uint8_t> SampleInobtLeaf();
std::vector<uint8_t> SampleRmapbtNode();
std::vector<uint8_t> SampleRmapbtLeaf();
std::vector<uint8_t> SampleRefcountbtLeaf();
std::vector<uint8_t> SampleBmbtLeaf();

// Where they were read (512-byte units).
inline constexpr uint64_t kSampleBnobtAddress = 4, kSampleInobtAddress = 8,
                          kSampleRmapbtLeafAddress = 12,
                          kSampleRefcountbtAddress = 14,
                          kSampleRmapbtNodeAddress = 18,
                          kSampleBmbtAddress = 192;
inline constexpr uint64_t kSampleBmbtOwner = 167;  // inode of "big"

}  // namespace ondisk

#endif  // FUSEXFS_TESTS_SUPPORT_SAMPLE_HEADERS_H_
