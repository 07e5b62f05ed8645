// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/mount_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "fusexfs/space/refcount_lookup.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MountWords Parse(std::string_view argument) {
  MountWords words;
  const absl::Status status = ParseMountWords(argument, words);
  EXPECT_TRUE(status.ok()) << ondisk::MessageOf(status);
  return words;
}

// The message with which `argument` is refused.
std::string Refusal(std::string_view argument) {
  MountWords words;
  const absl::Status status = ParseMountWords(argument, words);
  EXPECT_FALSE(status.ok()) << argument;
  EXPECT_EQ(ondisk::ErrnoOf(status), EINVAL) << argument;
  return std::string(ondisk::MessageOf(status));
}

TEST(SplitMountWordsTest, SplitsAtCommasAndDropsEmptyWords) {
  EXPECT_THAT(SplitMountWords("ro,,dev,"), ElementsAre("ro", "dev"));
  EXPECT_THAT(SplitMountWords(""), IsEmpty());
}

TEST(SplitMountWordsTest, KeepsCommasWithinQuotes) {
  EXPECT_THAT(SplitMountWords(R"(context="u:r:t:s0:c1,c2",ro)"),
              ElementsAre(R"(context="u:r:t:s0:c1,c2")", "ro"));
}

TEST(SplitMountWordsTest, KeepsEscapedCommasAndBackslashes) {
  EXPECT_THAT(SplitMountWords(R"(fsname=a\,b,logdev=c\\d)"),
              ElementsAre("fsname=a,b", R"(logdev=c\d)"));
}

TEST(MountWordsTest, StartsWithTheDefaultsOfTheEngine) {
  const MountWords words = Parse("");
  EXPECT_EQ(words.engine.cache_bytes, uint64_t{256} << 20);
  EXPECT_EQ(words.engine.refcount_strategy, "locked");
  EXPECT_FALSE(words.engine.no_recovery);
  EXPECT_FALSE(words.read_only_asked);
  EXPECT_FALSE(words.allow_other);
  EXPECT_EQ(words.partition, 0u);
}

TEST(MountWordsTest, TakesWhatConcernsTheEngineAndTheImage) {
  const MountWords words = Parse(
      "norecovery,cache=64M,refcount=locked,pptr-fastpath,"
      "offset=1M,logdev=/tmp/log");
  EXPECT_TRUE(words.engine.no_recovery);
  EXPECT_EQ(words.engine.cache_bytes, uint64_t{64} << 20);
  EXPECT_TRUE(words.pptr_fastpath);
  EXPECT_EQ(words.offset, 1048576u);
  EXPECT_EQ(words.log_device, "/tmp/log");
  EXPECT_THAT(words.library_words, IsEmpty());
  EXPECT_EQ(Parse("partition=3").partition, 3u);
}

TEST(MountWordsTest, LaterReadOnlyWordWins) {
  EXPECT_TRUE(Parse("rw,ro").read_only_asked);
  EXPECT_FALSE(Parse("ro,rw").read_only_asked);
  EXPECT_TRUE(Parse("ro,rw").read_write_asked);
  EXPECT_FALSE(Parse("rw,ro").read_write_asked);
  EXPECT_FALSE(Parse("").read_write_asked);
}

TEST(MountWordsTest, PassesWhatTheKernelKnowsInOrder) {
  const MountWords words = Parse("nosuid,dev,noatime,context=a:b");
  EXPECT_THAT(words.library_words,
              ElementsAre("nosuid", "dev", "noatime", "context=a:b"));
}

TEST(MountWordsTest, KeepsApartWhatItDecidesItself) {
  const MountWords words =
      Parse("allow_other,default_permissions,blkdev,fsname=x,subtype=y");
  EXPECT_TRUE(words.allow_other);
  EXPECT_TRUE(words.default_permissions);
  EXPECT_TRUE(words.block_device);
  EXPECT_EQ(words.fsname, "x");
  EXPECT_EQ(words.subtype, "y");
  EXPECT_EQ(words.max_read, 0u);
  EXPECT_EQ(Parse("max_read=64K").max_read, 65536u);
  EXPECT_THAT(words.library_words, IsEmpty());
}

// What an /etc/fstab line may hold for mount(8), systemd and others.
TEST(MountWordsTest, IgnoresWhatIsMeantForOthers) {
  const MountWords words = Parse(
      "defaults,auto,noauto,nofail,user,users,user=root,owner,_netdev,"
      "relatime,strictatime,lazytime,x-systemd.automount,X-mount.mkdir,"
      "comment=x");
  EXPECT_THAT(words.library_words, IsEmpty());
}

// An /etc/fstab line that was written for the kernel's XFS.
TEST(MountWordsTest, TakesWordsOfTheKernelThatDoNotChangeWhatIsRead) {
  for (const char* word :
       {"nouuid",    "inode64",     "inode32",       "noquota",
        "attr2",     "noattr2",     "largeio",       "nolargeio",
        "swalloc",   "ikeep",       "noikeep",       "discard",
        "nodiscard", "logbufs=8",   "logbsize=256k", "allocsize=64m",
        "prjquota",  "usrquota",    "uquota",        "gquota",
        "wsync",     "filestreams", "sunit=64",      "swidth=128"}) {
    EXPECT_THAT(Parse(word).library_words, IsEmpty()) << word;
  }
  EXPECT_TRUE(Parse("nouuid,norecovery,ro").engine.no_recovery);
}

TEST(MountWordsTest, RefusesAProtectionThatItCannotGive) {
  EXPECT_THAT(Refusal("ro,nosymfollow"), HasSubstr("remount,bind,nosymfollow"));
}

TEST(MountWordsTest, RecoversNothingOnReadOnlyMountsOnly) {
  EXPECT_TRUE(CheckMountWords(Parse("norecovery")).ok());
  EXPECT_TRUE(CheckMountWords(Parse("rw,ro,norecovery")).ok());
  EXPECT_EQ(ondisk::ErrnoOf(CheckMountWords(Parse("rw,norecovery"))), EINVAL);
}

TEST(MountWordsTest, SourceOfABlockMountIsItsDevice) {
  EXPECT_TRUE(CheckMountWords(Parse("blkdev")).ok());
  EXPECT_TRUE(CheckMountWords(Parse("fsname=x")).ok());
  EXPECT_EQ(ondisk::ErrnoOf(CheckMountWords(Parse("blkdev,fsname=x"))), EINVAL);
}

TEST(MountWordsTest, RefusesUnknownWordsByName) {
  EXPECT_THAT(Refusal("ro,frobnicate"), HasSubstr("frobnicate: unknown"));
  EXPECT_THAT(Refusal("norecover"), HasSubstr("norecover: unknown"));
  EXPECT_THAT(Refusal("cache"), HasSubstr("cache: unknown"));
  EXPECT_THAT(Refusal("ro=1"), HasSubstr("ro=1: unknown"));
  EXPECT_THAT(Refusal("remount,ro"), HasSubstr("remount"));
}

// libfuse's check of the user lets READ through: everybody could read
// everything.
TEST(MountWordsTest, RefusesAllowRootAndSaysWhatToUse) {
  EXPECT_THAT(Refusal("ro,allow_root"), HasSubstr("use allow_other"));
}

TEST(MountWordsTest, RefusesBadValuesByName) {
  EXPECT_THAT(Refusal("cache=much"), HasSubstr("cache=much"));
  EXPECT_THAT(Refusal("cache=1023K"), HasSubstr("at least 1M"));
  EXPECT_THAT(Refusal("offset=100"), HasSubstr("multiple of 512"));
  EXPECT_THAT(Refusal("offset=x"), HasSubstr("offset=x"));
  EXPECT_THAT(Refusal("partition=0"), HasSubstr("from 1"));
  EXPECT_THAT(Refusal("partition=1x"), HasSubstr("from 1"));
  EXPECT_THAT(Refusal("partition=99999999999"), HasSubstr("from 1"));
  EXPECT_THAT(Refusal("max_read=4095"), HasSubstr("4K to 1G"));
  EXPECT_THAT(Refusal("max_read=2G"), HasSubstr("4K to 1G"));
  EXPECT_THAT(Refusal("max_read=x"), HasSubstr("max_read=x"));
  EXPECT_THAT(Refusal("refcount="), HasSubstr("no such strategy"));
  EXPECT_THAT(Refusal("logdev="), HasSubstr("needs a value"));
  EXPECT_THAT(Refusal("fsname="), HasSubstr("needs a value"));
}

TEST(MountWordsTest, TakesTheStrategiesThatThereAreAndNamesThemOtherwise) {
  const std::string refusal = Refusal("refcount=magic");
  for (const RefcountStrategy& strategy : RefcountStrategies()) {
    const MountWords words = Parse("refcount=" + std::string(strategy.name));
    EXPECT_EQ(words.engine.refcount_strategy, strategy.name);
    EXPECT_THAT(refusal, HasSubstr(std::string(strategy.name)));
  }
}

TEST(MountWordsTest, OffsetAndPartitionExcludeEachOther) {
  EXPECT_TRUE(CheckMountWords(Parse("offset=4096")).ok());
  EXPECT_TRUE(CheckMountWords(Parse("partition=1")).ok());
  EXPECT_EQ(ondisk::ErrnoOf(CheckMountWords(Parse("offset=4096,partition=1"))),
            EINVAL);
}

}  // namespace
}  // namespace fusexfs
