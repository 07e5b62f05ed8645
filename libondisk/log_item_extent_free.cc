// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_extent_free.h"

#include <fmt/format.h>

namespace ondisk {
namespace {

LogItemType TypeOf(LogRegions regions) {
  return static_cast<LogItemType>(View<LogItemHeader>(regions[0]).type.value());
}

bool IsRealtime(LogItemType type) {
  return type == LogItemType::kEfiRt || type == LogItemType::kEfdRt;
}

// Bytes of one extent in a format of this size; 0 if neither form fits.
size_t ExtentBytes(Bytes format) {
  const uint64_t count = View<LogIntentFormat>(format).count.value();
  const size_t room = format.size() - sizeof(LogIntentFormat);
  for (const size_t bytes : {sizeof(LogExtent64), sizeof(LogExtent32)}) {
    if (room % bytes == 0 && room / bytes == count) return bytes;
  }
  return 0;
}

}  // namespace

const FieldTable kLogEfiFields = {
    "EFI (extent free intent)",
    "These extents will be freed: recovery must finish it if no EFD follows.",
    sizeof(LogIntentFormat), kLogIntentRows};
const FieldTable kLogEfdFields = {
    "EFD (extent free done)",
    "The extents of the EFI with this identifier have been freed.",
    sizeof(LogIntentFormat), kLogIntentRows};

LogFreeExtent LogFreeExtentAt(Bytes format, uint32_t index) {
  const size_t bytes = ExtentBytes(format);
  const auto& extent =
      View<LogExtent32>(format, sizeof(LogIntentFormat) + index * bytes);
  return {FsBlock(extent.start.value()), extent.length.value()};
}

void VerifyLogExtentFree(const Geometry& geometry, LogRegions regions,
                         Checker& check) {
  const Bytes format = regions[0];
  if (!check.AtLeast("format bytes", format.size(), sizeof(LogIntentFormat)) ||
      !CheckLogRegionCount(regions, check) ||
      !check.Equal("size", regions.size(), 1)) {
    return;
  }
  const uint32_t count = View<LogIntentFormat>(format).count.value();
  if (!check.That(ExtentBytes(format) != 0, "count", count,
                  fmt::format("as many extents of 16 or 12 bytes as fill {} "
                              "bytes",
                              format.size() - sizeof(LogIntentFormat)))) {
    return;
  }
  const bool realtime = IsRealtime(TypeOf(regions));
  for (uint32_t i = 0; i < count && !check.done(); ++i) {
    const LogFreeExtent extent = LogFreeExtentAt(format, i);
    // A done item may state extents that were never freed: not yet filled in.
    if (IsLogDone(TypeOf(regions)) && extent.length == 0) continue;
    CheckLogDiskExtent(geometry, realtime, i, extent.start.value, extent.length,
                       check);
  }
}

Explanation ExplainLogExtentFree(const Geometry&, LogRegions regions,
                                 uint64_t offset, Where where) {
  const bool done = IsLogDone(TypeOf(regions));
  Explanation result = ExplainTable(done ? kLogEfdFields : kLogEfiFields,
                                    regions[0], offset, where);
  if (regions[0].size() < sizeof(LogIntentFormat)) return result;
  const size_t bytes = ExtentBytes(regions[0]);
  if (bytes == 0) return result;
  const uint32_t count = View<LogIntentFormat>(regions[0]).count.value();
  for (uint32_t i = 0; i < count; ++i) {
    const LogFreeExtent extent = LogFreeExtentAt(regions[0], i);
    const size_t at = sizeof(LogIntentFormat) + i * bytes;
    result.Add(fmt::format("extent[{}]", i), offset + at,
               regions[0].subspan(at, bytes),
               fmt::format("block {:#x}, {} blocks", extent.start.value,
                           extent.length),
               done ? "was freed" : "to be freed");
  }
  return result;
}

}  // namespace ondisk
