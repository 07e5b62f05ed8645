// SPDX-License-Identifier: GPL-2.0-or-later
// Makes the seeds of the corpus: make_fuzz_seeds DIRECTORY
//
// For each target and image, one input per kind of structure that sets eight
// bytes at the start and in the middle of one structure to what they already
// are, and one that sets them to ones. For mounting, superblocks alone too.
// From there the fuzzer finds its way.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/fuzz/patched_image.h"

namespace {

using fusexfs::Structure;
using fusexfs::StructureKind;
using fusexfs::fuzz::Base;

struct Target {
  const char* name;
  std::initializer_list<std::string_view> images;
  std::initializer_list<StructureKind> kinds;
};

using enum StructureKind;
const Target kTargets[] = {
    {"mount",
     {"tiny-v5", "tiny-1k", "tiny-v4"},
     {kSuperblock, kAgf, kAgi, kAgfl}},
    {"directory",
     {"tiny-v5", "tiny-1k", "dir64k-1k", "tiny-v4"},
     {kDirectoryData, kDirectoryFree, kDirectoryLeaf, kDaNode}},
    {"attribute",
     {"tiny-v5", "tiny-1k", "tiny-v4"},
     {kAttributeLeaf, kAttributeRemote, kDaNode, kSymlink}},
    {"inode", {"tiny-v5", "tiny-1k", "tiny-v4"}, {kInode, kBmbt}},
    {"btree",
     {"tiny-v5", "tiny-1k", "dir64k-1k", "tiny-v4"},
     {kShortBtree, kAgf, kAgi}},
    {"log", {"dirty-log", "tiny-v4"}, {kLogBlock}},
};

void AddChange(std::string& input, size_t structure, uint32_t where,
               std::string_view bytes) {
  input += static_cast<char>(structure & 0xff);
  input += static_cast<char>(structure >> 8);
  input += static_cast<char>(where & 0xff);
  input += static_cast<char>(where >> 8);
  input += static_cast<char>(bytes.size() - 1);
  input += bytes;
}

void WriteSeeds(const std::string& directory, const Base& base, size_t image) {
  std::map<std::pair<int, int>, size_t> first;  // by kind and tree
  for (size_t i = 0; i < base.structures.size() && i <= 0xffff; ++i) {
    const Structure& structure = base.structures[i];
    const int tree =
        structure.tree.has_value() ? static_cast<int>(*structure.tree) : -1;
    // The last one: early ones are often almost empty.
    first[{static_cast<int>(structure.kind), tree}] = i;
  }
  for (const auto& [kind, index] : first) {
    const Structure& structure = base.structures[index];
    std::string same(1, static_cast<char>(image));
    std::string ones = same;
    for (const uint32_t where : {uint32_t{16}, structure.size / 2}) {
      AddChange(same, index, where,
                {reinterpret_cast<const char*>(base.bytes.data()) +
                     structure.offset + where,
                 8});
      AddChange(ones, index, where, std::string(8, '\xff'));
    }
    for (const auto& [name, bytes] :
         {std::pair("same", same), {"ones", ones}}) {
      std::ofstream(fmt::format("{}/{}-{}-{}-{}", directory, base.name,
                                kind.first, kind.second + 1, name),
                    std::ios::binary)
          << bytes;
    }
  }
}

// A superblock without an image behind it.
void WriteRawSeed(const std::string& directory, const Base& base) {
  std::ofstream file(fmt::format("{}/{}-raw", directory, base.name),
                     std::ios::binary);
  file.put('\xff');
  file.write(reinterpret_cast<const char*>(base.bytes.data()), 512);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_fuzz_seeds DIRECTORY\n");
    return 2;
  }
  for (const Target& target : kTargets) {
    const std::string directory =
        fmt::format("{}/{}", arguments[1], target.name);
    std::filesystem::create_directories(directory);
    const std::vector<Base> bases =
        fusexfs::fuzz::LoadBases(target.images, target.kinds);
    for (size_t i = 0; i < bases.size(); ++i) {
      WriteSeeds(directory, bases[i], i);
      if (target.name == std::string_view("mount")) {
        WriteRawSeed(directory, bases[i]);
      }
    }
  }
  return 0;
}
