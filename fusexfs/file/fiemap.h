// FIEMAP's answer, extent by extent, as the kernel's XFS gives it.
//
// Thread-safety: plain values. Source: Documentation/filesystems/fiemap.rst,
// kernel fs/iomap/fiemap.c, fs/xfs/xfs_iomap.c.
#ifndef FUSEXFS_FUSEXFS_FILE_FIEMAP_H_
#define FUSEXFS_FUSEXFS_FILE_FIEMAP_H_

#include <cstdint>

namespace fusexfs {

enum class FiemapFork : uint8_t {
  kData,
  kAttribute,  // FIEMAP_FLAG_XATTR
};

struct FiemapExtent {
  uint64_t logical = 0;   // bytes
  uint64_t physical = 0;  // bytes on the data device
  uint64_t length = 0;    // bytes
  uint32_t flags = 0;     // FIEMAP_EXTENT_* of <linux/fiemap.h>
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_FILE_FIEMAP_H_
