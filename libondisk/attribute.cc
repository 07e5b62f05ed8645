// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/attribute.h"

#include <bit>

#include "libondisk/directory.h"

namespace ondisk {
namespace {

constexpr NamedValue kFlags[] = {
    {kAttributeLocal, "LOCAL", "the value is in the leaf"},
    {kAttributeRoot, "ROOT", "namespace trusted"},
    {kAttributeSecure, "SECURE", "namespace security"},
    {kAttributeParent, "PARENT", "a parent pointer"},
    {kAttributeIncomplete, "INCOMPLETE", "half made: counts as absent"},
};

}  // namespace

const std::span<const NamedValue> kAttributeFlagNames = kFlags;

bool IsLegalAttributeNamespace(uint8_t flags) {
  return std::popcount(static_cast<uint8_t>(flags & kAttributeNamespaceMask)) <
         2;
}

bool IsLegalAttributeName(uint8_t flags, std::string_view name) {
  if ((flags & kAttributeParent) != 0) return IsLegalDirectoryName(name);
  return !name.empty() && name.size() <= kMaxAttributeNameLength &&
         name.find('\0') == name.npos;
}

std::string_view AttributePrefix(uint8_t flags) {
  if ((flags & kAttributeParent) != 0) return "parent.";
  if ((flags & kAttributeRoot) != 0) return "trusted.";
  if ((flags & kAttributeSecure) != 0) return "security.";
  return "user.";
}

}  // namespace ondisk
