// SPDX-License-Identifier: GPL-2.0-or-later
#include <cerrno>
#include <optional>
#include <string_view>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/operations.h"
#include "fusexfs/fuse/reply.h"
#include "fusexfs/fuse/stat.h"
#include "libondisk/status.h"

namespace fusexfs {

namespace {

void ReplyEntry(fuse_req_t request, const Attributes& attributes) {
  const fuse_entry_param entry = ToEntry(ContextOf(request).nodes, attributes);
  fuse_reply_entry(request, &entry);
}

// The kernel remembers that there is no such name.
void ReplyNoEntry(fuse_req_t request) {
  fuse_entry_param entry{};
  entry.entry_timeout = kForever;
  fuse_reply_entry(request, &entry);
}

// Lookup of "." in a node of any type: the kernel has a file handle and wants
// its inode back. It compares the generation by itself. A number that names no
// inode (any more) is a stale handle; a handle comes from anywhere, so the
// inode btree is asked: what is at that place may be a file's data.
void LookupSelf(fuse_req_t request, ondisk::InodeNumber inode) {
  Filesystem& filesystem = ContextOf(request).filesystem;
  const absl::StatusOr<bool> is_allocated = filesystem.IsAllocated(inode);
  if (!is_allocated.ok()) return ReplyError(request, is_allocated.status());
  if (!*is_allocated) {
    fuse_reply_err(request, ESTALE);
    return;
  }
  const absl::StatusOr<Attributes> attributes = filesystem.GetAttributes(inode);
  if (attributes.ok()) return ReplyEntry(request, *attributes);
  const int error = ondisk::ErrnoOf(attributes.status());
  if (error == ENOENT || error == EINVAL) {
    fuse_reply_err(request, ESTALE);
  } else {
    ReplyError(request, attributes.status());
  }
}

}  // namespace

void FuseLookup(fuse_req_t request, fuse_ino_t parent, const char* name) {
  const Context& context = ContextOf(request);
  const ondisk::InodeNumber directory = context.nodes.InodeOf(parent);
  if (std::string_view(name) == ".") return LookupSelf(request, directory);

  const absl::StatusOr<std::optional<ondisk::InodeNumber>> found =
      context.filesystem.Lookup(directory, name);
  if (!found.ok()) return ReplyError(request, found.status());
  if (!found->has_value()) return ReplyNoEntry(request);

  const absl::StatusOr<Attributes> attributes =
      context.filesystem.GetAttributes(**found);
  if (!attributes.ok()) return ReplyError(request, attributes.status());
  ReplyEntry(request, *attributes);
}

}  // namespace fusexfs
