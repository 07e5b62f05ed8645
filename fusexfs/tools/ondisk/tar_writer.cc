#include "fusexfs/tools/ondisk/tar_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <clocale>
#include <cstring>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/names.h"
#include "fusexfs/tools/ondisk/posix_acl.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

// libarchive wants the bytes of a hole as well, and skips them: it writes at
// most this much at a call.
constexpr size_t kZeros = INT_MAX;

// Address space without memory behind it; null if there is none.
const void* Zeros() {
  static const void* const zeros = [] {
    void* mapped = mmap(nullptr, kZeros, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapped == MAP_FAILED ? nullptr : mapped;
  }();
  return zeros;
}

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using EntryPointer = std::unique_ptr<archive_entry, FreeEntry>;

// libarchive writes a time as "SECONDS.NANOSECONDS", which POSIX reads as a
// decimal fraction: before 1970, -5 s and +0.25 s must be written -4.75. The
// last second before 1970 would need a "-0"; its fraction is left out.
Timestamp AsDecimal(Timestamp time) {
  if (time.seconds >= 0 || time.nanoseconds == 0) return time;
  if (time.seconds == -1) return {-1, 0};
  return {time.seconds + 1, 1'000'000'000 - time.nanoseconds};
}

void SetAttributes(const Attributes& a, archive_entry* entry) {
  archive_entry_set_mode(entry, a.mode);
  archive_entry_set_uid(entry, a.user);
  archive_entry_set_gid(entry, a.group);
  archive_entry_set_nlink(entry, a.links);
  const auto set = [entry](auto function, Timestamp time) {
    time = AsDecimal(time);
    function(entry, time.seconds, time.nanoseconds);
  };
  set(archive_entry_set_atime, a.access);
  set(archive_entry_set_mtime, a.modify);
  set(archive_entry_set_ctime, a.change);
  if (S_ISCHR(a.mode) || S_ISBLK(a.mode)) {
    archive_entry_set_rdevmajor(entry, a.device_major);
    archive_entry_set_rdevminor(entry, a.device_minor);
  }
  if (S_ISREG(a.mode)) {
    archive_entry_set_size(entry, static_cast<int64_t>(a.size));
  }
}

// A pax keyword ends at '='; GNU tar writes it, and '%', in hexadecimal.
std::string KeywordName(std::string_view xattr_name) {
  std::string name;
  for (const char c : xattr_name) {
    if (c == '=') {
      name += "%3D";
    } else if (c == '%') {
      name += "%25";
    } else {
      name += c;
    }
  }
  return name;
}

absl::Status SetXattrs(const TarEntry& tar, archive_entry* entry) {
  for (const TarEntry::Xattr& xattr : tar.xattrs) {
    if (IsPosixAclName(xattr.name)) {
      ONDISK_RETURN_IF_ERROR(AddPosixAcl(xattr.name, xattr.value, entry));
    } else {
      archive_entry_xattr_add_entry(entry, KeywordName(xattr.name).c_str(),
                                    xattr.value.data(), xattr.value.size());
    }
  }
  return absl::OkStatus();
}

}  // namespace

void TarWriter::FreeArchive::operator()(archive* a) const {
  archive_write_free(a);
}

absl::StatusOr<TarWriter> TarWriter::Open(int fd) {
  TarWriter writer;
  writer.archive_.reset(archive_write_new());
  archive* a = writer.archive_.get();
  if (a == nullptr) return ondisk::PosixError(ENOMEM, "no memory for the tar");
  // Names are bytes, whatever the user's locale. libarchive translates them
  // from the locale's encoding to UTF-8, and marks those that cannot be.
  const bool utf8 = std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
  const char* names = utf8 ? "" : ",hdrcharset=BINARY";
  if (archive_write_set_format_pax(a) != ARCHIVE_OK ||
      archive_write_set_options(
          a, fmt::format("xattrheader=SCHILY{}", names).c_str()) !=
          ARCHIVE_OK ||
      archive_write_add_filter_none(a) != ARCHIVE_OK ||
      archive_write_open_fd(a, fd) != ARCHIVE_OK) {
    return writer.Error("opening the tar");
  }
  return writer;
}

absl::Status TarWriter::Error(std::string_view doing) const {
  const int error = archive_errno(archive_.get());
  const char* text = archive_error_string(archive_.get());
  // libarchive's own error numbers are negative.
  return ondisk::PosixError(
      error > 0 ? error : EIO,
      fmt::format("{}: {}{}{}", doing, text != nullptr ? text : "unknown error",
                  error > 0 ? ": " : "",
                  error > 0 ? std::strerror(error) : ""));
}

absl::Status TarWriter::WriteHeader(const TarEntry& tar) {
  const EntryPointer entry(archive_entry_new2(archive_.get()));
  if (entry == nullptr)
    return ondisk::PosixError(ENOMEM, "no memory for a tar entry");
  archive_entry_copy_pathname(entry.get(), tar.path.c_str());
  SetAttributes(tar.attributes, entry.get());
  if (!tar.hard_link.empty()) {
    archive_entry_copy_hardlink(entry.get(), tar.hard_link.c_str());
    archive_entry_unset_size(entry.get());
  } else {
    if (S_ISLNK(tar.attributes.mode)) {
      archive_entry_copy_symlink(entry.get(), tar.link_target.c_str());
    }
    ONDISK_RETURN_IF_ERROR(SetXattrs(tar, entry.get()));
    for (const DataRange& range : tar.ranges) {
      archive_entry_sparse_add_entry(entry.get(),
                                     static_cast<int64_t>(range.offset),
                                     static_cast<int64_t>(range.length));
    }
  }
  if (archive_write_header(archive_.get(), entry.get()) < ARCHIVE_WARN) {
    return Error(EscapeName(tar.path));
  }
  return absl::OkStatus();
}

absl::Status TarWriter::Write(const void* bytes, uint64_t length) {
  const la_ssize_t written = archive_write_data(archive_.get(), bytes, length);
  if (written < 0 || static_cast<uint64_t>(written) != length) {
    return Error("writing the tar");
  }
  return absl::OkStatus();
}

absl::Status TarWriter::WriteData(ondisk::Bytes bytes) {
  return Write(bytes.data(), bytes.size());
}

absl::Status TarWriter::WriteHole(uint64_t length) {
  if (length == 0) return absl::OkStatus();
  const void* zeros = Zeros();
  if (zeros == nullptr) {
    return ondisk::PosixError(ENOMEM, "no address space for a hole's zeros");
  }
  while (length > 0) {
    const uint64_t piece = std::min<uint64_t>(length, kZeros);
    ONDISK_RETURN_IF_ERROR(Write(zeros, piece));
    length -= piece;
  }
  return absl::OkStatus();
}

absl::Status TarWriter::Close() {
  if (archive_write_close(archive_.get()) != ARCHIVE_OK) {
    return Error("ending the tar");
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
