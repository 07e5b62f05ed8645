// SPDX-License-Identifier: GPL-2.0-or-later
// Extents as `filefrag -v` prints them, so that the two can be compared line by
// line.
//
// Thread-safety: one thread.
// Source: e2fsprogs, filefrag(8) and its output on a mounted XFS.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_FIEMAP_TABLE_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_FIEMAP_TABLE_H_

#include <cstdint>
#include <string>

#include "fusexfs/file/fiemap.h"
#include "fusexfs/tools/ondisk/console.h"

namespace fusexfs::tool {

class FiemapTable {
 public:
  struct File {
    std::string name;
    uint64_t size = 0;               // bytes
    uint32_t block_size = 4096;      // bytes
    uint64_t filesystem_blocks = 0;  // f_blocks of statfs, for column widths
  };

  FiemapTable(Console& console, File file);

  void Add(const FiemapExtent& extent);
  // "NAME: 3 extents found": runs that lie apart on disk.
  void Finish();

 private:
  Console& console_;
  const File file_;
  const size_t logical_width_;
  const size_t physical_width_;
  uint64_t rows_ = 0;
  uint64_t runs_ = 0;
  FiemapExtent last_;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_FIEMAP_TABLE_H_
