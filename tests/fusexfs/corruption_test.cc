// SPDX-License-Identifier: GPL-2.0-or-later
// Every metadata byte of a small image, damaged: the mount refuses, or every
// answer is right, or it is a corruption error that says where.
//
// The structures of the image are found by scanning for magic numbers and
// checksums (tests/support/image_structures.h), not by the code under test.
// Each byte of each kind of structure is damaged at least once over the image;
// the damage is a flipped bit with the checksum left as it was, so that for
// structures with a checksum no wrong answer is allowed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fusexfs/device/device.h"
#include "fusexfs/filesystem.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "tests/support/golden_image.h"
#include "tests/support/image_structures.h"

namespace fusexfs {
namespace {

// The golden image with one bit flipped, without a copy of it.
class FlippedImage : public Device {
 public:
  FlippedImage(std::shared_ptr<const MemoryDevice> image, uint64_t at,
               uint8_t mask)
      : image_(std::move(image)), at_(at), mask_(mask) {}

  uint64_t size() const override { return image_->size(); }
  const std::string& name() const override { return image_->name(); }
  absl::Status ReadAt(uint64_t offset,
                      ondisk::MutableBytes into) const override {
    ONDISK_RETURN_IF_ERROR(image_->ReadAt(offset, into));
    if (at_ >= offset && at_ - offset < into.size()) {
      into[at_ - offset] ^= mask_;
    }
    return absl::OkStatus();
  }

 private:
  const std::shared_ptr<const MemoryDevice> image_;
  const uint64_t at_;
  const uint8_t mask_;
};

// Instrumented code takes eight times as long: one byte in seven there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint32_t kStride = 7;
#else
constexpr uint32_t kStride = 1;
#endif

using Answers = std::map<std::string, std::string>;

// Collects what a filesystem answers, question by question. An answer that is a
// corruption error is noted; any other error is an answer too.
class Questioner {
 public:
  explicit Questioner(Filesystem& filesystem) : filesystem_(filesystem) {}

  void AskInode(const std::string& path, ondisk::InodeNumber inode);

  const Answers& answers() const { return answers_; }
  size_t corruptions() const { return corruptions_; }
  const std::string& vague() const { return vague_; }

 private:
  // Returns false, and leaves the question unanswered, for corruption.
  bool Note(const std::string& question, const absl::Status& status);
  void AskDirectory(const std::string& path, ondisk::InodeNumber inode);

  Filesystem& filesystem_;
  Answers answers_;
  size_t corruptions_ = 0;
  std::string vague_;  // a corruption error that does not say where
};

bool Questioner::Note(const std::string& question, const absl::Status& status) {
  if (ondisk::IsCorruption(status)) {
    ++corruptions_;
    const std::string message(ondisk::MessageOf(status));
    // "<structure> at <where>: <field> is <found>, expected <expected>"
    if (message.find(" at ") == std::string::npos ||
        message.find("expected") == std::string::npos) {
      vague_ = question + ": " + message;
    }
    return false;
  }
  if (!status.ok()) {
    answers_[question] = "errno " + std::to_string(ondisk::ErrnoOf(status));
  }
  return true;
}

void Questioner::AskDirectory(const std::string& path,
                              ondisk::InodeNumber inode) {
  std::vector<std::pair<std::string, ondisk::InodeNumber>> children;
  std::string list;
  const absl::Status status =
      filesystem_.ReadDirectory(inode, 0, [&](const DirectoryEntry& entry) {
        list.append(entry.name)
            .append("=")
            .append(std::to_string(entry.inode.value));
        list.append(":").append(std::to_string(entry.type)).append("\n");
        if (entry.name != "." && entry.name != "..") {
          children.emplace_back(entry.name, entry.inode);
        }
        return true;
      });
  if (!Note(path + " entries", status)) return;
  answers_[path + " entries"] = list;
  for (const auto& [name, child] : children) {
    const std::string question = path + "/" + name;
    const auto found = filesystem_.Lookup(inode, name);
    if (Note(question + " lookup", found.status())) {
      answers_[question + " lookup"] =
          found->has_value() ? std::to_string((*found)->value) : "none";
    }
  }
}

void Questioner::AskInode(const std::string& path, ondisk::InodeNumber inode) {
  const absl::StatusOr<Attributes> attributes =
      filesystem_.GetAttributes(inode);
  if (!Note(path + " attributes", attributes.status()) || !attributes.ok()) {
    return;
  }
  const Attributes& a = *attributes;
  std::string text;
  for (const uint64_t value :
       {uint64_t{a.generation}, uint64_t{a.mode}, uint64_t{a.links},
        uint64_t{a.user}, uint64_t{a.group}, uint64_t{a.project}, a.size,
        a.blocks, uint64_t{a.flags}, a.flags2, a.data_extents,
        uint64_t{a.attribute_extents}, static_cast<uint64_t>(a.modify.seconds),
        uint64_t{a.modify.nanoseconds}}) {
    text.append(std::to_string(value)).append(" ");
  }
  answers_[path + " attributes"] = text;

  const uint32_t type = a.mode & 0170000;
  if (type == 0040000) AskDirectory(path, inode);
  if (type == 0120000) {
    const auto target = filesystem_.ReadLink(inode);
    if (Note(path + " target", target.status()) && target.ok()) {
      answers_[path + " target"] = *target;
    }
  }
  const auto names = filesystem_.ListXattrs(inode, true);
  if (Note(path + " xattrs", names.status()) && names.ok()) {
    answers_[path + " xattrs"] = *names;
    for (size_t at = 0; at < names->size();) {
      const std::string name(names->c_str() + at);
      const auto value = filesystem_.GetXattr(inode, name);
      if (Note(path + " xattr " + name, value.status()) && value.ok()) {
        answers_[path + " xattr " + name] = *value;
      }
      at += name.size() + 1;
    }
  }
  if (type != 0100000) return;
  std::vector<uint8_t> data(4096);
  for (const uint64_t offset : {uint64_t{0}, a.size / 2}) {
    const std::string question = path + " data " + std::to_string(offset);
    const auto read = filesystem_.Read(inode, offset, data);
    if (Note(question, read.status()) && read.ok()) {
      answers_[question].assign(data.begin(),
                                data.begin() + static_cast<ptrdiff_t>(*read));
    }
  }
  std::string map;
  size_t extents = 0;
  const absl::Status mapped = filesystem_.Fiemap(
      inode, 0, ~uint64_t{0}, FiemapFork::kData,
      [&](const FiemapExtent& extent) {
        map.append(std::to_string(extent.logical)).append(" ");
        map.append(std::to_string(extent.physical)).append(" ");
        map.append(std::to_string(extent.length)).append(" ");
        map.append(std::to_string(extent.flags)).append("\n");
        return ++extents < 64;
      });
  if (Note(path + " extents", mapped)) answers_[path + " extents"] = map;
}

// ---- what is asked, and what is damaged ----

constexpr std::string_view kImage = "tiny-1k";

absl::StatusOr<std::unique_ptr<Filesystem>> MountFlipped(uint64_t at,
                                                         uint8_t mask) {
  MountOptions options;
  options.read_only = true;
  options.cache_bytes = 1u << 20;
  return Filesystem::Mount(
      std::make_unique<FlippedImage>(GoldenImage(kImage), at, mask), nullptr,
      options);
}

using Paths = std::map<ondisk::InodeNumber, std::string>;

// Every inode's first path, found from the root. "" is the root.
Paths FindPaths(Filesystem& filesystem) {
  Paths paths = {{filesystem.root(), ""}};
  std::vector<ondisk::InodeNumber> queue = {filesystem.root()};
  while (!queue.empty()) {
    const ondisk::InodeNumber inode = queue.back();
    queue.pop_back();
    (void)filesystem.ReadDirectory(inode, 0, [&](const DirectoryEntry& entry) {
      const std::string path = paths[inode] + "/" + std::string(entry.name);
      if (entry.name != "." && entry.name != ".." &&
          paths.emplace(entry.inode, path).second) {
        queue.push_back(entry.inode);
      }
      return true;
    });
  }
  return paths;
}

class CorruptionTest : public ::testing::Test {
 protected:
  CorruptionTest() {
    auto mounted = MountFlipped(0, 0);
    if (!mounted.ok()) std::abort();
    filesystem_ = *std::move(mounted);
    paths_ = FindPaths(*filesystem_);
    for (const Structure& structure :
         FindStructures(filesystem_->geometry(), GoldenBytes(kImage))) {
      // A block that nothing leads to may say what it likes.
      if (structure.owner.has_value() && !paths_.contains(*structure.owner)) {
        continue;
      }
      const int tree =
          structure.tree.has_value() ? static_cast<int>(*structure.tree) : -1;
      structures_[{structure.kind, tree}].push_back(structure);
    }
  }

  using Kind = StructureKind;

  // The right answers about one inode. Asked once; that they are what the
  // kernel says is for the comparisons with the manifest to show.
  const Answers& RightAnswers(ondisk::InodeNumber inode) {
    const auto found = right_.find(inode);
    if (found != right_.end()) return found->second;
    Questioner questioner(*filesystem_);
    questioner.AskInode(paths_.at(inode), inode);
    EXPECT_EQ(questioner.corruptions(), 0u) << paths_.at(inode);
    return right_[inode] = questioner.answers();
  }

  // Flips one bit and asks about what it may touch. Returns whether anything
  // was refused.
  bool FlipAndAsk(const Structure& structure, uint32_t where);

  // Flips a bit of each byte of the kind, over all structures of it. Returns
  // how many flips went unnoticed.
  size_t FlipAll(const std::vector<Structure>& structures);

  std::unique_ptr<Filesystem> filesystem_;
  Paths paths_;
  std::map<std::pair<Kind, int>, std::vector<Structure>> structures_;
  std::map<ondisk::InodeNumber, Answers> right_;
};

bool CorruptionTest::FlipAndAsk(const Structure& structure, uint32_t where) {
  const uint64_t at = structure.offset + where;
  const auto mask = static_cast<uint8_t>(1u << where % 8);
  const auto mounted = MountFlipped(at, mask);
  if (!mounted.ok()) {
    EXPECT_FALSE(ondisk::MessageOf(mounted.status()).empty()) << at;
    return true;
  }
  Filesystem& filesystem = **mounted;
  const ondisk::InodeNumber inode =
      structure.owner.value_or(filesystem_->root());
  Questioner questioner(filesystem);
  questioner.AskInode(paths_.at(inode), inode);
  const Answers& right = RightAnswers(inode);
  for (const auto& [question, answer] : questioner.answers()) {
    const auto expected = right.find(question);
    if (expected == right.end()) {
      ADD_FAILURE() << "byte " << at << ": a new question: " << question;
      continue;
    }
    EXPECT_EQ(answer, expected->second) << "byte " << at << ": " << question;
  }
  EXPECT_EQ(questioner.vague(), "") << "byte " << at;
  return questioner.corruptions() > 0;
}

size_t CorruptionTest::FlipAll(const std::vector<Structure>& structures) {
  uint32_t largest = 0;
  for (const Structure& structure : structures) {
    largest = std::max(largest, structure.size);
  }
  size_t unnoticed = 0;
  for (uint32_t where = 0; where < largest; where += kStride) {
    // Another structure for each byte, as far as there are any.
    const Structure& structure = structures[where % structures.size()];
    if (where >= structure.size) continue;
    if (!FlipAndAsk(structure, where)) ++unnoticed;
    if (::testing::Test::HasFailure()) break;
  }
  return unnoticed;
}

// Structures that an answer about their owner must have been read from.
TEST_F(CorruptionTest, EveryByteOfInodesAndTheirBlocksIsGuarded) {
  for (const Kind kind :
       {Kind::kInode, Kind::kBmbt, Kind::kDirectoryData, Kind::kDirectoryLeaf,
        Kind::kDaNode, Kind::kAttributeLeaf, Kind::kAttributeRemote,
        Kind::kSymlink}) {
    for (const auto& [key, structures] : structures_) {
      if (key.first != kind) continue;
      SCOPED_TRACE(static_cast<int>(kind));
      EXPECT_EQ(FlipAll(structures), 0u);
    }
  }
}

// Header sectors and the groups' trees: not every answer needs them, but no
// answer is wrong.
TEST_F(CorruptionTest, NoByteOfHeadersAndTreesMakesAWrongAnswer) {
  for (const Kind kind :
       {Kind::kSuperblock, Kind::kAgf, Kind::kAgi, Kind::kAgfl,
        Kind::kShortBtree, Kind::kDirectoryFree}) {
    for (const auto& [key, structures] : structures_) {
      if (key.first != kind) continue;
      SCOPED_TRACE(static_cast<int>(kind));
      FlipAll(structures);
    }
  }
}

TEST_F(CorruptionTest, EveryByteOfThePrimarySuperblockRefusesTheMount) {
  for (uint32_t where = 0; where < filesystem_->geometry().sector_size;
       ++where) {
    EXPECT_FALSE(MountFlipped(where, 1).ok()) << where;
  }
}

TEST_F(CorruptionTest, TheImageHasEachKindOfStructure) {
  for (int kind = 0; kind <= static_cast<int>(Kind::kSymlink); ++kind) {
    EXPECT_TRUE(std::any_of(structures_.begin(), structures_.end(),
                            [kind](const auto& entry) {
                              return static_cast<int>(entry.first.first) ==
                                     kind;
                            }))
        << kind;
  }
}

}  // namespace
}  // namespace fusexfs
