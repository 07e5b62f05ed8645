// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/fiemap_table.h"

#include <gtest/gtest.h>

#include "tests/fusexfs/tools/ondisk/console_capture.h"

namespace fusexfs::tool {
namespace {

constexpr uint64_t kBlock = 4096;

FiemapExtent Blocks(uint64_t logical, uint64_t physical, uint64_t length,
                    uint32_t flags) {
  return {logical * kBlock, physical * kBlock, length * kBlock, flags};
}

// The expected lines are the output of filefrag -v (e2fsprogs 1.47) for such a
// file on a mounted XFS, without its first line and trailing spaces.
TEST(FiemapTable, AgreesWithFilefragOnASharedAndUnwrittenFile) {
  ConsoleCapture capture;
  FiemapTable table(capture.console(), {"d/frag", 4202496, 4096, 245760});
  table.Add(Blocks(0, 88, 4, 0x2000));
  table.Add(Blocks(4, 92, 1, 0));
  table.Add(Blocks(5, 93, 11, 0x2000));
  table.Add(Blocks(256, 24, 64, 0x800));
  table.Add(Blocks(1024, 104, 2, 0x2000));
  table.Add(Blocks(1026, 106, 14, 0x801));
  table.Finish();
  EXPECT_EQ(
      capture.out(),
      "File size of d/frag is 4202496 (1026 blocks of 4096 bytes)\n"
      " ext:     logical_offset:        physical_offset: length:   expected: "
      "flags:\n"
      "   0:        0..       3:         88..        91:      4:             "
      "shared\n"
      "   1:        4..       4:         92..        92:      1:\n"
      "   2:        5..      15:         93..       103:     11:             "
      "shared\n"
      "   3:      256..     319:         24..        87:     64:        344: "
      "unwritten\n"
      "   4:     1024..    1025:        104..       105:      2:        792: "
      "shared,eof\n"
      "   5:     1026..    1039:        106..       119:     14:             "
      "last,unwritten,eof\n"
      "d/frag: 3 extents found\n");
}

TEST(FiemapTable, AgreesWithFilefragOnAHugeSparseFile) {
  ConsoleCapture capture;
  FiemapTable table(capture.console(),
                    {"d/huge", 12345678905344, 4096, 245760});
  table.Add(Blocks(1, 15, 1, 0));
  table.Add(Blocks(3014081763, 408, 1, 1));
  table.Finish();
  EXPECT_EQ(
      capture.out(),
      "File size of d/huge is 12345678905344 (3014081764 blocks of 4096 "
      "bytes)\n"
      " ext:       logical_offset:        physical_offset: length:   expected: "
      "flags:\n"
      "   0:         1..        1:         15..        15:      1:          "
      "1:\n"
      "   1: 3014081763..3014081763:        408..       408:      1: "
      "3014081777: last,eof\n"
      "d/huge: 2 extents found\n");
}

TEST(FiemapTable, AgreesWithFilefragOnAFileOfOneBlockAndOnAnEmptyOne) {
  ConsoleCapture capture;
  FiemapTable small(capture.console(), {"d/off", 12288, 4096, 245760});
  small.Add(Blocks(2, 409, 1, 1));
  small.Finish();
  FiemapTable empty(capture.console(), {"d/empty", 0, 4096, 245760});
  empty.Finish();
  EXPECT_EQ(
      capture.out(),
      "File size of d/off is 12288 (3 blocks of 4096 bytes)\n"
      " ext:     logical_offset:        physical_offset: length:   expected: "
      "flags:\n"
      "   0:        2..       2:        409..       409:      1:          2: "
      "last,eof\n"
      "d/off: 1 extent found\n"
      "File size of d/empty is 0 (0 blocks of 4096 bytes)\n"
      "d/empty: 0 extents found\n");
}

}  // namespace
}  // namespace fusexfs::tool
