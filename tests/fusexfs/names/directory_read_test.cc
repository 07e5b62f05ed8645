// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/directory_read.h"

#include <dirent.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fusexfs/device/fault_device.h"
#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/names_context.h"
#include "tests/support/readahead.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using ondisk::InodeNumber;

struct Entry {
  std::string name;
  uint64_t inode;
  uint8_t type;
  uint64_t next;
};

std::vector<Entry> ReadAll(TestImage& image, const Inode& directory,
                           uint64_t cookie = 0, size_t most = SIZE_MAX) {
  std::vector<Entry> entries;
  const absl::Status status = ReadDirectory(
      ContextOf(image), directory, cookie, [&](const DirectoryEntry& entry) {
        entries.push_back({std::string(entry.name), entry.inode.value,
                           entry.type, entry.next_cookie});
        return entries.size() < most;
      });
  EXPECT_TRUE(status.ok()) << status;
  return entries;
}

uint8_t TypeOf(const std::string& letter) {
  static const std::map<std::string, uint8_t> kTypes = {
      {"d", DT_DIR},  {"-", DT_REG}, {"l", DT_LNK}, {"p", DT_FIFO},
      {"s", DT_SOCK}, {"c", DT_CHR}, {"b", DT_BLK}};
  return kTypes.at(letter);
}

class GoldenReadDirectory : public testing::TestWithParam<const char*> {
 protected:
  void ForEachDirectory(
      const std::function<void(const Inode&, const nlohmann::json&)>&
          function) {
    size_t directories = 0;
    for (const auto& [path, record] : GoldenManifest(GetParam()).paths) {
      if (!record.contains("entries")) continue;
      SCOPED_TRACE(path);
      const InodeRef directory =
          GetInode(image_, InodeNumber(record["ino"].get<uint64_t>()));
      function(*directory, record["entries"]);
      ++directories;
    }
    EXPECT_GE(directories, 3u);
  }

  TestImage image_{std::string_view(GetParam())};
};

// Names, numbers, types and order, against the kernel's readdir.
TEST_P(GoldenReadDirectory, GivesWhatTheKernelGives) {
  const bool ftype = image_.geometry.features.ftype;
  ForEachDirectory([&](const Inode& directory, const nlohmann::json& kernel) {
    const std::vector<Entry> entries = ReadAll(image_, directory);
    ASSERT_EQ(entries.size(), kernel.size() + 2);
    EXPECT_EQ(entries[0].name, ".");
    EXPECT_EQ(entries[0].inode, directory.number().value);
    EXPECT_EQ(entries[1].name, "..");
    for (size_t i = 0; i < kernel.size(); ++i) {
      const Entry& entry = entries[i + 2];
      ASSERT_EQ(entry.name, UnquoteManifest(kernel[i][0].get<std::string>()));
      ASSERT_EQ(entry.inode, kernel[i][1].get<uint64_t>());
      ASSERT_EQ(entry.type, ftype ? TypeOf(kernel[i][2].get<std::string>())
                                  : uint8_t{DT_UNKNOWN});
    }
  });
}

TEST_P(GoldenReadDirectory, GoesOnBehindAnyEntry) {
  ForEachDirectory([&](const Inode& directory, const nlohmann::json&) {
    const std::vector<Entry> entries = ReadAll(image_, directory);
    std::set<uint64_t> cookies;
    for (size_t i = 0; i < entries.size(); ++i) {
      ASSERT_GT(entries[i].next, 0u);
      ASSERT_LT(entries[i].next, uint64_t{1} << 31);
      ASSERT_TRUE(cookies.insert(entries[i].next).second);
      const auto rest = ReadAll(image_, directory, entries[i].next, 2);
      ASSERT_EQ(rest.size(), std::min<size_t>(2, entries.size() - i - 1));
      if (!rest.empty()) {
        ASSERT_EQ(rest[0].name, entries[i + 1].name);
      }
      // A position inside an entry is behind it.
      const auto inside = ReadAll(image_, directory, entries[i].next - 1, 1);
      ASSERT_EQ(inside.size(), rest.empty() ? 0u : 1u);
    }
    EXPECT_TRUE(ReadAll(image_, directory, (uint64_t{1} << 31) - 1).empty());
    EXPECT_TRUE(ReadAll(image_, directory, ~uint64_t{0}).empty());
  });
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenReadDirectory,
                         testing::ValuesIn(kAllImages), ImageName);

// A block-form directory and the short form of the same names have the same
// cookies: positions survive the change of form.
TEST(ReadDirectory, HasTheKernelsPositions) {
  TestImage image("tiny-v5");
  const auto entries = ReadAll(
      image, *GetInode(image, InodeOfPath("tiny-v5", "directories/short")));
  ASSERT_EQ(entries.size(), 5u);
  // Entries of 16, 16, 24, 32 and 32 bytes behind a header of 64.
  EXPECT_EQ(entries[0].next, (64u + 16) / 8);
  EXPECT_EQ(entries[1].next, (64u + 32) / 8);
  EXPECT_EQ(entries[2].next, (64u + 56) / 8);
  EXPECT_EQ(entries[3].next, (64u + 88) / 8);
  const auto block = ReadAll(
      image, *GetInode(image, InodeOfPath("tiny-v5", "directories/block")));
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].next, block[i].next);
  }
}

// The blocks of two directories, as xfs_db's `bmap -d` shows them: "wide" has
// 84 data blocks of 4 KiB, "removed" 10 with holes between them, the last 212
// KiB behind the first.
TEST(ReadDirectory, AsksOnceForTheBlocksToCome) {
  const auto device = std::make_shared<FaultDevice>(GoldenImage("deep-names"));
  TestImage image(device);
  for (const auto& [number, blocks] :
       {std::pair(67, size_t{84}), std::pair(77888, size_t{10})}) {
    SCOPED_TRACE(number);
    const InodeRef directory = GetInode(image, InodeNumber(number));
    ASSERT_TRUE(directory->DataExtents().ok());
    device->TakeAccesses();
    ASSERT_GE(ReadAll(image, *directory).size(), blocks);
    const Readahead readahead = JudgeReadahead(device->TakeAccesses());
    EXPECT_EQ(readahead.reads, blocks);
    EXPECT_EQ(readahead.announced, blocks - 1);  // all but the first
    EXPECT_EQ(readahead.asked_twice, 0u);
    EXPECT_EQ(readahead.never_read, 0u);

    ReadAll(image, *directory);  // all is in the cache
    EXPECT_TRUE(device->TakeAccesses().empty());
  }
}

TEST(ReadDirectory, WantsADirectory) {
  TestImage image("tiny-v5");
  const InodeRef file =
      GetInode(image, InodeOfPath("tiny-v5", "links/one/name"));
  const absl::Status status = ReadDirectory(
      ContextOf(image), *file, 0, [](const DirectoryEntry&) { return true; });
  EXPECT_EQ(ondisk::ErrnoOf(status), ENOTDIR);
}

}  // namespace
}  // namespace fusexfs
