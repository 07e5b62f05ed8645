// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/fs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/inode_flags.h"
#include "fusexfs/fuse/ioctl_fiemap.h"
#include "fusexfs/fuse/operations.h"
#include "fusexfs/fuse/reply.h"

namespace fusexfs {

namespace {

// The kernel says how many bytes the caller takes. Fewer than the answer has
// (32-bit and 64-bit callers differ in some numbers) is an error, more is not.
template <class T>
void ReplyStruct(fuse_req_t request, const T& answer, size_t out_size) {
  if (out_size < sizeof answer) {
    fuse_reply_err(request, EINVAL);
  } else {
    fuse_reply_ioctl(request, 0, &answer, sizeof answer);
  }
}

void ReplyFiemap(fuse_req_t request, ondisk::InodeNumber inode, const void* in,
                 size_t in_size, size_t out_size) {
  thread_local fusexfs_fiemap map;
  if (in == nullptr || in_size < offsetof(fusexfs_fiemap, extents)) {
    fuse_reply_err(request, EINVAL);
    return;
  }
  std::memcpy(&map, in, offsetof(fusexfs_fiemap, extents));
  const absl::StatusOr<size_t> bytes =
      AnswerFiemap(ContextOf(request).filesystem, inode, out_size, map);
  if (!bytes.ok()) return ReplyError(request, bytes.status());
  fuse_reply_ioctl(request, 0, &map, *bytes);
}

}  // namespace

void FuseIoctl(fuse_req_t request, fuse_ino_t node, unsigned int command, void*,
               fuse_file_info*, unsigned, const void* in, size_t in_size,
               size_t out_size) {
  const Context& context = ContextOf(request);
  const ondisk::InodeNumber inode = context.nodes.InodeOf(node);
  if (IsFiemapCommand(command)) {
    return ReplyFiemap(request, inode, in, in_size, out_size);
  }
  if (command != FS_IOC_GETFLAGS && command != FS_IOC32_GETFLAGS &&
      command != FS_IOC_FSGETXATTR && command != FS_IOC_GETVERSION &&
      command != FS_IOC32_GETVERSION) {
    fuse_reply_err(request, ENOTTY);
    return;
  }
  const absl::StatusOr<Attributes> attributes =
      context.filesystem.GetAttributes(inode);
  if (!attributes.ok()) return ReplyError(request, attributes.status());
  switch (command) {
    case FS_IOC_FSGETXATTR:
      return ReplyStruct(
          request,
          ExtendedAttributes(*attributes,
                             context.filesystem.geometry().block_size),
          out_size);
    case FS_IOC_GETVERSION:
    case FS_IOC32_GETVERSION:
      return ReplyStruct(request, attributes->generation, out_size);
    default:  // FS_IOC_GETFLAGS
      return ReplyStruct(request, ChattrFlags(ExtendedFlags(*attributes)),
                         out_size);
  }
}

}  // namespace fusexfs
