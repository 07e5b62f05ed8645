// SPDX-License-Identifier: GPL-2.0-or-later
// The image that a measurement reads, unless it is given one: made by mkfs.xfs
// and filled through the kernel, the same content each time.
//
//   tree/dNNN/fNNNNN   `files` files, 100 to a directory; every second one is a
//                      reflink copy of one of 64 originals with four extents
//                      each, the rest have 0 to 16 KiB of their own
//   big                `big_bytes` of data that does not compress
//   fragments          4,000 blocks with holes between them
//
// It has every feature of these that mkfs.xfs knows: reflink, rmapbt, bigtime,
// inobtcount, nrext64, exchange, parent.
//
// Thread-safety: free functions.
#ifndef FUSEXFS_BENCH_IMAGE_RECIPE_H_
#define FUSEXFS_BENCH_IMAGE_RECIPE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace fusexfs::bench {

struct ImageRecipe {
  uint64_t files = 20000;
  uint64_t big_bytes = uint64_t{256} << 20;
  std::string mkfs = "mkfs.xfs";
};

// Makes `image` (which must not exist) and mounts it at `mount_point` to fill
// it; unmounted again when it returns. Needs root.
absl::Status BuildImage(const ImageRecipe& recipe, const std::string& image,
                        const std::string& mount_point);

// The features in an image's superblock, by name.
absl::StatusOr<nlohmann::json> DescribeImage(const std::string& image);

// "mkfs.xfs version 6.13.0".
absl::StatusOr<std::string> MkfsVersion(const std::string& mkfs);

}  // namespace fusexfs::bench

#endif  // FUSEXFS_BENCH_IMAGE_RECIPE_H_
