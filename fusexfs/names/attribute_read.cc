// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/attribute_read.h"

#include <cerrno>
#include <optional>

#include <fmt/format.h>

#include "fusexfs/names/attribute_value.h"
#include "fusexfs/names/block_types.h"
#include "fusexfs/names/da_fork.h"
#include "fusexfs/names/da_tree.h"
#include "libondisk/attribute_leaf.h"
#include "libondisk/attribute_shortform.h"
#include "libondisk/name_hash.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ondisk::AttributeView;
using ondisk::Bytes;
using ondisk::DaBlock;
using ondisk::ForkFormat;

constexpr DaBlock kRoot(0);

struct Wanted {
  uint8_t name_space;
  std::string_view name;

  bool Is(const AttributeView& attribute) const {
    return !attribute.incomplete() && attribute.name == name &&
           attribute.name_space() == name_space;
  }
};

absl::Status NoSuchAttribute() {
  return ondisk::PosixError(ENODATA, "no such attribute");
}

// An attribute fork without blocks holds nothing.
bool HasAttributes(const Inode& inode) {
  return inode.has_attribute_fork() &&
         (inode.core().attribute_format != ForkFormat::kExtents ||
          inode.core().attribute_extents > 0);
}

absl::StatusOr<std::string> ReadFromTree(const DaFork& fork,
                                         const Wanted& wanted) {
  const uint32_t hash = ondisk::DaHash(wanted.name);
  DaTreeWalk walk(fork, kAttributeTreeBlock, kRoot);
  ONDISK_RETURN_IF_ERROR(walk.Find(hash));
  while (true) {
    const auto leaf =
        ondisk::ViewAttributeLeaf(fork.geometry().features, walk.leaf());
    size_t i = ondisk::FindAttributeEntry(leaf.entries, hash);
    for (; i < leaf.entries.size() && leaf.entries[i].hashval.value() == hash;
         ++i) {
      const AttributeView attribute =
          ondisk::AttributeOf(leaf.entries[i], walk.leaf());
      if (wanted.Is(attribute)) return ReadAttributeValue(fork, attribute);
    }
    // Only a leaf that ends with our hash can be continued by the next one.
    if (i < leaf.entries.size() || leaf.entries.empty() ||
        leaf.entries.back().hashval.value() != hash) {
      return NoSuchAttribute();
    }
    ONDISK_ASSIGN_OR_RETURN(const bool more, walk.Next());
    if (!more) return NoSuchAttribute();
  }
}

absl::Status CheckName(const Inode& inode, const AttributeView& attribute) {
  if (ondisk::IsLegalAttributeName(attribute.flags, attribute.name) &&
      ondisk::IsLegalAttributeNamespace(attribute.flags)) {
    return absl::OkStatus();
  }
  return ondisk::CorruptionError(
      "attribute", ondisk::Where::Inode(inode.number()), "name",
      fmt::format("{} bytes with flags {:#x}", attribute.name.size(),
                  attribute.flags),
      "1 to 255 bytes without NUL, in one namespace");
}

}  // namespace

absl::StatusOr<std::string> ReadAttribute(const NamesContext& context,
                                          const Inode& inode,
                                          uint8_t name_space,
                                          std::string_view name) {
  if (!HasAttributes(inode)) return NoSuchAttribute();
  const Wanted wanted{name_space, name};
  if (inode.core().attribute_format == ForkFormat::kLocal) {
    // Verified when the inode was read.
    ondisk::AttributeShortFormEntries entries(inode.local_attributes());
    AttributeView attribute;
    while (entries.Next(attribute)) {
      if (!wanted.Is(attribute)) continue;
      return std::string(reinterpret_cast<const char*>(attribute.value.data()),
                         attribute.value.size());
    }
    return NoSuchAttribute();
  }
  ONDISK_ASSIGN_OR_RETURN(
      const DaFork fork,
      DaFork::Open(context, inode, DaFork::Kind::kAttribute));
  return ReadFromTree(fork, wanted);
}

absl::Status VisitAttributes(
    const NamesContext& context, const Inode& inode,
    absl::FunctionRef<absl::Status(const AttributeView&)> visit) {
  if (!HasAttributes(inode)) return absl::OkStatus();
  AttributeView attribute;
  if (inode.core().attribute_format == ForkFormat::kLocal) {
    // Verified when the inode was read.
    ondisk::AttributeShortFormEntries entries(inode.local_attributes());
    while (entries.Next(attribute)) {
      ONDISK_RETURN_IF_ERROR(CheckName(inode, attribute));
      ONDISK_RETURN_IF_ERROR(visit(attribute));
    }
    return absl::OkStatus();
  }
  ONDISK_ASSIGN_OR_RETURN(
      const DaFork fork,
      DaFork::Open(context, inode, DaFork::Kind::kAttribute));
  DaTreeWalk walk(fork, kAttributeTreeBlock, kRoot);
  ONDISK_RETURN_IF_ERROR(walk.Find(0));
  while (true) {
    const auto leaf =
        ondisk::ViewAttributeLeaf(context.geometry.features, walk.leaf());
    for (const auto& entry : leaf.entries) {
      attribute = ondisk::AttributeOf(entry, walk.leaf());
      ONDISK_RETURN_IF_ERROR(CheckName(inode, attribute));
      ONDISK_RETURN_IF_ERROR(visit(attribute));
    }
    ONDISK_ASSIGN_OR_RETURN(const bool more, walk.Next());
    if (!more) return absl::OkStatus();
  }
}

}  // namespace fusexfs
