// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/temporary_directory.h"

#include <cstdlib>

namespace fusexfs {

TemporaryDirectory::TemporaryDirectory() {
  std::string name = std::filesystem::temp_directory_path() / "fusexfs.XXXXXX";
  if (mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::Write(std::string_view name,
                                      std::string_view content) const {
  const std::string path = Path(name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace fusexfs
