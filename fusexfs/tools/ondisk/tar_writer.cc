// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/tar_writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstring>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/names.h"
#include "fusexfs/tools/ondisk/posix_acl.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

// An archive_write_callback.
la_ssize_t WriteToSink(archive* a, void* sink, const void* bytes,
                       size_t length) {
  const int error = static_cast<TarSink*>(sink)->Write(
      {static_cast<const uint8_t*>(bytes), length});
  if (error == 0) return static_cast<la_ssize_t>(length);
  archive_set_error(a, error, "cannot write");
  return -1;
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
  ONDISK_ASSIGN_OR_RETURN(writer.sink_, TarSink::Open(fd));
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
      // No buffer: what libarchive has written is in the sink.
      archive_write_set_bytes_per_block(a, 0) != ARCHIVE_OK ||
      archive_write_open(a, writer.sink_.get(), nullptr, WriteToSink,
                         nullptr) != ARCHIVE_OK) {
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
  ONDISK_RETURN_IF_ERROR(FinishEntry());
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
  sparse_ = tar.hard_link.empty() && !tar.ranges.empty();
  return sparse_ ? Write({}) : absl::OkStatus();  // the map of its ranges
}

absl::Status TarWriter::FinishEntry() {
  if (archive_write_finish_entry(archive_.get()) != ARCHIVE_OK) {
    return Error("writing the tar");
  }
  if (sink_->owed() != 0) {
    return ondisk::PosixError(
        EIO, fmt::format("writing the tar: libarchive ended a sparse file {} "
                         "bytes early",
                         sink_->owed()));
  }
  return absl::OkStatus();
}

absl::Status TarWriter::Write(ondisk::Bytes bytes) {
  const la_ssize_t written =
      archive_write_data(archive_.get(), bytes.data(), bytes.size());
  if (written < 0 || static_cast<uint64_t>(written) != bytes.size()) {
    return Error("writing the tar");
  }
  return absl::OkStatus();
}

absl::Status TarWriter::WriteData(ondisk::Bytes bytes) {
  return sparse_ ? sink_->WriteInAdvance(bytes) : Write(bytes);
}

absl::Status TarWriter::Close() {
  ONDISK_RETURN_IF_ERROR(FinishEntry());
  if (archive_write_close(archive_.get()) != ARCHIVE_OK) {
    return Error("ending the tar");
  }
  return sink_->Close();
}

}  // namespace fusexfs::tool
