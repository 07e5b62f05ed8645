// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/xattr.h"

#include <cerrno>

#include <fmt/format.h>

#include "fusexfs/names/attribute_read.h"
#include "libondisk/acl.h"
#include "libondisk/attribute.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

constexpr std::string_view kAclAccess = "system.posix_acl_access";
constexpr std::string_view kAclDefault = "system.posix_acl_default";

struct Namespace {
  std::string_view prefix;
  uint8_t flag;
};
constexpr Namespace kNamespaces[] = {
    {"user.", 0},
    {"trusted.", ondisk::kAttributeRoot},
    {"security.", ondisk::kAttributeSecure},
};

absl::StatusOr<std::string> GetAcl(const NamesContext& context,
                                   const Inode& inode,
                                   std::string_view attribute) {
  if (inode.is_symlink()) {
    return ondisk::UnsupportedError("symlinks have no access control lists");
  }
  ONDISK_ASSIGN_OR_RETURN(
      const std::string value,
      ReadAttribute(context, inode, ondisk::kAttributeRoot, attribute));
  const ondisk::Bytes bytes(reinterpret_cast<const uint8_t*>(value.data()),
                            value.size());
  ondisk::Checker check(attribute, ondisk::Where::Inode(inode.number()));
  ondisk::VerifyAcl(context.geometry, bytes, check);
  ONDISK_RETURN_IF_ERROR(check.status());
  return ondisk::AclToXattr(bytes);
}

void AppendName(std::string& list, std::string_view prefix,
                std::string_view name) {
  list.append(prefix).append(name).push_back('\0');
}

}  // namespace

absl::StatusOr<std::string> GetXattr(const NamesContext& context,
                                     const Inode& inode,
                                     std::string_view name) {
  if (name.empty() || name.size() > ondisk::kMaxAttributeNameLength) {
    return ondisk::PosixError(ERANGE, "a name has 1 to 255 bytes");
  }
  if (name == kAclAccess) {
    return GetAcl(context, inode, ondisk::kAclAccessName);
  }
  if (name == kAclDefault) {
    return GetAcl(context, inode, ondisk::kAclDefaultName);
  }
  for (const Namespace& space : kNamespaces) {
    if (!name.starts_with(space.prefix)) continue;
    name.remove_prefix(space.prefix.size());
    if (name.empty()) {
      return ondisk::PosixError(EINVAL, "a namespace without a name");
    }
    return ReadAttribute(context, inode, space.flag, name);
  }
  return ondisk::UnsupportedError(fmt::format("no namespace of XFS: {}", name));
}

absl::StatusOr<std::string> ListXattrs(const NamesContext& context,
                                       const Inode& inode, bool trusted) {
  std::string list;
  const auto add = [&](const ondisk::AttributeView& attribute) {
    if (attribute.incomplete()) return absl::OkStatus();
    const uint8_t flag = attribute.name_space();
    if (flag == ondisk::kAttributeRoot) {
      // An ACL has two names: the one that programs use, and its own.
      if (attribute.name == ondisk::kAclAccessName) {
        AppendName(list, kAclAccess, "");
      } else if (attribute.name == ondisk::kAclDefaultName) {
        AppendName(list, kAclDefault, "");
      }
    }
    for (const Namespace& space : kNamespaces) {
      if (space.flag != flag || (flag == ondisk::kAttributeRoot && !trusted)) {
        continue;
      }
      AppendName(list, space.prefix, attribute.name);
    }
    return absl::OkStatus();
  };
  ONDISK_RETURN_IF_ERROR(VisitAttributes(context, inode, add));
  return list;
}

}  // namespace fusexfs
