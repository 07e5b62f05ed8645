// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/fiemap_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "fusexfs/file/fiemap_flags.h"

namespace fusexfs::tool {
namespace {

size_t WholeLog10(uint64_t value) {
  size_t log = 0;
  for (; value >= 10; value /= 10) ++log;
  return log;
}

uint64_t CeilingBlocks(const FiemapTable::File& file) {
  return file.size / file.block_size +
         (file.size % file.block_size != 0 ? 1 : 0);
}

}  // namespace

FiemapTable::FiemapTable(Console& console, File file)
    : console_(console),
      file_(std::move(file)),
      logical_width_(std::max<size_t>(8, WholeLog10(CeilingBlocks(file_)))),
      physical_width_(
          std::max<size_t>(10, WholeLog10(file_.filesystem_blocks))) {
  const uint64_t blocks = CeilingBlocks(file_);
  console_.Write(fmt::format("File size of {} is {} ({} block{} of {} bytes)\n",
                             file_.name, file_.size, blocks,
                             blocks == 1 ? "" : "s", file_.block_size));
}

void FiemapTable::Add(const FiemapExtent& extent) {
  if (rows_ == 0) {
    console_.Write(console_.Paint(
        Style::kDim, fmt::format(" ext: {:>{}} {:>{}} length: {:>{}} flags:",
                                 "logical_offset:", 2 * logical_width_ + 3,
                                 "physical_offset:", 2 * physical_width_ + 3,
                                 "expected:", physical_width_ + 1)));
    console_.Write("\n");
  }
  // Where the extent would stand if the file were one run on disk: right behind
  // the last one, or as far behind it as in the file.
  const uint64_t dense = last_.physical + last_.length;
  const uint64_t spaced =
      dense + (extent.logical - (last_.logical + last_.length));
  const bool apart = extent.logical != 0 && extent.physical != spaced &&
                     extent.physical != dense;
  if (apart || runs_ == 0) ++runs_;

  const uint64_t block = file_.block_size;
  std::string line = fmt::format(
      "{:4}: {:{}}..{:{}}: {:{}}..{:{}}: {:6}: ", rows_, extent.logical / block,
      logical_width_, (extent.logical + extent.length) / block - 1,
      logical_width_, extent.physical / block, physical_width_,
      (extent.physical + extent.length) / block - 1, physical_width_,
      extent.length / block);
  if (apart) {
    line += fmt::format("{:{}}: ", spaced / block, physical_width_);
  } else {
    line.append(physical_width_ + 2, ' ');
  }
  std::vector<std::string> flags = FiemapFlagNames(extent.flags);
  if (extent.logical + extent.length >= file_.size) flags.emplace_back("eof");
  line += fmt::format("{}", fmt::join(flags, ","));
  line.erase(line.find_last_not_of(' ') + 1);
  console_.Write(line += '\n');
  ++rows_;
  last_ = extent;
}

void FiemapTable::Finish() {
  console_.Write(fmt::format("{}: {} extent{} found\n", file_.name, runs_,
                             runs_ == 1 ? "" : "s"));
}

}  // namespace fusexfs::tool
