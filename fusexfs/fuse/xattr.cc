// SPDX-License-Identifier: GPL-2.0-or-later
#include <cerrno>
#include <optional>
#include <string>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/operations.h"
#include "fusexfs/fuse/reply.h"
#include "fusexfs/fuse/virtual_xattr.h"
#include "libondisk/status.h"

namespace fusexfs {

namespace {

// Both calls ask for the length first (size 0) and then for the bytes.
void ReplyValue(fuse_req_t request, const std::string& value, size_t size) {
  if (value.size() > kXattrMaxBytes) {
    fuse_reply_err(request, E2BIG);
  } else if (size == 0) {
    fuse_reply_xattr(request, value.size());
  } else if (value.size() > size) {
    fuse_reply_err(request, ERANGE);
  } else {
    fuse_reply_buf(request, value.data(), value.size());
  }
}

// Paths show names of directories that the caller might not be allowed to
// read, so they are for root and for whoever mounted the image (the kernel's
// own call for parent pointers wants CAP_SYS_ADMIN).
bool MayAsk(fuse_req_t request, VirtualXattr which) {
  if (which != VirtualXattr::kPaths) return true;
  const uid_t caller = fuse_req_ctx(request)->uid;
  return caller == 0 || caller == ContextOf(request).owner;
}

absl::StatusOr<std::string> Value(fuse_req_t request, ondisk::InodeNumber inode,
                                  const char* name) {
  Filesystem& filesystem = ContextOf(request).filesystem;
  absl::StatusOr<std::string> value = filesystem.GetXattr(inode, name);
  const std::optional<VirtualXattr> which = VirtualXattrOf(name);
  if (value.ok() || !which.has_value()) return value;
  if (!MayAsk(request, *which)) {
    return ondisk::PosixError(EPERM,
                              "paths are for root and the mount's owner");
  }
  return VirtualXattrValue(filesystem, inode, *which);
}

}  // namespace

void FuseGetXattr(fuse_req_t request, fuse_ino_t node, const char* name,
                  size_t size) {
  const ondisk::InodeNumber inode = ContextOf(request).nodes.InodeOf(node);
  const absl::StatusOr<std::string> value = Value(request, inode, name);
  if (!value.ok()) return ReplyError(request, value.status());
  ReplyValue(request, *value, size);
}

void FuseListXattrs(fuse_req_t request, fuse_ino_t node, size_t size) {
  const Context& context = ContextOf(request);
  const bool trusted = fuse_req_ctx(request)->uid == 0;
  const absl::StatusOr<std::string> names =
      context.filesystem.ListXattrs(context.nodes.InodeOf(node), trusted);
  if (!names.ok()) return ReplyError(request, names.status());
  ReplyValue(request, *names, size);
}

}  // namespace fusexfs
