// SPDX-License-Identifier: GPL-2.0-or-later
// Times of inodes: two encodings of the same eight bytes.
//
//   legacy   signed 32-bit seconds since 1970, then 32-bit nanoseconds
//   bigtime  unsigned 64-bit nanoseconds since 1901-12-13 20:45:52 UTC, that is
//            2^31 seconds before 1970; ends in 2486
//
// Which one an inode uses is said by its own flag (kInodeFlag2Bigtime).
// Thread-safety: plain values.
// Source: kernel fs/xfs/libxfs/xfs_format.h (xfs_timestamp_t, XFS_BIGTIME_*).
#ifndef FUSEXFS_LIBONDISK_TIMESTAMP_H_
#define FUSEXFS_LIBONDISK_TIMESTAMP_H_

#include <compare>
#include <cstdint>
#include <string>

namespace ondisk {

inline constexpr uint32_t kNanosecondsPerSecond = 1'000'000'000;
// Seconds from the start of bigtime to 1970.
inline constexpr int64_t kBigtimeEpochOffset = int64_t{1} << 31;

struct Timestamp {
  int64_t seconds = 0;  // since 1970, UTC
  uint32_t nanoseconds = 0;

  friend constexpr auto operator<=>(const Timestamp&,
                                    const Timestamp&) = default;
};

// `raw` is the value of the eight bytes as one big-endian integer. A legacy
// time may carry 10^9 or more nanoseconds; the inode verifier refuses that.
constexpr Timestamp DecodeLegacyTimestamp(uint64_t raw) {
  return {static_cast<int32_t>(static_cast<uint32_t>(raw >> 32)),
          static_cast<uint32_t>(raw)};
}
constexpr Timestamp DecodeBigtime(uint64_t raw) {
  return {
      static_cast<int64_t>(raw / kNanosecondsPerSecond) - kBigtimeEpochOffset,
      static_cast<uint32_t>(raw % kNanosecondsPerSecond)};
}
constexpr Timestamp DecodeTimestamp(uint64_t raw, bool bigtime) {
  return bigtime ? DecodeBigtime(raw) : DecodeLegacyTimestamp(raw);
}

// "2023-11-14 22:13:20.000000001 UTC (1700000000 s 1 ns)".
std::string RenderTimestamp(const Timestamp& time);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_TIMESTAMP_H_
