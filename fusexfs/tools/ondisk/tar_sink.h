// SPDX-License-Identifier: GPL-2.0-or-later
// Where a tar's bytes go: a buffered file descriptor, into which bytes can be
// put past libarchive.
//
// libarchive wants every byte of a sparse file, those of its holes as zeros,
// and a file may have 2^63 of them. It does fill up data that it was not given
// with zeros when an entry ends; so the data is written here directly, and as
// many of those zeros are left out.
//
// Thread-safety: one thread.
// Source: libarchive, archive_write_open(3), archive_write_finish_entry(3).
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_TAR_SINK_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_TAR_SINK_H_

#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libondisk/types.h"

namespace fusexfs::tool {

class TarSink {
 public:
  // The descriptor is duplicated.
  static absl::StatusOr<std::unique_ptr<TarSink>> Open(int fd);

  // libarchive's output. Errors: errno, 0 is none.
  int Write(ondisk::Bytes bytes);

  // Bytes that libarchive will make up for with zeros.
  absl::Status WriteInAdvance(ondisk::Bytes bytes);
  // Zeros that have not come yet. 0 at the end of an entry.
  uint64_t owed() const { return owed_; }

  absl::Status Close();

 private:
  struct CloseFile {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  TarSink() = default;
  bool Put(ondisk::Bytes bytes);

  std::unique_ptr<FILE, CloseFile> file_;
  uint64_t owed_ = 0;  // bytes
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_TAR_SINK_H_
