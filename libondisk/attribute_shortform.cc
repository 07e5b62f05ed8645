// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_shortform.h"

#include <fmt/format.h>

#include "libondisk/attribute_explain.h"

namespace ondisk {
namespace {

constexpr Field kHeaderFields[] = {
    ONDISK_FIELD(AttributeShortFormHeader, totsize, kUnsigned,
                 "bytes of header and entries"),
    ONDISK_FIELD(AttributeShortFormHeader, count, kUnsigned, "attributes"),
    ONDISK_FIELD(AttributeShortFormHeader, padding, kPadding, "unused"),
};
constexpr FieldTable kHeaderTable = {
    "short-form attributes", "Extended attributes inside their inode.",
    sizeof(AttributeShortFormHeader), kHeaderFields};

}  // namespace

AttributeShortFormEntries::AttributeShortFormEntries(Bytes fork)
    : position_(sizeof(AttributeShortFormHeader)), left_(0) {
  if (fork.size() < sizeof(AttributeShortFormHeader)) return;
  const auto& header = View<AttributeShortFormHeader>(fork);
  if (header.totsize.value() > fork.size()) return;
  fork_ = fork.first(header.totsize.value());
  left_ = header.count;
}

bool AttributeShortFormEntries::Next(AttributeView& attribute) {
  if (left_ == 0 ||
      !Within(fork_, position_, sizeof(AttributeShortFormEntry))) {
    return false;
  }
  const auto& entry = View<AttributeShortFormEntry>(fork_, position_);
  const uint32_t name_at = position_ + sizeof(AttributeShortFormEntry);
  const uint32_t length = uint32_t{entry.namelen} + entry.valuelen;
  if (entry.namelen == 0 || !Within(fork_, name_at, length)) return false;
  attribute = {};
  attribute.name = {reinterpret_cast<const char*>(fork_.data()) + name_at,
                    entry.namelen};
  attribute.flags = entry.flags;
  attribute.value = fork_.subspan(name_at + entry.namelen, entry.valuelen);
  attribute.value_length = entry.valuelen;
  position_ = name_at + length;
  --left_;
  return true;
}

void VerifyAttributeShortForm(const Geometry&, Bytes fork, Checker& check) {
  if (!check.AtLeast("size", fork.size(), sizeof(AttributeShortFormHeader))) {
    return;
  }
  const auto& header = View<AttributeShortFormHeader>(fork);
  if (!check.InRange("totsize", header.totsize.value(),
                     sizeof(AttributeShortFormHeader), fork.size())) {
    return;
  }
  uint64_t end = sizeof(AttributeShortFormHeader);
  AttributeShortFormEntries entries(fork);
  AttributeView attribute;
  for (uint32_t i = 0; i < header.count; ++i) {
    if (!entries.Next(attribute)) {
      check.That(false, fmt::format("list[{}].namelen", i),
                 Within(fork, end, 1) ? fork[end] : 0,
                 "a name and value that fit the fork");
      return;
    }
    const uint8_t flags = attribute.flags;
    if ((flags & ~kAttributeNamespaceMask) != 0 ||
        !IsLegalAttributeNamespace(flags)) {
      check.That(false, fmt::format("list[{}].flags", i), flags,
                 "no namespace bit, or one, and no other bit");
      if (check.done()) return;
    }
    end += sizeof(AttributeShortFormEntry) + attribute.name.size() +
           attribute.value.size();
  }
  check.Equal("totsize", header.totsize.value(), end);
}

Explanation ExplainAttributeShortForm(const Geometry& geometry,
                                      InodeNumber inode, Bytes fork) {
  const Where where = Where::AttrFork(inode, 0);
  Explanation attributes = ExplainTable(kHeaderTable, fork, 0, where);
  Checker check(attributes.structure, where, Checker::Mode::kAllFindings);
  VerifyAttributeShortForm(geometry, fork, check);
  AttributeShortFormEntries entries(fork);
  AttributeView attribute;
  size_t at = sizeof(AttributeShortFormHeader);
  for (size_t i = 0; entries.Next(attribute); ++i) {
    const std::string prefix = fmt::format("list[{}].", i);
    attributes.Add(prefix + "namelen", at, fork.subspan(at, 1),
                   fmt::to_string(attribute.name.size()), "bytes of the name");
    attributes.Add(prefix + "valuelen", at + 1, fork.subspan(at + 1, 1),
                   fmt::to_string(attribute.value.size()),
                   "bytes of the value");
    attributes.Add(prefix + "flags", at + 2, fork.subspan(at + 2, 1),
                   RenderFlags(attribute.flags, kAttributeFlagNames),
                   "namespace; none is user");
    ExplainAttributeNameAndValue(geometry, prefix, attribute, fork.data(),
                                 attributes);
    at += sizeof(AttributeShortFormEntry) + attribute.name.size() +
          attribute.value.size();
  }
  AttachFindings(check, attributes);
  return attributes;
}

}  // namespace ondisk
