// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/image_recipe.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/process.h"
#include "fusexfs/device/file_device.h"
#include "libondisk/features.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"

namespace fusexfs::bench {
namespace {

constexpr uint64_t kBlock = 4096;
constexpr uint64_t kFilesPerDirectory = 100;
constexpr uint64_t kOriginals = 64;
constexpr uint64_t kOriginalExtents = 4;
constexpr uint64_t kFragments = 4000;
constexpr uint64_t kOwnSizes = 5;  // 0, 1, ... 4 blocks

absl::StatusOr<FileDescriptor> Create(const std::string& path) {
  FileDescriptor file(
      open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.get() < 0) return ondisk::SystemError(path);
  return file;
}

absl::Status WriteAt(int fd, uint64_t offset,
                     const std::vector<uint64_t>& words) {
  const size_t bytes = words.size() * sizeof(words[0]);
  const ssize_t written =
      pwrite(fd, words.data(), bytes, static_cast<off_t>(offset));
  if (written == static_cast<ssize_t>(bytes)) return absl::OkStatus();
  if (written >= 0) errno = ENOSPC;
  return ondisk::SystemError("pwrite");
}

// Words that are the same in each run and do not compress.
class Filler {
 public:
  std::vector<uint64_t> Next(uint64_t bytes) {
    std::vector<uint64_t> words(bytes / sizeof(uint64_t));
    for (uint64_t& word : words) word = random_();
    return words;
  }

 private:
  std::mt19937_64 random_{20240401};
};

std::string OriginalPath(const std::string& root, uint64_t i) {
  return fmt::format("{}/originals/o{:02}", root, i);
}

absl::Status MakeDirectory(const std::string& path) {
  return mkdir(path.c_str(), 0755) == 0 ? absl::OkStatus()
                                        : ondisk::SystemError(path);
}

absl::Status WriteBig(const std::string& root, uint64_t bytes, Filler& filler) {
  constexpr uint64_t kChunk = 1 << 20;
  ONDISK_ASSIGN_OR_RETURN(const FileDescriptor file, Create(root + "/big"));
  for (uint64_t offset = 0; offset < bytes; offset += kChunk) {
    ONDISK_RETURN_IF_ERROR(WriteAt(
        file.get(), offset, filler.Next(std::min(kChunk, bytes - offset))));
  }
  return absl::OkStatus();
}

// `count` blocks, every second block of the file.
absl::Status WriteFragments(const std::string& path, uint64_t count,
                            Filler& filler) {
  ONDISK_ASSIGN_OR_RETURN(const FileDescriptor file, Create(path));
  for (uint64_t i = 0; i < count; ++i) {
    ONDISK_RETURN_IF_ERROR(
        WriteAt(file.get(), 2 * i * kBlock, filler.Next(kBlock)));
  }
  return absl::OkStatus();
}

absl::Status Clone(const std::string& from, const std::string& to) {
  const FileDescriptor source(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) return ondisk::SystemError(from);
  ONDISK_ASSIGN_OR_RETURN(const FileDescriptor target, Create(to));
  return ioctl(target.get(), FICLONE, source.get()) == 0
             ? absl::OkStatus()
             : ondisk::SystemError(to);
}

absl::Status WriteTree(const std::string& root, uint64_t files,
                       Filler& filler) {
  ONDISK_RETURN_IF_ERROR(MakeDirectory(root + "/originals"));
  for (uint64_t i = 0; i < kOriginals; ++i) {
    ONDISK_RETURN_IF_ERROR(
        WriteFragments(OriginalPath(root, i), kOriginalExtents, filler));
  }
  ONDISK_RETURN_IF_ERROR(MakeDirectory(root + "/tree"));
  for (uint64_t i = 0; i < files; ++i) {
    const std::string directory =
        fmt::format("{}/tree/d{:03}", root, i / kFilesPerDirectory);
    if (i % kFilesPerDirectory == 0) {
      ONDISK_RETURN_IF_ERROR(MakeDirectory(directory));
    }
    const std::string path = fmt::format("{}/f{:05}", directory, i);
    if (i % 2 == 1) {
      ONDISK_RETURN_IF_ERROR(Clone(OriginalPath(root, i % kOriginals), path));
      continue;
    }
    ONDISK_ASSIGN_OR_RETURN(const FileDescriptor file, Create(path));
    ONDISK_RETURN_IF_ERROR(
        WriteAt(file.get(), 0, filler.Next(i / 2 % kOwnSizes * kBlock)));
  }
  return absl::OkStatus();
}

absl::Status Fill(const ImageRecipe& recipe, const std::string& root) {
  Filler filler;
  ONDISK_RETURN_IF_ERROR(WriteTree(root, recipe.files, filler));
  ONDISK_RETURN_IF_ERROR(
      WriteFragments(root + "/fragments", kFragments, filler));
  return WriteBig(root, recipe.big_bytes, filler);
}

// mkfs.xfs with the features that its usage text tells of.
absl::StatusOr<std::vector<std::string>> MkfsCommand(const std::string& mkfs) {
  ONDISK_ASSIGN_OR_RETURN(const std::string usage, Output({mkfs}));
  std::vector<std::string> command = {mkfs, "-q"};
  const auto add = [&](const char* option,
                       std::initializer_list<std::string_view> features) {
    std::string known;
    for (const std::string_view feature : features) {
      if (usage.find(fmt::format("{}=0|1", feature)) == std::string::npos) {
        continue;
      }
      known += fmt::format("{}{}=1", known.empty() ? "" : ",", feature);
    }
    if (!known.empty()) command.insert(command.end(), {option, known});
  };
  add("-m", {"reflink", "rmapbt", "bigtime", "inobtcount"});
  add("-i", {"nrext64", "exchange"});
  add("-n", {"parent"});
  return command;
}

}  // namespace

absl::StatusOr<nlohmann::json> DescribeImage(const std::string& image) {
  ONDISK_ASSIGN_OR_RETURN(const auto device, FileDevice::Open(image, {}));
  std::vector<uint8_t> bytes(
      std::min<uint64_t>(device->size(), ondisk::kSuperblockReadBytes));
  ONDISK_RETURN_IF_ERROR(device->ReadAt(0, bytes));
  ONDISK_RETURN_IF_ERROR(
      ondisk::GeometryFromSuperblock(bytes, device->size()).status());
  const auto& sb = ondisk::View<ondisk::Superblock>(bytes);
  nlohmann::json features = {{"version", sb.version()}};
  if (sb.is_v5()) {
    features["incompat"] =
        ondisk::NameBits(sb.features_incompat.value(), ondisk::kIncompatNames);
    features["ro_compat"] =
        ondisk::NameBits(sb.features_ro_compat.value(), ondisk::kRoCompatNames);
  }
  return features;
}

absl::StatusOr<std::string> MkfsVersion(const std::string& mkfs) {
  ONDISK_ASSIGN_OR_RETURN(std::string version, Output({mkfs, "-V"}));
  while (!version.empty() && version.back() == '\n') version.pop_back();
  return version;
}

absl::Status BuildImage(const ImageRecipe& recipe, const std::string& image,
                        const std::string& mount_point) {
  // Room for the content twice, for inodes, and for the log.
  const uint64_t bytes = 2 * recipe.big_bytes +
                         recipe.files * 2 * kOwnSizes * kBlock +
                         (uint64_t{512} << 20);
  {
    ONDISK_ASSIGN_OR_RETURN(const FileDescriptor file, Create(image));
    if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) {
      return ondisk::SystemError(image);
    }
  }
  ONDISK_ASSIGN_OR_RETURN(std::vector<std::string> make,
                          MkfsCommand(recipe.mkfs));
  make.push_back(image);
  ONDISK_RETURN_IF_ERROR(Run(make));
  ONDISK_RETURN_IF_ERROR(
      Run({"mount", "-t", "xfs", "-o", "loop", image, mount_point}));
  const absl::Status filled = Fill(recipe, mount_point);
  const absl::Status unmounted = Run({"umount", mount_point});
  return filled.ok() ? unmounted : filled;
}

}  // namespace fusexfs::bench
