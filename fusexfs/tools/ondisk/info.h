// SPDX-License-Identifier: GPL-2.0-or-later
// The text of xfs_info(8), from a superblock.
//
// Thread-safety: pure functions.
// Source: xfsprogs 6.13 to 7.2, xfs_info(8) and its output; the fields of
// ioctl_xfs_fsgeometry(2).
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_INFO_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_INFO_H_

#include <string>
#include <string_view>

#include "fusexfs/tools/ondisk/names.h"
#include "libondisk/geometry.h"
#include "libondisk/superblock.h"

namespace fusexfs::tool {

// Line by line as xfsprogs since 6.15 prints it; 6.13 and 6.14 lack the last
// line (zoned). `log_name`: of an external log, or empty.
std::string InfoText(const ondisk::Superblock& superblock,
                     const ondisk::Geometry& geometry,
                     std::string_view image_name, std::string_view log_name);

Json InfoJson(const ondisk::Superblock& superblock,
              const ondisk::Geometry& geometry);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_INFO_H_
