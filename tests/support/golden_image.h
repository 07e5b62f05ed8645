// SPDX-License-Identifier: GPL-2.0-or-later
// A golden image in memory: an image that mkfs.xfs and the kernel made, kept
// compressed in images/golden/, and what the kernel showed of it.
//
//   GoldenImage("tiny-v5")     the image, as a device
//   GoldenBytes("tiny-v5")     a copy of its bytes, for a test to damage
//   GoldenManifest("tiny-v5")  the kernel's view: path -> record
//
// Each is unpacked once in a process. A missing or unreadable file ends the
// test program with a message: it is our own fault, never the image's.
// Thread-safety: safe for any number of threads.
// Source of the records: tests/support/python/xfsjudge/manifest.py.
#ifndef FUSEXFS_TESTS_SUPPORT_GOLDEN_IMAGE_H_
#define FUSEXFS_TESTS_SUPPORT_GOLDEN_IMAGE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fusexfs/device/memory_device.h"
#include "nlohmann/json.hpp"

namespace fusexfs {

std::shared_ptr<const MemoryDevice> GoldenImage(std::string_view name);

std::vector<uint8_t> GoldenBytes(std::string_view name);

struct Manifest {
  nlohmann::json statfs;
  // By path: "." is the root, "links/one/name" a file; raw bytes.
  std::map<std::string, nlohmann::json> paths;

  // The record of a path; ends the program if there is none.
  const nlohmann::json& At(std::string_view path) const;
};

const Manifest& GoldenManifest(std::string_view name);

// The bytes that a manifest's string stands for (%XX is one byte).
std::string UnquoteManifest(std::string_view text);

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_SUPPORT_GOLDEN_IMAGE_H_
