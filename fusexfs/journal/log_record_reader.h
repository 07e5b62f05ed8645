// SPDX-License-Identifier: GPL-2.0-or-later
// The records of the log from tail to head, and the operations in them.
//
// A reader walks the ring once. As the kernel does, it takes the number of
// header blocks from the first record for all of them (a log is written with
// one buffer size from one mount to the next), and accepts one quirk: old
// versions of mkfs wrote an unmount record longer than its h_size says.
//
// Thread-safety: a reader belongs to one thread.
#ifndef FUSEXFS_FUSEXFS_JOURNAL_LOG_RECORD_READER_H_
#define FUSEXFS_FUSEXFS_JOURNAL_LOG_RECORD_READER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fusexfs/journal/log_area.h"
#include "libondisk/log_operation.h"
#include "libondisk/log_record.h"
#include "libondisk/types.h"

namespace fusexfs {

struct LogRecord {
  uint32_t block = 0;            // of its first header block
  std::vector<uint8_t> headers;  // all header blocks
  std::vector<uint8_t> payload;  // whole blocks, displaced words put back
  ondisk::LogCrc crc = ondisk::LogCrc::kNone;

  const ondisk::LogRecordHeader& header() const {
    return ondisk::View<ondisk::LogRecordHeader>(headers);
  }
  // The operations: h_len bytes.
  ondisk::Bytes operations() const {
    return ondisk::Bytes(payload).first(header().h_len.value());
  }
};

class LogRecordReader {
 public:
  // Reads records in [tail, head) of the ring; none if they are equal.
  // REQUIRES: `area` outlives the reader.
  LogRecordReader(const LogArea& area, uint32_t tail, uint32_t head);

  // The next record, checked and checksummed; false at the head. `record` is
  // reused. Errors: I/O; corruption of the header or a wrong checksum, and then
  // bad_block() says where the record starts, unless it is so odd that nothing
  // else could be said of it. Call no more after an error.
  absl::StatusOr<bool> Next(LogRecord& record);

  // Shows a record whose checksum is wrong instead of failing (for people).
  void AcceptWrongChecksums() { accept_wrong_checksums_ = true; }

  std::optional<uint32_t> bad_block() const { return bad_block_; }

 private:
  absl::Status ReadFirstHeader();
  absl::Status ReadRecord(LogRecord& record);

  const LogArea& area_;
  const uint32_t head_;
  bool before_end_;  // in the part of the ring before its physical end
  uint64_t next_;    // block of the next record; may run past the end
  bool started_ = false;
  bool accept_wrong_checksums_ = false;
  uint32_t buffer_bytes_ = 0;
  uint32_t header_blocks_ = 1;
  std::optional<uint32_t> bad_block_;
};

struct LogOperation {
  const ondisk::LogOperationHeader* header;
  ondisk::Bytes data;
  uint32_t offset;  // of the header, in the record's operations
};

// Calls `visit` for each operation of a record, until one fails. Errors:
// corruption if the record belongs to another filesystem or was written in
// another byte order, or an operation does not fit.
absl::Status ForEachLogOperation(
    const LogArea& area, const LogRecord& record,
    absl::FunctionRef<absl::Status(const LogOperation&)> visit);

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_JOURNAL_LOG_RECORD_READER_H_
