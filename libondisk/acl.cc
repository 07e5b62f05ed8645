// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/acl.h"

#include <bit>
#include <cstring>

#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>

#include <fmt/format.h>

#include "libondisk/attribute.h"

namespace ondisk {
namespace {

// V4 images: the size of the buffer that old kernels had.
constexpr uint32_t kMaxEntriesV4 = 25;

bool HasId(uint32_t tag) { return tag == ACL_USER || tag == ACL_GROUP; }

bool IsKnownTag(uint32_t tag) {
  switch (tag) {
    case ACL_USER_OBJ:
    case ACL_USER:
    case ACL_GROUP_OBJ:
    case ACL_GROUP:
    case ACL_MASK:
    case ACL_OTHER:
      return true;
    default:
      return false;
  }
}

template <class T>
void AppendLittle(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
}

}  // namespace

uint32_t MaxAclEntries(const Geometry& geometry) {
  return geometry.features.crc
             ? (kMaxAttributeValueLength - sizeof(AclHeader)) / sizeof(AclEntry)
             : kMaxEntriesV4;
}

void VerifyAcl(const Geometry& geometry, Bytes value, Checker& check) {
  if (!check.AtLeast("size", value.size(), sizeof(AclHeader))) return;
  const uint32_t count = View<AclHeader>(value).count.value();
  if (!check.AtMost("acl_cnt", count, MaxAclEntries(geometry))) return;
  if (!check.Equal("size", value.size(),
                   sizeof(AclHeader) + uint64_t{count} * sizeof(AclEntry))) {
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t tag =
        View<AclEntry>(value, sizeof(AclHeader) + i * sizeof(AclEntry))
            .tag.value();
    if (!IsKnownTag(tag)) {
      check.That(false, fmt::format("acl_entry[{}].ae_tag", i), tag,
                 "a tag of POSIX ACLs");
      if (check.done()) return;
    }
  }
}

std::string AclToXattr(Bytes value) {
  const uint32_t count = View<AclHeader>(value).count.value();
  std::string xattr;
  xattr.reserve(sizeof(posix_acl_xattr_header) +
                count * sizeof(posix_acl_xattr_entry));
  AppendLittle<uint32_t>(xattr, POSIX_ACL_XATTR_VERSION);
  for (uint32_t i = 0; i < count; ++i) {
    const auto& entry =
        View<AclEntry>(value, sizeof(AclHeader) + i * sizeof(AclEntry));
    const uint32_t tag = entry.tag.value();
    AppendLittle(xattr, static_cast<uint16_t>(tag));
    AppendLittle(xattr, entry.permissions.value());
    AppendLittle<uint32_t>(
        xattr, HasId(tag) ? entry.id.value()
                          : static_cast<uint32_t>(ACL_UNDEFINED_ID));
  }
  return xattr;
}

}  // namespace ondisk
