// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/reply.h"

#include <cerrno>

#include "fusexfs/fuse/context.h"
#include "libondisk/status.h"

namespace fusexfs {

int ReplyErrno(const absl::Status& status) {
  const int error = ondisk::ErrnoOf(status);
  return error > 0 && error < 512 ? error : EIO;
}

void ReplyError(fuse_req_t request, const absl::Status& status) {
  ContextOf(request).errors.Report(status);
  fuse_reply_err(request, ReplyErrno(status));
}

}  // namespace fusexfs
