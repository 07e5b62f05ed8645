// SPDX-License-Identifier: GPL-2.0-or-later
// A pax tar through libarchive, written as a stream.
//
// Thread-safety: one thread.
// Source: libarchive, archive_write(3), archive_entry(3).
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_TAR_WRITER_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_TAR_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/filesystem.h"
#include "fusexfs/tools/ondisk/tar_sink.h"
#include "libondisk/types.h"

struct archive;

namespace fusexfs::tool {

// A run of a sparse file that is not a hole.
struct DataRange {
  uint64_t offset = 0;  // bytes
  uint64_t length = 0;  // bytes
};

struct TarEntry {
  std::string path;  // relative, exact bytes
  Attributes attributes;
  std::string link_target;  // symlinks
  std::string hard_link;    // path of an earlier entry; empty: none
  struct Xattr {
    std::string name;  // as listxattr(2) gives it
    std::string value;
  };
  std::vector<Xattr> xattrs;      // ACLs (system.posix_acl_*) among them
  std::vector<DataRange> ranges;  // sparse files: sorted; empty: not sparse
};

class TarWriter {
 public:
  // Sets the process's LC_CTYPE to C.UTF-8.
  static absl::StatusOr<TarWriter> Open(int fd);

  // The headers of an entry. A regular file's data follows: exactly
  // attributes.size bytes or, of a sparse file, those of its ranges.
  absl::Status WriteHeader(const TarEntry& entry);
  absl::Status WriteData(ondisk::Bytes bytes);

  // Writes the end of the archive.
  absl::Status Close();

 private:
  struct FreeArchive {
    void operator()(archive* a) const;
  };
  TarWriter() = default;
  absl::Status Error(std::string_view doing) const;
  absl::Status Write(ondisk::Bytes bytes);
  absl::Status FinishEntry();

  std::unique_ptr<TarSink> sink_;  // outlives archive_
  std::unique_ptr<archive, FreeArchive> archive_;
  bool sparse_ = false;  // the entry in hand
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_TAR_WRITER_H_
