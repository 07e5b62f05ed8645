// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/file/fiemap_flags.h"

#include <linux/fiemap.h>

#include <string_view>

#include <fmt/format.h>

namespace fusexfs {
namespace {

struct FlagName {
  uint32_t flag;
  std::string_view name;
};

constexpr FlagName kFlagNames[] = {
    {FIEMAP_EXTENT_LAST, "last"},
    {FIEMAP_EXTENT_UNKNOWN, "unknown_loc"},
    {FIEMAP_EXTENT_DELALLOC, "delalloc"},
    {FIEMAP_EXTENT_ENCODED, "encoded"},
    {FIEMAP_EXTENT_DATA_ENCRYPTED, "encrypted"},
    {FIEMAP_EXTENT_NOT_ALIGNED, "not_aligned"},
    {FIEMAP_EXTENT_DATA_INLINE, "inline"},
    {FIEMAP_EXTENT_DATA_TAIL, "tail_packed"},
    {FIEMAP_EXTENT_UNWRITTEN, "unwritten"},
    {FIEMAP_EXTENT_MERGED, "merged"},
    {FIEMAP_EXTENT_SHARED, "shared"},
};

}  // namespace

std::vector<std::string> FiemapFlagNames(uint32_t flags) {
  std::vector<std::string> names;
  for (const FlagName& known : kFlagNames) {
    if ((flags & known.flag) == 0) continue;
    names.emplace_back(known.name);
    flags &= ~known.flag;
  }
  if (flags != 0) names.push_back(fmt::format("{:#x}", flags));
  return names;
}

}  // namespace fusexfs
