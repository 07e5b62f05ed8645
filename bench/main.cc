// SPDX-License-Identifier: GPL-2.0-or-later
// fusexfs-bench: the experiments as one program.
//
// Exit code: 0, or 1 if an experiment could not run or a door gave a wrong
// answer; 2 for a wrong command line.
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/door.h"
#include "bench/image_recipe.h"
#include "bench/read_bench.h"
#include "bench/report.h"
#include "bench/work_directory.h"
#include "libondisk/status.h"

namespace fusexfs::bench {
namespace {

struct ReadCommand {
  std::string image;  // empty: build one
  std::vector<std::string> doors = {"engine", "mount", "kernel"};
  std::string fusexfs;
  std::string work = "/var/tmp";
  std::string json;
  ImageRecipe recipe;
  ReadOptions options;
};

// The daemon that was built with this program.
std::string FusexfsBesideUs() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = self.parent_path() / "fusexfs";
  return std::filesystem::exists(beside, error) ? beside.string() : "fusexfs";
}

struct ImageCommand {
  std::string image;
  ImageRecipe recipe;
};

std::vector<CLI::Option*> AddRecipeOptions(CLI::App& app, ImageRecipe& recipe) {
  return {
      app.add_option("--files", recipe.files,
                     "Small files in the image that is built")
          ->check(CLI::Range(1, 1'000'000))
          ->capture_default_str(),
      app.add_option("--big", recipe.big_bytes,
                     "Bytes of the large file in the image that is built")
          ->transform(CLI::AsSizeValue(false))
          ->capture_default_str(),
      app.add_option("--mkfs", recipe.mkfs, "mkfs.xfs to build with")
          ->capture_default_str(),
  };
}

void AddImageCommand(CLI::App& app, ImageCommand& command) {
  CLI::App* image = app.add_subcommand(
      "image", "Build the image that `read` would build, and keep it (root)");
  image->add_option("IMAGE", command.image, "A file that does not exist yet")
      ->required()
      ->check(CLI::NonexistentPath);
  AddRecipeOptions(*image, command.recipe);
}

void AddReadCommand(CLI::App& app, ReadCommand& command) {
  CLI::App* read = app.add_subcommand(
      "read", "Walk, read and map the files of one image through each door");
  CLI::Option* image =
      read->add_option("--image", command.image,
                       "Read this image; without it, one is built (root)")
          ->check(CLI::ExistingFile);
  read->add_option("--doors", command.doors, "Which doors, in their order")
      ->delimiter(',')
      ->check(CLI::IsMember({"engine", "mount", "kernel"}))
      ->capture_default_str();
  read->add_option("--runs", command.options.runs, "Measured runs of each")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  read->add_flag("!--no-cold", command.options.cold,
                 "Only warm measurements (cold ones need root)");
  read->add_option("--read-bytes", command.options.read_bytes,
                   "Most bytes to read of the largest file")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  read->add_option("--read-size", command.options.read_size,
                   "Bytes of one sequential read")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(512u, 16u << 20))
      ->capture_default_str();
  read->add_option("--random-reads", command.options.random_reads,
                   "Random reads of 4 KiB")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  read->add_option("--fiemap-files", command.options.fiemap_files,
                   "Files to map")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  for (CLI::Option* option : AddRecipeOptions(*read, command.recipe)) {
    option->excludes(image);
  }
  read->add_option("--fusexfs", command.fusexfs,
                   "The daemon (default: the one beside this program)");
  read->add_option("--work", command.work,
                   "Where to put mount points and the image")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  read->add_option("--json", command.json, "Write all results to this file");
}

nlohmann::json DescribeOptions(const ReadCommand& command) {
  nlohmann::json json = {
      {"experiment", "read"},
      {"doors", command.doors},
      {"runs", command.options.runs},
      {"cold", command.options.cold},
      {"read_bytes", command.options.read_bytes},
      {"read_size", command.options.read_size},
      {"random_reads", command.options.random_reads},
      {"fiemap_files", command.options.fiemap_files},
  };
  if (command.image.empty()) {
    json["files"] = command.recipe.files;
    json["big"] = command.recipe.big_bytes;
    json["mkfs"] = command.recipe.mkfs;
  } else {
    json["image"] = command.image;
  }
  return json;
}

absl::StatusOr<std::vector<std::unique_ptr<Door>>> MakeDoors(
    const ReadCommand& command, const std::string& image,
    const WorkDirectory& work) {
  std::vector<std::unique_ptr<Door>> doors;
  for (const std::string& name : command.doors) {
    if (name == "engine") {
      doors.push_back(MakeEngineDoor(image));
      continue;
    }
    ONDISK_ASSIGN_OR_RETURN(std::string mount_point, work.MakeDirectory(name));
    doors.push_back(name == "kernel"
                        ? MakeKernelDoor(image, std::move(mount_point))
                        : MakeMountDoor(image, std::move(mount_point),
                                        command.fusexfs.empty()
                                            ? FusexfsBesideUs()
                                            : command.fusexfs));
  }
  return doors;
}

absl::Status RunImage(const ImageCommand& command) {
  const std::filesystem::path image = command.image;
  ONDISK_ASSIGN_OR_RETURN(
      const WorkDirectory work,
      WorkDirectory::Make(image.has_parent_path() ? image.parent_path().string()
                                                  : "."));
  ONDISK_ASSIGN_OR_RETURN(const std::string mount_point,
                          work.MakeDirectory("build"));
  return BuildImage(command.recipe, command.image, mount_point);
}

absl::StatusOr<Report> RunRead(const ReadCommand& command) {
  ONDISK_ASSIGN_OR_RETURN(const WorkDirectory work,
                          WorkDirectory::Make(command.work));
  std::string image = command.image;
  if (image.empty()) {
    image = work.Path("image");
    fmt::print(stderr, "building an image of {} files\n", command.recipe.files);
    ONDISK_ASSIGN_OR_RETURN(const std::string mount_point,
                            work.MakeDirectory("build"));
    ONDISK_RETURN_IF_ERROR(BuildImage(command.recipe, image, mount_point));
  }
  ONDISK_ASSIGN_OR_RETURN(const auto doors, MakeDoors(command, image, work));
  Report report;
  report.options = DescribeOptions(command);
  if (command.image.empty()) {
    ONDISK_ASSIGN_OR_RETURN(report.options["mkfs_version"],
                            MkfsVersion(command.recipe.mkfs));
  }
  ONDISK_ASSIGN_OR_RETURN(report.options["features"], DescribeImage(image));
  ONDISK_ASSIGN_OR_RETURN(report.cells, RunReadBench(command.options, doors));
  return report;
}

// Prints the table and writes the JSON file.
absl::Status Publish(const Report& report, const std::string& json) {
  fmt::print("{}", report.Table());
  if (!json.empty()) ONDISK_RETURN_IF_ERROR(report.WriteJson(json));
  if (report.Errors() == 0) return absl::OkStatus();
  return ondisk::PosixError(
      EIO, fmt::format("{} wrong or failed answers", report.Errors()));
}

int Main(int argc, char** argv) {
  CLI::App app("Measures fusexfs beside the kernel's XFS", "fusexfs-bench");
  app.set_version_flag("--version", FUSEXFS_VERSION);
  app.require_subcommand(1);
  ReadCommand read;
  ImageCommand image;
  AddReadCommand(app, read);
  AddImageCommand(app, image);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  absl::Status status;
  if (app.got_subcommand("image")) {
    status = RunImage(image);
  } else {
    const absl::StatusOr<Report> report = RunRead(read);
    status = report.ok() ? Publish(*report, read.json) : report.status();
  }
  if (status.ok()) return 0;
  fmt::print(stderr, "fusexfs-bench: {}\n", ondisk::MessageOf(status));
  return 1;
}

}  // namespace
}  // namespace fusexfs::bench

int main(int argc, char** argv) { return fusexfs::bench::Main(argc, argv); }
