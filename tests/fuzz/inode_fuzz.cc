// SPDX-License-Identifier: GPL-2.0-or-later
// Inodes with all that fits into them, and blocks of extents.
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/patched_image.h"

const fusexfs::fuzz::Bases* bases;

// Before the first input, so that loading does not count as its time.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using enum fusexfs::StructureKind;
  bases = new fusexfs::fuzz::Bases(fusexfs::fuzz::LoadBases(
      {"tiny-v5", "tiny-1k", "tiny-v4"}, {kInode, kBmbt}));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fusexfs::fuzz::ExercisePatched(
      *fusexfs::fuzz::ReadInput(*bases, {data, size}));
  return 0;
}
