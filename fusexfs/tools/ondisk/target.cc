// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/target.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/names.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr int kMostLinks = 40;  // as the kernel's MAXSYMLINKS

// Splits "a//b/c" into c, b, a: the next component is the last element.
void PushComponents(std::string_view path, std::vector<std::string>& stack) {
  std::vector<std::string> components;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    if (end > 0) components.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  std::move(components.rbegin(), components.rend(), std::back_inserter(stack));
}

absl::Status PathError(int error, std::string_view path, std::string_view why) {
  return ondisk::PosixError(error,
                            fmt::format("{}: {}", EscapeName(path), why));
}

}  // namespace

std::optional<ondisk::InodeNumber> ParseInodeNumber(std::string_view text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) {
    return std::nullopt;
  }
  return ondisk::InodeNumber(number);
}

absl::StatusOr<ondisk::InodeNumber> ResolvePath(Filesystem& filesystem,
                                                std::string_view path,
                                                LastLink last) {
  std::vector<std::string> stack;
  PushComponents(path, stack);
  // "link/" asks for what the link leads to.
  const bool follow_last =
      last == LastLink::kFollow || (!path.empty() && path.back() == '/');
  ondisk::InodeNumber current = filesystem.root();
  std::string walked = "/";
  int links = 0;
  while (!stack.empty()) {
    const std::string name = std::move(stack.back());
    stack.pop_back();
    if (name == ".") continue;
    const std::string here = JoinPath(walked, name);
    auto found = filesystem.Lookup(current, name);
    if (!found.ok()) {
      const absl::Status& status = found.status();
      if (ondisk::ErrnoOf(status) == ENOTDIR) {
        return PathError(ENOTDIR, walked, "not a directory");
      }
      return ondisk::Annotate(status, EscapeName(here));
    }
    if (!found->has_value()) {
      return PathError(ENOENT, here, "no such file or directory");
    }
    const bool is_last = stack.empty();
    if (!is_last || follow_last) {
      ONDISK_ASSIGN_OR_RETURN(const Attributes attributes,
                              filesystem.GetAttributes(**found));
      if (S_ISLNK(attributes.mode)) {
        if (++links > kMostLinks) {
          return PathError(ELOOP, path, "too many symbolic links");
        }
        ONDISK_ASSIGN_OR_RETURN(const std::string target,
                                filesystem.ReadLink(**found));
        PushComponents(target, stack);
        if (target.starts_with('/')) {
          current = filesystem.root();
          walked.assign(1, '/');
        }
        continue;
      }
    }
    current = **found;
    walked = here;
  }
  return current;
}

absl::StatusOr<ondisk::InodeNumber> ResolveTarget(Filesystem& filesystem,
                                                  std::string_view target,
                                                  LastLink last) {
  if (const auto inode = ParseInodeNumber(target)) {
    // A number may name a free inode whose old content still stands there.
    const std::string name = fmt::format("inode {}", inode->value);
    const auto allocated = filesystem.IsAllocated(*inode);
    if (!allocated.ok()) return ondisk::Annotate(allocated.status(), name);
    if (!*allocated) {
      return ondisk::PosixError(ENOENT, name + ": not in use");
    }
    return *inode;
  }
  return ResolvePath(filesystem, target, last);
}

}  // namespace fusexfs::tool
