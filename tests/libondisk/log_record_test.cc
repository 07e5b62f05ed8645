// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/bytes.h"
#include "tests/support/damage.h"

namespace ondisk {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kUuidText = "112233445566778899aabbccddeeff00";

Uuid FilesystemUuid() {
  Uuid uuid{};
  const std::vector<uint8_t> bytes = BytesFromHex(kUuidText);
  std::copy(bytes.begin(), bytes.end(), uuid.begin());
  return uuid;
}

// The unmount record that Linux 6.18 wrote into a log of mkfs.xfs 6.13: its
// header and its block of operations.
struct UnmountRecord {
  UnmountRecord() : header(512), payload(512) {
    const auto put = [](std::vector<uint8_t>& at, size_t offset,
                        std::string_view hex) {
      const std::vector<uint8_t> bytes = BytesFromHex(hex);
      std::copy(bytes.begin(), bytes.end(),
                at.begin() + static_cast<ptrdiff_t>(offset));
    };
    put(header, 0,
        "feedbabe 00000001 00000002 00000200 000000010000000b"
        "0000000100000009 e1bccdd7 00000009 00000001 8eddb89c");
    put(header, 300, "00000001");
    put(header, 304, kUuidText);
    put(header, 320, "00008000");
    put(payload, 0, "0000000100000000aa2000006e55");
  }
  const LogRecordHeader& view() const { return View<LogRecordHeader>(header); }

  std::vector<uint8_t> header, payload;
};

std::vector<std::string> FieldsAtFault(const LogRecordHeader& header,
                                       uint32_t buffer) {
  Checker check("log record", Where::Log(11), Checker::Mode::kAllFindings);
  VerifyLogRecordHeader(header, buffer, check);
  VerifyLogRecordOwner(header, FilesystemUuid(), check);
  VerifyLogRecordFormat(header, check);
  std::vector<std::string> fields;
  for (const Finding& finding : check.findings()) {
    fields.push_back(finding.field);
  }
  return fields;
}

TEST(LogRecordTest, KernelsUnmountRecordPasses) {
  const UnmountRecord record;
  EXPECT_THAT(FieldsAtFault(record.view(), 32768), IsEmpty());
  EXPECT_EQ(CheckLogRecordCrc(true, record.header, record.payload),
            LogCrc::kMatches);
  EXPECT_EQ(record.view().lsn(), Lsn(1, 11));
  EXPECT_EQ(record.view().tail(), Lsn(1, 9));
  EXPECT_EQ(LogHeaderBlocks(true, record.view()), 1u);
  EXPECT_TRUE(IsLogRecordHeader(record.header));
  EXPECT_FALSE(IsLogRecordHeader(record.payload));
  EXPECT_EQ(LogCycleOf(record.header), 1u);
  EXPECT_EQ(LogCycleOf(record.payload), 1u);
}

TEST(LogRecordTest, DisplacedWordsComeBack) {
  UnmountRecord record;
  EXPECT_TRUE(RestoreCycleData(true, record.header, record.payload));
  EXPECT_EQ(View<Be32>(record.payload).value(), 0x8eddb89cu);
}

TEST(LogRecordTest, EveryCoveredByteCountsForTheChecksum) {
  const UnmountRecord record;
  for (size_t at = 0; at < 328; ++at) {
    UnmountRecord changed;
    changed.header[at] ^= 0x40;
    EXPECT_EQ(CheckLogRecordCrc(true, changed.header, changed.payload),
              LogCrc::kMismatch)
        << at;
  }
  for (size_t at = 328; at < 512; ++at) {
    UnmountRecord changed;
    changed.header[at] ^= 0x40;
    EXPECT_EQ(CheckLogRecordCrc(true, changed.header, changed.payload),
              LogCrc::kMatches)
        << at;
  }
  for (size_t at = 0; at < 512; ++at) {
    UnmountRecord changed;
    changed.payload[at] ^= 1;
    EXPECT_EQ(CheckLogRecordCrc(true, changed.header, changed.payload),
              LogCrc::kMismatch)
        << at;
  }
}

TEST(LogRecordTest, ZeroIsNoChecksum) {
  UnmountRecord record;
  PutLittle(record.header, 32, 4, 0);
  EXPECT_EQ(CheckLogRecordCrc(true, record.header, record.payload),
            LogCrc::kNone);
}

// The sum over 324 bytes of the header, computed by another program.
TEST(LogRecordTest, ChecksumOf32BitX86IsAccepted) {
  UnmountRecord record;
  PutLittle(record.header, 32, 4, 0x0d2de97b);
  EXPECT_EQ(CheckLogRecordCrc(true, record.header, record.payload),
            LogCrc::kMatches32Bit);
  record.header[324] = 1;  // not covered
  EXPECT_EQ(CheckLogRecordCrc(true, record.header, record.payload),
            LogCrc::kMatches32Bit);
  record.header[323] ^= 1;
  EXPECT_EQ(CheckLogRecordCrc(true, record.header, record.payload),
            LogCrc::kMismatch);
}

// 40,000 bytes need a second header block.
struct LargeRecord {
  LargeRecord() : headers(1024), payload(40000) {
    auto& header = *reinterpret_cast<LogRecordHeader*>(headers.data());
    header.h_magicno.set(kLogRecordMagic);
    header.h_cycle.set(3);
    header.h_version.set(2);
    header.h_len.set(40000);
    header.h_size.set(65536);
    auto& extended = *reinterpret_cast<LogExtendedHeader*>(&headers[512]);
    extended.xh_cycle.set(3);
    for (uint32_t i = 0; i < kLogCycleDataCount; ++i) {
      header.h_cycle_data[i].set(0x1000 + i);
      extended.xh_cycle_data[i].set(0x2000 + i);
    }
    for (size_t i = 0; i < payload.size(); ++i) {
      payload[i] = static_cast<uint8_t>(i * 7 + 3);
    }
  }
  std::vector<uint8_t> headers, payload;
};

// The expected value was computed by another program.
TEST(LogRecordTest, ExtendedHeadersAreInTheChecksum) {
  LargeRecord record;
  EXPECT_EQ(LogRecordCrc(true, record.headers, record.payload), 0xf056cb3cu);
  record.headers[512 + 259] ^= 1;  // the last displaced word
  EXPECT_NE(LogRecordCrc(true, record.headers, record.payload), 0xf056cb3cu);
  record.headers[512 + 259] ^= 1;
  record.headers[512 + 260] ^= 1;  // reserved
  EXPECT_EQ(LogRecordCrc(true, record.headers, record.payload), 0xf056cb3cu);
}

TEST(LogRecordTest, ExtendedHeadersHoldTheLaterDisplacedWords) {
  LargeRecord record;
  EXPECT_EQ(LogHeaderBlocks(true, View<LogRecordHeader>(record.headers)), 2u);
  std::vector<uint8_t> payload = record.payload;
  payload.resize(79 * 512);
  ASSERT_TRUE(RestoreCycleData(true, record.headers, payload));
  EXPECT_EQ(View<Be32>(payload, 63 * 512).value(), 0x103fu);
  EXPECT_EQ(View<Be32>(payload, 64 * 512).value(), 0x2000u);
  EXPECT_EQ(View<Be32>(payload, 78 * 512).value(), 0x200eu);
  // Too few header blocks, or a log without them.
  EXPECT_FALSE(
      RestoreCycleData(true, Bytes(record.headers).first(512), payload));
  EXPECT_FALSE(RestoreCycleData(false, record.headers, payload));
}

TEST(LogRecordTest, HeaderBlocksFollowTheKernelsReadingOfHSize) {
  UnmountRecord record;
  const auto blocks = [&record](uint32_t size, bool v2 = true) {
    PutBig(record.header, 320, 4, size);
    return LogHeaderBlocks(v2, record.view());
  };
  EXPECT_EQ(blocks(0), 1u);
  EXPECT_EQ(blocks(32768), 1u);
  EXPECT_EQ(blocks(32769), 2u);
  EXPECT_EQ(blocks(262144), 8u);
  EXPECT_EQ(blocks(262144, false), 1u);
  EXPECT_EQ(blocks(0x40000000), 32768u);
  EXPECT_EQ(blocks(0xfffffe00), 1u);  // negative
  PutBig(record.header, 8, 4, 1);     // a version 1 record
  EXPECT_EQ(blocks(262144), 1u);
}

TEST(LogRecordTest, EachLieIsFoundInItsField) {
  struct Damage {
    size_t offset;
    size_t size;
    uint64_t value;
    const char* field;
  };
  for (const Damage& damage : {
           Damage{0, 4, 0xfeedbabf, "h_magicno"},
           {8, 4, 0, "h_version"},
           {8, 4, 4, "h_version"},
           {12, 4, 0, "h_len"},
           {12, 4, 32769, "h_len"},
           {12, 4, 0x80000000, "h_len"},
           {300, 4, 2, "h_fmt"},
           {304, 1, 0x12, "h_fs_uuid"},
       }) {
    UnmountRecord record;
    PutBig(record.header, damage.offset, damage.size, damage.value);
    EXPECT_THAT(FieldsAtFault(record.view(), 32768), Contains(damage.field));
  }
}

TEST(LogRecordTest, ZeroUuidIsIrixAndPasses) {
  UnmountRecord record;
  std::fill_n(record.header.begin() + 304, 16, 0);
  EXPECT_THAT(FieldsAtFault(record.view(), 32768), IsEmpty());
}

TEST(LogRecordTest, ExplanationCarriesProblemsBesideTheirFields) {
  UnmountRecord record;
  EXPECT_TRUE(ExplainLogRecordHeader(true, record.header, 11, FilesystemUuid())
                  .AllChecksHold());
  record.header[305] ^= 1;
  const Explanation explanation =
      ExplainLogRecordHeader(true, record.header, 11, FilesystemUuid());
  const auto row = std::find_if(
      explanation.fields.begin(), explanation.fields.end(),
      [](const ExplainedField& field) { return field.name == "h_fs_uuid"; });
  ASSERT_NE(row, explanation.fields.end());
  EXPECT_EQ(row->problem, "expected 11223344-5566-7788-99aa-bbccddeeff00");
}

}  // namespace
}  // namespace ondisk
