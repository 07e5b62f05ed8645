// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/command_line.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "fusexfs/device/parse_size.h"
#include "fusexfs/tools/ondisk/commands.h"
#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr char kFooter[] =
    "IMAGE is opened for reading only, and its log is never replayed.\n"
    "Exit codes: 0 all is well, 1 corruption or another error, 2 wrong usage.";

constexpr char kExportFooter[] =
    "The tar (pax format) holds modes, owners, times to the nanosecond, "
    "extended attributes, access control lists, holes, hard links and device "
    "files. Unpack it with\n"
    "  tar --xattrs --xattrs-include='*' --acls -xpf x.tar\n"
    "Not in it: sockets; the fraction of times in the last second before 1970.";

// What a command writes: text or, on demand, JSON; or a file's bytes.
enum class Output : bool { kTextOrJson, kBytes };

class Builder {
 public:
  Builder(CLI::App& app, CommandLine& line) : app_(app), line_(line) {}

  CLI::App* Add(const char* name, const char* description,
                Output output = Output::kTextOrJson) {
    CLI::App* command = app_.add_subcommand(name, description);
    command->add_option("IMAGE", image_->path, "image file or block device")
        ->required();
    auto* offset =
        command
            ->add_option_function<std::string>(
                "--offset",
                [image = image_](const std::string& text) {
                  const absl::StatusOr<uint64_t> bytes = ParseSize(text);
                  if (!bytes.ok()) {
                    throw CLI::ValidationError(
                        "--offset",
                        std::string(ondisk::MessageOf(bytes.status())));
                  }
                  image->offset = *bytes;
                },
                "the filesystem starts at this byte of IMAGE; K, M, G and T "
                "are understood")
            ->type_name("SIZE");
    command
        ->add_option("--partition", image_->partition,
                     "the filesystem is this partition of IMAGE, 1 the first")
        ->check(CLI::Range(1u, 0xffffffffu))
        ->excludes(offset);
    command->add_option("--logdev", image_->log_path,
                        "image of the external log");
    if (output == Output::kTextOrJson) {
      command->add_flag("--json", line_.json, "print JSON, for programs");
    }
    return command;
  }

  // The command's function is run on the image and `options`, which the parser
  // fills.
  template <class Function, class... Options>
  void Run(CLI::App* command, Function function,
           std::shared_ptr<Options>... options) {
    command->callback([this, function, options...] {
      line_.command = [function, image = image_, options...](Console& console) {
        return function(*image, *options..., console);
      };
    });
  }

  // A command whose only argument is PATH.
  template <class Function>
  CLI::App* AddWithPath(const char* name, const char* description,
                        Function function,
                        Output output = Output::kTextOrJson) {
    CLI::App* command = Add(name, description, output);
    auto path = std::make_shared<std::string>();
    command->add_option("PATH", *path, "path or inode number")->required();
    Run(command, function, path);
    return command;
  }

 private:
  CLI::App& app_;
  CommandLine& line_;
  // Outlives the parser: the command is run after it.
  std::shared_ptr<ImageOptions> image_ = std::make_shared<ImageOptions>();
};

void AddList(Builder& builder) {
  CLI::App* command = builder.Add("ls", "list a directory, sorted by name");
  auto options = std::make_shared<ListOptions>();
  command->add_option("PATH", options->path, "path or inode number")
      ->capture_default_str();
  command->add_flag("-l", options->long_format,
                    "mode, links, user, group, size, time, symlink target");
  command->add_flag("-a", options->all, "names that start with a dot, too");
  command->add_flag("-i", options->inode, "inode numbers");
  command->add_flag(
      "-U", options->directory_order,
      "in the order of the directory, not sorted (more than 100000 "
      "names never are)");
  builder.Run(command, RunList, options);
}

void AddTree(Builder& builder) {
  CLI::App* command = builder.Add(
      "tree",
      "draw a directory and all below it, sorted by name (directories of up "
      "to 10000 names)");
  auto path = std::make_shared<std::string>("/");
  command->add_option("PATH", *path, "path or inode number")
      ->capture_default_str();
  builder.Run(command, RunTree, path);
}

void AddFiemap(Builder& builder) {
  CLI::App* command = builder.Add(
      "fiemap", "show where a file's bytes lie, as filefrag -v on a mount");
  auto path = std::make_shared<std::string>();
  auto attributes = std::make_shared<bool>(false);
  command->add_option("PATH", *path, "path or inode number")->required();
  command->add_flag("-x", *attributes,
                    "where its extended attributes lie, instead");
  builder.Run(
      command,
      [](const ImageOptions& image, const std::string& target, bool xattr,
         Console& console) {
        return RunFiemap(image, target,
                         xattr ? FiemapFork::kAttribute : FiemapFork::kData,
                         console);
      },
      path, attributes);
}

void AddExplain(Builder& builder) {
  CLI::App* command = builder.Add(
      "explain",
      "show a structure: each field, its bytes, its meaning, its checks");
  auto what = std::make_shared<std::vector<std::string>>();
  command->add_option("WHAT", *what, "what to explain, see below")->required();
  command->footer(std::string("WHAT is one of\n") + kExplainWhat);
  builder.Run(command, RunExplain, what);
}

}  // namespace

CommandLine ParseCommandLine(int argc, char** argv) {
  CommandLine line;
  CLI::App app("Look into an XFS image without mounting it.", "ondisk");
  app.set_version_flag("--version", "ondisk " FUSEXFS_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);
  Builder builder(app, line);
  builder.Run(builder.Add("info", "show the geometry, as xfs_info does"),
              RunInfo);
  AddList(builder);
  builder.AddWithPath("cat", "write a file's bytes to standard output", RunCat,
                      Output::kBytes);
  AddTree(builder);
  builder.AddWithPath("stat", "show what an inode says of its file", RunStat);
  AddFiemap(builder);
  builder.AddWithPath("parents",
                      "print every path of a file, by its parent pointers",
                      RunParents);
  builder
      .AddWithPath("export",
                   "write a directory and all below it as a tar to standard "
                   "output",
                   RunExport, Output::kBytes)
      ->footer(kExportFooter);
  AddExplain(builder);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    line.command = nullptr;
    line.exit_code = app.exit(error) == 0 ? kExitOk : kExitUsage;
  }
  return line;
}

}  // namespace fusexfs::tool
