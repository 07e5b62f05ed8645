// SPDX-License-Identifier: GPL-2.0-or-later
// Attributes of files as text, the way people know them from ls and stat.
//
// Thread-safety: pure functions.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_FORMAT_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_FORMAT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "fusexfs/filesystem.h"
#include "fusexfs/tools/ondisk/names.h"

namespace fusexfs::tool {

// "-rw-r--r--", "drwxrwxrwt", ...
std::string ModeText(uint32_t mode);
// "regular file", "directory", ... as stat(1) says it.
std::string_view TypeText(uint32_t mode);
// "2026-01-31 12:00:00" in the local time zone; years beyond 9999 as they are.
std::string TimeText(Timestamp time);
// The same with nanoseconds and the zone's distance from UTC.
std::string ExactTimeText(Timestamp time);
// "1.5 GiB"; up to three digits.
std::string SizeText(uint64_t bytes);

Json TimeJson(Timestamp time);
// Everything that Attributes holds.
Json AttributesJson(const Attributes& attributes);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_FORMAT_H_
