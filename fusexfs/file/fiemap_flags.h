// SPDX-License-Identifier: GPL-2.0-or-later
// FIEMAP_EXTENT_* flags in words.
//
// Thread-safety: free functions. Source: <linux/fiemap.h>.
#ifndef FUSEXFS_FUSEXFS_FILE_FIEMAP_FLAGS_H_
#define FUSEXFS_FUSEXFS_FILE_FIEMAP_FLAGS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace fusexfs {

// "last", "shared": the words of the bits, as filefrag has them and in its
// order, which is that of the bits; bits without one as one hexadecimal number
// at the end.
std::vector<std::string> FiemapFlagNames(uint32_t flags);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILE_FIEMAP_FLAGS_H_
