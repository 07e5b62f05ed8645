// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk cat: the bytes of a file.
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/commands.h"
#include "fusexfs/tools/ondisk/format.h"
#include "fusexfs/tools/ondisk/target.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr size_t kPiece = 1u << 20;  // bytes

}  // namespace

absl::Status RunCat(const ImageOptions& image, const std::string& path,
                    Console& console) {
  ONDISK_ASSIGN_OR_RETURN(const auto filesystem,
                          OpenFilesystem(image, console));
  ONDISK_ASSIGN_OR_RETURN(const ondisk::InodeNumber inode,
                          ResolveTarget(*filesystem, path, LastLink::kFollow));
  ONDISK_ASSIGN_OR_RETURN(const Attributes attributes,
                          filesystem->GetAttributes(inode));
  if (!S_ISREG(attributes.mode)) {
    return ondisk::PosixError(
        S_ISDIR(attributes.mode) ? EISDIR : EINVAL,
        fmt::format("{}: a {}, not a regular file", EscapeName(path),
                    TypeText(attributes.mode)));
  }
  std::vector<uint8_t> piece(kPiece);
  for (uint64_t offset = 0; offset < attributes.size;) {
    ONDISK_ASSIGN_OR_RETURN(const uint64_t bytes,
                            filesystem->Read(inode, offset, piece));
    if (bytes == 0) break;
    console.Write({reinterpret_cast<const char*>(piece.data()), bytes});
    ONDISK_RETURN_IF_ERROR(console.write_status());
    offset += bytes;
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
