// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute_explain.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "absl/strings/escaping.h"
#include "libondisk/acl.h"
#include "libondisk/parent_pointer.h"

namespace ondisk {
namespace {

std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 64;
  return fmt::format("\"{}\"{}",
                     absl::CHexEscape(std::string(text.substr(0, kMost))),
                     text.size() > kMost ? "..." : "");
}

std::string RenderAcl(Bytes value) {
  std::string text;
  const uint32_t count = View<AclHeader>(value).count.value();
  for (uint32_t i = 0; i < count; ++i) {
    const auto& entry =
        View<AclEntry>(value, sizeof(AclHeader) + i * sizeof(AclEntry));
    text +=
        fmt::format("{}tag {:#x} id {} permissions {:o}", i == 0 ? "" : "; ",
                    entry.tag.value(), static_cast<int32_t>(entry.id.value()),
                    entry.permissions.value());
  }
  return text;
}

bool IsAcl(const Geometry& geometry, const AttributeView& attribute) {
  if (attribute.name_space() != kAttributeRoot ||
      (attribute.name != kAclAccessName && attribute.name != kAclDefaultName)) {
    return false;
  }
  Checker check("ACL", Where{});
  VerifyAcl(geometry, attribute.value, check);
  return !check.failed();
}

}  // namespace

void ExplainAttributeNameAndValue(const Geometry& geometry,
                                  std::string_view prefix,
                                  const AttributeView& attribute,
                                  const uint8_t* base, Explanation& into) {
  const auto* name = reinterpret_cast<const uint8_t*>(attribute.name.data());
  into.Add(fmt::format("{}name", prefix), static_cast<uint64_t>(name - base),
           Bytes(name, attribute.name.size()), Quoted(attribute.name),
           fmt::format("in full: {}{}", AttributePrefix(attribute.flags),
                       absl::CHexEscape(std::string(attribute.name))));
  if (attribute.remote) return;
  const uint64_t at = static_cast<uint64_t>(attribute.value.data() - base);
  const std::string field = fmt::format("{}value", prefix);
  if (attribute.is_parent_pointer() &&
      attribute.value.size() == sizeof(ParentRecord)) {
    const ParentPointerView parent = ViewParentPointer(attribute);
    into.Add(field, at, attribute.value,
             fmt::format("inode {}, generation {}", parent.parent.value,
                         parent.generation),
             "the directory that has this name for the inode");
  } else if (IsAcl(geometry, attribute)) {
    into.Add(field, at, attribute.value, RenderAcl(attribute.value),
             "an access control list");
  } else {
    into.Add(field, at, attribute.value, Quoted(AsText(attribute.value)),
             "the value");
  }
}

}  // namespace ondisk
