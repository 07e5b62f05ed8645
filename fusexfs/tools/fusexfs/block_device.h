// SPDX-License-Identifier: GPL-2.0-or-later
// What must be known of a block device before it is mounted.
//
// Thread-safety: free functions.
#ifndef FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_BLOCK_DEVICE_H_
#define FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_BLOCK_DEVICE_H_

#include <cstdint>
#include <string>

namespace fusexfs::tool {

// A fuseblk mount belongs to its device: a second one of the same device would
// show the first. So it needs the device for itself.
bool IsFreeBlockDevice(const std::string& path);

// The block size that the kernel is to use for a fuseblk mount: a page, or the
// device's sector where that is larger.
uint32_t FuseblkBlockSize(int fd);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_FUSEXFS_BLOCK_DEVICE_H_
