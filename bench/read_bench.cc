// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/read_bench.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "libondisk/crc32c.h"
#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

constexpr uint32_t kRandomSize = 4096;
constexpr uint64_t kRandomSeed = 4711;

// What an operation found: equal at every door and in every run.
struct Answer {
  uint64_t items = 0;
  uint64_t first = 0, second = 0;

  friend bool operator==(const Answer&, const Answer&) = default;
};

// The work, chosen once for all doors.
struct Plan {
  std::vector<std::string> files;
  std::string largest;
  uint64_t largest_size = 0;
  std::vector<uint64_t> random_offsets;
};

absl::StatusOr<Plan> MakePlan(const ReadOptions& options, Door& door) {
  Plan plan;
  ONDISK_RETURN_IF_ERROR(
      door.Walk([&plan](const std::string& path, uint64_t size) {
            plan.files.push_back(path);
            if (size >= plan.largest_size) {
              plan.largest = path;
              plan.largest_size = size;
            }
          })
          .status());
  if (plan.files.empty()) {
    return ondisk::PosixError(ENOENT, "the image holds no regular file");
  }
  std::sort(plan.files.begin(), plan.files.end());
  std::mt19937_64 random(kRandomSeed);
  std::uniform_int_distribution<uint64_t> block(
      0, std::max<uint64_t>(plan.largest_size / kRandomSize, 1) - 1);
  for (uint32_t i = 0; i < options.random_reads; ++i) {
    plan.random_offsets.push_back(block(random) * kRandomSize);
  }
  return plan;
}

absl::StatusOr<Answer> Walk(Door& door) {
  ONDISK_ASSIGN_OR_RETURN(const TreeSum sum,
                          door.Walk([](const std::string&, uint64_t) {}));
  return Answer{sum.entries, sum.bytes, sum.inodes};
}

// `check` adds a checksum of the data, which costs time of its own.
absl::StatusOr<Answer> ReadSequential(Door& door, const Plan& plan,
                                      const ReadOptions& options, bool check) {
  std::vector<uint8_t> buffer(options.read_size);
  ONDISK_RETURN_IF_ERROR(door.OpenFile(plan.largest));
  const uint64_t end = std::min(plan.largest_size, options.read_bytes);
  Answer answer;
  uint32_t crc = ondisk::kCrc32cSeed;
  while (answer.items < end) {
    const ondisk::MutableBytes into(
        buffer.data(), std::min<uint64_t>(buffer.size(), end - answer.items));
    ONDISK_ASSIGN_OR_RETURN(const uint64_t got,
                            door.ReadAt(answer.items, into));
    if (got == 0) break;
    if (check) crc = ondisk::Crc32cExtend(crc, into.first(got));
    answer.items += got;
  }
  door.CloseFile();
  answer.first = check ? crc : 0;
  return answer;
}

absl::StatusOr<Answer> ReadRandom(Door& door, const Plan& plan) {
  std::vector<uint8_t> buffer(kRandomSize);
  ONDISK_RETURN_IF_ERROR(door.OpenFile(plan.largest));
  Answer answer;
  for (const uint64_t offset : plan.random_offsets) {
    ONDISK_ASSIGN_OR_RETURN(const uint64_t got, door.ReadAt(offset, buffer));
    ++answer.items;
    answer.first += got;
    if (got > 0) answer.second += buffer[0];
  }
  door.CloseFile();
  return answer;
}

absl::StatusOr<Answer> Fiemap(Door& door, const Plan& plan, uint32_t files) {
  Answer answer;
  for (uint32_t i = 0; i < files; ++i) {
    ONDISK_ASSIGN_OR_RETURN(const Door::ExtentCount count,
                            door.Fiemap(plan.files[i % plan.files.size()]));
    ++answer.items;
    answer.first += count.extents;
    answer.second += count.shared;
  }
  return answer;
}

struct Operation {
  std::string name;
  std::string unit;
  std::function<absl::StatusOr<Answer>(Door&)> run;
};

class Experiment {
 public:
  Experiment(const ReadOptions& options,
             const std::vector<std::unique_ptr<Door>>& doors)
      : options_(options), doors_(doors) {}

  absl::StatusOr<std::vector<Cell>> Run() {
    for (const auto& door : doors_) ONDISK_RETURN_IF_ERROR(door->Open());
    ONDISK_ASSIGN_OR_RETURN(plan_, MakePlan(options_, *doors_.front()));
    ONDISK_RETURN_IF_ERROR(CompareContents());
    const std::vector<Operation> operations = {
        {"walk", "entry", [](Door& door) { return Walk(door); }},
        {"read", "byte",
         [this](Door& door) {
           return ReadSequential(door, plan_, options_, false);
         }},
        {"random", "read",
         [this](Door& door) { return ReadRandom(door, plan_); }},
        {"fiemap", "file",
         [this](Door& door) {
           return Fiemap(door, plan_, options_.fiemap_files);
         }},
    };
    for (const Operation& operation : operations) {
      if (options_.cold) ONDISK_RETURN_IF_ERROR(Measure(operation, true));
      ONDISK_RETURN_IF_ERROR(Measure(operation, false));
    }
    for (const auto& door : doors_) ONDISK_RETURN_IF_ERROR(door->Close());
    return std::move(cells_);
  }

 private:
  // Before anything is timed: do all doors read the same bytes?
  absl::Status CompareContents() {
    Answer first;
    for (const auto& door : doors_) {
      ONDISK_ASSIGN_OR_RETURN(const Answer answer,
                              ReadSequential(*door, plan_, options_, true));
      if (door == doors_.front()) first = answer;
      if (!(answer == first)) {
        return ondisk::PosixError(
            EIO,
            fmt::format("{} and {} read different bytes from {}",
                        doors_.front()->name(), door->name(), plan_.largest));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Measure(const Operation& operation, bool cold) {
    const std::string name = operation.name + (cold ? " cold" : " warm");
    const size_t first_cell = cells_.size();
    for (const auto& door : doors_) {
      cells_.push_back(
          {name, std::string(door->name()), 0, operation.unit, 0, {}});
      // What is warm was done before.
      if (!cold) ONDISK_RETURN_IF_ERROR(operation.run(*door).status());
    }
    for (uint32_t run = 0; run < options_.runs; ++run) {
      for (size_t i = 0; i < doors_.size(); ++i) {
        Door& door = *doors_[i];
        fmt::print(stderr, "\r{:<14} run {}/{} {:<8}", name, run + 1,
                   options_.runs, door.name());
        if (cold) {
          ONDISK_RETURN_IF_ERROR(door.Close());
          ONDISK_RETURN_IF_ERROR(door.Open());
          ONDISK_RETURN_IF_ERROR(DropSystemCaches());
        }
        const Stopwatch watch(door);
        const absl::StatusOr<Answer> answer = operation.run(door);
        Note(watch.Stop(), answer, cells_[first_cell], cells_[first_cell + i]);
      }
    }
    fmt::print(stderr, "\r{:<14} done{:<20}\n", name, "");
    return absl::OkStatus();
  }

  void Note(const Sample& sample, const absl::StatusOr<Answer>& answer,
            const Cell& first, Cell& cell) {
    if (!answer.ok()) {
      ++cell.errors;
      fmt::print(stderr, "\n{} {}: {}\n", cell.operation, cell.door,
                 ondisk::MessageOf(answer.status()));
      return;
    }
    if (&first == &cell && cell.samples.empty()) expected_ = *answer;
    if (!(*answer == expected_)) {
      ++cell.errors;
      fmt::print(stderr,
                 "\n{} {}: found {} items ({}, {}), {} found {} ({}, {})\n",
                 cell.operation, cell.door, answer->items, answer->first,
                 answer->second, first.door, expected_.items, expected_.first,
                 expected_.second);
    }
    cell.items = answer->items;
    cell.samples.push_back(sample);
  }

  const ReadOptions options_;
  const std::vector<std::unique_ptr<Door>>& doors_;
  Plan plan_;
  Answer expected_;
  std::vector<Cell> cells_;
};

}  // namespace

absl::StatusOr<std::vector<Cell>> RunReadBench(
    const ReadOptions& options,
    const std::vector<std::unique_ptr<Door>>& doors) {
  return Experiment(options, doors).Run();
}

}  // namespace fusexfs::bench
