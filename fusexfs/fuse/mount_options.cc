// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/mount_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <span>

#include "fusexfs/device/parse_size.h"
#include "fusexfs/space/refcount_lookup.h"
#include "libondisk/status.h"

namespace fusexfs {

namespace {

// Given to libfuse as they are; it and fusermount3 check what a user may ask.
constexpr std::string_view kLibraryWords[] = {
    "suid", "nosuid", "dev",     "nodev",   "exec",         "noexec",
    "sync", "async",  "dirsync", "noatime", "auto_unmount",
};
constexpr std::string_view kLibraryPrefixes[] = {
    "context=",
    "fscontext=",
    "defcontext=",
    "rootcontext=",
};

// Meant for mount(8), systemd and the like, or without a meaning on a mount
// that never writes a time.
constexpr std::string_view kOtherPeoplesWords[] = {
    "defaults",   "auto",       "noauto",     "nofail",      "user",
    "nouser",     "users",      "nousers",    "owner",       "noowner",
    "group",      "nogroup",    "_netdev",    "atime",       "diratime",
    "nodiratime", "relatime",   "norelatime", "strictatime", "nostrictatime",
    "lazytime",   "nolazytime", "silent",     "loud",        "iversion",
    "noiversion", "mand",       "nomand",
};
// The kernel's own for XFS that say how to write, or that its mount is a second
// one of a UUID. On a read-only mount they do nothing, there as here.
constexpr std::string_view kKernelsWords[] = {
    "nouuid",   "inode64", "inode32",     "noquota",     "attr2",
    "noattr2",  "largeio", "nolargeio",   "swalloc",     "ikeep",
    "noikeep",  "discard", "nodiscard",   "wsync",       "filestreams",
    "quota",    "uquota",  "usrquota",    "uqnoenforce", "gquota",
    "grpquota", "pquota",  "gqnoenforce", "prjquota",    "pqnoenforce",
};
constexpr std::string_view kKernelsPrefixes[] = {
    "logbufs=", "logbsize=", "allocsize=", "sunit=", "swidth="};
constexpr std::string_view kOtherPeoplesPrefixes[] = {"x-", "X-",
                                                      "comment=", "user="};

// Less is no cache.
constexpr uint64_t kLeastCache = uint64_t{1} << 20;

// The kernel takes less for a page.
constexpr uint64_t kLeastMaxRead = 4096;
constexpr uint64_t kMostMaxRead = uint64_t{1} << 30;

bool Contains(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool HasPrefixOf(std::span<const std::string_view> list,
                 std::string_view word) {
  return std::any_of(list.begin(), list.end(), [word](std::string_view prefix) {
    return word.substr(0, prefix.size()) == prefix;
  });
}

absl::Status Refuse(std::string_view word, std::string_view why) {
  return ondisk::PosixError(EINVAL, fmt::format("option {}: {}", word, why));
}

// The value of "name=value".
std::optional<std::string_view> ValueOf(std::string_view word,
                                        std::string_view name) {
  if (word.size() <= name.size() || word[name.size()] != '=' ||
      word.substr(0, name.size()) != name) {
    return std::nullopt;
  }
  return word.substr(name.size() + 1);
}

absl::Status ParseCache(std::string_view word, std::string_view value,
                        MountWords& words) {
  const absl::StatusOr<uint64_t> size = ParseSize(value);
  if (!size.ok()) return Refuse(word, ondisk::MessageOf(size.status()));
  if (*size < kLeastCache) return Refuse(word, "at least 1M is needed");
  words.engine.cache_bytes = *size;
  return absl::OkStatus();
}

absl::Status ParseOffset(std::string_view word, std::string_view value,
                         MountWords& words) {
  const absl::StatusOr<uint64_t> offset = ParseSize(value);
  if (!offset.ok()) return Refuse(word, ondisk::MessageOf(offset.status()));
  if (*offset % 512 != 0) {
    return Refuse(word, "must be a multiple of 512 bytes");
  }
  words.offset = *offset;
  return absl::OkStatus();
}

absl::Status ParseMaxRead(std::string_view word, std::string_view value,
                          MountWords& words) {
  const absl::StatusOr<uint64_t> size = ParseSize(value);
  if (!size.ok()) return Refuse(word, ondisk::MessageOf(size.status()));
  if (*size < kLeastMaxRead || *size > kMostMaxRead) {
    return Refuse(word, "must be 4K to 1G");
  }
  words.max_read = static_cast<uint32_t>(*size);
  return absl::OkStatus();
}

absl::Status ParsePartition(std::string_view word, std::string_view value,
                            MountWords& words) {
  uint32_t number = 0;
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() ||
      number == 0) {
    return Refuse(word, "must be a partition's number, from 1");
  }
  words.partition = number;
  return absl::OkStatus();
}

absl::Status ParseRefcount(std::string_view word, std::string_view value,
                           MountWords& words) {
  std::string names;
  for (const RefcountStrategy& strategy : RefcountStrategies()) {
    if (strategy.name == value) {
      words.engine.refcount_strategy = value;
      return absl::OkStatus();
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", strategy.name);
  }
  return Refuse(word, fmt::format("no such strategy; there is: {}", names));
}

// A word with a value that the engine or the image takes. Nothing if it is
// none of these.
std::optional<absl::Status> ParseValueWord(std::string_view word,
                                           MountWords& words) {
  if (const auto value = ValueOf(word, "cache")) {
    return ParseCache(word, *value, words);
  }
  if (const auto value = ValueOf(word, "offset")) {
    return ParseOffset(word, *value, words);
  }
  if (const auto value = ValueOf(word, "partition")) {
    return ParsePartition(word, *value, words);
  }
  if (const auto value = ValueOf(word, "max_read")) {
    return ParseMaxRead(word, *value, words);
  }
  const auto take_text = [&](std::string_view name,
                             std::string& into) -> std::optional<absl::Status> {
    const auto value = ValueOf(word, name);
    if (!value) return std::nullopt;
    if (value->empty()) return Refuse(word, "needs a value");
    into = *value;
    return absl::OkStatus();
  };
  if (auto done = take_text("logdev", words.log_device)) return done;
  if (auto done = take_text("fsname", words.fsname)) return done;
  if (auto done = take_text("subtype", words.subtype)) return done;
  if (const auto value = ValueOf(word, "refcount")) {
    return ParseRefcount(word, *value, words);
  }
  return std::nullopt;
}

absl::Status ParseWord(std::string_view word, MountWords& words) {
  if (word == "ro" || word == "rw") {
    words.read_only_asked = word == "ro";
    words.read_write_asked = word == "rw";
  } else if (word == "norecovery") {
    words.engine.no_recovery = true;
  } else if (word == "pptr-fastpath") {
    words.pptr_fastpath = true;
  } else if (word == "allow_other") {
    words.allow_other = true;
  } else if (word == "default_permissions") {
    words.default_permissions = true;
  } else if (word == "blkdev") {
    words.block_device = true;
  } else if (word == "allow_root") {
    // libfuse makes it allow_other and asks for the user in some requests only:
    // read, which comes without an open here, is not among them.
    return Refuse(word,
                  "not offered; use allow_other, which checks the files' "
                  "permissions");
  } else if (word == "nosymfollow") {
    // libfuse 3.14 does not know it, and a protection must not be lost
    // silently.
    return Refuse(word,
                  "libfuse cannot pass it on; mount without it, and then: "
                  "mount -o remount,bind,nosymfollow MOUNTPOINT");
  } else if (word == "remount") {
    return Refuse(word, "not possible; unmount and mount again");
  } else if (auto done = ParseValueWord(word, words)) {
    return *std::move(done);
  } else if (Contains(kLibraryWords, word) ||
             HasPrefixOf(kLibraryPrefixes, word)) {
    words.library_words.emplace_back(word);
  } else if (!Contains(kOtherPeoplesWords, word) &&
             !Contains(kKernelsWords, word) &&
             !HasPrefixOf(kKernelsPrefixes, word) &&
             !HasPrefixOf(kOtherPeoplesPrefixes, word)) {
    return Refuse(word, "unknown");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> SplitMountWords(std::string_view argument) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;  // as mount(8) hands on context="...:c1,c2"
  for (size_t i = 0; i < argument.size(); ++i) {
    if (argument[i] == '"') quoted = !quoted;
    if (argument[i] == '\\' && i + 1 < argument.size()) {
      word += argument[++i];
    } else if (argument[i] == ',' && !quoted) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += argument[i];
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

absl::Status ParseMountWords(std::string_view argument, MountWords& words) {
  for (const std::string& word : SplitMountWords(argument)) {
    ONDISK_RETURN_IF_ERROR(ParseWord(word, words));
  }
  return absl::OkStatus();
}

absl::Status CheckMountWords(const MountWords& words) {
  if (words.partition != 0 && words.offset != 0) {
    return ondisk::PosixError(
        EINVAL,
        "offset= and partition= both say where the image starts; "
        "give one of them");
  }
  if (words.engine.no_recovery && words.read_write_asked) {
    return ondisk::PosixError(
        EINVAL, "norecovery mounts must be read-only (ro, not rw)");
  }
  if (words.block_device && !words.fsname.empty()) {
    return ondisk::PosixError(
        EINVAL,
        "blkdev and fsname= cannot be had together: the source of a fuseblk "
        "mount is its device");
  }
  return absl::OkStatus();
}

}  // namespace fusexfs
