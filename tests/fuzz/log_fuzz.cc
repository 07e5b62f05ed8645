// SPDX-License-Identifier: GPL-2.0-or-later
// The log: where it starts and ends, its records, transactions and items.
//
// Checksums are made right record by record, with what the record's header says
// of its length after the change.
#include <cstdint>
#include <vector>

#include "fusexfs/journal/log_area.h"
#include "fusexfs/journal/log_explain.h"
#include "fusexfs/journal/log_record_reader.h"
#include "fusexfs/journal/log_state.h"
#include "fusexfs/journal/log_transaction.h"
#include "libondisk/log_item.h"
#include "tests/fuzz/log_reseal.h"
#include "tests/fuzz/patched_image.h"

namespace {

// As recovery would: the first records, every item.
void ReadTransactions(const fusexfs::LogArea& area,
                      const ondisk::Geometry& geometry) {
  const absl::StatusOr<fusexfs::LogState> state = fusexfs::FindLogState(area);
  if (!state.ok()) return;
  (void)state->ToString();
  fusexfs::LogRecordReader reader(area, state->tail_block, state->head_block);
  fusexfs::LogTransactionAssembler assembler;
  fusexfs::LogRecord record;
  int left = 6;
  for (auto more = reader.Next(record); more.ok() && *more && left-- > 0;
       more = reader.Next(record)) {
    const absl::Status status = fusexfs::ForEachLogOperation(
        area, record,
        [&](const fusexfs::LogOperation& operation) -> absl::Status {
          auto event = assembler.Add(record, operation);
          if (!event.ok()) return event.status();
          if (!event->committed.has_value()) return absl::OkStatus();
          for (const fusexfs::LogItem& item : event->committed->items) {
            ondisk::Checker check("log item", ondisk::Where());
            ondisk::VerifyLogItem(geometry, item.views(), check);
          }
          return absl::OkStatus();
        });
    if (!status.ok()) return;
  }
}

}  // namespace

const fusexfs::fuzz::Bases* bases;

// Before the first input, so that loading does not count as its time.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  bases = new fusexfs::fuzz::Bases(fusexfs::fuzz::LoadBases(
      {"dirty-log", "tiny-v4"}, {fusexfs::StructureKind::kLogBlock}));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto image = fusexfs::fuzz::ReadInput(*bases, {data, size});
  const fusexfs::fuzz::ResealedLog resealed(*image);
  const ondisk::Geometry& geometry = image->base().geometry;
  const auto area = fusexfs::LogArea::Of(geometry, resealed, nullptr);
  if (!area.ok()) return 0;
  // Words take much longer than work: one input in four is explained.
  if (size % 4 == 0) {
    size_t records = 0;
    (void)fusexfs::ExplainLog(*area, geometry,
                              [&records](const ondisk::Explanation& part) {
                                (void)part.AllChecksHold();
                                return ++records < 4;
                              });
  }
  ReadTransactions(*area, geometry);
  return 0;
}
