// SPDX-License-Identifier: GPL-2.0-or-later
// Extended attributes under the names that system calls use.
//
//   user.NAME            attribute NAME
//   trusted.NAME         attribute NAME, flag ROOT
//   security.NAME        attribute NAME, flag SECURE
//   system.posix_acl_access, _default
//                        attribute SGI_ACL_FILE, SGI_ACL_DEFAULT, flag ROOT, in
//                        another encoding
//
// Thread-safety and errors: see context.h.
#ifndef FUSEXFS_FUSEXFS_NAMES_XATTR_H_
#define FUSEXFS_FUSEXFS_NAMES_XATTR_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "fusexfs/names/context.h"

namespace fusexfs {

// ENODATA; EOPNOTSUPP for a namespace that is none of the above; EINVAL for a
// namespace without a name; ERANGE for a name that is empty or longer than 255
// bytes.
absl::StatusOr<std::string> GetXattr(const NamesContext& context,
                                     const Inode& inode, std::string_view name);

// Names as listxattr(2) gives them, each NUL-terminated. `trusted`: whether the
// caller may see trusted.*. Parent pointers and incomplete attributes are not
// listed.
absl::StatusOr<std::string> ListXattrs(const NamesContext& context,
                                       const Inode& inode, bool trusted);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_NAMES_XATTR_H_
