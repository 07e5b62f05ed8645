// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr size_t kNarrowest = 60;

size_t TerminalWidth() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return std::max<size_t>(size.ws_col, kNarrowest);
}

std::string_view Sequence(Style style) {
  switch (style) {
    case Style::kHeading:
      return "\x1b[1m";
    case Style::kName:
      return "\x1b[36m";
    case Style::kDim:
      return "\x1b[2m";
    case Style::kGood:
      return "\x1b[32m";
    case Style::kBad:
      return "\x1b[1;31m";
    case Style::kPlain:
      break;
  }
  return "";
}

std::string Dump(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Console::Settings Console::DetectSettings() {
  Settings settings;
  if (isatty(STDOUT_FILENO) == 0) return settings;
  settings.escape_names = true;
  settings.width = TerminalWidth();
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  settings.color = (no_color == nullptr || *no_color == '\0') &&
                   (term == nullptr || std::strcmp(term, "dumb") != 0);
  return settings;
}

bool Console::out_is_terminal() const { return isatty(fileno(out_)) != 0; }

void Console::Write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size() &&
      error_ == 0) {
    error_ = errno != 0 ? errno : EIO;
  }
}

void Console::Note(std::string_view text) {
  std::fflush(out_);
  fmt::print(err_, "ondisk: {}\n", text);
}

void Console::NoteOnce(std::string_view text) {
  if (noted_.emplace(text).second) Note(text);
}

std::string Console::Paint(Style style, std::string_view text) const {
  const std::string_view sequence = Sequence(style);
  if (!settings_.color || sequence.empty() || text.empty()) {
    return std::string(text);
  }
  return fmt::format("{}{}\x1b[0m", sequence, text);
}

std::string Console::Name(std::string_view bytes) const {
  return settings_.escape_names ? EscapeName(bytes) : std::string(bytes);
}

void Console::WriteJson(const Json& document) {
  Write(Dump(document, 2));
  Write("\n");
}

absl::Status Console::Finish() {
  errno = 0;
  if (std::fflush(out_) != 0 && error_ == 0) error_ = errno != 0 ? errno : EIO;
  return write_status();
}

absl::Status Console::write_status() const {
  if (error_ == 0) return absl::OkStatus();
  return ondisk::PosixError(error_, fmt::format("cannot write the output: {}",
                                                std::strerror(error_)));
}

JsonArray::~JsonArray() { console_.Write(empty_ ? "[]\n" : "\n]\n"); }

void JsonArray::Add(const Json& element) {
  console_.Write(empty_ ? "[\n" : ",\n");
  console_.Write(Dump(element, -1));
  empty_ = false;
}

}  // namespace fusexfs::tool
