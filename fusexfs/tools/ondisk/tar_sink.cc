// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/tar_sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "libondisk/status.h"

namespace fusexfs::tool {

absl::StatusOr<std::unique_ptr<TarSink>> TarSink::Open(int fd) {
  std::unique_ptr<TarSink> sink(new TarSink());
  const int copy = dup(fd);
  if (copy >= 0) sink->file_.reset(fdopen(copy, "wb"));
  if (sink->file_ == nullptr) {
    const absl::Status status = ondisk::SystemError("opening the tar");
    if (copy >= 0) close(copy);
    return status;
  }
  return sink;
}

bool TarSink::Put(ondisk::Bytes bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) ==
         bytes.size();
}

int TarSink::Write(ondisk::Bytes bytes) {
  const uint64_t made_up = std::min<uint64_t>(owed_, bytes.size());
  owed_ -= made_up;
  return Put(bytes.subspan(made_up)) ? 0 : errno;
}

absl::Status TarSink::WriteInAdvance(ondisk::Bytes bytes) {
  owed_ += bytes.size();
  return Put(bytes) ? absl::OkStatus() : ondisk::SystemError("writing the tar");
}

absl::Status TarSink::Close() {
  return std::fclose(file_.release()) == 0
             ? absl::OkStatus()
             : ondisk::SystemError("ending the tar");
}

}  // namespace fusexfs::tool
