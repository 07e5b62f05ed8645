// SPDX-License-Identifier: GPL-2.0-or-later
// Integers in the byte order of the machine that wrote the log.
//
// The log's frame (record headers, operation headers) is big-endian like the
// rest of XFS, but what transactions carry (transaction headers, log items, the
// logged inode core) is a memory image of the writing kernel. The record header
// names the writer's order in h_fmt, and a log of the other order is never
// recovered: not by the kernel, nor here. So these types are the host's order,
// and whoever reads items has checked h_fmt against kLogFormatOfHost first.
//
// Like the Be types they have alignment 1 and no arithmetic, so that an item
// may stand at any byte of the log. Thread-safety: plain data.
// Source: kernel fs/xfs/libxfs/xfs_log_format.h.
#ifndef FUSEXFS_LIBONDISK_LOG_ENDIAN_H_
#define FUSEXFS_LIBONDISK_LOG_ENDIAN_H_

#include <bit>
#include <cstdint>

#include "libondisk/endian.h"

namespace ondisk {

using Host16 = DiskInteger<uint16_t, std::endian::native>;
using Host32 = DiskInteger<uint32_t, std::endian::native>;
using Host64 = DiskInteger<uint64_t, std::endian::native>;

// Values of h_fmt.
inline constexpr uint32_t kLogFormatUnknown = 0;  // IRIX left it zero
inline constexpr uint32_t kLogFormatLinuxLittle = 1;
inline constexpr uint32_t kLogFormatLinuxBig = 2;
inline constexpr uint32_t kLogFormatIrixBig = 3;
inline constexpr uint32_t kLogFormatOfHost =
    std::endian::native == std::endian::little ? kLogFormatLinuxLittle
                                               : kLogFormatLinuxBig;

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_LOG_ENDIAN_H_
