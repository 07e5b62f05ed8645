// SPDX-License-Identifier: GPL-2.0-or-later
// How an absl::Status leaves through FUSE: the one place where errors become
// errno values.
//
// Thread-safety: free functions.
#ifndef FUSEXFS_FUSEXFS_FUSE_REPLY_H_
#define FUSEXFS_FUSEXFS_FUSE_REPLY_H_

#include "absl/status/status.h"
#include "fusexfs/fuse/library.h"

namespace fusexfs {

// The errno that a caller sees for `status`: always in 1..511, the range that
// the kernel takes from a daemon. EIO for what is no error or has none.
int ReplyErrno(const absl::Status& status);

// Answers the request with the error, and logs it if it is worth a line.
// REQUIRES: !status.ok().
void ReplyError(fuse_req_t request, const absl::Status& status);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_REPLY_H_
