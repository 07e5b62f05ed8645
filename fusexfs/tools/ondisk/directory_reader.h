// SPDX-License-Identifier: GPL-2.0-or-later
// The entries of one directory, one after another, in bounded memory: sorted by
// name up to a limit, in the directory's own order beyond it.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_DIRECTORY_READER_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_DIRECTORY_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

class DirectoryReader {
 public:
  struct Entry {
    std::string name;
    ondisk::InodeNumber inode;
    uint8_t type = 0;  // DT_*
  };
  struct Options {
    bool dots = false;       // "." and ".." too
    size_t most_sorted = 0;  // names; 0: never sort
  };

  DirectoryReader(Filesystem& filesystem, ondisk::InodeNumber directory,
                  Options options)
      : filesystem_(filesystem), directory_(directory), options_(options) {}

  // The next entry, valid until the next call; null at the end.
  absl::StatusOr<const Entry*> Next();

  // True if there were too many names to sort them (known after the first
  // Next()).
  bool unsorted() const { return options_.most_sorted > 0 && !sorted_; }

 private:
  absl::Status Fill(size_t most);

  Filesystem& filesystem_;
  const ondisk::InodeNumber directory_;
  const Options options_;
  std::vector<Entry> batch_;
  size_t position_ = 0;
  uint64_t cookie_ = 0;
  bool started_ = false;
  bool ended_ = false;
  bool sorted_ = false;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_DIRECTORY_READER_H_
