// SPDX-License-Identifier: GPL-2.0-or-later
// Transactions, put together from the operations of the log's records.
//
// A transaction's operations may be spread over records and mixed with those of
// others, and a region may be cut in pieces. The assembler keeps what is not
// yet committed; a commit hands the transaction out, and what is never
// committed is never handed out. Memory is bounded by the bytes fed in.
//
// Thread-safety: an assembler belongs to one thread.
// Source: kernel fs/xfs/xfs_log_recover.c (xlog_recovery_process_trans).
#ifndef FUSEXFS_FUSEXFS_JOURNAL_LOG_TRANSACTION_H_
#define FUSEXFS_FUSEXFS_JOURNAL_LOG_TRANSACTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "fusexfs/journal/log_record_reader.h"
#include "libondisk/log_item.h"
#include "libondisk/types.h"

namespace fusexfs {

struct LogItem {
  std::vector<std::vector<uint8_t>> regions;
  uint32_t expected_regions = 0;
  // The last region goes on in a later operation.
  bool unfinished_region = false;

  uint16_t type() const {  // REQUIRES: a region
    return ondisk::View<ondisk::LogItemHeader>(regions[0]).type.value();
  }
  bool complete() const {
    return regions.size() == expected_regions && !unfinished_region;
  }
  // For the functions of log_item.h. Valid while the item is not changed.
  std::vector<ondisk::Bytes> views() const {
    return {regions.begin(), regions.end()};
  }
};

struct LogTransaction {
  uint32_t tid = 0;
  ondisk::Lsn lsn;              // of the record in which it started
  std::vector<uint8_t> header;  // 16 bytes once it is complete
  std::vector<LogItem> items;
};

class LogTransactionAssembler {
 public:
  // `keep_items`: false drops an item's regions once it was reported complete
  // and the next operation comes (to look at items one by one).
  explicit LogTransactionAssembler(bool keep_items = true)
      : keep_items_(keep_items) {}

  // What an operation was.
  struct Event {
    enum class Kind {
      kSkipped,  // of a transaction that started before the tail; or padding
      kStart,
      kTransactionHeader,
      kRegion,  // a region or a piece of one
      kCommit,
      kUnmount,
    };
    Kind kind = Kind::kSkipped;
    size_t item = 0;    // kRegion: index of the item in its transaction
    size_t region = 0;  // kRegion: index of the region in its item
    // kRegion: the item, if this operation completed it. kTransactionHeader:
    // see `transaction`. Valid until the next call.
    const LogItem* completed = nullptr;
    // kTransactionHeader, kRegion: the transaction. Valid until the next call.
    const LogTransaction* transaction = nullptr;
    // kCommit: the transaction, with all its items.
    std::optional<LogTransaction> committed;
  };

  // Errors: corruption; the assembler is of no use after that.
  absl::StatusOr<Event> Add(const LogRecord& record,
                            const LogOperation& operation);

 private:
  absl::StatusOr<Event> AddRegion(LogTransaction& transaction,
                                  const LogRecord& record,
                                  const LogOperation& operation);
  absl::StatusOr<Event> Continue(LogTransaction& transaction,
                                 const LogRecord& record,
                                 const LogOperation& operation);
  void DropReported();

  bool keep_items_;
  absl::flat_hash_map<uint32_t, LogTransaction> open_;
  // The item that was reported complete last (keep_items_ false).
  std::optional<uint32_t> reported_;
};

}  // namespace fusexfs

#endif  // FUSEXFS_FUSEXFS_JOURNAL_LOG_TRANSACTION_H_
