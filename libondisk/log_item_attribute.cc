// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item_attribute.h"

#include <string>

#include <fmt/format.h>

#include "absl/strings/escaping.h"
#include "libondisk/attribute.h"
#include "libondisk/parent_pointer.h"

namespace ondisk {
namespace {

constexpr NamedValue kOperations[] = {
    {1, "set"},        {2, "remove"},        {3, "replace"},
    {4, "parent set"}, {5, "parent remove"}, {6, "parent replace"},
};

const Field kRows[] = {
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_type, kHex, "type of the log item"),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_size, kUnsigned,
                      "regions of the log item"),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_igen, kUnsigned,
                      "the inode's generation (parent pointers only)"),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_id, kHex,
                      "ties the intent to its done item"),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_ino, kUnsigned, "the inode"),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_op_flags, kEnum,
                      "what is to be done", kOperations),
    HostOrder({"alfi_name_len", offsetof(LogAttriFormat, alfi_old_name_len), 4,
               FieldKind::kUnsigned,
               "bytes of the name; of a parent replacement, of the old name in "
               "the first half and of the new one in the second"}),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_value_len, kUnsigned,
                      "bytes of the value"),
    ONDISK_HOST_FIELD(LogAttriFormat, alfi_attr_filter, kFlags,
                      "namespace of the attribute", kAttributeFlagNames),
};

constexpr size_t RoundUp4(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

bool IsParentOperation(LogAttributeOperation operation) {
  return operation >= LogAttributeOperation::kParentSet;
}

struct NameLengths {
  uint32_t name;
  uint32_t new_name;
};

NameLengths LengthsOf(Bytes format) {
  const auto& fields = View<LogAttriFormat>(format);
  if (fields.operation() == LogAttributeOperation::kParentReplace) {
    return {fields.alfi_old_name_len.value(), fields.alfi_new_name_len.value()};
  }
  return {
      View<Host32>(format, offsetof(LogAttriFormat, alfi_old_name_len)).value(),
      0};
}

std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Region `index` without its padding; empty where it is too short.
Bytes Unpadded(LogRegions regions, size_t index, uint32_t length) {
  if (index >= regions.size() || regions[index].size() < length) return {};
  return regions[index].first(length);
}

bool CheckName(LogRegions regions, size_t index, uint32_t length, uint8_t flags,
               std::string_view field, Checker& check) {
  if (!check.InRange(field, length, 1, kMaxAttributeNameLength) ||
      !check.Equal(fmt::format("region[{}] bytes", index),
                   regions[index].size(), RoundUp4(length))) {
    return false;
  }
  return check.That(
      IsLegalAttributeName(flags, AsText(regions[index].first(length))), "name",
      length, "a legal attribute name");
}

}  // namespace

const FieldTable kLogAttriFields = {
    "ATTRI (attribute update intent)",
    "An extended attribute or parent pointer will be changed: recovery must "
    "finish it if no ATTRD follows.",
    sizeof(LogAttriFormat), kRows};
const FieldTable kLogAttrdFields = {
    "ATTRD (attribute update done)",
    "What the ATTRI with this identifier promised has been done.",
    sizeof(LogDoneFormat), kLogDoneRows};

void VerifyLogAttri(const Geometry& geometry, LogRegions regions,
                    Checker& check) {
  if (!CheckLogFormatSize(regions, sizeof(LogAttriFormat), check) ||
      !CheckLogRegionCount(regions, check)) {
    return;
  }
  const auto& format = View<LogAttriFormat>(regions[0]);
  const uint32_t operation = format.alfi_op_flags.value();
  if (!check.InRange("alfi_op_flags", operation, 1, 6)) return;
  const bool parent = IsParentOperation(format.operation());
  const uint32_t filter = format.alfi_attr_filter.value();
  constexpr uint32_t kFilterMask =
      kAttributeNamespaceMask | kAttributeIncomplete;
  const auto flags = static_cast<uint8_t>(filter);
  check.That((filter & ~kFilterMask) == 0 && IsLegalAttributeNamespace(flags) &&
                 (!parent || (flags & kAttributeParent) != 0),
             "alfi_attr_filter", filter,
             "at most one namespace, the parents' for a parent pointer");
  check.That(geometry.IsValid(InodeNumber(format.alfi_ino.value())), "alfi_ino",
             format.alfi_ino.value(), "an inode number within the image");
  if (check.done()) return;

  const uint32_t value = format.alfi_value_len.value();
  if (parent) {
    check.That(geometry.features.parent, "alfi_op_flags", operation,
               "an image with parent pointers");
    if (!check.Equal("alfi_value_len", value, sizeof(ParentRecord))) return;
  } else if (format.operation() == LogAttributeOperation::kRemove) {
    if (!check.Equal("alfi_value_len", value, 0)) return;
  } else if (!check.AtMost("alfi_value_len", value, kMaxAttributeValueLength)) {
    return;
  }
  const bool replace =
      format.operation() == LogAttributeOperation::kParentReplace;
  const size_t names = replace ? 2 : 1;
  const size_t values = replace ? 2 : value != 0 ? 1 : 0;
  if (!check.Equal("alfi_size", regions.size(), 1 + names + values)) return;
  const NameLengths lengths = LengthsOf(regions[0]);
  if (!CheckName(regions, 1, lengths.name, flags, "alfi_name_len", check)) {
    return;
  }
  if (replace &&
      !CheckName(regions, 2, lengths.new_name, flags, "alfi_name_len", check)) {
    return;
  }
  for (size_t i = 1 + names; i < regions.size(); ++i) {
    if (!check.Equal(fmt::format("region[{}] bytes", i), regions[i].size(),
                     RoundUp4(value))) {
      return;
    }
  }
}

LogAttributeChange ReadLogAttri(LogRegions regions) {
  const auto& format = View<LogAttriFormat>(regions[0]);
  const NameLengths lengths = LengthsOf(regions[0]);
  const uint32_t value = format.alfi_value_len.value();
  LogAttributeChange change;
  change.operation = format.operation();
  change.inode = InodeNumber(format.alfi_ino.value());
  change.generation = format.alfi_igen.value();
  change.id = format.alfi_id.value();
  change.flags = static_cast<uint8_t>(format.alfi_attr_filter.value());
  change.name = AsText(Unpadded(regions, 1, lengths.name));
  size_t next = 2;
  if (change.operation == LogAttributeOperation::kParentReplace) {
    change.new_name = AsText(Unpadded(regions, next++, lengths.new_name));
    change.new_value = Unpadded(regions, next + 1, value);
  }
  if (value != 0) change.value = Unpadded(regions, next, value);
  return change;
}

Explanation ExplainLogAttri(const Geometry&, LogRegions regions,
                            uint64_t offset, Where where) {
  Explanation result = ExplainTable(kLogAttriFields, regions[0], offset, where);
  if (regions[0].size() < sizeof(LogAttriFormat)) return result;
  const LogAttributeChange change = ReadLogAttri(regions);
  const auto add_name = [&](std::string_view row, std::string_view name) {
    if (name.empty()) return;
    result.Add(
        row, 0,
        Bytes(reinterpret_cast<const uint8_t*>(name.data()), name.size()),
        fmt::format("\"{}\"", absl::CHexEscape(std::string(name))),
        "attribute name, or entry name of a parent pointer");
  };
  const auto add_value = [&](std::string_view row, Bytes value) {
    if (value.empty()) return;
    std::string text = RenderHex(value, 32);
    if (IsParentOperation(change.operation) &&
        value.size() == sizeof(ParentRecord)) {
      const auto& record = View<ParentRecord>(value);
      text = fmt::format("directory {} generation {}", record.inode.value(),
                         record.generation.value());
    }
    result.Add(row, 0, value, text, fmt::format("{} bytes", value.size()));
  };
  add_name("name", change.name);
  add_name("new name", change.new_name);
  add_value("value", change.value);
  add_value("new value", change.new_value);
  return result;
}

Explanation ExplainLogAttrd(const Geometry&, LogRegions regions,
                            uint64_t offset, Where where) {
  return ExplainLogDone(kLogAttrdFields, regions, offset, where);
}

}  // namespace ondisk
