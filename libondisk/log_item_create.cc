// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_create.h"

#include <fmt/format.h>

namespace ondisk {
namespace {

constexpr Field kRows[] = {
    ONDISK_HOST_FIELD(LogInodeCreateFormat, icl_type, kHex,
                      "type of the log item"),
    ONDISK_HOST_FIELD(LogInodeCreateFormat, icl_size, kUnsigned,
                      "regions of the log item"),
    ONDISK_FIELD(LogInodeCreateFormat, icl_ag, kUnsigned, "allocation group"),
    ONDISK_FIELD(LogInodeCreateFormat, icl_agbno, kUnsigned,
                 "first block of the chunk within the group"),
    ONDISK_FIELD(LogInodeCreateFormat, icl_count, kUnsigned, "inodes"),
    ONDISK_FIELD(LogInodeCreateFormat, icl_isize, kUnsigned,
                 "bytes of one inode"),
    ONDISK_FIELD(LogInodeCreateFormat, icl_length, kUnsigned, "blocks"),
    ONDISK_FIELD(LogInodeCreateFormat, icl_gen, kUnsigned,
                 "generation that the new inodes get"),
};

}  // namespace

const FieldTable kLogInodeCreateFields = {
    "inode create item",
    "A chunk of inodes was allocated: recovery fills it with free inodes.",
    sizeof(LogInodeCreateFormat), kRows};

void VerifyLogInodeCreate(const Geometry& geometry, LogRegions regions,
                          Checker& check) {
  if (!CheckLogFormatSize(regions, sizeof(LogInodeCreateFormat), check) ||
      !CheckLogRegionCount(regions, check)) {
    return;
  }
  check.Equal("icl_size", regions.size(), 1);
  if (check.done()) return;
  const auto& format = View<LogInodeCreateFormat>(regions[0]);
  const AgNumber ag(format.icl_ag.value());
  const AgBlock block(format.icl_agbno.value());
  const uint32_t length = format.icl_length.value();
  if (!check.Less("icl_ag", ag.value, geometry.ag_count)) return;
  check.That(geometry.IsValidPayload(ag, block), "icl_agbno", block.value,
             "a block of the group, behind its headers");
  if (check.failed()) return;
  check.Equal("icl_isize", format.icl_isize.value(), geometry.inode_size);
  check.InRange("icl_length", length, 1, geometry.AgSize(ag) - block.value);
  if (check.done()) return;
  check.Equal("icl_count", format.icl_count.value(),
              uint64_t{length} << geometry.inodes_per_block_log);
}

Explanation ExplainLogInodeCreate(const Geometry&, LogRegions regions,
                                  uint64_t offset, Where where) {
  return ExplainTable(kLogInodeCreateFields, regions[0], offset, where);
}

}  // namespace ondisk
