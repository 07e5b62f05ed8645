// FIEMAP_EXTENT_* flags in words.
//
// Thread-safety: free functions. Source: <linux/fiemap.h>.
#ifndef FUSEXFS_FUSEXFS_FUSE_FIEMAP_FLAGS_H_
#define FUSEXFS_FUSEXFS_FUSE_FIEMAP_FLAGS_H_

#include <cstdint>
#include <string>

namespace fusexfs {

// "last,shared": the names that filefrag uses, in the order of the bits, with
// commas between; bits without a name as one hexadecimal number at the end.
// Empty for 0.
std::string FiemapFlagNames(uint32_t flags);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FUSE_FIEMAP_FLAGS_H_
