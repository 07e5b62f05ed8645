// SPDX-License-Identifier: GPL-2.0-or-later
// Realtime files: their data is on a device of its own, which this program does
// not open. All else of them (names, attributes, times) is on the data device.
//
// Thread-safety: pure function of the inode.
// Source: kernel fs/xfs/xfs_iops.c, xfs_rtalloc.c (xfs_rtmount_init): without
// the device the kernel does not mount such an image at all.
#ifndef FUSEXFS_FUSEXFS_FILE_REALTIME_H_
#define FUSEXFS_FUSEXFS_FILE_REALTIME_H_

#include "absl/status/status.h"
#include "fusexfs/inode/inode.h"

namespace fusexfs {

// EOPNOTSUPP if the inode's data is on the realtime device.
absl::Status CheckOnDataDevice(const Inode& inode);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILE_REALTIME_H_
