// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/log_samples.h"

#include <cstdio>
#include <cstdlib>

#include "tests/support/bytes.h"

namespace ondisk {
namespace {

LogSample Sample(const std::string& name,
                 std::initializer_list<std::string_view> regions) {
  LogSample sample{name, {}};
  for (const std::string_view hex : regions) {
    sample.regions.push_back(BytesFromHex(hex));
  }
  return sample;
}

constexpr std::string_view kInodeCore =
    "4e49a481030200000000000000000000010000000000000001000000000000009cc7d694"
    "364cba369cc7d694364cba369cc7d694364cba3602000000000000000100000000000000"
    "0000000000000000000018010000000000000000476b1031ffffffff0000000007000000"
    "0000000000000000000000001a00000000000000000000000000000000000000000000009c"
    "c7d694364cba36860000000000000002f92713eb8a4b11b9c5215003b3a112";
constexpr std::string_view kParentRecord = "0000000000000043 1234abcd";

std::vector<LogSample> MakeSamples() {
  return {
      Sample(
          "EFI",
          {"3612010001000000f0b550048188ffff4d970000000000000300000000000000"}),
      Sample("EFI of a 32-bit kernel",
             {"3612010002000000f0b550048188ffff 4d97000000000000 03000000"
              "f59c000000000000 03000000"}),
      Sample(
          "EFD",
          {"3712010001000000f0b550048188ffff4d970000000000000300000000000000"}),
      Sample(
          "inode",
          {"3b1204004500000015001000000000008600000000000000000000000000000000"
           "00000000000000800000000000000020000000000c0000",
           kInodeCore, "00000000000000000000000001a00001",
           "00150100020c08663300000000000000838bca2efc000000"}),
      Sample("inode of a 32-bit kernel",
             {"3b12040045000000150010008600000000000000000000000000000000000000"
              "00000000800000000000000020000000000c0000",
              kInodeCore, "00000000000000000000000001a00001",
              "00150100020c08663300000000000000838bca2efc000000"}),
      Sample("buffer",
             {"3c1202000038010002000000000000000100000001000000",
              "58414749000000010000000000020000000000400000000400000001"
              "0000003c00000040ffffffffffffffffffffffffffffffffffffffffffffffff"
              "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
              "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
              "ffffffff"}),
      Sample("dquot", {"3d120200 e8030000 8000000000000000 08000000 88000000",
                       "44510101000003e8 0000000000000000 0000000000000000"
                       "0000000000000000 0000000000000000 0000000000000001"
                       "0000000000000001 00000000 00000000 0000 0000 00000000"
                       "0000000000000000 0000000000000000 0000000000000000"
                       "00000000 0000 0000"}),
      Sample("quotaoff", {"3e120100 41000000 000000000000000000000000"}),
      Sample(
          "icreate",
          {"3f120100 00000000 00000040 00000040 00000200 00000020 263cfa94"}),
      Sample("RUI",
             {"4012010001000000c0caf15c8188ffff440000000000000040c9000000000000"
              "dc420000000000000100000004000000"}),
      Sample("RUD", {"4112010000000000c0caf15c8188ffff"}),
      Sample(
          "CUI",
          {"421201000100000050f9771d8188ffffcc450000000000000100000002000000"}),
      Sample("CUD", {"431201000000000050f9771d8188ffff"}),
      Sample("BUI",
             {"4412010001000000f018c3048188ffff4300000000000000ec01000000000000"
              "2e010000000000000100000002000000"}),
      Sample("BUD", {"4512010000000000f018c3048188ffff"}),
      Sample("ATTRI set",
             {"46120300 00000000 f0b550048188ffff 8600000000000000 01000000"
              "03000000 05000000 02000000",
              "61626300", "68656c6c6f000000"}),
      Sample("ATTRI remove",
             {"46120200 00000000 f0b550048188ffff 8600000000000000 02000000"
              "03000000 00000000 00000000",
              "61626300"}),
      Sample("ATTRI parent set",
             {"46120300 476b1031 f0b550048188ffff 8600000000000000 04000000"
              "02000000 0c000000 08000000",
              "66310000", kParentRecord}),
      Sample(
          "ATTRI parent replace",
          {"46120500 476b1031 f0b550048188ffff 8600000000000000 06000000"
           "0200 0300 0c000000 08000000",
           "66310000", "67316e00", kParentRecord, "0000000000000044 00000007"}),
      Sample("ATTRD", {"4712010000000000f0b550048188ffff"}),
      Sample("XMI",
             {"4812010000000000f05150238188ffff44000000000000004300000000000000"
              "dc5f813f227a2fb02f010000000000002f01000000000000b02d000000000000"
              "0200000000000000007cbb0000000000007cbb0000000000"}),
      Sample("XMD", {"4912010000000000f05150238188ffff"}),
      Sample(
          "EFI_RT",
          {"4a12010001000000f0b550048188ffff4d970000000000000300000000000000"}),
      Sample(
          "EFD_RT",
          {"4b12010001000000f0b550048188ffff4d970000000000000300000000000000"}),
      Sample("RUI_RT",
             {"4c12010001000000c0caf15c8188ffff440000000000000040c9000000000000"
              "dc420000000000000100000004000000"}),
      Sample("RUD_RT", {"4d12010000000000c0caf15c8188ffff"}),
      Sample(
          "CUI_RT",
          {"4e1201000100000050f9771d8188ffffcc450000000000000100000002000000"}),
      Sample("CUD_RT", {"4f1201000000000050f9771d8188ffff"}),
  };
}

}  // namespace

const std::vector<LogSample>& LogSamples() {
  static const std::vector<LogSample> samples = MakeSamples();
  return samples;
}

const LogSample& LogSampleOf(const std::string& name) {
  for (const LogSample& sample : LogSamples()) {
    if (sample.name == name) return sample;
  }
  std::fprintf(stderr, "no log sample %s\n", name.c_str());
  std::exit(1);
}

Geometry LogSampleGeometry() {
  Geometry geometry;
  geometry.features.crc = geometry.features.rmapbt = true;
  geometry.features.reflink = geometry.features.parent = true;
  geometry.features.exchange = geometry.features.log_v2 = true;
  geometry.block_size = 1024;
  geometry.block_log = 10;
  geometry.sector_size = 512;
  geometry.sector_log = 9;
  geometry.inode_size = 512;
  geometry.inode_log = 9;
  geometry.inodes_per_block = 2;
  geometry.inodes_per_block_log = 1;
  geometry.ag_count = 2;
  geometry.ag_blocks = 131072;
  geometry.ag_block_log = 17;
  geometry.data_blocks = 262144;
  return geometry;
}

}  // namespace ondisk
