// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_intent.h"

#include <fmt/format.h>

namespace ondisk {
namespace {

// The largest file offset that an extent record can name (54 bits), in blocks.
constexpr uint64_t kMaxFileBlock = (uint64_t{1} << 54) - 1;

constexpr Field kIntentRows[] = {
    ONDISK_HOST_FIELD(LogIntentFormat, type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogIntentFormat, size, kUnsigned,
                      "regions of the log item"),
    ONDISK_HOST_FIELD(LogIntentFormat, count, kUnsigned, "extents that follow"),
    ONDISK_HOST_FIELD(LogIntentFormat, id, kHex,
                      "ties the intent to its done item"),
};
constexpr Field kDoneRows[] = {
    ONDISK_HOST_FIELD(LogDoneFormat, type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogDoneFormat, size, kUnsigned,
                      "regions of the log item"),
    ONDISK_HOST_FIELD(LogDoneFormat, pad, kPadding, "unused"),
    ONDISK_HOST_FIELD(LogDoneFormat, intent_id, kHex,
                      "the intent that is done"),
};

}  // namespace

const std::span<const Field> kLogIntentRows = kIntentRows;
const std::span<const Field> kLogDoneRows = kDoneRows;

std::string LogExtentField(uint32_t index, std::string_view field) {
  return fmt::format("extent[{}].{}", index, field);
}

bool CheckLogIntent(LogRegions regions, size_t extent_bytes, Checker& check) {
  const Bytes format = regions[0];
  if (!check.AtLeast("format bytes", format.size(), sizeof(LogIntentFormat))) {
    return false;
  }
  if (!CheckLogRegionCount(regions, check)) return false;
  check.Equal("regions", regions.size(), 1);
  if (check.done()) return false;
  const uint64_t room = (format.size() - sizeof(LogIntentFormat));
  return check.Equal("count", View<LogIntentFormat>(format).count.value(),
                     room / extent_bytes) &&
         check.Equal("format bytes", room % extent_bytes, 0);
}

void VerifyLogDone(const Geometry&, LogRegions regions, Checker& check) {
  if (!CheckLogFormatSize(regions, sizeof(LogDoneFormat), check)) return;
  if (!CheckLogRegionCount(regions, check)) return;
  check.Equal("regions", regions.size(), 1);
}

Explanation ExplainLogDone(const FieldTable& table, LogRegions regions,
                           uint64_t offset, Where where) {
  return ExplainTable(table, regions[0], offset, where);
}

bool CheckLogDiskExtent(const Geometry& geometry, bool realtime, uint32_t index,
                        uint64_t start, uint32_t length, Checker& check) {
  const bool holds = realtime ? length > 0 && start + length > start
                              : geometry.IsValidExtent(FsBlock(start), length);
  if (holds) return true;
  return check.That(false, LogExtentField(index, "start_block"), start,
                    fmt::format("{} blocks from there within one allocation "
                                "group, behind its headers",
                                length));
}

bool CheckLogFileExtent(std::string_view field, uint64_t start, uint64_t length,
                        Checker& check) {
  if (start <= kMaxFileBlock && length > 0 &&
      length - 1 <= kMaxFileBlock - start) {
    return true;
  }
  return check.That(false, field, start,
                    fmt::format("{} blocks below 2^54", length));
}

}  // namespace ondisk
