// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/device/kernel_mounts.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "libondisk/status.h"

namespace fusexfs {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSysfsSector = 512;  // whatever the disk's is
constexpr std::string_view kDeleted = " (deleted)";

// Spaces and the like stand in the file as a backslash and three octal digits.
std::string Unquote(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && text.size() - i > 3 && is_octal(text[i + 1]) &&
        is_octal(text[i + 2]) && is_octal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') << 6 |
                               (text[i + 2] - '0') << 3 | (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string ReadLine(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

uint64_t ReadNumber(const fs::path& path) {
  std::ifstream file(path);
  uint64_t number = 0;
  file >> number;
  return file ? number : 0;
}

std::vector<fs::path> Children(const fs::path& directory) {
  std::vector<fs::path> children;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    children.push_back(it->path());
  }
  return children;
}

std::vector<KernelMount> WritingMounts() {
  std::vector<KernelMount> mounts;
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::optional<KernelMount> mount = KernelMount::Parse(line);
    if (mount.has_value() && mount->writes) mounts.push_back(*mount);
  }
  return mounts;
}

// What a loop device shows: a window of a file.
struct LoopBacking {
  dev_t device;
  ino_t inode;
  ByteWindow window;
};

// `block` is the loop device's directory in sysfs.
std::optional<LoopBacking> BackingOf(const fs::path& block) {
  // The device itself knows best, but not everybody may open it.
  const std::string node = "/dev/" + block.filename().string();
  const FileDescriptor loop(open(node.c_str(), O_RDONLY | O_CLOEXEC));
  loop_info64 info{};
  if (loop.get() >= 0 && ioctl(loop.get(), LOOP_GET_STATUS64, &info) == 0) {
    return LoopBacking{
        info.lo_device, info.lo_inode, {info.lo_offset, info.lo_sizelimit}};
  }
  std::string path = ReadLine(block / "loop/backing_file");
  struct stat status {};
  if (path.empty() || stat(path.c_str(), &status) != 0) {
    // Another link of a file that has lost this name may still be there, or
    // again.
    if (!absl::EndsWith(path, {kDeleted.data(), kDeleted.size()})) return {};
    path.resize(path.size() - kDeleted.size());
    if (stat(path.c_str(), &status) != 0) return {};
  }
  return LoopBacking{status.st_dev,
                     status.st_ino,
                     {ReadNumber(block / "loop/offset"),
                      ReadNumber(block / "loop/sizelimit")}};
}

class WriterSearch {
 public:
  explicit WriterSearch(const FileDevice& device) : device_(device) {}

  absl::Status Check() const {
    struct stat status {};
    const Device::FileWindow place = *device_.file_window();
    if (writing_.empty() || fstat(place.fd, &status) != 0) {
      return absl::OkStatus();
    }
    const ByteWindow window{place.offset, device_.size()};
    return device_.is_block_device()
               ? CheckBlockDevice(status.st_rdev, window)
               : CheckLoopDevices(status.st_dev, status.st_ino, window);
  }

 private:
  absl::Status CheckLoopDevices(dev_t device, ino_t inode,
                                const ByteWindow& window) const {
    for (const fs::path& block : Children("/sys/block")) {
      std::error_code error;
      if (!fs::exists(block / "loop/backing_file", error)) continue;
      const std::optional<LoopBacking> backing = BackingOf(block);
      if (!backing.has_value() || backing->device != device ||
          backing->inode != inode || !backing->window.Overlaps(window)) {
        continue;
      }
      ONDISK_RETURN_IF_ERROR(CheckDisk(block, backing->window.offset, window));
    }
    return absl::OkStatus();
  }

  absl::Status CheckBlockDevice(dev_t device, ByteWindow window) const {
    std::error_code error;
    fs::path block = fs::canonical(
        fmt::format("/sys/dev/block/{}:{}", major(device), minor(device)),
        error);
    if (error) return absl::OkStatus();
    if (fs::exists(block / "partition", error)) {
      window.offset += ReadNumber(block / "start") * kSysfsSector;
      block = block.parent_path();
    }
    return CheckDisk(block, 0, window);
  }

  // A disk and its partitions. `window` counts as `start` does, where the disk
  // begins.
  absl::Status CheckDisk(const fs::path& block, uint64_t start,
                         const ByteWindow& window) const {
    ONDISK_RETURN_IF_ERROR(CheckMounts(block));
    for (const fs::path& part : Children(block)) {
      std::error_code error;
      if (!fs::exists(part / "partition", error)) continue;
      const ByteWindow taken{start + ReadNumber(part / "start") * kSysfsSector,
                             ReadNumber(part / "size") * kSysfsSector};
      if (taken.Overlaps(window)) ONDISK_RETURN_IF_ERROR(CheckMounts(part));
    }
    return absl::OkStatus();
  }

  absl::Status CheckMounts(const fs::path& block) const {
    const std::string number = ReadLine(block / "dev");
    for (const KernelMount& mount : writing_) {
      if (mount.device != number) continue;
      return ondisk::PosixError(
          EBUSY, fmt::format("{} is mounted read-write on {} ({} on /dev/{})",
                             device_.name(), mount.mount_point, mount.type,
                             block.filename().string()));
    }
    return absl::OkStatus();
  }

  const FileDevice& device_;
  const std::vector<KernelMount> writing_ = WritingMounts();
};

}  // namespace

std::optional<KernelMount> KernelMount::Parse(std::string_view line) {
  // "id parent major:minor root mount-point options [optional...] - type source
  // super-options"
  const std::vector<std::string> words =
      absl::StrSplit(absl::string_view(line.data(), line.size()), ' ');
  constexpr size_t kFirstOptional = 6;
  for (size_t dash = kFirstOptional; dash + 3 < words.size(); ++dash) {
    if (words[dash] != "-") continue;
    KernelMount mount;
    mount.device = words[2];
    mount.mount_point = Unquote(words[4]);
    mount.type = words[dash + 1];
    for (const absl::string_view option :
         absl::StrSplit(words[dash + 3], ',')) {
      mount.writes = mount.writes || option == "rw";
    }
    return mount;
  }
  return std::nullopt;
}

bool ByteWindow::Overlaps(const ByteWindow& other) const {
  const auto lies_before = [](const ByteWindow& a, const ByteWindow& b) {
    return a.size != 0 && a.offset <= b.offset && a.size <= b.offset - a.offset;
  };
  return !lies_before(*this, other) && !lies_before(other, *this);
}

absl::Status CheckNotMountedForWriting(const FileDevice& device) {
  return WriterSearch(device).Check();
}

}  // namespace fusexfs
