// SPDX-License-Identifier: GPL-2.0-or-later
// The library in this process, through its front door only.
#include <linux/fiemap.h>

#include <utility>
#include <vector>

#include "bench/door.h"
#include "fusexfs/device/file_device.h"
#include "fusexfs/filesystem.h"
#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

constexpr uint32_t kTypeMask = 0170000, kDirectory = 0040000,
                   kRegular = 0100000;

class EngineDoor final : public Door {
 public:
  explicit EngineDoor(std::string image) : image_(std::move(image)) {}

  std::string_view name() const override { return "engine"; }

  absl::Status Open() override {
    ONDISK_ASSIGN_OR_RETURN(auto device, FileDevice::Open(image_, {}));
    MountOptions options;
    options.read_only = true;
    ONDISK_ASSIGN_OR_RETURN(
        filesystem_, Filesystem::Mount(std::move(device), nullptr, options));
    return absl::OkStatus();
  }

  absl::Status Close() override {
    filesystem_.reset();
    return absl::OkStatus();
  }

  absl::StatusOr<TreeSum> Walk(
      absl::FunctionRef<void(const std::string&, uint64_t)> visit) override {
    TreeSum sum;
    ONDISK_RETURN_IF_ERROR(WalkBelow(filesystem_->root(), "", sum, visit));
    return sum;
  }

  absl::Status OpenFile(const std::string& path) override {
    ONDISK_ASSIGN_OR_RETURN(file_, filesystem_->LookupPath(path));
    return absl::OkStatus();
  }
  absl::StatusOr<uint64_t> ReadAt(uint64_t offset,
                                  ondisk::MutableBytes into) override {
    return filesystem_->Read(file_, offset, into);
  }
  void CloseFile() override {}

  absl::StatusOr<ExtentCount> Fiemap(const std::string& path) override {
    ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                            filesystem_->LookupPath(path));
    ExtentCount count;
    ONDISK_RETURN_IF_ERROR(
        filesystem_->Fiemap(inode, 0, ~uint64_t{0}, FiemapFork::kData,
                            [&count](const FiemapExtent& extent) {
                              ++count.extents;
                              if ((extent.flags & FIEMAP_EXTENT_SHARED) != 0)
                                ++count.shared;
                              return true;
                            }));
    return count;
  }

 private:
  absl::Status WalkBelow(
      ondisk::InodeNumber directory, const std::string& path, TreeSum& sum,
      absl::FunctionRef<void(const std::string&, uint64_t)> visit) {
    std::vector<std::pair<std::string, ondisk::InodeNumber>> names;
    ONDISK_RETURN_IF_ERROR(filesystem_->ReadDirectory(
        directory, 0, [&names](const DirectoryEntry& entry) {
          if (entry.name != "." && entry.name != "..") {
            names.emplace_back(entry.name, entry.inode);
          }
          return true;
        }));
    for (const auto& [name, inode] : names) {
      ONDISK_ASSIGN_OR_RETURN(const Attributes attributes,
                              filesystem_->GetAttributes(inode));
      ++sum.entries;
      sum.inodes += inode.value;
      const uint32_t type = attributes.mode & kTypeMask;
      if (type == kRegular) {
        sum.bytes += attributes.size;
        visit(path + "/" + name, attributes.size);
      } else if (type == kDirectory) {
        ONDISK_RETURN_IF_ERROR(WalkBelow(inode, path + "/" + name, sum, visit));
      }
    }
    return absl::OkStatus();
  }

  const std::string image_;
  std::unique_ptr<Filesystem> filesystem_;
  ondisk::InodeNumber file_;
};

}  // namespace

std::unique_ptr<Door> MakeEngineDoor(std::string image) {
  return std::make_unique<EngineDoor>(std::move(image));
}

}  // namespace fusexfs::bench
