// SPDX-License-Identifier: GPL-2.0-or-later
// POSIX ACLs from the form that getxattr(2) gives into a tar entry.
//
// Thread-safety: pure functions.
// Source: uapi/linux/posix_acl_xattr.h: a 4-byte version (2), then entries of
// tag (2 bytes), permissions (2) and id (4), little-endian.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_POSIX_ACL_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_POSIX_ACL_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

struct archive_entry;

namespace fusexfs::tool {

// system.posix_acl_access or _default.
bool IsPosixAclName(std::string_view xattr_name);

// EINVAL if it is no ACL.
absl::Status CheckPosixAcl(std::string_view value);

// Adds the entries of `value`. Errors: as CheckPosixAcl.
absl::Status AddPosixAcl(std::string_view xattr_name, std::string_view value,
                         archive_entry* entry);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_POSIX_ACL_H_
