#include "libondisk/status.h"

#include <cerrno>
#include <optional>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace ondisk {
namespace {

constexpr std::string_view kErrnoPayload = "fusexfs/errno";

absl::Status WithErrno(absl::Status status, int error) {
  status.SetPayload(kErrnoPayload, absl::Cord(absl::StrCat(error)));
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
      return absl::StrCat("daddr ", first);
    case Kind::kInode:
      return absl::StrCat("inode ", first);
    case Kind::kDataFork:
      return absl::StrCat("inode ", first, " data fork block ", second);
    case Kind::kAttrFork:
      return absl::StrCat("inode ", first, " attribute fork block ", second);
    case Kind::kLogBlock:
      return absl::StrCat("log block ", first);
  }
  return "";
}

absl::Status CorruptionError(std::string_view structure, Where where,
                             std::string_view field, std::string_view found,
                             std::string_view expected) {
  std::string message(structure);
  if (where.kind != Where::Kind::kNowhere) {
    absl::StrAppend(&message, " at ", where.ToString());
  }
  absl::StrAppend(&message, ": ", field, " is ", found, ", expected ",
                  expected);
  return WithErrno(absl::DataLossError(message), EUCLEAN);
}

bool IsCorruption(const absl::Status& status) {
  return status.code() == absl::StatusCode::kDataLoss;
}

absl::Status UnsupportedError(std::string_view message) {
  return WithErrno(absl::UnimplementedError(message), EOPNOTSUPP);
}

absl::Status PosixError(int error, std::string_view message) {
  // An I/O error must not end in kDataLoss, which means corruption here.
  absl::StatusCode code = absl::ErrnoToStatusCode(error);
  if (code == absl::StatusCode::kDataLoss || code == absl::StatusCode::kOk) {
    code = absl::StatusCode::kUnknown;
  }
  return WithErrno(absl::Status(code, message), error);
}

int ErrnoOf(const absl::Status& status) {
  if (status.ok()) return 0;
  if (std::optional<absl::Cord> payload = status.GetPayload(kErrnoPayload)) {
    int error = 0;
    if (absl::SimpleAtoi(std::string(*payload), &error)) return error;
  }
  return ErrnoOfCode(status.code());
}

absl::Status Annotate(const absl::Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(),
                         absl::StrCat(prefix, ": ", status.message()));
  status.ForEachPayload(
      [&annotated](std::string_view url, const absl::Cord& payload) {
        annotated.SetPayload(url, payload);
      });
  return annotated;
}

}  // namespace ondisk
