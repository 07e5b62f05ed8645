// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_bmap.h"

#include <fmt/format.h>

namespace ondisk {
namespace {

constexpr NamedValue kFlags[] = {
    {kLogBmapAttributeFork, "attribute-fork"},
    {kLogBmapUnwritten, "unwritten"},
    {kLogBmapRealtime, "realtime"},
};

}  // namespace

const FieldTable kLogBuiFields = {
    "BUI (file mapping update intent)",
    "This extent will be mapped into a file, or unmapped: recovery must finish "
    "it if no BUD follows.",
    sizeof(LogIntentFormat), kLogIntentRows};
const FieldTable kLogBudFields = {
    "BUD (file mapping update done)",
    "What the BUI with this identifier promised has been done.",
    sizeof(LogDoneFormat), kLogDoneRows};

void VerifyLogBui(const Geometry& geometry, LogRegions regions,
                  Checker& check) {
  if (!CheckLogIntent(regions, sizeof(LogMapExtent), check) ||
      !check.Equal("count", View<LogIntentFormat>(regions[0]).count.value(),
                   1)) {
    return;
  }
  const auto& extent = View<LogMapExtent>(regions[0], sizeof(LogIntentFormat));
  const uint32_t flags = extent.flags.value();
  const uint32_t operation = flags & kLogOperationMask;
  constexpr uint32_t kKnown = kLogOperationMask | kLogBmapAttributeFork |
                              kLogBmapUnwritten | kLogBmapRealtime;
  check.That((flags & ~kKnown) == 0 && (operation == 1 || operation == 2),
             "extent[0].flags", flags, "map or unmap, and known flags");
  if (check.done()) return;
  check.That(geometry.IsValid(InodeNumber(extent.owner.value())),
             "extent[0].owner", extent.owner.value(),
             "an inode number within the image");
  if (check.done()) return;
  CheckLogFileExtent("extent[0].start_offset", extent.start_offset.value(),
                     extent.length.value(), check);
  if (check.done()) return;
  CheckLogDiskExtent(geometry, (flags & kLogBmapRealtime) != 0, 0,
                     extent.start_block.value(), extent.length.value(), check);
}

Explanation ExplainLogBui(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  Explanation result = ExplainTable(kLogBuiFields, regions[0], offset, where);
  constexpr size_t kAt = sizeof(LogIntentFormat);
  if (!Within(regions[0], kAt, sizeof(LogMapExtent))) return result;
  const auto& extent = View<LogMapExtent>(regions[0], kAt);
  const uint32_t flags = extent.flags.value();
  const uint32_t operation = flags & kLogOperationMask;
  result.Add("extent[0]", offset + kAt,
             regions[0].subspan(kAt, sizeof(LogMapExtent)),
             fmt::format("{}: inode {} offset {} -> block {:#x}, {} blocks, "
                         "flags {}",
                         operation == 1   ? "map"
                         : operation == 2 ? "unmap"
                                          : "?",
                         extent.owner.value(), extent.start_offset.value(),
                         extent.start_block.value(), extent.length.value(),
                         RenderFlags(flags & ~kLogOperationMask, kFlags)),
             "mapping to change");
  return result;
}

Explanation ExplainLogBud(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  return ExplainLogDone(kLogBudFields, regions, offset, where);
}

}  // namespace ondisk
