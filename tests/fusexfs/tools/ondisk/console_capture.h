// SPDX-License-Identifier: GPL-2.0-or-later
// A console that writes into memory, and what it wrote.
#ifndef FUSEXFS_TESTS_FUSEXFS_TOOLS_ONDISK_CONSOLE_CAPTURE_H_
#define FUSEXFS_TESTS_FUSEXFS_TOOLS_ONDISK_CONSOLE_CAPTURE_H_

#include <cstdio>
#include <cstdlib>
#include <string>

#include "fusexfs/tools/ondisk/console.h"

namespace fusexfs::tool {

class ConsoleCapture {
 public:
  explicit ConsoleCapture(Console::Settings settings = {})
      : out_(open_memstream(&out_text_, &out_size_)),
        err_(open_memstream(&err_text_, &err_size_)),
        console_(out_, err_, settings) {}
  ConsoleCapture(const ConsoleCapture&) = delete;
  ConsoleCapture& operator=(const ConsoleCapture&) = delete;
  ~ConsoleCapture() {
    std::fclose(out_);
    std::fclose(err_);
    std::free(out_text_);
    std::free(err_text_);
  }

  Console& console() { return console_; }
  std::string out() {
    std::fflush(out_);
    return {out_text_, out_size_};
  }
  std::string err() {
    std::fflush(err_);
    return {err_text_, err_size_};
  }

 private:
  char* out_text_ = nullptr;
  size_t out_size_ = 0;
  char* err_text_ = nullptr;
  size_t err_size_ = 0;
  std::FILE* out_;
  std::FILE* err_;
  Console console_;
};

}  // namespace fusexfs::tool

#endif  // FUSEXFS_TESTS_FUSEXFS_TOOLS_ONDISK_CONSOLE_CAPTURE_H_
