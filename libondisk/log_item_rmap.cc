// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_rmap.h"

#include <iterator>

#include <fmt/format.h>

namespace ondisk {
namespace {

constexpr std::string_view kOperations[] = {
    "?",
    "map",
    "map shared",
    "unmap",
    "unmap shared",
    "convert",
    "convert shared",
    "allocate",
    "free",
};
constexpr NamedValue kFlags[] = {
    {kLogRmapAttributeFork, "attribute-fork"},
    {kLogRmapBmbtBlock, "bmbt-block"},
    {kLogRmapUnwritten, "unwritten"},
};

// Owners that are no inode (free space, AG headers, ...) are negative numbers.
bool IsInodeOwner(uint64_t owner) { return static_cast<int64_t>(owner) >= 0; }

bool IsRealtime(LogRegions regions) {
  return View<LogItemHeader>(regions[0]).type.value() ==
         static_cast<uint16_t>(LogItemType::kRuiRt);
}

const LogMapExtent& ExtentAt(Bytes format, uint32_t index) {
  return View<LogMapExtent>(
      format, sizeof(LogIntentFormat) + index * sizeof(LogMapExtent));
}

}  // namespace

const FieldTable kLogRuiFields = {
    "RUI (reverse mapping update intent)",
    "These reverse mappings will be changed: recovery must finish it if no RUD "
    "follows.",
    sizeof(LogIntentFormat), kLogIntentRows};
const FieldTable kLogRudFields = {
    "RUD (reverse mapping update done)",
    "What the RUI with this identifier promised has been done.",
    sizeof(LogDoneFormat), kLogDoneRows};

void VerifyLogRui(const Geometry& geometry, LogRegions regions,
                  Checker& check) {
  if (!CheckLogIntent(regions, sizeof(LogMapExtent), check)) return;
  check.That(geometry.features.rmapbt, "type",
             View<LogItemHeader>(regions[0]).type.value(),
             "an image with reverse mappings");
  const bool realtime = IsRealtime(regions);
  const uint32_t count = View<LogIntentFormat>(regions[0]).count.value();
  for (uint32_t i = 0; i < count && !check.done(); ++i) {
    const LogMapExtent& extent = ExtentAt(regions[0], i);
    const uint32_t flags = extent.flags.value();
    const uint32_t operation = flags & kLogOperationMask;
    constexpr uint32_t kKnown = kLogOperationMask | kLogRmapAttributeFork |
                                kLogRmapBmbtBlock | kLogRmapUnwritten;
    if ((flags & ~kKnown) != 0 || operation == 0 ||
        operation >= std::size(kOperations)) {
      check.That(false, LogExtentField(i, "flags"), flags,
                 "a known operation and known flags");
    }
    const uint64_t owner = extent.owner.value();
    if (IsInodeOwner(owner) && !geometry.IsValid(InodeNumber(owner))) {
      check.That(false, LogExtentField(i, "owner"), owner,
                 "an inode number within the image");
    }
    CheckLogFileExtent("start_offset", extent.start_offset.value(),
                       extent.length.value(), check);
    CheckLogDiskExtent(geometry, realtime, i, extent.start_block.value(),
                       extent.length.value(), check);
  }
}

Explanation ExplainLogRui(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  Explanation result = ExplainTable(kLogRuiFields, regions[0], offset, where);
  Checker sizes("", where);
  if (!CheckLogIntent(regions, sizeof(LogMapExtent), sizes)) return result;
  const uint32_t count = View<LogIntentFormat>(regions[0]).count.value();
  for (uint32_t i = 0; i < count; ++i) {
    const LogMapExtent& extent = ExtentAt(regions[0], i);
    const uint32_t flags = extent.flags.value();
    const uint32_t operation = flags & kLogOperationMask;
    const size_t at = sizeof(LogIntentFormat) + i * sizeof(LogMapExtent);
    result.Add(
        fmt::format("extent[{}]", i), offset + at,
        regions[0].subspan(at, sizeof(LogMapExtent)),
        fmt::format(
            "{}: owner {} offset {} -> block {:#x}, {} blocks, flags {}",
            kOperations[operation < std::size(kOperations) ? operation : 0],
            static_cast<int64_t>(extent.owner.value()),
            extent.start_offset.value(), extent.start_block.value(),
            extent.length.value(),
            RenderFlags(flags & ~kLogOperationMask, kFlags)),
        "reverse mapping to change");
  }
  return result;
}

Explanation ExplainLogRud(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  return ExplainLogDone(kLogRudFields, regions, offset, where);
}

}  // namespace ondisk
