// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/statvfs.h>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/operations.h"
#include "fusexfs/fuse/reply.h"

namespace fusexfs {

void FuseStatistics(fuse_req_t request, fuse_ino_t) {
  const absl::StatusOr<FilesystemStatistics> statistics =
      ContextOf(request).filesystem.Statistics();
  if (!statistics.ok()) return ReplyError(request, statistics.status());
  struct statvfs answer {};
  answer.f_bsize = statistics->block_size;
  answer.f_frsize = statistics->block_size;
  answer.f_blocks = statistics->blocks;
  answer.f_bfree = statistics->blocks_free;
  answer.f_bavail = statistics->blocks_available;
  answer.f_files = statistics->files;
  answer.f_ffree = statistics->files_free;
  answer.f_favail = statistics->files_free;
  answer.f_namemax = statistics->name_max;
  fuse_reply_statfs(request, &answer);
}

}  // namespace fusexfs
