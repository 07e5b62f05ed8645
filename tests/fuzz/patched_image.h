// SPDX-License-Identifier: GPL-2.0-or-later
// From a fuzzer's input to a damaged golden image.
//
// The input is a list of changes. Byte 0 chooses the image; each change is
//
//   2 bytes  which structure (of the kinds that the target asks for)
//   2 bytes  where in it
//   1 byte   bits 0-3: length - 1; bit 7: leave the checksum wrong
//   length   the new bytes
//
// little-endian, all numbers taken modulo what there is; a cut change ends the
// list. After the changes the checksums are made right, so that what lies
// behind them is reached. Changes that the engine does not see cost nothing:
// the image itself is never copied.
//
// Thread-safety: bases are made once; a PatchedImage is immutable.
#ifndef FUSEXFS_TESTS_FUZZ_PATCHED_IMAGE_H_
#define FUSEXFS_TESTS_FUZZ_PATCHED_IMAGE_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fusexfs/device/device.h"
#include "libondisk/geometry.h"
#include "tests/support/image_structures.h"

namespace fusexfs::fuzz {

inline constexpr size_t kMostChanges = 32;

// A golden image and the structures of the wanted kinds in it.
struct Base {
  std::string name;
  std::vector<uint8_t> bytes;
  ondisk::Geometry geometry;
  std::vector<Structure> structures;
};

using Bases = std::vector<Base>;

// Loads the images that a target works on. Ends the program if one has no such
// structure.
Bases LoadBases(std::initializer_list<std::string_view> names,
                std::initializer_list<StructureKind> kinds);

// The base with some structures replaced.
class PatchedImage : public Device {
 public:
  explicit PatchedImage(const Base& base) : base_(base) {}

  uint64_t size() const override { return base_.bytes.size(); }
  const std::string& name() const override { return base_.name; }
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override;

  const Base& base() const { return base_; }
  // The structures that were changed, and how they look now.
  struct Changed {
    Structure structure;
    std::vector<uint8_t> bytes;
  };
  const std::map<uint64_t, Changed>& changed() const { return changed_; }

  // A copy for an owner.
  std::unique_ptr<PatchedImage> Clone() const;

 private:
  friend std::unique_ptr<PatchedImage> ReadInput(const std::vector<Base>& bases,
                                                 ondisk::Bytes input);

  const Base& base_;
  std::map<uint64_t, Changed> changed_;  // by offset
};

// Never null. REQUIRES: `bases` outlive the image, are not empty and have
// structures.
std::unique_ptr<PatchedImage> ReadInput(const Bases& bases,
                                        ondisk::Bytes input);

}  // namespace fusexfs::fuzz

#endif  // FUSEXFS_TESTS_FUZZ_PATCHED_IMAGE_H_
