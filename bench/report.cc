// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/report.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>

#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

// "12.3 us/entry", or a rate for bytes.
std::string Cost(const Cell& cell, double wall_ms) {
  if (cell.items == 0 || wall_ms <= 0) return "";
  const double items = static_cast<double>(cell.items);
  if (cell.unit == "byte") {
    return fmt::format("{:.0f} MiB/s", items / 1048576 / (wall_ms / 1000));
  }
  return fmt::format("{:.2f} us/{}", wall_ms * 1000 / items, cell.unit);
}

}  // namespace

Summary Cell::WallMs() const {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.wall_ms);
  return values.empty() ? Summary{} : Summary::Of(std::move(values));
}

double Cell::CpuMs() const {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.cpu_ms);
  return values.empty() ? 0 : Summary::Of(std::move(values)).median;
}

std::optional<double> Report::RatioToKernel(const Cell& cell) const {
  for (const Cell& other : cells) {
    if (other.operation != cell.operation || other.door != "kernel") continue;
    const double kernel = other.WallMs().median;
    if (kernel > 0 && !cell.samples.empty()) {
      return cell.WallMs().median / kernel;
    }
  }
  return std::nullopt;
}

uint64_t Report::Errors() const {
  uint64_t errors = 0;
  for (const Cell& cell : cells) errors += cell.errors;
  return errors;
}

std::string Report::Table() const {
  std::string text =
      fmt::format("{:<14} {:<7} {:>10} {:>10} {:>10} {:>10} {:>9}  {:<18} {}\n",
                  "operation", "door", "min ms", "median ms", "max ms",
                  "cpu ms", "x kernel", "cost", "errors");
  std::string operation;
  for (const Cell& cell : cells) {
    if (!operation.empty() && operation != cell.operation) text += '\n';
    operation = cell.operation;
    const Summary wall = cell.WallMs();
    const auto ratio = RatioToKernel(cell);
    fmt::format_to(
        std::back_inserter(text),
        "{:<14} {:<7} {:>10.1f} {:>10.1f} {:>10.1f} {:>10.1f} {:>9}  {:<18} "
        "{}\n",
        cell.operation, cell.door, wall.min, wall.median, wall.max,
        cell.CpuMs(), ratio ? fmt::format("{:.2f}", *ratio) : "-",
        Cost(cell, wall.median), cell.errors);
  }
  return text;
}

nlohmann::json Report::ToJson() const {
  nlohmann::json json;
  json["machine"] = DescribeMachine();
  json["options"] = options;
  json["cells"] = nlohmann::json::array();
  for (const Cell& cell : cells) {
    const Summary wall = cell.WallMs();
    nlohmann::json entry = {
        {"operation", cell.operation},
        {"door", cell.door},
        {"items", cell.items},
        {"unit", cell.unit},
        {"errors", cell.errors},
        {"wall_ms",
         {{"min", wall.min}, {"median", wall.median}, {"max", wall.max}}},
        {"cpu_ms", cell.CpuMs()},
        {"ratio_to_kernel", nullptr},
        {"runs", nlohmann::json::array()},
    };
    if (const auto ratio = RatioToKernel(cell)) {
      entry["ratio_to_kernel"] = *ratio;
    }
    for (const Sample& sample : cell.samples) {
      entry["runs"].push_back(
          {{"wall_ms", sample.wall_ms}, {"cpu_ms", sample.cpu_ms}});
    }
    json["cells"].push_back(std::move(entry));
  }
  return json;
}

absl::Status Report::WriteJson(const std::string& path) const {
  std::ofstream file(path);
  file << ToJson().dump(2) << '\n';
  file.close();
  return file ? absl::OkStatus()
              : ondisk::PosixError(EIO, fmt::format("cannot write {}", path));
}

nlohmann::json DescribeMachine() {
  struct utsname name;
  uname(&name);
  struct sysinfo info;
  sysinfo(&info);
  return {
      {"processor", ProcessorName()},
      {"cores", std::thread::hardware_concurrency()},
      {"memory_mib", info.totalram * info.mem_unit >> 20},
      {"kernel", fmt::format("{} {}", name.sysname, name.release)},
      {"version", FUSEXFS_VERSION},
  };
}

}  // namespace fusexfs::bench
