// SPDX-License-Identifier: GPL-2.0-or-later
#include <dirent.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/operations.h"
#include "fusexfs/fuse/reply.h"
#include "fusexfs/fuse/stat.h"

namespace fusexfs {

namespace {

struct PendingEntry {
  ondisk::InodeNumber inode;
  uint64_t next_cookie;
  size_t name;  // offset in `names`, NUL-terminated
  uint8_t type;
};

// Kept from call to call, so that listing allocates nothing.
struct Scratch {
  std::string name;  // one name, NUL-terminated for libfuse
  std::string names;
  std::vector<PendingEntry> entries;
  std::vector<char> answer;
};

Scratch& ScratchOfThread() {
  thread_local Scratch scratch;
  return scratch;
}

// What plain readdir tells of an entry: number and type.
struct stat NumberAndType(ondisk::InodeNumber inode, uint8_t type) {
  struct stat result {};
  result.st_ino = inode.value;
  result.st_mode = DTTOIF(type);
  return result;
}

bool IsDotOrDotDot(std::string_view name) {
  return name == "." || name == "..";
}

// An entry with everything that a lookup would have told. "." and ".." are
// listed only (node 0): the kernel counts a reference for every other one. An
// inode that cannot be read is listed too; a lookup will say what is wrong.
fuse_entry_param EntryOf(const Context& context, const PendingEntry& pending,
                         std::string_view name) {
  if (!IsDotOrDotDot(name)) {
    const absl::StatusOr<Attributes> attributes =
        context.filesystem.GetAttributes(pending.inode);
    if (attributes.ok()) return ToEntry(context.nodes, *attributes);
  }
  fuse_entry_param entry{};
  entry.attr = NumberAndType(pending.inode, pending.type);
  return entry;
}

}  // namespace

void FuseOpenDirectory(fuse_req_t request, fuse_ino_t, fuse_file_info* file) {
  if (ContextOf(request).no_opendir) {
    // The kernel opens directories by itself from now on, and caches listings.
    fuse_reply_err(request, ENOSYS);
    return;
  }
  file->cache_readdir = 1;
  file->keep_cache = 1;
  fuse_reply_open(request, file);
}

void FuseReadDirectory(fuse_req_t request, fuse_ino_t node, size_t size,
                       off_t offset, fuse_file_info*) {
  const Context& context = ContextOf(request);
  Scratch& scratch = ScratchOfThread();
  scratch.answer.resize(size);
  size_t used = 0;
  const absl::Status status = context.filesystem.ReadDirectory(
      context.nodes.InodeOf(node), static_cast<uint64_t>(offset),
      [&](const DirectoryEntry& entry) {
        scratch.name.assign(entry.name);
        const struct stat about = NumberAndType(entry.inode, entry.type);
        const size_t needed =
            fuse_add_direntry(request, scratch.answer.data() + used,
                              size - used, scratch.name.c_str(), &about,
                              static_cast<off_t>(entry.next_cookie));
        if (needed > size - used) return false;
        used += needed;
        return true;
      });
  // What was read before a damaged block is worth having; the next call, which
  // starts there, gives the error.
  if (!status.ok() && used == 0) return ReplyError(request, status);
  fuse_reply_buf(request, scratch.answer.data(), used);
}

void FuseReadDirectoryPlus(fuse_req_t request, fuse_ino_t node, size_t size,
                           off_t offset, fuse_file_info*) {
  const Context& context = ContextOf(request);
  Scratch& scratch = ScratchOfThread();
  scratch.answer.resize(size);
  scratch.entries.clear();
  scratch.names.clear();

  // First the names, then the inodes: no inode is read while a directory's
  // block is held.
  size_t expected = 0;
  const absl::Status status = context.filesystem.ReadDirectory(
      context.nodes.InodeOf(node), static_cast<uint64_t>(offset),
      [&](const DirectoryEntry& entry) {
        const size_t name = scratch.names.size();
        scratch.names.append(entry.name);
        scratch.names.push_back('\0');
        expected += fuse_add_direntry_plus(
            request, nullptr, 0, scratch.names.c_str() + name, nullptr, 0);
        if (expected > size) return false;
        scratch.entries.push_back(
            {entry.inode, entry.next_cookie, name, entry.type});
        return true;
      });
  if (!status.ok() && scratch.entries.empty()) {
    return ReplyError(request, status);
  }

  size_t used = 0;
  for (const PendingEntry& pending : scratch.entries) {
    const char* name = scratch.names.c_str() + pending.name;
    const fuse_entry_param entry = EntryOf(context, pending, name);
    used += fuse_add_direntry_plus(request, scratch.answer.data() + used,
                                   size - used, name, &entry,
                                   static_cast<off_t>(pending.next_cookie));
  }
  fuse_reply_buf(request, scratch.answer.data(), used);
}

}  // namespace fusexfs
