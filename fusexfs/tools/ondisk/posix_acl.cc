// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/posix_acl.h"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <limits>
#include <optional>
#include <string>

#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr uint32_t kVersion = 2;
constexpr size_t kHeaderBytes = 4;
constexpr size_t kEntryBytes = 8;

uint32_t ReadLittle(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  }
  return value;
}

// ACL_USER_OBJ and so on of <sys/acl.h>, as libarchive says them.
std::optional<int> ArchiveTag(uint32_t tag) {
  switch (tag) {
    case 0x01:
      return ARCHIVE_ENTRY_ACL_USER_OBJ;
    case 0x02:
      return ARCHIVE_ENTRY_ACL_USER;
    case 0x04:
      return ARCHIVE_ENTRY_ACL_GROUP_OBJ;
    case 0x08:
      return ARCHIVE_ENTRY_ACL_GROUP;
    case 0x10:
      return ARCHIVE_ENTRY_ACL_MASK;
    case 0x20:
      return ARCHIVE_ENTRY_ACL_OTHER;
    default:
      return std::nullopt;
  }
}

bool IsNamed(int tag) {
  return tag == ARCHIVE_ENTRY_ACL_USER || tag == ARCHIVE_ENTRY_ACL_GROUP;
}

// libarchive's ids are ints; it writes an entry without one by its name.
constexpr uint32_t kMostId = std::numeric_limits<int>::max();

}  // namespace

bool IsPosixAclName(std::string_view xattr_name) {
  return xattr_name == "system.posix_acl_access" ||
         xattr_name == "system.posix_acl_default";
}

absl::Status CheckPosixAcl(std::string_view value) {
  if (value.size() < kHeaderBytes ||
      (value.size() - kHeaderBytes) % kEntryBytes != 0 ||
      ReadLittle(value.substr(0, kHeaderBytes)) != kVersion) {
    return ondisk::PosixError(EINVAL, "not an access control list");
  }
  for (size_t at = kHeaderBytes; at < value.size(); at += kEntryBytes) {
    if (!ArchiveTag(ReadLittle(value.substr(at, 2)))) {
      return ondisk::PosixError(EINVAL, "an entry of unknown kind");
    }
  }
  return absl::OkStatus();
}

absl::Status AddPosixAcl(std::string_view xattr_name, std::string_view value,
                         archive_entry* entry) {
  ONDISK_RETURN_IF_ERROR(CheckPosixAcl(value));
  const int type = xattr_name == "system.posix_acl_access"
                       ? ARCHIVE_ENTRY_ACL_TYPE_ACCESS
                       : ARCHIVE_ENTRY_ACL_TYPE_DEFAULT;
  for (size_t at = kHeaderBytes; at < value.size(); at += kEntryBytes) {
    const int tag = *ArchiveTag(ReadLittle(value.substr(at, 2)));
    // POSIX's permission bits and libarchive's (EXECUTE, WRITE, READ) agree.
    const uint32_t permissions = ReadLittle(value.substr(at + 2, 2)) & 7;
    const uint32_t id = ReadLittle(value.substr(at + 4, 4));
    const bool by_id = IsNamed(tag) && id <= kMostId;
    const bool by_name = IsNamed(tag) && id > kMostId;
    archive_entry_acl_add_entry(entry, type, static_cast<int>(permissions), tag,
                                by_id ? static_cast<int>(id) : -1,
                                by_name ? std::to_string(id).c_str() : nullptr);
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
