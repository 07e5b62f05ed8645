// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libondisk/log_item_attribute.h"
#include "libondisk/log_item_buffer.h"
#include "libondisk/log_item_extent_free.h"
#include "libondisk/log_item_inode.h"
#include "tests/support/bytes.h"
#include "tests/support/log_samples.h"

namespace ondisk {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> FieldsAtFault(const LogSample& sample,
                                       const Geometry& geometry) {
  Checker check("log item", Where::Log(0), Checker::Mode::kAllFindings);
  VerifyLogItem(geometry, sample.views(), check);
  std::vector<std::string> fields;
  for (const Finding& finding : check.findings()) {
    fields.push_back(finding.field);
  }
  return fields;
}

Explanation Explain(const LogSample& sample) {
  return ExplainLogItem(LogSampleGeometry(), sample.views(), 0, Where::Log(7));
}

std::string ValueOf(const Explanation& explanation, std::string_view field) {
  for (const ExplainedField& row : explanation.fields) {
    if (row.name == field) return row.value;
  }
  return "no such field";
}

TEST(LogItemTest, AllSamplesPassAndTheirExplanationsHold) {
  for (const LogSample& sample : LogSamples()) {
    EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()), IsEmpty())
        << sample.name;
    const Explanation explanation = Explain(sample);
    EXPECT_TRUE(explanation.AllChecksHold()) << sample.name;
    EXPECT_FALSE(explanation.fields.empty()) << sample.name;
    EXPECT_FALSE(explanation.about.empty()) << sample.name;
  }
}

TEST(LogItemTest, TypesAreNamedAndKnowTheirRole) {
  EXPECT_EQ(LogItemTypeName(0x123b), "inode");
  EXPECT_EQ(LogItemTypeName(0x1246), "ATTRI");
  EXPECT_EQ(LogItemTypeName(0x124f), "CUD_RT");
  EXPECT_EQ(LogItemTypeName(0x1250), "unknown");
  EXPECT_TRUE(IsLogIntent(LogItemType::kXmi));
  EXPECT_FALSE(IsLogIntent(LogItemType::kXmd));
  EXPECT_TRUE(IsLogDone(LogItemType::kRudRt));
  EXPECT_FALSE(IsLogDone(LogItemType::kInode));
}

// Expected values from here on were printed by xfs_logprint.
TEST(LogItemTest, FreedExtentsReadAlikeInBothForms) {
  for (const char* name : {"EFI", "EFI of a 32-bit kernel", "EFD"}) {
    const LogSample& sample = LogSampleOf(name);
    const LogFreeExtent extent = LogFreeExtentAt(sample.regions[0], 0);
    EXPECT_EQ(extent.start, FsBlock(0x974d)) << name;
    EXPECT_EQ(extent.length, 3u) << name;
    EXPECT_EQ(ValueOf(Explain(sample), "id"), "0xffff88810450b5f0");
  }
  const LogFreeExtent second =
      LogFreeExtentAt(LogSampleOf("EFI of a 32-bit kernel").regions[0], 1);
  EXPECT_EQ(second.start, FsBlock(0x9cf5));
  EXPECT_EQ(second.length, 3u);
}

TEST(LogItemTest, InodeFormatsReadAlikeInBothForms) {
  for (const char* name : {"inode", "inode of a 32-bit kernel"}) {
    const LogSample& sample = LogSampleOf(name);
    const std::vector<Bytes> regions = sample.views();
    const LogInodeItem item = ReadLogInode(regions);
    EXPECT_EQ(item.fields, 0x45u) << name;
    EXPECT_EQ(item.inode, InodeNumber(0x86)) << name;
    EXPECT_EQ(item.data_bytes, 16u) << name;
    EXPECT_EQ(item.attribute_bytes, 21u) << name;
    EXPECT_EQ(item.buffer, DiskAddress(128)) << name;
    EXPECT_EQ(item.buffer_length, 32u) << name;
    EXPECT_EQ(item.buffer_offset, 3072u) << name;
    EXPECT_EQ(item.data.size(), 16u) << name;
    EXPECT_EQ(item.attributes.size(), 24u) << name;
  }
}

TEST(LogItemTest, LoggedInodeCoreIsReadInTheWritersOrder) {
  const Explanation item = Explain(LogSampleOf("inode"));
  ASSERT_EQ(item.parts.size(), 3u);
  const Explanation& core = item.parts[0];
  EXPECT_EQ(ValueOf(core, "di_mode"), "0100644 file");
  EXPECT_EQ(ValueOf(core, "di_gen"), "823159623");  // 0x31106b47
  EXPECT_EQ(ValueOf(core, "di_forkoff"), "24");
  EXPECT_THAT(ValueOf(core, "di_flags2"), HasSubstr("0x1a"));
  EXPECT_EQ(ValueOf(core, "di_big_nextents"), "1");
  EXPECT_EQ(ValueOf(core, "di_ino"), "134");
  EXPECT_EQ(ValueOf(core, "di_uuid"), "02f92713-eb8a-4b11-b9c5-215003b3a112");
  // The file was made on the day of the session that cut the sample out.
  EXPECT_THAT(ValueOf(core, "di_mtime"), HasSubstr("2026-11-30"));
}

TEST(LogItemTest, BufferItemSaysWhatChangedWhere) {
  const LogSample& sample = LogSampleOf("buffer");
  const auto& format = View<LogBufferFormat>(sample.regions[0]);
  EXPECT_EQ(format.content(), LogBufferContent::kAgi);
  EXPECT_EQ(format.blf_blkno.value(), 2u);
  const std::vector<Bytes> regions = sample.views();
  const std::vector<LogBufferRun> runs = LogBufferRuns(regions);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].offset, 0u);
  EXPECT_EQ(runs[0].bytes.size(), 128u);
}

TEST(LogItemTest, BufferRunsMayBeCutOverRegionsAndHaveHoles) {
  // Chunks 1, 2, 3 and 6 of a 1 KiB block; the run of three comes in two.
  LogSample sample{"cut",
                   {BytesFromHex("3c1204000020020008000000000000000100000"
                                 "04e000000"),
                    std::vector<uint8_t>(128, 1), std::vector<uint8_t>(256, 2),
                    std::vector<uint8_t>(128, 3)}};
  EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()), IsEmpty());
  const std::vector<Bytes> regions = sample.views();
  std::vector<std::pair<uint32_t, size_t>> runs;
  for (const LogBufferRun& run : LogBufferRuns(regions)) {
    runs.emplace_back(run.offset, run.bytes.size());
  }
  EXPECT_THAT(runs, ElementsAre(std::pair(128u, 128u), std::pair(256u, 256u),
                                std::pair(768u, 128u)));
  sample.regions.pop_back();  // a chunk without data
  PutLittle(sample.regions[0], 2, 2, 3);
  EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()),
              ElementsAre("blf_data_map"));
}

TEST(LogItemTest, CancelledBufferNeedsNoData) {
  LogSample sample{"cancelled", {LogSampleOf("buffer").regions[0]}};
  PutLittle(sample.regions[0], 2, 2, 1);
  PutLittle(sample.regions[0], 4, 2, 0x3802);
  EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()), IsEmpty());
  EXPECT_THAT(LogBufferRuns(sample.views()), IsEmpty());
}

TEST(LogItemTest, ParentReplacementHasTwoNamesAndTwoValues) {
  const LogSample& sample = LogSampleOf("ATTRI parent replace");
  const std::vector<Bytes> regions = sample.views();
  const LogAttributeChange change = ReadLogAttri(regions);
  EXPECT_EQ(change.operation, LogAttributeOperation::kParentReplace);
  EXPECT_EQ(change.name, "f1");
  EXPECT_EQ(change.new_name, "g1n");
  EXPECT_EQ(change.inode, InodeNumber(0x86));
  EXPECT_EQ(change.generation, 0x31106b47u);
  const Explanation explanation = Explain(sample);
  EXPECT_EQ(ValueOf(explanation, "value"), "directory 67 generation 305441741");
  EXPECT_EQ(ValueOf(explanation, "new value"), "directory 68 generation 7");
}

TEST(LogItemTest, AttributeSetHasValueWithoutItsPadding) {
  const LogSample& sample = LogSampleOf("ATTRI set");
  const std::vector<Bytes> regions = sample.views();
  const LogAttributeChange change = ReadLogAttri(regions);
  EXPECT_EQ(change.name, "abc");
  EXPECT_EQ(change.value.size(), 5u);
  EXPECT_TRUE(change.new_name.empty());
}

TEST(LogItemTest, IntentsShowTheirExtents) {
  EXPECT_EQ(ValueOf(Explain(LogSampleOf("CUI")), "extent[0]"),
            "decrease: block 0x45cc, 1 blocks");
  EXPECT_EQ(ValueOf(Explain(LogSampleOf("RUI")), "extent[0]"),
            "unmap shared: owner 68 offset 17116 -> block 0xc940, 1 blocks, "
            "flags 0x0");
  EXPECT_EQ(ValueOf(Explain(LogSampleOf("BUI")), "extent[0]"),
            "unmap: inode 67 offset 302 -> block 0x1ec, 1 blocks, flags 0x0");
  const Explanation xmi = Explain(LogSampleOf("XMI"));
  EXPECT_EQ(ValueOf(xmi, "xmi_blockcount"), "11696");
  EXPECT_EQ(ValueOf(xmi, "xmi_startoff2"), "303");
  EXPECT_EQ(ValueOf(xmi, "xmi_flags"), "0x2 set-sizes");
}

struct Damage {
  const char* sample;
  size_t region;
  size_t offset;
  size_t size;
  uint64_t value;
  const char* field;
};

TEST(LogItemTest, EachLieIsFoundInItsField) {
  const Damage damages[] = {
      {"EFI", 0, 4, 4, 2, "count"},
      {"EFI", 0, 4, 4, 0xffffffff, "count"},
      {"EFI", 0, 2, 2, 2, "regions"},
      {"EFI", 0, 16, 8, 1, "extent[0].start_block"},  // AG headers
      {"EFI", 0, 16, 8, ~uint64_t{0}, "extent[0].start_block"},
      {"EFI", 0, 24, 4, 0, "extent[0].start_block"},
      {"EFI", 0, 24, 4, 0xffffffff, "extent[0].start_block"},
      {"EFI_RT", 0, 24, 4, 0, "extent[0].start_block"},
      {"inode", 0, 4, 4, 0x800, "ilf_fields"},
      {"inode", 0, 4, 4, 0x1, "ilf_size"},
      {"inode", 0, 16, 8, ~uint64_t{0}, "ilf_ino"},
      {"inode", 0, 40, 8, ~uint64_t{0}, "ilf_blkno"},
      {"inode", 0, 52, 4, 32 * 512, "ilf_boffset"},
      {"inode", 0, 10, 2, 17, "ilf_dsize"},
      {"inode", 0, 8, 2, 25, "ilf_asize"},
      {"inode", 1, 0, 2, 0x4e49, "di_magic"},
      {"buffer", 0, 6, 2, 0, "blf_len"},
      {"buffer", 0, 8, 8, ~uint64_t{0}, "blf_blkno"},
      {"buffer", 0, 16, 4, 2, "blf_map_size"},
      {"buffer", 0, 16, 4, 0xffffffff, "blf_map_size"},
      {"buffer", 0, 20, 4, 5, "blf_data_map"},
      {"buffer", 0, 20, 4, 0, "blf_data_map"},
      {"buffer", 0, 20, 4, 0x10, "blf_data_map"},  // behind the block
      {"dquot", 0, 8, 8, ~uint64_t{0}, "qlf_blkno"},
      {"dquot", 0, 20, 4, 0xffffffff, "qlf_boffset"},
      {"dquot", 1, 0, 2, 0, "magic"},
      {"dquot", 1, 4, 4, 0, "id"},
      {"quotaoff", 0, 4, 4, 0, "qf_flags"},
      {"quotaoff", 0, 4, 4, 2, "qf_flags"},
      {"icreate", 0, 4, 4, 0x02000000, "icl_ag"},
      {"icreate", 0, 8, 4, 0, "icl_agbno"},
      {"icreate", 0, 12, 4, 0, "icl_count"},
      {"icreate", 0, 16, 4, 0, "icl_isize"},
      {"icreate", 0, 20, 4, 0xffffffff, "icl_length"},
      {"RUI", 0, 16, 8, 0, "extent[0].owner"},
      {"RUI", 0, 24, 8, 0, "extent[0].start_block"},
      {"RUI", 0, 32, 8, ~uint64_t{0}, "start_offset"},
      {"RUI", 0, 44, 4, 9, "extent[0].flags"},
      {"RUI", 0, 44, 4, 0x10000001, "extent[0].flags"},
      {"RUD", 0, 2, 2, 2, "regions"},
      {"CUI", 0, 28, 4, 0, "extent[0].flags"},
      {"CUI", 0, 28, 4, 5, "extent[0].flags"},
      {"CUI", 0, 16, 8, 0, "extent[0].start_block"},
      {"BUI", 0, 16, 8, 0, "extent[0].owner"},
      {"BUI", 0, 44, 4, 3, "extent[0].flags"},
      {"ATTRI set", 0, 24, 4, 0, "alfi_op_flags"},
      {"ATTRI set", 0, 24, 4, 7, "alfi_op_flags"},
      {"ATTRI set", 0, 16, 8, 0, "alfi_ino"},
      {"ATTRI set", 0, 28, 4, 0, "alfi_name_len"},
      {"ATTRI set", 0, 28, 4, 256, "alfi_name_len"},
      {"ATTRI set", 0, 28, 4, 5, "region[1] bytes"},
      {"ATTRI set", 0, 32, 4, 65537, "alfi_value_len"},
      {"ATTRI set", 0, 32, 4, 9, "region[2] bytes"},
      {"ATTRI set", 0, 36, 4, 6, "alfi_attr_filter"},
      {"ATTRI set", 0, 36, 4, 0x100, "alfi_attr_filter"},
      {"ATTRI set", 1, 1, 1, 0, "name"},
      {"ATTRI remove", 0, 32, 4, 1, "alfi_value_len"},
      {"ATTRI parent set", 0, 32, 4, 11, "alfi_value_len"},
      {"ATTRI parent set", 0, 36, 4, 0, "alfi_attr_filter"},
      {"ATTRI parent replace", 0, 30, 2, 0, "alfi_name_len"},
      {"XMI", 0, 4, 4, 1, "xmi_pad"},
      {"XMI", 0, 16, 8, 0, "xmi_inode1"},
      {"XMI", 0, 24, 8, 0, "xmi_inode2"},
      {"XMI", 0, 40, 8, ~uint64_t{0}, "xmi_startoff1"},
      {"XMI", 0, 48, 8, ~uint64_t{0}, "xmi_startoff2"},
      {"XMI", 0, 56, 8, 0, "xmi_startoff1"},
      {"XMI", 0, 64, 8, 32, "xmi_flags"},
  };
  for (const Damage& damage : damages) {
    LogSample sample = LogSampleOf(damage.sample);
    PutLittle(sample.regions[damage.region], damage.offset, damage.size,
              damage.value);
    EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()),
                Contains(damage.field))
        << damage.sample << " region " << damage.region << " offset "
        << damage.offset << " value " << damage.value;
    Explain(sample);  // whatever it says, it says it
  }
}

TEST(LogItemTest, FeaturesThatTheImageLacksAreRefused) {
  Geometry geometry = LogSampleGeometry();
  geometry.features.rmapbt = geometry.features.reflink = false;
  geometry.features.parent = geometry.features.exchange = false;
  EXPECT_THAT(FieldsAtFault(LogSampleOf("RUI"), geometry), Contains("type"));
  EXPECT_THAT(FieldsAtFault(LogSampleOf("CUI"), geometry), Contains("type"));
  EXPECT_THAT(FieldsAtFault(LogSampleOf("XMI"), geometry),
              Contains("xmi_type"));
  EXPECT_THAT(FieldsAtFault(LogSampleOf("ATTRI parent set"), geometry),
              Contains("alfi_op_flags"));
}

TEST(LogItemTest, V4InodesHaveTheShorterCore) {
  Geometry geometry = LogSampleGeometry();
  geometry.features.crc = false;
  LogSample sample = LogSampleOf("inode");
  EXPECT_THAT(FieldsAtFault(sample, geometry), ElementsAre("core bytes"));
  sample.regions[1].resize(96);
  EXPECT_THAT(FieldsAtFault(sample, geometry), IsEmpty());
}

TEST(LogItemTest, UnknownTypesAndNoRegionsAreFindings) {
  LogSample sample{"unknown", {BytesFromHex("50120100")}};
  EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()), ElementsAre("type"));
  EXPECT_FALSE(Explain(sample).AllChecksHold());
  sample.regions = {BytesFromHex("5012")};
  EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()),
              ElementsAre("format bytes"));
  sample.regions.clear();
  EXPECT_THAT(FieldsAtFault(sample, LogSampleGeometry()),
              ElementsAre("regions"));
  EXPECT_FALSE(Explain(sample).AllChecksHold());
}

// Cut anywhere, an item is refused, and nothing reads past its end (the
// sanitizers watch).
TEST(LogItemTest, CutItemsAreRefused) {
  for (const LogSample& whole : LogSamples()) {
    for (size_t region = 0; region < whole.regions.size(); ++region) {
      for (size_t size = 0; size < whole.regions[region].size(); ++size) {
        LogSample cut = whole;
        cut.regions[region].resize(size);
        cut.regions[region].shrink_to_fit();
        // The padding behind a fork or behind the last extent may go.
        const bool padding =
            (whole.name.starts_with("inode") && region == 3 && size >= 21) ||
            ((whole.name.starts_with("EFI") || whole.name.starts_with("EFD")) &&
             whole.regions[0].size() == 32 && size == 28);
        EXPECT_EQ(FieldsAtFault(cut, LogSampleGeometry()).empty(), padding)
            << whole.name << " region " << region << " cut to " << size;
        Explain(cut);
      }
    }
  }
}

TEST(LogItemTest, AnyByteMayBeAnything) {
  for (const LogSample& whole : LogSamples()) {
    for (size_t region = 0; region < whole.regions.size(); ++region) {
      for (size_t at = 0; at < whole.regions[region].size(); ++at) {
        for (const uint8_t value : {0x00, 0x7f, 0x80, 0xff}) {
          LogSample changed = whole;
          changed.regions[region][at] = value;
          const Explanation explanation = Explain(changed);
          EXPECT_EQ(explanation.AllChecksHold(),
                    FieldsAtFault(changed, LogSampleGeometry()).empty());
        }
      }
    }
  }
}

}  // namespace
}  // namespace ondisk
