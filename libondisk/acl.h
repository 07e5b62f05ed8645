// SPDX-License-Identifier: GPL-2.0-or-later
// POSIX access control lists. On disk an ACL is the value of the attribute
// SGI_ACL_FILE (or SGI_ACL_DEFAULT) in the ROOT namespace: a count and entries,
// big-endian. To programs it is system.posix_acl_access (or _default) in the
// kernel's own little-endian format.
//
// Thread-safety: pure functions.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_acl), fs/xfs/xfs_acl.c;
// uapi/linux/posix_acl_xattr.h.
#ifndef FUSEXFS_LIBONDISK_ACL_H_
#define FUSEXFS_LIBONDISK_ACL_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libondisk/checker.h"
#include "libondisk/endian.h"
#include "libondisk/fields.h"
#include "libondisk/geometry.h"
#include "libondisk/types.h"

namespace ondisk {

inline constexpr std::string_view kAclAccessName = "SGI_ACL_FILE";
inline constexpr std::string_view kAclDefaultName = "SGI_ACL_DEFAULT";

struct AclHeader {
  Be32 count;
};
static_assert(sizeof(AclHeader) == 4);

struct AclEntry {
  Be32 tag;  // ACL_USER_OBJ, ... of the POSIX draft
  Be32 id;   // user or group, for the tags that have one
  Be16 permissions;
  Be16 pad;
};
static_assert(sizeof(AclEntry) == 12);

// Entries that an ACL may have: 25 on V4, what fits 64 KiB on V5.
uint32_t MaxAclEntries(const Geometry& geometry);

void VerifyAcl(const Geometry& geometry, Bytes value, Checker& check);

// The value of system.posix_acl_*. REQUIRES: VerifyAcl held.
std::string AclToXattr(Bytes value);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_ACL_H_
