// SPDX-License-Identifier: GPL-2.0-or-later
// Superblocks and AG headers: what a mount looks at, and a little behind it.
// An input that starts with 0xff is an image of its own.
#include <vector>

#include "fusexfs/device/memory_device.h"
#include "fusexfs/filesystem.h"
#include "libondisk/superblock.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/patched_image.h"

namespace {

void MountRaw(ondisk::Bytes bytes) {
  ondisk::ExplainSuperblock(bytes, bytes.size());
  fusexfs::MountOptions options;
  options.read_only = true;
  (void)fusexfs::Filesystem::Mount(
      std::make_unique<fusexfs::MemoryDevice>(
          std::vector<uint8_t>(bytes.begin(), bytes.end())),
      nullptr, options);
}

}  // namespace

const fusexfs::fuzz::Bases* bases;

// Before the first input, so that loading does not count as its time.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using enum fusexfs::StructureKind;
  bases = new fusexfs::fuzz::Bases(fusexfs::fuzz::LoadBases(
      {"tiny-v5", "tiny-1k", "tiny-v4"}, {kSuperblock, kAgf, kAgi, kAgfl}));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0 && data[0] == 0xff) {
    MountRaw({data + 1, size - 1});
    return 0;
  }
  const auto image = fusexfs::fuzz::ReadInput(*bases, {data, size});
  fusexfs::fuzz::ExplainChanged(*image);
  const auto filesystem = fusexfs::fuzz::MountPatched(*image);
  if (filesystem == nullptr) return 0;
  (void)filesystem->Statistics();
  (void)filesystem->StatisticsText();
  (void)filesystem->VolumeLabel();
  fusexfs::fuzz::ExerciseTree(*filesystem, 4);
  return 0;
}
