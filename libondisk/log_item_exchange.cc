// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_exchange.h"

namespace ondisk {
namespace {

constexpr NamedValue kFlags[] = {
    {kLogExchangeAttributeFork, "attribute-fork"},
    {kLogExchangeSetSizes, "set-sizes", "set the sizes when finished"},
    {kLogExchangeWrittenOnly, "written-only",
     "only where the first file has written blocks"},
    {kLogExchangeClearReflink1, "clear-reflink-1"},
    {kLogExchangeClearReflink2, "clear-reflink-2"},
};

constexpr Field kRows[] = {
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_size, kUnsigned,
                      "regions of the log item"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_pad, kPadding, "zero"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_id, kHex,
                      "ties the intent to its done item"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_inode1, kUnsigned, "first file"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_inode2, kUnsigned, "second file"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_igen1, kUnsigned,
                      "generation of the first file"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_igen2, kUnsigned,
                      "generation of the second file"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_startoff1, kUnsigned,
                      "first block within the first file"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_startoff2, kUnsigned,
                      "first block within the second file"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_blockcount, kUnsigned,
                      "blocks left to exchange"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_flags, kFlags, "how", kFlags),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_isize1, kUnsigned,
                      "size that the first file shall have"),
    ONDISK_HOST_FIELD(LogXmiFormat, xmi_isize2, kUnsigned,
                      "size that the second file shall have"),
};

}  // namespace

const FieldTable kLogXmiFields = {"XMI (mapping exchange intent)",
                                  "Mappings of two files will be exchanged: "
                                  "recovery must finish it if no XMD "
                                  "follows.",
                                  sizeof(LogXmiFormat), kRows};
const FieldTable kLogXmdFields = {
    "XMD (mapping exchange done)",
    "What the XMI with this identifier promised has been done.",
    sizeof(LogDoneFormat), kLogDoneRows};

void VerifyLogXmi(const Geometry& geometry, LogRegions regions,
                  Checker& check) {
  if (!CheckLogFormatSize(regions, sizeof(LogXmiFormat), check) ||
      !CheckLogRegionCount(regions, check) ||
      !check.Equal("xmi_size", regions.size(), 1)) {
    return;
  }
  const auto& format = View<LogXmiFormat>(regions[0]);
  check.That(geometry.features.exchange, "xmi_type", format.xmi_type.value(),
             "an image with exchange-range");
  if (check.done()) return;
  check.Equal("xmi_pad", format.xmi_pad.value(), 0);
  if (check.done()) return;
  check.EqualHex("xmi_flags", format.xmi_flags.value() & kLogExchangeKnownFlags,
                 format.xmi_flags.value());
  if (check.done()) return;
  check.That(geometry.IsValid(InodeNumber(format.xmi_inode1.value())),
             "xmi_inode1", format.xmi_inode1.value(),
             "an inode number within the image");
  if (check.done()) return;
  check.That(geometry.IsValid(InodeNumber(format.xmi_inode2.value())),
             "xmi_inode2", format.xmi_inode2.value(),
             "an inode number within the image");
  if (check.done()) return;
  CheckLogFileExtent("xmi_startoff1", format.xmi_startoff1.value(),
                     format.xmi_blockcount.value(), check);
  if (check.done()) return;
  CheckLogFileExtent("xmi_startoff2", format.xmi_startoff2.value(),
                     format.xmi_blockcount.value(), check);
}

Explanation ExplainLogXmi(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  return ExplainTable(kLogXmiFields, regions[0], offset, where);
}

Explanation ExplainLogXmd(const Geometry&, LogRegions regions, uint64_t offset,
                          Where where) {
  return ExplainLogDone(kLogXmdFields, regions, offset, where);
}

}  // namespace ondisk
