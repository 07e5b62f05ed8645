// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_buffer.h"

#include <algorithm>

#include <fmt/format.h>

namespace ondisk {
namespace {

constexpr std::string_view kContentNames[] = {
    "unknown",
    "user dquots",
    "project dquots",
    "group dquots",
    "btree block",
    "AGF",
    "AGFL",
    "AGI",
    "inodes",
    "symlink",
    "directory block",
    "directory data",
    "directory free",
    "directory leaf1",
    "directory leafn",
    "da node",
    "attribute leaf",
    "remote value",
    "superblock",
    "realtime bitmap",
    "realtime summary",
};

constexpr NamedValue kFlags[] = {
    {kLogBufferInodes, "inodes", "only the unlinked pointers are replayed"},
    {kLogBufferCancel, "cancel", "the block was freed: replay nothing"},
    {kLogBufferUserDquot, "user-dquot"},
    {kLogBufferProjectDquot, "project-dquot"},
    {kLogBufferGroupDquot, "group-dquot"},
};

constexpr Field kRows[] = {
    ONDISK_HOST_FIELD(LogBufferFormat, blf_type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogBufferFormat, blf_size, kUnsigned,
                      "regions of the log item: this one and the data"),
    ONDISK_HOST_FIELD(
        LogBufferFormat, blf_flags, kFlags,
        "special care; the top five bits say what the block holds", kFlags),
    ONDISK_HOST_FIELD(LogBufferFormat, blf_len, kUnsigned,
                      "size of the block in units of 512 bytes"),
    ONDISK_HOST_FIELD(LogBufferFormat, blf_blkno, kUnsigned,
                      "where the block is, in units of 512 bytes"),
    ONDISK_HOST_FIELD(LogBufferFormat, blf_map_size, kUnsigned,
                      "words of the map of changed 128-byte chunks"),
};

bool ChunkChanged(Bytes format, uint32_t chunk) {
  const auto& word =
      View<Host32>(format, sizeof(LogBufferFormat) + chunk / 32 * 4);
  return (word.value() >> chunk % 32 & 1) != 0;
}

// Pairs runs of set bits with regions. Calls visit(chunk, region) for each
// piece; returns false where a bit has no data or data no bit.
template <class Visitor>
bool PairRuns(LogRegions regions, Visitor visit) {
  const Bytes format = regions[0];
  const uint32_t chunks =
      32 * View<LogBufferFormat>(format).blf_map_size.value();
  size_t region = 1;
  uint32_t chunk = 0;
  while (true) {
    while (chunk < chunks && !ChunkChanged(format, chunk)) ++chunk;
    if (chunk == chunks) return region == regions.size();
    if (region == regions.size()) return false;
    uint32_t run = 1;
    while (chunk + run < chunks && ChunkChanged(format, chunk + run)) ++run;
    run = static_cast<uint32_t>(
        std::min<size_t>(run, regions[region].size() / kLogChunkBytes));
    if (run == 0) return false;
    if (!visit(chunk, regions[region].first(size_t{run} * kLogChunkBytes))) {
      return false;
    }
    chunk += run;
    ++region;
  }
}

bool CheckFormat(LogRegions regions, Checker& check) {
  const Bytes format = regions[0];
  if (!check.AtLeast("format bytes", format.size(), sizeof(LogBufferFormat))) {
    return false;
  }
  if (!CheckLogRegionCount(regions, check)) return false;
  return check.AtMost("blf_map_size",
                      View<LogBufferFormat>(format).blf_map_size.value(),
                      (format.size() - sizeof(LogBufferFormat)) / 4);
}

}  // namespace

const FieldTable kLogBufferFormatFields = {
    "buffer item",
    "The changed 128-byte chunks of a metadata block. Recovery copies them "
    "into "
    "the block, unless a later item cancels it.",
    sizeof(LogBufferFormat), kRows};

std::string_view LogBufferContentName(LogBufferContent content) {
  const auto index = static_cast<size_t>(content);
  return index < std::size(kContentNames) ? kContentNames[index] : "unknown";
}

void VerifyLogBuffer(const Geometry& geometry, LogRegions regions,
                     Checker& check) {
  if (!CheckFormat(regions, check)) return;
  const auto& format = View<LogBufferFormat>(regions[0]);
  const uint64_t start = format.blf_blkno.value();
  const uint32_t length = format.blf_len.value();
  check.AtLeast("blf_len", length, 1);
  if (check.done()) return;
  // The sum cannot overflow where it matters: start is tested first.
  check.That(
      geometry.IsValid(DiskAddress(start)) &&
          (length == 0 || geometry.IsValid(DiskAddress(start + length - 1))),
      "blf_blkno", start,
      fmt::format("{} units within the data device", length));
  if (check.done()) return;
  if (format.cancelled()) return;
  const bool paired = PairRuns(regions, [&](uint32_t chunk, Bytes bytes) {
    return uint64_t{chunk} * kLogChunkBytes + bytes.size() <=
           uint64_t{length} * kDiskAddressUnit;
  });
  check.That(paired, "blf_data_map", regions.size() - 1,
             "one region per run of changed chunks, all within the block");
}

std::vector<LogBufferRun> LogBufferRuns(LogRegions regions) {
  std::vector<LogBufferRun> runs;
  if (View<LogBufferFormat>(regions[0]).cancelled()) return runs;
  PairRuns(regions, [&runs](uint32_t chunk, Bytes bytes) {
    runs.push_back({chunk * kLogChunkBytes, bytes});
    return true;
  });
  return runs;
}

Explanation ExplainLogBuffer(const Geometry&, LogRegions regions,
                             uint64_t offset, Where where) {
  Explanation result =
      ExplainTable(kLogBufferFormatFields, regions[0], offset, where);
  Checker sizes("", where);
  if (!CheckFormat(regions, sizes)) return result;
  const auto& format = View<LogBufferFormat>(regions[0]);
  result.Add("content", offset + offsetof(LogBufferFormat, blf_flags),
             regions[0].subspan(offsetof(LogBufferFormat, blf_flags), 2),
             LogBufferContentName(format.content()),
             "what the block holds, from the flags");
  const Bytes map = regions[0].subspan(sizeof(LogBufferFormat),
                                       4 * size_t{format.blf_map_size.value()});
  result.Add("blf_data_map", offset + sizeof(LogBufferFormat), map,
             RenderHex(map, 72), "one bit per 128-byte chunk that was changed");
  if (format.cancelled()) return result;
  PairRuns(regions, [&](uint32_t chunk, Bytes bytes) {
    result.Add(
        "data", 0, bytes,
        fmt::format("{} bytes at {}", bytes.size(), chunk * kLogChunkBytes),
        "changed bytes, and where they go in the block");
    return true;
  });
  return result;
}

}  // namespace ondisk
