// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/filesystem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fusexfs/device/fault_device.h"
#include "fusexfs/device/memory_device.h"
#include "libondisk/agf.h"
#include "libondisk/agi.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"
#include "tests/support/damage.h"
#include "tests/support/golden_image.h"
#include "tests/support/threads.h"

namespace fusexfs {
namespace {

using ondisk::ErrnoOf;
using ondisk::MessageOf;
using ondisk::Superblock;
using ::testing::HasSubstr;

constexpr MountOptions kReadOnly = {.read_only = true};

absl::StatusOr<std::unique_ptr<Filesystem>> Mount(
    std::vector<uint8_t> bytes,
    const MountOptions& options = {.read_only = true}) {
  return Filesystem::Mount(std::make_unique<MemoryDevice>(std::move(bytes)),
                           nullptr, options);
}

std::string ErrorOf(const absl::StatusOr<std::unique_ptr<Filesystem>>& mount) {
  return std::string(MessageOf(mount.status()));
}

// ---- mounting, and what speaks against it ----

class MountTest : public ::testing::Test {
 protected:
  // Changes a field of the superblock and makes its checksum right.
  void Set(size_t offset, size_t size, uint64_t value) {
    ondisk::PutSealed(ondisk::MutableBytes(bytes_).first(512),
                      ondisk::kSuperblockCrcOffset, offset, size, value);
  }
  // The same for a header of AG 1.
  void SetInSector(uint64_t byte_offset, size_t crc_offset, size_t offset,
                   size_t size, uint64_t value) {
    ondisk::PutSealed(ondisk::MutableBytes(bytes_).subspan(byte_offset, 512),
                      crc_offset, offset, size, value);
  }
  std::vector<uint8_t> bytes_ = GoldenBytes("tiny-v5");
};

TEST_F(MountTest, SaysWhatTheImageIs) {
  auto mount = Mount(bytes_);
  ASSERT_TRUE(mount.ok()) << ErrorOf(mount);
  EXPECT_EQ((*mount)->root().value, 128u);
  EXPECT_EQ((*mount)->geometry().block_size, 4096u);
  EXPECT_EQ((*mount)->refcount_strategy(), "locked");
  EXPECT_EQ((*mount)->UnknownRoCompatFeatures(), "");
}

TEST_F(MountTest, UnknownIncompatIsRefusedByName) {
  Set(offsetof(Superblock, features_incompat), 4, 0x400000eb);
  auto mount = Mount(bytes_);
  EXPECT_EQ(ErrnoOf(mount.status()), EOPNOTSUPP);
  EXPECT_THAT(ErrorOf(mount), HasSubstr("bit 30"));
}

TEST_F(MountTest, UnknownRoCompatAllowsReadingOnly) {
  Set(offsetof(Superblock, features_ro_compat), 4, 0x4000000f);
  EXPECT_EQ(Mount(bytes_).value()->UnknownRoCompatFeatures(),
            "bit 30 (0x40000000)");
  auto mount = Mount(bytes_, {.read_only = false});
  EXPECT_EQ(ErrnoOf(mount.status()), EROFS);
  EXPECT_THAT(ErrorOf(mount), HasSubstr("bit 30"));
}

TEST_F(MountTest, NeedsRepairIsRefused) {
  Set(offsetof(Superblock, features_incompat), 4, 0xeb | 0x10);
  EXPECT_THAT(ErrorOf(Mount(bytes_)), HasSubstr("needsrepair"));
}

TEST_F(MountTest, ShortImageIsRefused) {
  bytes_.resize(bytes_.size() - 512);
  EXPECT_EQ(ErrnoOf(Mount(bytes_).status()), EUCLEAN);
  bytes_.resize(4096);
  EXPECT_FALSE(Mount(bytes_).ok());
  bytes_.resize(100);
  EXPECT_FALSE(Mount(bytes_).ok());
}

TEST_F(MountTest, LongerImageIsFine) {
  bytes_.resize(bytes_.size() + 123457);
  EXPECT_TRUE(Mount(bytes_).ok());
}

TEST_F(MountTest, NotAnXfsImageIsRefused) {
  EXPECT_EQ(ErrnoOf(Mount(std::vector<uint8_t>(1 << 20)).status()), EINVAL);
}

TEST_F(MountTest, UnneededLogDeviceIsRefused) {
  auto mount = Filesystem::Mount(
      std::make_unique<MemoryDevice>(bytes_),
      std::make_unique<MemoryDevice>(std::vector<uint8_t>(1 << 20)), kReadOnly);
  EXPECT_EQ(ErrnoOf(mount.status()), EINVAL);
  EXPECT_THAT(ErrorOf(mount), HasSubstr("logdev="));
}

TEST_F(MountTest, UnknownRefcountStrategyIsRefusedByName) {
  auto mount = Mount(bytes_, {.read_only = true, .refcount_strategy = "magic"});
  EXPECT_EQ(ErrnoOf(mount.status()), EINVAL);
  EXPECT_THAT(ErrorOf(mount), HasSubstr("there is: locked"));
}

TEST_F(MountTest, DamagedHeaderOfAnyAgIsRefused) {
  const uint64_t ag1 =
      Mount(bytes_).value()->geometry().AgfAddress(ondisk::AgNumber(1)).value
      << ondisk::kDiskAddressShift;
  const std::vector<uint8_t> sound = bytes_;
  SetInSector(ag1, ondisk::kAgfCrcOffset, offsetof(ondisk::Agf, flcount), 4,
              200);
  auto mount = Mount(bytes_);
  EXPECT_EQ(ErrnoOf(mount.status()), EUCLEAN);
  EXPECT_THAT(ErrorOf(mount), HasSubstr("AG 1"));
  EXPECT_THAT(ErrorOf(mount), HasSubstr("flcount is 200"));

  bytes_ = sound;
  SetInSector(ag1 + 512, ondisk::kAgiCrcOffset, offsetof(ondisk::Agi, level), 4,
              20);
  EXPECT_THAT(ErrorOf(Mount(bytes_)), HasSubstr("level is 20"));

  // A bad free-space root hurts writers only (the kernel mounts it too).
  bytes_ = sound;
  SetInSector(ag1, ondisk::kAgfCrcOffset, offsetof(ondisk::Agf, bnoroot), 4,
              0x7ffffff);
  EXPECT_TRUE(Mount(bytes_).ok());
}

TEST_F(MountTest, RootThatIsNoDirectoryIsRefused) {
  // The inode of attributes/acl, a file.
  Set(offsetof(Superblock, rootino), 8, 755);
  EXPECT_EQ(ErrnoOf(Mount(bytes_).status()), EUCLEAN);
}

TEST_F(MountTest, EveryReadThatFailsIsAnIoErrorOrHarmless) {
  auto counting =
      std::make_unique<FaultDevice>(std::make_unique<MemoryDevice>(bytes_));
  const FaultDevice& device = *counting;
  auto sound = Filesystem::Mount(std::move(counting), nullptr, kReadOnly);
  ASSERT_TRUE(sound.ok());
  const uint64_t reads = device.reads();
  ASSERT_GT(reads, 5u);
  for (uint64_t n = 1; n <= reads; ++n) {
    auto failing =
        std::make_unique<FaultDevice>(std::make_unique<MemoryDevice>(bytes_));
    failing->FailRead(n);
    auto mount = Filesystem::Mount(std::move(failing), nullptr, kReadOnly);
    EXPECT_EQ(ErrnoOf(mount.status()), EIO) << n;
  }
}

TEST(DirtyLog, IsRefusedUnlessNoRecovery) {
  auto mount = Mount(GoldenBytes("dirty-log"));
  EXPECT_EQ(ErrnoOf(mount.status()), EUCLEAN);
  EXPECT_THAT(ErrorOf(mount), HasSubstr("norecovery"));
  EXPECT_EQ(
      ErrnoOf(Mount(GoldenBytes("dirty-log"), {.no_recovery = true}).status()),
      EINVAL);
  auto seen =
      Mount(GoldenBytes("dirty-log"), {.read_only = true, .no_recovery = true});
  ASSERT_TRUE(seen.ok()) << ErrorOf(seen);
}

// ---- statfs ----

void ExpectTheKernelsStatistics(std::string_view image, bool no_recovery,
                                std::string_view manifest) {
  auto mount = Mount(GoldenBytes(image),
                     {.read_only = true, .no_recovery = no_recovery});
  ASSERT_TRUE(mount.ok()) << ErrorOf(mount);
  const auto ours = (*mount)->Statistics();
  ASSERT_TRUE(ours.ok());
  const nlohmann::json& kernel = GoldenManifest(manifest).statfs;
  EXPECT_EQ(ours->block_size, kernel.at("bsize"));
  EXPECT_EQ(ours->blocks, kernel.at("blocks"));
  EXPECT_EQ(ours->blocks_free, kernel.at("bfree"));
  EXPECT_EQ(ours->blocks_available, kernel.at("bavail"));
  EXPECT_EQ(ours->files, kernel.at("files"));
  EXPECT_EQ(ours->files_free, kernel.at("ffree"));
  EXPECT_EQ(ours->name_max, kernel.at("namemax"));
}

TEST(Statistics, AreTheKernelsForCleanImages) {
  for (const char* image : {"tiny-v5", "tiny-1k", "dir64k-1k"}) {
    SCOPED_TRACE(image);
    ExpectTheKernelsStatistics(image, false, image);
  }
}

TEST(Statistics, AreSummedUpFromTheAgsIfTheLogIsNotAsked) {
  ExpectTheKernelsStatistics("dirty-log", true, "dirty-log.norecovery");
}

// ---- the methods, end to end ----

TEST(Filesystem, IsAllocatedAsksTheInodeBtree) {
  auto mount = Mount(GoldenBytes("tiny-v5"));
  ASSERT_TRUE(mount.ok());
  const auto exists = [&](uint64_t number) {
    auto answer = (*mount)->IsAllocated(ondisk::InodeNumber(number));
    EXPECT_TRUE(answer.ok());
    return answer.value_or(false);
  };
  EXPECT_TRUE(exists(128));  // the root
  EXPECT_TRUE(exists(755));  // attributes/acl, as the kernel numbered it
  EXPECT_FALSE(exists(0));
  EXPECT_FALSE(exists(8));      // in the block of the AG headers
  EXPECT_FALSE(exists(20000));  // data blocks
  EXPECT_FALSE(exists(~uint64_t{0}));
}

TEST(Filesystem, ServesManyThreadsUnderATinyCache) {
  auto mount = Mount(GoldenBytes("tiny-v5"),
                     {.read_only = true, .cache_bytes = 64 << 10});
  ASSERT_TRUE(mount.ok());
  Filesystem& filesystem = **mount;
  const Manifest& manifest = GoldenManifest("tiny-v5");
  std::vector<std::pair<std::string, const nlohmann::json*>> paths;
  for (const auto& [path, record] : manifest.paths) {
    // Every seventh is enough, and keeps ThreadSanitizer's patience.
    if (paths.size() < 300) paths.emplace_back(path, &record);
  }
  std::atomic<uint64_t> wrong{0};
  InThreads(4, [&](int thread) {
    for (size_t i = 0; i < paths.size(); ++i) {
      const auto& [path, record] =
          paths[(i * 7 + static_cast<size_t>(thread) * 31) % paths.size()];
      auto inode = filesystem.LookupPath("/" + path);
      if (!inode.ok() || inode->value != record->at("ino")) {
        ++wrong;
        continue;
      }
      auto attributes = filesystem.GetAttributes(*inode);
      if (!attributes.ok() || attributes->links != record->at("nlink") ||
          attributes->size != record->at("size")) {
        ++wrong;
      }
      if (i % 50 == 0) filesystem.DropCaches();
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_THAT(filesystem.StatisticsText(), HasSubstr("buffers"));
}

}  // namespace
}  // namespace fusexfs
