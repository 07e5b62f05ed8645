// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_refcount.h"

#include <iterator>

#include <fmt/format.h>

namespace ondisk {
namespace {

constexpr std::string_view kOperations[] = {
    "?",
    "increase",
    "decrease",
    "allocate for copy-on-write",
    "free from copy-on-write",
};

bool IsRealtime(LogRegions regions) {
  return View<LogItemHeader>(regions[0]).type.value() ==
         static_cast<uint16_t>(LogItemType::kCuiRt);
}

const LogPhysicalExtent& ExtentAt(Bytes format, uint32_t index) {
  return View<LogPhysicalExtent>(
      format, sizeof(LogIntentFormat) + index * sizeof(LogPhysicalExtent));
}

}  // namespace

const FieldTable kLogCuiFields = {
    "CUI (reference count update intent)",
    "These reference counts will be changed: recovery must finish it if no CUD "
    "follows.",
    sizeof(LogIntentFormat), kLogIntentRows};
const FieldTable kLogCudFields = {
    "CUD (reference count update done)",
    "What the CUI with this identifier promised has been done.",
    sizeof(LogDoneFormat), kLogDoneRows};

void VerifyLogCui(const Geometry& geometry, LogRegions regions,
                  Checker& check) {
  if (!CheckLogIntent(regions, sizeof(LogPhysicalExtent), check)) return;
  check.That(geometry.features.reflink, "type",
             View<LogItemHeader>(regions[0]).type.value(),
             "an image with reference counts");
  const bool realtime = IsRealtime(regions);
  const uint32_t count = View<LogIntentFormat>(regions[0]).count.value();
  for (uint32_t i = 0; i < count && !check.done(); ++i) {
    const LogPhysicalExtent& extent = ExtentAt(regions[0], i);
    const uint32_t flags = extent.flags.value();
    if (flags == 0 || flags >= std::size(kOperations)) {
      check.That(false, LogExtentField(i, "flags"), flags,
                 "an operation from 1 to 4");
    }
    CheckLogDiskExtent(geometry, realtime, i, extent.start_block.value(),
                       extent.length.value(), check);
  }
}

Explanation ExplainLogCui(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  Explanation result = ExplainTable(kLogCuiFields, regions[0], offset, where);
  Checker sizes("", where);
  if (!CheckLogIntent(regions, sizeof(LogPhysicalExtent), sizes)) return result;
  const uint32_t count = View<LogIntentFormat>(regions[0]).count.value();
  for (uint32_t i = 0; i < count; ++i) {
    const LogPhysicalExtent& extent = ExtentAt(regions[0], i);
    const uint32_t flags = extent.flags.value();
    const size_t at = sizeof(LogIntentFormat) + i * sizeof(LogPhysicalExtent);
    result.Add(
        fmt::format("extent[{}]", i), offset + at,
        regions[0].subspan(at, sizeof(LogPhysicalExtent)),
        fmt::format("{}: block {:#x}, {} blocks",
                    kOperations[flags < std::size(kOperations) ? flags : 0],
                    extent.start_block.value(), extent.length.value()),
        "reference count to change");
  }
  return result;
}

Explanation ExplainLogCud(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  return ExplainLogDone(kLogCudFields, regions, offset, where);
}

}  // namespace ondisk
