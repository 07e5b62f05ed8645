// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/inode/inode_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "libondisk/status.h"
#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace fusexfs {
namespace {

using nlohmann::json;
using ondisk::InodeNumber;

ondisk::Timestamp TimeOf(const json& pair) {
  return {pair[0].get<int64_t>(), pair[1].get<uint32_t>()};
}

class GoldenInodes : public testing::TestWithParam<const char*> {};

// The kernel's stat, statx and FS_IOC_FSGETXATTR of every path (xfs_db's words
// on V4 images).
TEST_P(GoldenInodes, AreAsTheOracleSawThem) {
  TestImage image{std::string_view(GetParam())};
  const Manifest& manifest = GoldenManifest(GetParam());
  ASSERT_GT(manifest.paths.size(), 50u);
  for (const auto& [path, record] : manifest.paths) {
    SCOPED_TRACE(path);
    const absl::StatusOr<InodeRef> inode =
        image.inodes.Get(InodeNumber(record["ino"].get<uint64_t>()));
    ASSERT_TRUE(inode.ok()) << inode.status();
    const ondisk::InodeCore& core = (*inode)->core();
    EXPECT_EQ(core.mode,
              std::stoul(record["mode"].get<std::string>(), nullptr, 8));
    EXPECT_EQ(core.size, record["size"].get<uint64_t>());
    EXPECT_EQ(core.nlink, record["nlink"].get<uint64_t>());
    EXPECT_EQ(core.uid, record["uid"].get<uint64_t>());
    EXPECT_EQ(core.gid, record["gid"].get<uint64_t>());
    EXPECT_EQ(core.nblocks << image.geometry.block_log,
              record["blocks"].get<uint64_t>() * 512);
    EXPECT_EQ(core.mtime, TimeOf(record["mtime"]));
    EXPECT_EQ(core.ctime, TimeOf(record["ctime"]));
    EXPECT_EQ(core.atime, TimeOf(record["atime"]));
    if (record.contains("btime") && !record["btime"].is_null()) {
      EXPECT_EQ(core.crtime, TimeOf(record["btime"]));
    }
    if (record.contains("generation") && !record["generation"].is_null()) {
      EXPECT_EQ(core.generation, record["generation"].get<uint64_t>());
    }
    if (record.contains("fsx") && !record["fsx"].is_null()) {
      const json& fsx = record["fsx"];
      EXPECT_EQ(core.projid, fsx["projid"].get<uint64_t>());
      EXPECT_EQ(uint64_t{core.extsize} << image.geometry.block_log,
                fsx["extsize"].get<uint64_t>());
      EXPECT_EQ(uint64_t{core.cowextsize} << image.geometry.block_log,
                fsx["cowextsize"].get<uint64_t>());
    }
    if (record.contains("rdev") && !record["rdev"].is_null()) {
      EXPECT_EQ(core.device_major, record["rdev"][0].get<uint64_t>());
      EXPECT_EQ(core.device_minor, record["rdev"][1].get<uint64_t>());
    }
    if (record.contains("target") && !(*inode)->local_data().empty()) {
      const ondisk::Bytes target = (*inode)->local_data();
      EXPECT_EQ(std::string(target.begin(), target.end()),
                UnquoteManifest(record["target"].get<std::string>()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllImages, GoldenInodes,
                         testing::Values("tiny-v5", "tiny-1k", "tiny-v4",
                                         "v4-1k", "dir64k-1k"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

TEST(InodeCache, AnswersEinvalForNumbersThatNameNoInode) {
  TestImage image("tiny-v5");
  const uint64_t ag_bit = uint64_t{1} << image.geometry.ag_inode_log();
  for (const uint64_t number :
       {uint64_t{0}, uint64_t{7}, ~uint64_t{0},
        image.geometry.ag_count * ag_bit,
        (uint64_t{image.geometry.AgSize(ondisk::AgNumber(0))}
         << image.geometry.inodes_per_block_log)}) {
    const absl::StatusOr<InodeRef> inode =
        image.inodes.Get(InodeNumber(number));
    EXPECT_EQ(ondisk::ErrnoOf(inode.status()), EINVAL) << number;
  }
}

TEST(InodeCache, AnswersEnoentForAFreeInode) {
  ImageBytes bytes("tiny-v5");
  const InodeNumber number = InodeOfPath("tiny-v5", "files/empty");
  auto& disk =
      *reinterpret_cast<ondisk::DiskInode*>(bytes.Inode(number).data());
  disk.mode.set(0);
  disk.nlink.set(0);
  bytes.SealInode(number);
  TestImage image(std::move(bytes.bytes));
  EXPECT_EQ(ondisk::ErrnoOf(image.inodes.Get(number).status()), ENOENT);
}

TEST(InodeCache, NamesTheInodeAndTheFieldThatIsDamaged) {
  ImageBytes bytes("tiny-v5");
  const InodeNumber number = InodeOfPath("tiny-v5", "files/byte");
  bytes.Inode(number)[offsetof(ondisk::DiskInode, uid)] ^= 0x40;
  TestImage image(std::move(bytes.bytes));
  const absl::Status status = image.inodes.Get(number).status();
  EXPECT_EQ(ondisk::ErrnoOf(status), EUCLEAN);
  EXPECT_NE(ondisk::MessageOf(status).find(
                "inode at inode " + std::to_string(number.value) + ": crc"),
            std::string_view::npos)
      << status;
  // Its neighbours in the cluster stay readable.
  EXPECT_TRUE(image.inodes.Get(InodeOfPath("tiny-v5", "files/empty")).ok());
}

TEST(InodeCache, GivesTheSameInodeWhileItIsHeld) {
  TestImage image("tiny-v5");
  const absl::StatusOr<InodeRef> one =
      image.inodes.Get(image.geometry.root_inode);
  const absl::StatusOr<InodeRef> two =
      image.inodes.Get(image.geometry.root_inode);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(&**one, &**two);
  EXPECT_EQ(image.inodes.counters().hits, 1u);
  EXPECT_EQ(image.inodes.counters().misses, 1u);
}

TEST(InodeCache, StaysUnderItsLimitAndCountsExtents) {
  constexpr uint64_t kLimit = 64 << 10;
  TestImage image("tiny-v5", kLimit);
  for (const auto& [path, record] : GoldenManifest("tiny-v5").paths) {
    const absl::StatusOr<InodeRef> inode =
        image.inodes.Get(InodeNumber(record["ino"].get<uint64_t>()));
    ASSERT_TRUE(inode.ok()) << inode.status();
    ASSERT_TRUE((*inode)->DataExtents().ok());
    ASSERT_LE(image.inodes.counters().bytes, 2 * kLimit);
  }
  EXPECT_GT(image.inodes.counters().reclaimed, 1000u);
  image.inodes.DropUnused();
  EXPECT_EQ(image.inodes.counters().bytes, 0u);
  const absl::StatusOr<InodeRef> inode =
      image.inodes.Get(InodeOfPath("tiny-v5", "files/many-extents"));
  ASSERT_TRUE(inode.ok());
  const uint64_t before = image.inodes.counters().bytes;
  ASSERT_TRUE((*inode)->DataExtents().ok());
  // 110 FIEMAP extents: at least as many records of 24 bytes.
  EXPECT_GE(image.inodes.counters().bytes, before + 110 * 24);
}

// Run under ThreadSanitizer too: threads that look up, load extents and drop
// the same inodes see whole ones only.
TEST(InodeCache, ServesManyThreadsWhileItReclaims) {
  TestImage image("tiny-v5", 32 << 10);
  struct Expected {
    InodeNumber number;
    uint64_t size;
    size_t extents;
  };
  std::vector<Expected> all;
  for (const auto& [path, record] : GoldenManifest("tiny-v5").paths) {
    const InodeNumber number(record["ino"].get<uint64_t>());
    const absl::StatusOr<InodeRef> inode = image.inodes.Get(number);
    ASSERT_TRUE(inode.ok());
    const absl::StatusOr<const ExtentMap*> map = (*inode)->DataExtents();
    ASSERT_TRUE(map.ok());
    all.push_back({number, (*inode)->core().size, (*map)->extents().size()});
    if (all.size() == 400) break;
  }
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 4000; ++i) {
        const Expected& expected = all[(i * (2 * t + 1)) % all.size()];
        const absl::StatusOr<InodeRef> inode =
            image.inodes.Get(expected.number);
        if (!inode.ok()) {
          ++wrong;
          continue;
        }
        const absl::StatusOr<const ExtentMap*> map = (*inode)->DataExtents();
        wrong += !map.ok() || (*map)->extents().size() != expected.extents ||
                 (*inode)->core().size != expected.size;
        if (i % 1000 == 999) image.inodes.DropUnused();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0u);
}

}  // namespace
}  // namespace fusexfs
