// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_quota.h"

#include "libondisk/dquot.h"

namespace ondisk {
namespace {

constexpr NamedValue kQuotaKinds[] = {
    {kLogQuotaUser, "user"},
    {kLogQuotaProject, "project"},
    {kLogQuotaGroup, "group"},
};

constexpr Field kDquotRows[] = {
    ONDISK_HOST_FIELD(LogDquotFormat, qlf_type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogDquotFormat, qlf_size, kUnsigned,
                      "regions of the log item"),
    ONDISK_HOST_FIELD(LogDquotFormat, qlf_id, kUnsigned,
                      "the user, group or project"),
    ONDISK_HOST_FIELD(LogDquotFormat, qlf_blkno, kUnsigned,
                      "the buffer that holds the dquot, 512-byte units"),
    ONDISK_HOST_FIELD(LogDquotFormat, qlf_len, kUnsigned,
                      "length of that buffer in blocks"),
    ONDISK_HOST_FIELD(LogDquotFormat, qlf_boffset, kUnsigned,
                      "bytes from the buffer's start to the dquot"),
};
constexpr Field kQuotaOffRows[] = {
    ONDISK_HOST_FIELD(LogQuotaOffFormat, qf_type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogQuotaOffFormat, qf_size, kUnsigned,
                      "regions of the log item"),
    ONDISK_HOST_FIELD(LogQuotaOffFormat, qf_flags, kFlags,
                      "the kinds of quota that were switched off", kQuotaKinds),
    ONDISK_FIELD(LogQuotaOffFormat, qf_pad, kPadding, "unused"),
};

}  // namespace

const FieldTable kLogDquotFields = {
    "dquot item", "The quota record of one user, group or project changed.",
    sizeof(LogDquotFormat), kDquotRows};
const FieldTable kLogQuotaOffFields = {
    "quotaoff item",
    "Quota was switched off: earlier dquot items of these kinds count for "
    "nothing.",
    sizeof(LogQuotaOffFormat), kQuotaOffRows};

void VerifyLogDquot(const Geometry& geometry, LogRegions regions,
                    Checker& check) {
  if (!CheckLogFormatSize(regions, sizeof(LogDquotFormat), check) ||
      !CheckLogRegionCount(regions, check) ||
      !check.Equal("qlf_size", regions.size(), 2) ||
      !check.AtLeast("dquot bytes", regions[1].size(), sizeof(DiskDquot))) {
    return;
  }
  const auto& format = View<LogDquotFormat>(regions[0]);
  check.That(geometry.IsValid(DiskAddress(format.qlf_blkno.value())),
             "qlf_blkno", format.qlf_blkno.value(),
             "an address within the data device");
  check.AtMost("qlf_boffset",
               uint64_t{format.qlf_boffset.value()} + sizeof(DiskDquot),
               uint64_t{format.qlf_len.value()} << geometry.block_log);
  if (check.done()) return;
  const auto& dquot = View<DiskDquot>(regions[1]);
  check.EqualHex("magic", dquot.magic.value(), kDquotMagic);
  check.Equal("id", dquot.id.value(), format.qlf_id.value());
}

Explanation ExplainLogDquot(const Geometry&, LogRegions regions,
                            uint64_t offset, Where where) {
  Explanation result = ExplainTable(kLogDquotFields, regions[0], offset, where);
  if (regions.size() > 1) {
    result.parts.push_back(ExplainTable(kDquotTable, regions[1], 0, where));
  }
  return result;
}

void VerifyLogQuotaOff(const Geometry&, LogRegions regions, Checker& check) {
  if (!CheckLogFormatSize(regions, sizeof(LogQuotaOffFormat), check) ||
      !CheckLogRegionCount(regions, check)) {
    return;
  }
  check.Equal("qf_size", regions.size(), 1);
  const uint32_t flags = View<LogQuotaOffFormat>(regions[0]).qf_flags.value();
  constexpr uint32_t kKnown = kLogQuotaUser | kLogQuotaProject | kLogQuotaGroup;
  check.That(flags != 0 && (flags & ~kKnown) == 0, "qf_flags", flags,
             "one or more of user, project, group");
}

Explanation ExplainLogQuotaOff(const Geometry&, LogRegions regions,
                               uint64_t offset, Where where) {
  return ExplainTable(kLogQuotaOffFields, regions[0], offset, where);
}

}  // namespace ondisk
