// SPDX-License-Identifier: GPL-2.0-or-later
// A directory for one test, removed with all that is in it.
#ifndef FUSEXFS_TESTS_SUPPORT_TEMPORARY_DIRECTORY_H_
#define FUSEXFS_TESTS_SUPPORT_TEMPORARY_DIRECTORY_H_

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace fusexfs {

class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string Path(std::string_view name) const { return path_ / name; }
  // Writes a file and returns its path.
  std::string Write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_TEMPORARY_DIRECTORY_H_
