// SPDX-License-Identifier: GPL-2.0-or-later
#include <string>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/operations.h"
#include "fusexfs/fuse/reply.h"
#include "fusexfs/fuse/stat.h"

namespace fusexfs {

void FuseGetAttributes(fuse_req_t request, fuse_ino_t node, fuse_file_info*) {
  const Context& context = ContextOf(request);
  const absl::StatusOr<Attributes> attributes =
      context.filesystem.GetAttributes(context.nodes.InodeOf(node));
  if (!attributes.ok()) return ReplyError(request, attributes.status());
  const struct stat answer = ToStat(*attributes);
  fuse_reply_attr(request, &answer, kForever);
}

void FuseReadLink(fuse_req_t request, fuse_ino_t node) {
  const Context& context = ContextOf(request);
  const absl::StatusOr<std::string> target =
      context.filesystem.ReadLink(context.nodes.InodeOf(node));
  if (!target.ok()) return ReplyError(request, target.status());
  fuse_reply_readlink(request, target->c_str());
}

#if FUSEXFS_FUSE_HAS_STATX
void FuseStatx(fuse_req_t request, fuse_ino_t node, int, int, fuse_file_info*) {
  const Context& context = ContextOf(request);
  const absl::StatusOr<Attributes> attributes =
      context.filesystem.GetAttributes(context.nodes.InodeOf(node));
  if (!attributes.ok()) return ReplyError(request, attributes.status());
  struct statx answer = ToStatx(*attributes);
  fuse_reply_statx(request, 0, &answer, kForever);
}
#endif

}  // namespace fusexfs
