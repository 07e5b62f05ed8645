// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/work_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "libondisk/status.h"

namespace fusexfs::bench {

absl::StatusOr<WorkDirectory> WorkDirectory::Make(const std::string& parent) {
  std::string path = parent + "/fusexfs-bench.XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return ondisk::PosixError(errno, path);
  return WorkDirectory(std::move(path));
}

WorkDirectory::WorkDirectory(WorkDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

// Names are removed one by one and directories only when empty: whatever may
// still be mounted in here is never walked into.
WorkDirectory::~WorkDirectory() {
  if (path_.empty()) return;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    std::filesystem::remove(entry.path(), error);
  }
  rmdir(path_.c_str());
}

absl::StatusOr<std::string> WorkDirectory::MakeDirectory(
    const std::string& name) const {
  const std::string path = Path(name);
  if (mkdir(path.c_str(), 0755) != 0) return ondisk::PosixError(errno, path);
  return path;
}

}  // namespace fusexfs::bench
