// SPDX-License-Identifier: GPL-2.0-or-later
// Where a command's words go: standard output for results, standard error for
// remarks; colours on a terminal only.
//
// Thread-safety: one thread.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_CONSOLE_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_CONSOLE_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fusexfs/tools/ondisk/names.h"

namespace fusexfs::tool {

enum class Style : uint8_t { kPlain, kHeading, kName, kDim, kGood, kBad };

class Console {
 public:
  struct Settings {
    bool json = false;
    bool color = false;
    bool escape_names = false;  // a person looks at the output
    size_t width = 0;           // columns to wrap at; 0: never wrap
  };

  // What standard output asks for: colours only on a terminal, and only while
  // NO_COLOR is empty and TERM is not "dumb" (https://no-color.org).
  static Settings DetectSettings();

  Console(std::FILE* out, std::FILE* err, Settings settings)
      : out_(out), err_(err), settings_(settings) {}

  bool json() const { return settings_.json; }
  size_t width() const { return settings_.width; }
  bool escapes_names() const { return settings_.escape_names; }
  bool out_is_terminal() const;

  void Write(std::string_view text);
  // A remark on standard error: "ondisk: text".
  void Note(std::string_view text);
  void NoteOnce(std::string_view text);

  // `text` in a colour, or as it is.
  std::string Paint(Style style, std::string_view text) const;
  // A name as this output shows it: escaped for a person, exact in a pipe.
  std::string Name(std::string_view bytes) const;

  // One JSON document.
  void WriteJson(const Json& document);

  // The first error that writing met (ENOSPC, EPIPE, ...).
  absl::Status write_status() const;
  // Flushes, then write_status().
  absl::Status Finish();

 private:
  std::FILE* const out_;
  std::FILE* const err_;
  const Settings settings_;
  int error_ = 0;
  std::set<std::string, std::less<>> noted_;
};

// A JSON array whose elements are written one by one, so that its length costs
// no memory.
class JsonArray {
 public:
  explicit JsonArray(Console& console) : console_(console) {}
  JsonArray(const JsonArray&) = delete;
  JsonArray& operator=(const JsonArray&) = delete;
  ~JsonArray();

  void Add(const Json& element);

 private:
  Console& console_;
  bool empty_ = true;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_CONSOLE_H_
