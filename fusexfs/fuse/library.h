// SPDX-License-Identifier: GPL-2.0-or-later
// The one place that includes libfuse, and what the version at hand offers.
//
// Debian 12 has 3.14, Debian 13 has 3.17; 3.18 adds statx. Everything newer
// than 3.14 is found out here, at compile time.
#ifndef FUSEXFS_FUSEXFS_FUSE_LIBRARY_H_
#define FUSEXFS_FUSEXFS_FUSE_LIBRARY_H_

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>

// 64-bit capability words behind fuse_set_feature_flag() instead of `want`.
#define FUSEXFS_FUSE_HAS_FEATURE_FLAGS \
  (FUSE_VERSION >= FUSE_MAKE_VERSION(3, 17))
// A statx operation, which carries the birth time.
#define FUSEXFS_FUSE_HAS_STATX (FUSE_VERSION >= FUSE_MAKE_VERSION(3, 18))

#endif  // FUSEXFS_FUSEXFS_FUSE_LIBRARY_H_
