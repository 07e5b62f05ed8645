// SPDX-License-Identifier: GPL-2.0-or-later
// Blocks whose LSN is ahead of the log's head, in every structure that the
// kernel judges so. Its verdicts were taken by mounting the same bytes
// (tiny-v5, kernel 6.18, loop, ro): it says "Metadata has LSN (9:1) ahead of
// current LSN (1:4378)" and gives EUCLEAN, from 1:4379 on, for each structure
// here; the superblock and headers of an AG make the mount fail (EINVAL for the
// superblock) or shut down. With norecovery it judges none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fusexfs/device/device.h"
#include "fusexfs/filesystem.h"
#include "libondisk/agf.h"
#include "libondisk/agi.h"
#include "libondisk/btree_block.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "libondisk/symlink.h"
#include "tests/support/damage.h"
#include "tests/support/golden_image.h"
#include "tests/support/image_structures.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::BtreeKind;
using ondisk::InodeNumber;
using ondisk::Lsn;
using ::testing::HasSubstr;

// As xfs_logprint and the kernel say of this image.
constexpr Lsn kHead(1, 4378);

size_t LsnOffset(StructureKind kind) {
  switch (kind) {
    case StructureKind::kSuperblock:
      return offsetof(ondisk::Superblock, lsn);
    case StructureKind::kAgf:
      return offsetof(ondisk::Agf, lsn);
    case StructureKind::kAgi:
      return offsetof(ondisk::Agi, lsn);
    case StructureKind::kShortBtree:
      return offsetof(ondisk::BtreeShortHeader, lsn);
    case StructureKind::kBmbt:
      return offsetof(ondisk::BtreeLongHeader, lsn);
    case StructureKind::kDirectoryData:
      return offsetof(ondisk::Directory3BlockHeader, lsn);
    case StructureKind::kSymlink:
      return offsetof(ondisk::SymlinkHeader, lsn);
    case StructureKind::kInode:
      return offsetof(ondisk::DiskInode, lsn);
    default:
      return offsetof(ondisk::Da3BlockInfo, lsn);
  }
}

absl::Status LookupEveryName(Filesystem& filesystem, InodeNumber directory) {
  std::vector<std::string> names;
  ONDISK_RETURN_IF_ERROR(filesystem.ReadDirectory(
      directory, 0, [&names](const DirectoryEntry& entry) {
        names.emplace_back(entry.name);
        return true;
      }));
  for (const std::string& name : names) {
    ONDISK_RETURN_IF_ERROR(filesystem.Lookup(directory, name).status());
  }
  return absl::OkStatus();
}

// All that needs the blocks of an inode's forks and its AG's trees.
absl::Status AskAll(Filesystem& filesystem, InodeNumber inode) {
  ONDISK_RETURN_IF_ERROR(filesystem.IsAllocated(inode).status());
  ONDISK_ASSIGN_OR_RETURN(const Attributes attributes,
                          filesystem.GetAttributes(inode));
  ONDISK_RETURN_IF_ERROR(filesystem.ListXattrs(inode, true).status());
  if (S_ISDIR(attributes.mode)) return LookupEveryName(filesystem, inode);
  if (S_ISLNK(attributes.mode)) return filesystem.ReadLink(inode).status();
  return filesystem.Fiemap(inode, 0, ~uint64_t{0}, FiemapFork::kData,
                           [](const FiemapExtent&) { return true; });
}

// The test's bytes, as they are at the moment.
class Borrowed : public Device {
 public:
  explicit Borrowed(ondisk::Bytes bytes) : bytes_(bytes) {}
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override {
    std::ranges::copy(bytes_.subspan(offset, into.size()), into.begin());
    return absl::OkStatus();
  }
  uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }

 private:
  const ondisk::Bytes bytes_;
  const std::string name_ = "image";
};

class BlockLsnTest : public ::testing::Test {
 protected:
  // The first structure of a kind.
  Structure Find(StructureKind kind, std::optional<BtreeKind> tree = {}) const {
    for (const Structure& structure : structures_) {
      if (structure.kind == kind && (!tree || structure.tree == tree)) {
        return structure;
      }
    }
    ADD_FAILURE() << "the image has none";
    return {};
  }

  // The answer of a mount of the image with this LSN in the structure.
  absl::Status AnswerWith(const Structure& structure, Lsn lsn,
                          bool no_recovery = false) {
    const ondisk::MutableBytes place =
        ondisk::MutableBytes(bytes_).subspan(structure.offset, structure.size);
    const std::vector<uint8_t> sound(place.begin(), place.end());
    ondisk::PutSealed(place, structure.crc_offset.value(),
                      LsnOffset(structure.kind), 8, lsn.value);
    const absl::Status answer = Answer(structure, no_recovery);
    std::ranges::copy(sound, place.begin());
    return answer;
  }

 private:
  absl::Status Answer(const Structure& structure, bool no_recovery) const {
    ONDISK_ASSIGN_OR_RETURN(
        const auto filesystem,
        Filesystem::Mount(std::make_unique<Borrowed>(bytes_), nullptr,
                          {.read_only = true, .no_recovery = no_recovery}));
    return AskAll(*filesystem, structure.owner.value_or(
                                   structure.tree == BtreeKind::kRefcountbt
                                       ? InodeOfPath("tiny-v5", "shared/whole")
                                       : filesystem->root()));
  }

  std::vector<uint8_t> bytes_ = GoldenBytes("tiny-v5");
  const std::vector<Structure> structures_ =
      FindStructures(ImageBytes("tiny-v5").geometry, bytes_);
};

TEST_F(BlockLsnTest, AheadOfTheLogIsCorruptionInEveryStructure) {
  const Structure structures[] = {
      Find(StructureKind::kSuperblock),
      Find(StructureKind::kAgf),
      Find(StructureKind::kAgi),
      Find(StructureKind::kShortBtree, BtreeKind::kInobt),
      Find(StructureKind::kShortBtree, BtreeKind::kRefcountbt),
      Find(StructureKind::kBmbt),
      Find(StructureKind::kDirectoryData),
      Find(StructureKind::kDirectoryLeaf),
      Find(StructureKind::kDaNode),
      Find(StructureKind::kAttributeLeaf),
      Find(StructureKind::kSymlink),
  };
  for (const Structure& structure : structures) {
    SCOPED_TRACE(structure.offset / 512);
    const absl::Status ahead = AnswerWith(structure, Lsn(9, 1));
    EXPECT_EQ(ondisk::ErrnoOf(ahead), EUCLEAN);
    EXPECT_THAT(std::string(ondisk::MessageOf(ahead)),
                HasSubstr(fmt::format("at daddr {}: lsn is 9:1, expected at "
                                      "most 1:4378, the head of the log",
                                      structure.offset / 512)));
    EXPECT_EQ(ondisk::ErrnoOf(AnswerWith(structure, Lsn(1, kHead.block() + 1))),
              EUCLEAN);
    EXPECT_TRUE(AnswerWith(structure, kHead).ok());
    EXPECT_TRUE(AnswerWith(structure, ondisk::kNullLsn).ok());
    EXPECT_TRUE(AnswerWith(structure, Lsn(9, 1), true).ok());
  }
}

TEST_F(BlockLsnTest, OfAnInodeIsNotJudged) {
  EXPECT_TRUE(AnswerWith(Find(StructureKind::kInode), Lsn(9, 1)).ok());
}

}  // namespace
}  // namespace fusexfs
