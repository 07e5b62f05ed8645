// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/status.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"

namespace ondisk {
namespace {

constexpr char kErrnoPayload[] = "fusexfs/errno";

absl::Status WithErrno(absl::Status status, int error) {
  status.SetPayload(kErrnoPayload, absl::Cord(fmt::to_string(error)));
  return status;
}

int ErrnoOfCode(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return 0;
    case absl::StatusCode::kDataLoss:
      return EUCLEAN;
    case absl::StatusCode::kNotFound:
      return ENOENT;
    case absl::StatusCode::kInvalidArgument:
      return EINVAL;
    case absl::StatusCode::kOutOfRange:
      return ERANGE;
    case absl::StatusCode::kUnimplemented:
      return EOPNOTSUPP;
    case absl::StatusCode::kResourceExhausted:
      return ENOSPC;
    case absl::StatusCode::kPermissionDenied:
      return EACCES;
    case absl::StatusCode::kAlreadyExists:
      return EEXIST;
    default:
      return EIO;
  }
}

}  // namespace

std::string Where::ToString() const {
  switch (kind) {
    case Kind::kNowhere:
      return "";
    case Kind::kDiskAddress:
      return fmt::format("daddr {}", first);
    case Kind::kInode:
      return fmt::format("inode {}", first);
    case Kind::kDataFork:
      return fmt::format("inode {} data fork block {}", first, second);
    case Kind::kAttrFork:
      return fmt::format("inode {} attribute fork block {}", first, second);
    case Kind::kLogBlock:
      return fmt::format("log block {}", first);
  }
  return "";
}

absl::Status CorruptionError(std::string_view structure, Where where,
                             std::string_view field, std::string_view found,
                             std::string_view expected) {
  const bool placed = where.kind != Where::Kind::kNowhere;
  return WithErrno(
      absl::DataLossError(fmt::format(
          "{}{}{}: {} is {}, expected {}", structure, placed ? " at " : "",
          where.ToString(), field, found, expected)),
      EUCLEAN);
}

bool IsCorruption(const absl::Status& status) {
  return status.code() == absl::StatusCode::kDataLoss;
}

absl::Status UnsupportedError(std::string_view message) {
  return WithErrno(absl::UnimplementedError(std::string(message)), EOPNOTSUPP);
}

absl::Status PosixError(int error, std::string_view message) {
  // An I/O error must not end in kDataLoss, which means corruption here.
  absl::StatusCode code = absl::ErrnoToStatusCode(error);
  if (code == absl::StatusCode::kDataLoss || code == absl::StatusCode::kOk) {
    code = absl::StatusCode::kUnknown;
  }
  return WithErrno(absl::Status(code, std::string(message)), error);
}

absl::Status SystemError(std::string_view what) {
  const int error = errno;
  return PosixError(error, fmt::format("{}: {}", what, std::strerror(error)));
}

int ErrnoOf(const absl::Status& status) {
  if (status.ok()) return 0;
  if (auto payload = status.GetPayload(kErrnoPayload)) {
    int error = 0;
    if (absl::SimpleAtoi(std::string(*payload), &error)) return error;
  }
  return ErrnoOfCode(status.code());
}

std::string_view MessageOf(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

absl::Status Annotate(const absl::Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(),
                         fmt::format("{}: {}", prefix, MessageOf(status)));
  status.ForEachPayload([&annotated](auto url, const absl::Cord& payload) {
    annotated.SetPayload(url, payload);
  });
  return annotated;
}

}  // namespace ondisk
