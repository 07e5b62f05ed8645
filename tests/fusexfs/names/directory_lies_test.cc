// SPDX-License-Identifier: GPL-2.0-or-later
// Directories that lie, with right checksums: what lookup and readdir answer is
// what kernel 6.18 answers to the same lie (EUCLEAN to whoever meets it, other
// names unharmed).
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "fusexfs/names/directory_lookup.h"
#include "fusexfs/names/directory_read.h"
#include "libondisk/da_btree.h"
#include "libondisk/directory.h"
#include "libondisk/directory_data.h"
#include "libondisk/inode_core.h"
#include "libondisk/status.h"
#include "tests/support/damage.h"
#include "tests/support/fork_block.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

constexpr char kLiesImage[] = "tiny-v5";
constexpr uint64_t kLeaf = ondisk::kDirectoryLeafOffset / 4096;
constexpr size_t kTreeCrc = offsetof(ondisk::Da3BlockInfo, crc);
constexpr size_t kDataCrc = offsetof(ondisk::Directory3BlockHeader, crc);

struct Answers {
  int lookup_errors = 0;  // names that gave EUCLEAN
  int found = 0;          // names that led to the right inode
  int wrong = 0;          // names that led elsewhere or nowhere
  int absent = 0;         // errno of looking up a name that is not there
  int read_errno = 0;     // of readdir
  size_t read_names = 0;  // that readdir gave first, without "." and ".."
};

// Asks for every name of the manifest.
Answers Ask(ImageBytes bytes, const std::string& path) {
  Answers answers;
  TestImage image(std::move(bytes.bytes));
  const auto& record = GoldenManifest(kLiesImage).At(path);
  const auto directory =
      image.inodes.Get(InodeNumber(record["ino"].get<uint64_t>()));
  if (!directory.ok()) {
    answers.read_errno = answers.absent = ondisk::ErrnoOf(directory.status());
    return answers;
  }
  for (const auto& entry : record["entries"]) {
    const auto found = LookupName(ContextOf(image), **directory,
                                  UnquoteManifest(entry[0].get<std::string>()));
    if (!found.ok()) {
      EXPECT_EQ(ondisk::ErrnoOf(found.status()), EUCLEAN) << found.status();
      ++answers.lookup_errors;
    } else if (*found && (*found)->value == entry[1].get<uint64_t>()) {
      ++answers.found;
    } else {
      ++answers.wrong;
    }
  }
  const auto absent = LookupName(ContextOf(image), **directory, "nosuch");
  answers.absent = absent.ok() ? ENOENT : ondisk::ErrnoOf(absent.status());
  const absl::Status status = ReadDirectory(
      ContextOf(image), **directory, 0, [&](const DirectoryEntry& entry) {
        if (entry.name != "." && entry.name != "..") ++answers.read_names;
        return true;
      });
  answers.read_errno = ondisk::ErrnoOf(status);
  return answers;
}

// One field of one fork block changed.
Answers AskAfter(const std::string& path, uint64_t at, size_t crc_offset,
                 size_t offset, size_t size, uint64_t value) {
  const ForkBlock block =
      GoldenForkBlock(kLiesImage, path, ondisk::Fork::kData, at);
  ImageBytes bytes(kLiesImage);
  ondisk::PutBig(bytes.Block(block.block), offset, size, value);
  bytes.SealBlock(block.block, crc_offset);
  return Ask(std::move(bytes), path);
}

constexpr int kNode = 2500, kLeafNames = 300, kBlockNames = 40;

TEST(DirectoryLies, NothingIsWrongBefore) {
  const Answers answers = Ask(ImageBytes(kLiesImage), "directories/node");
  EXPECT_EQ(answers.found, kNode);
  EXPECT_EQ(answers.absent, ENOENT);
  EXPECT_EQ(answers.read_errno, 0);
  EXPECT_EQ(answers.read_names, size_t{kNode});
}

TEST(DirectoryLies, ABadBlockFormIsRefusedWhole) {
  for (const auto& [offset, size, value] :
       std::vector<std::tuple<size_t, size_t, uint64_t>>{
           {96 + 8, 1, 255},       // name length
           {0x632, 2, 0},          // free run of no bytes
           {40, 8, 999},           // owner
           {8, 8, 8},              // own address
           {4088, 4, 0x7fffffff},  // leaf entries
           {50, 2, 4000}}) {       // longest free run
    const Answers answers =
        AskAfter("directories/block", 0, kDataCrc, offset, size, value);
    EXPECT_EQ(answers.lookup_errors, kBlockNames) << offset;
    EXPECT_EQ(answers.absent, EUCLEAN) << offset;
    EXPECT_EQ(answers.read_errno, EUCLEAN) << offset;
    EXPECT_EQ(answers.read_names, 0u) << offset;
  }
}

// readdir needs no leaf; lookup does.
TEST(DirectoryLies, ABadLeafHarmsLookupOnly) {
  for (const auto& [offset, size, value] :
       std::vector<std::tuple<size_t, size_t, uint64_t>>{
           {4092, 4, 1}, {4092, 4, 5000}, {56, 2, 5000}, {48, 8, 1}}) {
    const Answers answers =
        AskAfter("directories/leaf", kLeaf, kTreeCrc, offset, size, value);
    EXPECT_EQ(answers.lookup_errors, kLeafNames) << offset;
    EXPECT_EQ(answers.absent, EUCLEAN) << offset;
    EXPECT_EQ(answers.read_errno, 0) << offset;
    EXPECT_EQ(answers.read_names, size_t{kLeafNames}) << offset;
  }
}

TEST(DirectoryLies, ABadDataBlockHarmsItsNamesOnly) {
  const Answers answers =
      AskAfter("directories/leaf", 1, kDataCrc, 40, 8, 5);  // owner
  EXPECT_GT(answers.lookup_errors, 0);
  EXPECT_GT(answers.found, 0);
  EXPECT_EQ(answers.lookup_errors + answers.found, kLeafNames);
  EXPECT_EQ(answers.read_errno, EUCLEAN);
  EXPECT_GT(answers.read_names, 0u);
  EXPECT_LT(answers.read_names, size_t{kLeafNames});
}

TEST(DirectoryLies, ANodeThatLeadsNowhereGivesEuclean) {
  struct {
    const char* what;
    uint64_t before;
  } constexpr kChildren[] = {{"itself", kLeaf},
                             {"a data block", 0},
                             {"a hole", 9000000},
                             {"past the end", 0xffffffff},
                             {"a free block", 2 * kLeaf}};
  for (const auto& child : kChildren) {
    SCOPED_TRACE(child.what);
    const Answers answers =
        AskAfter("directories/node", kLeaf, kTreeCrc, 64 + 4, 4, child.before);
    EXPECT_GT(answers.lookup_errors, 0);
    EXPECT_GT(answers.found, 0);
    EXPECT_EQ(answers.wrong, 0);
    EXPECT_EQ(answers.lookup_errors + answers.found, kNode);
    EXPECT_EQ(answers.read_names, size_t{kNode});
  }
}

TEST(DirectoryLies, ANodeOfWrongLevelOrCountIsRefused) {
  for (const auto& [offset, value] :
       std::vector<std::pair<size_t, uint64_t>>{{58, 9}, {58, 2}, {56, 0}}) {
    const Answers answers =
        AskAfter("directories/node", kLeaf, kTreeCrc, offset, 2, value);
    EXPECT_EQ(answers.lookup_errors, kNode) << value;
    EXPECT_EQ(answers.absent, EUCLEAN) << value;
    EXPECT_EQ(answers.read_names, size_t{kNode}) << value;
  }
}

// The links matter to who goes from leaf to leaf only.
TEST(DirectoryLies, ALeafThatFollowsItselfDoesNotHang) {
  const Answers answers =
      AskAfter("directories/node", kLeaf + 1, kTreeCrc, 0, 4, kLeaf + 1);
  EXPECT_EQ(answers.wrong, 0);
  EXPECT_LE(answers.lookup_errors, 1);
  EXPECT_EQ(answers.lookup_errors + answers.found, kNode);
}

// All names share one hash; children of the root all lead to one leaf.
TEST(DirectoryLies, ATreeThatRepeatsALeafGivesEuclean) {
  const std::string path = "collided/node";
  const ForkBlock root =
      GoldenForkBlock(kLiesImage, path, ondisk::Fork::kData, kLeaf);
  ImageBytes bytes(kLiesImage);
  const auto node = ondisk::ViewDaNode(root.geometry, root.bytes);
  ASSERT_GT(node.entries.size(), 1u);
  for (size_t i = 0; i < node.entries.size(); ++i) {
    ondisk::PutBig(bytes.Block(root.block), 64 + 8 * i + 4, 4,
                   node.entries[1].before.value());
  }
  bytes.SealBlock(root.block, kTreeCrc);
  const Answers answers = Ask(std::move(bytes), path);
  EXPECT_GT(answers.found, 0);
  EXPECT_GT(answers.lookup_errors, 0);  // what stood in the other leaves
  EXPECT_EQ(answers.wrong, 0);
}

// Two leaves that name each other on both sides, of one hash.
TEST(DirectoryLies, ARingOfLeavesGivesEuclean) {
  const std::string path = "collided/node";
  const ForkBlock root =
      GoldenForkBlock(kLiesImage, path, ondisk::Fork::kData, kLeaf);
  const auto node = ondisk::ViewDaNode(root.geometry, root.bytes);
  ASSERT_EQ(node.entries.size(), 2u);
  ImageBytes bytes(kLiesImage);
  constexpr size_t kChildren = 400;
  for (size_t i = 0; i < kChildren; ++i) {
    ondisk::PutBig(bytes.Block(root.block), 64 + 8 * i, 4,
                   node.entries[0].hashval.value());
    ondisk::PutBig(bytes.Block(root.block), 64 + 8 * i + 4, 4,
                   node.entries[i % 2].before.value());
  }
  ondisk::PutBig(bytes.Block(root.block), 56, 2, kChildren);
  bytes.SealBlock(root.block, kTreeCrc);
  for (size_t i = 0; i < 2; ++i) {
    const ForkBlock leaf = GoldenForkBlock(
        kLiesImage, path, ondisk::Fork::kData, node.entries[i].before.value());
    const uint32_t other = node.entries[1 - i].before.value();
    ondisk::PutBig(bytes.Block(leaf.block), 0, 4, other);
    ondisk::PutBig(bytes.Block(leaf.block), 4, 4, other);
    bytes.SealBlock(leaf.block, kTreeCrc);
  }
  TestImage image(std::move(bytes.bytes));
  const auto directory = image.inodes.Get(InodeOfPath(kLiesImage, path));
  ASSERT_TRUE(directory.ok()) << directory.status();
  // A name of the same hash that is in no leaf: these two bits cancel out.
  const auto& entries = GoldenManifest(kLiesImage).At(path)["entries"];
  std::string name = UnquoteManifest(entries[0][0].get<std::string>());
  name[0] = static_cast<char>(name[0] ^ 0x01);
  name[1] = static_cast<char>(name[1] ^ 0x80);
  const auto found = LookupName(ContextOf(image), **directory, name);
  EXPECT_EQ(ondisk::ErrnoOf(found.status()), EUCLEAN) << found.status();
}

TEST(DirectoryLies, ALeafAddressBetweenEntriesGivesEuclean) {
  // The first name in hash order of a node-form directory.
  const ForkBlock root = GoldenForkBlock(kLiesImage, "directories/node",
                                         ondisk::Fork::kData, kLeaf);
  const auto node = ondisk::ViewDaNode(root.geometry, root.bytes);
  const uint64_t leaf = node.entries[0].before.value();
  const ForkBlock block = GoldenForkBlock(kLiesImage, "directories/node",
                                          ondisk::Fork::kData, leaf);
  const uint32_t address =
      ondisk::View<ondisk::Be32>(block.bytes, 64 + 8 * 5 + 4).value();
  const Answers answers = AskAfter("directories/node", leaf, kTreeCrc,
                                   64 + 8 * 5 + 4, 4, address + 1);
  EXPECT_EQ(answers.lookup_errors, 1);
  EXPECT_EQ(answers.found, kNode - 1);
}

TEST(DirectoryLies, ANameWithASlashStopsReaddirThere) {
  const InodeNumber number = InodeOfPath(kLiesImage, "directories/short");
  ImageBytes bytes(kLiesImage);
  ondisk::MutableBytes inode = bytes.Inode(number);
  // Header of 6 bytes, an entry of 3 + 12 + 5, then the second entry's name.
  inode[sizeof(ondisk::DiskInode) + 6 + 20 + 3] = '/';
  bytes.SealInode(number);
  const Answers answers = Ask(std::move(bytes), "directories/short");
  EXPECT_EQ(answers.read_names, 1u);
  EXPECT_EQ(answers.read_errno, EUCLEAN);
  EXPECT_EQ(answers.found, 2);
  EXPECT_EQ(answers.absent, ENOENT);
}

TEST(DirectoryLies, ABadShortFormIsRefusedWithItsInode) {
  const InodeNumber number = InodeOfPath(kLiesImage, "directories/short");
  for (const auto& [offset, value] : std::vector<std::pair<size_t, uint8_t>>{
           {0, 60}, {1, 3}, {6, 200}, {26, 0}}) {
    ImageBytes bytes(kLiesImage);
    bytes.Inode(number)[sizeof(ondisk::DiskInode) + offset] = value;
    bytes.SealInode(number);
    EXPECT_EQ(Ask(std::move(bytes), "directories/short").read_errno, EUCLEAN)
        << offset;
  }
}

}  // namespace
}  // namespace fusexfs
