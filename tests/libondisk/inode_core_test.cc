// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/inode_core.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/golden_image.h"
#include "tests/support/test_image.h"

namespace ondisk {
namespace {

using fusexfs::ImageBytes;
using fusexfs::InodeOfPath;

// Works on inodes that the kernel wrote.
class InodeTest : public testing::Test {
 protected:
  explicit InodeTest(std::string_view image = "tiny-v5") : image_(image) {}

  InodeNumber Number(std::string_view path) {
    return InodeOfPath("tiny-v5", path);
  }
  DiskInode& Disk(InodeNumber number) {
    return *reinterpret_cast<DiskInode*>(image_.Inode(number).data());
  }
  InodeCore Core(InodeNumber number) {
    return DecodeInode(number, image_.Inode(number));
  }
  // The first field that fails, of the core and then of the forks.
  std::string Failed(InodeNumber number) {
    const Bytes inode = image_.Inode(number);
    Checker check("inode", Where::Inode(number));
    VerifyInode(image_.geometry, number, inode, check);
    if (!check.failed() && Disk(number).mode.value() != 0) {
      VerifyInodeForks(image_.geometry, Core(number), inode, check);
    }
    return check.failed() ? check.findings().front().field : "";
  }
  // The same after `lie`, with a right checksum; the inode is restored.
  std::string FailedAfter(InodeNumber number,
                          const std::function<void(DiskInode&)>& lie) {
    const MutableBytes inode = image_.Inode(number);
    const std::vector<uint8_t> good(inode.begin(), inode.end());
    lie(Disk(number));
    if (image_.geometry.features.crc) image_.SealInode(number);
    std::string field = Failed(number);
    std::copy(good.begin(), good.end(), inode.begin());
    return field;
  }

  ImageBytes image_;
};

// A file with an extent and a short attribute, a file with a btree, a small
// directory, a directory with blocks, two symlinks, a device: all that a lie
// needs.
struct Lie {
  const char* what;
  const char* path;
  const char* field;  // that the verifier names
  void (*tell)(DiskInode&);
};

uint8_t* Fork(DiskInode& disk) {
  return reinterpret_cast<uint8_t*>(&disk) + sizeof(DiskInode);
}
DiskExtent& FirstExtent(DiskInode& disk) {
  return *reinterpret_cast<DiskExtent*>(Fork(disk));
}
void SetFirstExtent(DiskInode& disk, void (*change)(ExtentRecord&)) {
  ExtentRecord record = UnpackExtent(FirstExtent(disk));
  change(record);
  FirstExtent(disk) = PackExtent(record);
}
void SetFlags2(DiskInode& disk, uint64_t more) {
  disk.flags2.set(disk.flags2.value() | more);
}

// The first part are the lies of the public case list; the kernel answers
// EUCLEAN to each.
const Lie kLies[] = {
    {"version 2", "files/text", "version", [](auto& d) { d.version = 2; }},
    {"another's number", "files/text", "ino", [](auto& d) { d.ino.set(999); }},
    {"no file type", "files/text", "mode",
     [](auto& d) { d.mode.set(0170644); }},
    {"negative size", "files/text", "size",
     [](auto& d) { d.size.set(0xffffffffffffff00); }},
    {"btree of one", "files/text", "level", [](auto& d) { d.format = 3; }},
    {"local file", "files/text", "format", [](auto& d) { d.format = 1; }},
    {"device file format", "files/text", "forkoff",
     [](auto& d) { d.format = 0; }},
    {"device format without attributes", "files/text", "format",
     [](auto& d) {
       d.format = 0;
       d.forkoff = 1;
     }},
    {"many extents", "files/text", "nextents",
     [](auto& d) { d.big_nextents.set(100000); }},
    {"2^48 extents", "files/text", "nextents",
     [](auto& d) { d.big_nextents.set(0xffffffffffff); }},
    {"2^64 - 1 extents", "files/text", "nextents",
     [](auto& d) { d.big_nextents.set(~uint64_t{0}); }},
    {"fork offset behind the inode", "files/text", "forkoff",
     [](auto& d) { d.forkoff = 200; }},
    {"fork offset at the inode's end", "files/text", "forkoff",
     [](auto& d) { d.forkoff = (512 - 176) / 8; }},
    {"fork offset 1", "files/text", "nextents", [](auto& d) { d.forkoff = 1; }},
    {"attributes in a btree", "files/text", "level",
     [](auto& d) { d.aformat = 3; }},
    {"attributes in many extents", "files/text", "anextents",
     [](auto& d) {
       d.aformat = 2;
       d.nextents.set(40);
     }},
    {"2^32 - 1 attribute extents", "files/text", "anextents",
     [](auto& d) {
       d.aformat = 2;
       d.nextents.set(0xffffffff);
     }},
    {"no blocks", "files/text", "nextents", [](auto& d) { d.nblocks.set(0); }},
    {"data in the AG headers", "files/text", "startblock",
     [](auto& d) { SetFirstExtent(d, [](auto& e) { e.block = FsBlock(0); }); }},
    {"data behind its AG", "files/text", "startblock",
     [](auto& d) {
       SetFirstExtent(d, [](auto& e) { e.block = FsBlock(4090); });
     }},
    {"data behind the image", "files/text", "startblock",
     [](auto& d) {
       SetFirstExtent(d, [](auto& e) { e.block = FsBlock(0xfffffffffff); });
     }},
    {"empty extent", "files/text", "blockcount",
     [](auto& d) { SetFirstExtent(d, [](auto& e) { e.count = 0; }); }},
    {"extent of 2^21 - 1 blocks", "files/text", "startblock",
     [](auto& d) { SetFirstExtent(d, [](auto& e) { e.count = 0x1fffff; }); }},
    {"empty btree root", "files/twenty-extents", "numrecs",
     [](auto& d) { Fork(d)[2] = Fork(d)[3] = 0; }},
    {"btree root of 4000", "files/twenty-extents", "numrecs",
     [](auto& d) { Fork(d)[2] = 0x0f; }},
    {"btree root of level 0", "files/twenty-extents", "level",
     [](auto& d) { Fork(d)[1] = 0; }},
    {"btree root of level 60", "files/twenty-extents", "level",
     [](auto& d) { Fork(d)[1] = 60; }},
    {"btree of three extents", "files/twenty-extents", "nextents",
     [](auto& d) { d.big_nextents.set(3); }},
    {"empty symlink", "symlinks/length-96", "size",
     [](auto& d) { d.size.set(0); }},
    {"symlink of 5000 bytes", "symlinks/length-96", "size",
     [](auto& d) { d.size.set(5000); }},
    {"small directory as a file", "files", "format",
     [](auto& d) { d.mode.set(0100644); }},
    {"shared directory", "files", "flags2",
     [](auto& d) { SetFlags2(d, kInodeFlag2Reflink); }},
    {"realtime file", "files/text", "flags",
     [](auto& d) { d.flags.set(kInodeFlagRealtime); }},
    // The kernel reads these times; nothing can come of them.
    {"4 * 10^9 nanoseconds", "files/text", "mtime",
     [](auto& d) {
       d.flags2.set(d.flags2.value() & ~kInodeFlag2Bigtime);
       d.atime.set(1);
       d.mtime.set(4000000000);
       d.ctime.set(1);
       d.crtime.set(1);
     }},
    // More than the list has.
    {"magic", "files/text", "magic", [](auto& d) { d.magic.set(0x4949); }},
    {"another filesystem", "files/text", "uuid",
     [](auto& d) { d.uuid[7] ^= 1; }},
    {"old link count", "files/text", "onlink",
     [](auto& d) { d.onlink.set(1); }},
    {"nrext64 padding", "files/text", "nrext64_pad",
     [](auto& d) { d.anextents.set(1); }},
    {"V3 padding", "files/text", "v3_pad",
     [](auto& d) { d.flags2.set(d.flags2.value() & ~kInodeFlag2Nrext64); }},
    {"blocks without extents", "files/empty", "nblocks",
     [](auto& d) { d.nblocks.set(1); }},
    {"directory with blocks that fits inside", "attributes", "format",
     [](auto& d) { d.size.set(6); }},
    {"directory of size 0", "files", "size", [](auto& d) { d.size.set(0); }},
    {"directory longer than its fork", "files", "size",
     [](auto& d) { d.size.set(400); }},
    {"local directory with extents", "files", "nextents",
     [](auto& d) {
       d.big_nextents.set(1);
       d.nblocks.set(1);
     }},
    {"device in extents", "special_files/char", "format",
     [](auto& d) { d.format = 2; }},
    {"fork offset of a device", "special_files/char", "forkoff",
     [](auto& d) { d.forkoff = 2; }},
    {"never used format", "files/text", "format",
     [](auto& d) { d.format = 4; }},
    {"unknown format", "files/text", "format", [](auto& d) { d.format = 200; }},
    {"realtime metadata format", "files/text", "format",
     [](auto& d) { d.format = 5; }},
    {"attribute device format", "files/text", "aformat",
     [](auto& d) { d.aformat = 0; }},
    {"attribute format without a fork", "files/text", "aformat",
     [](auto& d) { d.forkoff = 0; }},
    {"local attributes with extents", "files/text", "anextents",
     [](auto& d) { d.nextents.set(1); }},
    {"hint without its flag", "files/text", "extsize",
     [](auto& d) { d.extsize.set(4); }},
    {"flag without its hint", "files/text", "extsize",
     [](auto& d) { d.flags.set(kInodeFlagExtentSize); }},
    {"file hint on a directory", "files", "flags",
     [](auto& d) {
       d.flags.set(kInodeFlagExtentSize);
       d.extsize.set(4);
     }},
    {"directory hint on a file", "files/text", "flags",
     [](auto& d) {
       d.flags.set(kInodeFlagExtentSizeInherit);
       d.extsize.set(4);
     }},
    {"hint of more than half an AG", "files/text", "extsize",
     [](auto& d) {
       d.flags.set(kInodeFlagExtentSize);
       d.extsize.set(2049);
     }},
    {"hint of 2^32 - 1", "files/text", "extsize",
     [](auto& d) {
       d.flags.set(kInodeFlagExtentSize);
       d.extsize.set(0xffffffff);
     }},
    {"copy-on-write hint without its flag", "files/text", "cowextsize",
     [](auto& d) { d.cowextsize.set(4); }},
    {"copy-on-write flag without its hint", "files/text", "cowextsize",
     [](auto& d) { SetFlags2(d, kInodeFlag2CowExtentSize); }},
    {"metadata flag without the feature", "files/text", "flags2",
     [](auto& d) { SetFlags2(d, kInodeFlag2Metadata); }},
    {"zero byte in a symlink", "symlinks/length-96", "target",
     [](auto& d) { Fork(d)[17] = 0; }},
    {"unwritten attribute extent", "attributes/leaf", "extentflag",
     [](auto& d) { Fork(d)[d.forkoff * 8] |= 0x80; }},
};

TEST_F(InodeTest, OfTheKernelPasses) {
  size_t inodes = 0;
  for (const auto& [path, record] : fusexfs::GoldenManifest("tiny-v5").paths) {
    EXPECT_EQ(Failed(InodeNumber(record["ino"].get<uint64_t>())), "") << path;
    ++inodes;
  }
  EXPECT_GT(inodes, 4000u);
}

TEST_F(InodeTest, IsRefusedForEachLieAndTheFieldIsNamed) {
  for (const Lie& lie : kLies) {
    EXPECT_EQ(FailedAfter(Number(lie.path), lie.tell), lie.field) << lie.what;
  }
}

TEST_F(InodeTest, IsAcceptedWhereTheKernelAcceptsIt) {
  const InodeNumber text = Number("files/text");
  // An extent moved up to the last file block that can be.
  EXPECT_EQ(FailedAfter(text,
                        [](auto& d) {
                          SetFirstExtent(d, [](auto& e) {
                            e.start = FileBlock(0x3fffffffffffff);
                          });
                        }),
            "");
  EXPECT_EQ(FailedAfter(text, [](auto& d) { d.nlink.set(0); }), "");
  EXPECT_EQ(FailedAfter(text, [](auto& d) { d.size.set(~uint64_t{0} >> 1); }),
            "");
  // A big directory's mode on a file: its blocks will say what they are.
  EXPECT_EQ(FailedAfter(text, [](auto& d) { d.mode.set(040755); }), "");
  // A symlink that moved out for attributes which are gone since.
  EXPECT_EQ(FailedAfter(Number("symlinks/length-400"),
                        [](auto& d) { d.size.set(96); }),
            "");
  // A removed directory waits for its end with size 0 and no links.
  EXPECT_EQ(FailedAfter(Number("attributes"),
                        [](auto& d) {
                          d.size.set(0);
                          d.nlink.set(0);
                        }),
            "");
  // A free inode keeps its hint.
  EXPECT_EQ(FailedAfter(Number("files/empty"),
                        [](auto& d) {
                          d.mode.set(0);
                          d.forkoff = 0;
                          d.aformat = 2;
                          d.extsize.set(4);
                        }),
            "");
}

TEST_F(InodeTest, EveryByteIsUnderTheChecksum) {
  const InodeNumber number = Number("files/text");
  for (size_t i = 0; i < image_.geometry.inode_size; i += 7) {
    image_.Inode(number)[i] ^= 0x10;
    EXPECT_NE(Failed(number), "") << "byte " << i;
    image_.Inode(number)[i] ^= 0x10;
  }
  EXPECT_EQ(Failed(number), "");
}

TEST_F(InodeTest, RefusesBytesOfAnotherLength) {
  const InodeNumber number = Number("files/text");
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{100}, size_t{511}}) {
    Checker check("inode", Where::Inode(number));
    VerifyInode(image_.geometry, number, image_.Inode(number).first(bytes),
                check);
    ASSERT_TRUE(check.failed());
    EXPECT_EQ(check.findings().front().field, "inode size");
  }
}

// Words of xfs_db's `inode N`, `print`.
TEST_F(InodeTest, DecodesForksAndDevices) {
  const InodeCore file = Core(Number("files/twenty-extents"));
  EXPECT_EQ(file.data_format, ForkFormat::kBtree);
  EXPECT_EQ(file.attribute_format, ForkFormat::kLocal);
  EXPECT_EQ(file.data_extents, 36u);
  EXPECT_EQ(file.attribute_extents, 0u);
  EXPECT_EQ(file.data_fork_offset, 176u);
  EXPECT_EQ(file.data_fork_size, 24u * 8);
  EXPECT_EQ(file.attribute_fork_offset, 176u + 24 * 8);
  EXPECT_EQ(file.attribute_fork_size, 512u - 176 - 24 * 8);
  EXPECT_EQ(file.next_unlinked.value, kNullAgInode);
  EXPECT_EQ(file.flags2, 0x18u);
  EXPECT_FALSE(file.is_reflinked());
  EXPECT_TRUE(Core(Number("shared/part")).is_reflinked());

  const InodeCore device = Core(Number("special_files/char-large"));
  EXPECT_TRUE(device.is_device());
  EXPECT_EQ(device.device_major, 511u);
  EXPECT_EQ(device.device_minor, 262143u);
  EXPECT_EQ(device.data_fork_size, 8u);
}

TEST_F(InodeTest, ClusterChecksAreMagicVersionAndUnlinkedLink) {
  const InodeNumber number = Number("files/text");
  const AgNumber ag = image_.geometry.AgOf(number);
  const auto failed = [&] {
    Checker check("inode cluster", Where::Inode(number));
    VerifyInodeInCluster(image_.geometry, ag, image_.Inode(number), check);
    return check.failed() ? check.findings().front().field : "";
  };
  Disk(number).uid.set(12345);  // the checksum is wrong now: not asked here
  EXPECT_EQ(failed(), "");
  for (const uint32_t bad : {0u, 0x7ffffff0u, 0xfffffffeu, 7u}) {
    Disk(number).next_unlinked.set(bad);
    EXPECT_EQ(failed(), "next_unlinked") << bad;
  }
  Disk(number).next_unlinked.set(image_.geometry.AgInodeOf(number).value);
  EXPECT_EQ(failed(), "");
  Disk(number).version = 2;
  EXPECT_EQ(failed(), "version");
  Disk(number).magic.set(0);
  EXPECT_EQ(failed(), "magic");
}

TEST_F(InodeTest, IsExplainedFieldByField) {
  const InodeNumber number = Number("files/twenty-extents");
  const Explanation good =
      ExplainInode(image_.geometry, number, image_.Inode(number));
  EXPECT_TRUE(good.AllChecksHold());
  const auto row = [](const Explanation& e, std::string_view name) {
    for (const ExplainedField& field : e.fields) {
      if (field.name == name) return field;
    }
    return ExplainedField{};
  };
  EXPECT_EQ(row(good, "mode").value, "0100644 file");
  EXPECT_EQ(row(good, "nextents").offset, 24u);
  EXPECT_EQ(row(good, "nextents").value, "36");
  EXPECT_EQ(row(good, "flags2").value, "0x18 bigtime|nrext64");
  EXPECT_EQ(row(good, "forkoff").value, "24");
  const auto& mtime =
      fusexfs::GoldenManifest("tiny-v5").At("files/twenty-extents")["mtime"];
  EXPECT_NE(
      row(good, "mtime")
          .value.find("(" + mtime[0].dump() + " s " + mtime[1].dump() + " ns)"),
      std::string::npos);
  ASSERT_EQ(good.parts.size(), 2u);
  EXPECT_EQ(row(good.parts[0], "numrecs").value, "1");
  EXPECT_EQ(row(good.parts[0], "keys[1]").value, "0");

  Disk(number).big_nextents.set(~uint64_t{0});
  const Explanation bad =
      ExplainInode(image_.geometry, number, image_.Inode(number));
  EXPECT_NE(row(bad, "crc").problem, "");
  EXPECT_NE(row(bad, "nextents").problem, "");
}

TEST_F(InodeTest, AnyBytesCanBeExplained) {
  const InodeNumber number = Number("files/twenty-extents");
  const MutableBytes inode = image_.Inode(number);
  uint32_t random = 12345;
  for (int round = 0; round < 2000; ++round) {
    for (uint8_t& byte : inode) {
      random = random * 1664525 + 1013904223;
      byte = static_cast<uint8_t>(random >> 24);
    }
    DiskInode& disk = Disk(number);
    if (round % 2 == 0) {  // past the first checks
      disk.magic.set(kInodeMagic);
      disk.version = 3;
      disk.ino.set(number.value);
      disk.format %= 6;
      disk.aformat %= 4;
      std::copy(image_.geometry.meta_uuid.begin(),
                image_.geometry.meta_uuid.end(), disk.uuid);
      image_.SealInode(number);
    }
    const Explanation explanation =
        ExplainInode(image_.geometry, number, inode);
    EXPECT_FALSE(explanation.AllChecksHold());
  }
  const Explanation cut =
      ExplainInode(image_.geometry, number, inode.first(60));
  EXPECT_FALSE(cut.AllChecksHold());
}

// Inodes of version 2, and of version 1 as older systems left them.
class OldInodeTest : public InodeTest {
 protected:
  OldInodeTest() : InodeTest("tiny-v4") {}
  InodeNumber number_ = InodeOfPath("tiny-v4", "attributes/leaf");
};

TEST_F(OldInodeTest, OfVersion2PassesAndIsDecoded) {
  EXPECT_EQ(Failed(number_), "");
  const InodeCore core = Core(number_);
  EXPECT_EQ(core.version, 2);
  EXPECT_FALSE(core.has_birth_time());
  EXPECT_EQ(core.data_fork_offset, 100u);
  EXPECT_EQ(core.flags2, 0u);
}

TEST_F(OldInodeTest, OfVersion1CountsLinksElsewhereAndHasNoProject) {
  DiskInode& disk = Disk(number_);
  disk.version = 1;
  disk.onlink.set(3);
  disk.projid_lo.set(9);
  EXPECT_EQ(Failed(number_), "");
  EXPECT_EQ(Core(number_).nlink, 3u);
  EXPECT_EQ(Core(number_).projid, 0u);
}

TEST_F(OldInodeTest, IsRefusedForEachLie) {
  EXPECT_EQ(FailedAfter(number_, [](auto& d) { d.version = 3; }), "version");
  EXPECT_EQ(FailedAfter(number_, [](auto& d) { d.version = 0; }), "version");
  EXPECT_EQ(FailedAfter(number_, [](auto& d) { d.onlink.set(1); }), "onlink");
  EXPECT_EQ(FailedAfter(number_, [](auto& d) { d.nextents.set(0x7fffffff); }),
            "nextents");
  EXPECT_EQ(FailedAfter(number_, [](auto& d) { d.forkoff = 255; }), "forkoff");
  EXPECT_EQ(FailedAfter(number_, [](auto& d) { d.mtime.set(~uint64_t{0}); }),
            "mtime");
}

TEST(InodeFieldTables, CoverTheCoreWithoutGapOrOverlap) {
  const struct {
    uint8_t version;
    bool nrext64;
    uint32_t size;
  } kKinds[] = {
      {1, false, 100}, {2, false, 100}, {3, false, 176}, {3, true, 176}};
  for (const auto& kind : kKinds) {
    uint32_t at = 0;
    for (const FieldTable* table :
         InodeFieldTables(kind.version, kind.nrext64)) {
      for (const Field& field : table->fields) {
        EXPECT_EQ(field.offset, at) << field.name;
        at = field.offset + field.size * field.count;
      }
    }
    EXPECT_EQ(at, kind.size);
  }
}

}  // namespace
}  // namespace ondisk
