// SPDX-License-Identifier: GPL-2.0-or-later
// Asking a file of a fusexfs mount, with errors in words.
//
// Thread-safety: free functions.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_CTL_MOUNTED_FILE_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_CTL_MOUNTED_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fusexfs::ctl {

// "path: text", with the errno.
absl::Status FileError(const std::string& path, int error);
absl::Status FileError(const std::string& path, int error,
                       const std::string& text);

// OK if `path` exists and lies on a fusexfs mount (a symbolic link is not
// followed).
absl::Status RequireMounted(const std::string& path);
// The same of what is open as `file`; `path` names it in the error.
absl::Status RequireMounted(const std::string& path, int file);

// The value of an attribute of the file itself (a symbolic link is not
// followed). Errors are those of lgetxattr(2).
absl::StatusOr<std::string> ReadXattr(const std::string& path,
                                      const std::string& name);

}  // namespace fusexfs::ctl

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_CTL_MOUNTED_FILE_H_
