// SPDX-License-Identifier: GPL-2.0-or-later
// The commands of `ondisk`: one function each. What a command returns is what
// `ondisk` fails with.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_COMMANDS_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_COMMANDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fusexfs/file/fiemap.h"
#include "fusexfs/tools/ondisk/console.h"
#include "fusexfs/tools/ondisk/image.h"

namespace fusexfs::tool {

// An error in what the user asked for: exit code 2 instead of 1.
absl::Status UsageError(std::string_view message);
bool IsUsageError(const absl::Status& status);

absl::Status RunInfo(const ImageOptions& image, Console& console);

struct ListOptions {
  std::string path = "/";        // or inode number, as in all commands
  bool long_format = false;      // -l
  bool all = false;              // -a
  bool inode = false;            // -i
  bool directory_order = false;  // -U
};
absl::Status RunList(const ImageOptions& image, const ListOptions& options,
                     Console& console);

absl::Status RunCat(const ImageOptions& image, const std::string& path,
                    Console& console);
absl::Status RunTree(const ImageOptions& image, const std::string& path,
                     Console& console);
absl::Status RunStat(const ImageOptions& image, const std::string& path,
                     Console& console);
absl::Status RunFiemap(const ImageOptions& image, const std::string& path,
                       FiemapFork fork, Console& console);
absl::Status RunParents(const ImageOptions& image, const std::string& path,
                        Console& console);
absl::Status RunExport(const ImageOptions& image, const std::string& path,
                       Console& console);

// WHAT and its arguments, as kExplainWhat says.
absl::Status RunExplain(const ImageOptions& image,
                        const std::vector<std::string>& what, Console& console);
extern const char kExplainWhat[];

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_COMMANDS_H_
