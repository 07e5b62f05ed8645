// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/golden_image.h"

#include <archive.h>
#include <archive_entry.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace fusexfs {
namespace {

[[noreturn]] void Fail(const std::string& what, const char* why) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), why);
  std::exit(1);
}

std::vector<uint8_t> Unpack(const std::string& path) {
  std::unique_ptr<archive, decltype(&archive_read_free)> reader(
      archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) !=
          ARCHIVE_OK ||
      archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK) {
    Fail(path, archive_error_string(reader.get()));
  }
  std::vector<uint8_t> bytes;
  for (;;) {
    const void* block = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    const int result =
        archive_read_data_block(reader.get(), &block, &size, &offset);
    if (result == ARCHIVE_EOF) return bytes;
    if (result != ARCHIVE_OK) Fail(path, archive_error_string(reader.get()));
    const auto* first = static_cast<const uint8_t*>(block);
    bytes.insert(bytes.end(), first, first + size);
  }
}

std::string GoldenPath(std::string_view name, std::string_view suffix) {
  std::string path = FUSEXFS_SOURCE_DIR "/images/golden/";
  path.append(name).append(suffix);
  return path;
}

Manifest ParseManifest(const std::string& path) {
  const std::vector<uint8_t> bytes = Unpack(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  Manifest manifest;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    nlohmann::json record = nlohmann::json::parse(text.substr(at, end - at));
    if (record.contains("statfs")) {
      manifest.statfs = record["statfs"];
    } else {
      std::string key = UnquoteManifest(record["path"].get<std::string>());
      manifest.paths.emplace(std::move(key), std::move(record));
    }
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return manifest;
}

std::mutex unpacking;

}  // namespace

std::shared_ptr<const MemoryDevice> GoldenImage(std::string_view name) {
  static auto& images =
      *new std::map<std::string, std::shared_ptr<const MemoryDevice>,
                    std::less<>>;
  std::lock_guard<std::mutex> lock(unpacking);
  const auto found = images.find(name);
  if (found != images.end()) return found->second;
  auto image = std::make_shared<const MemoryDevice>(
      Unpack(GoldenPath(name, ".img.zst")), std::string(name));
  images.emplace(name, image);
  return image;
}

std::vector<uint8_t> GoldenBytes(std::string_view name) {
  const std::shared_ptr<const MemoryDevice> image = GoldenImage(name);
  std::vector<uint8_t> bytes(image->size());
  const absl::Status status = image->ReadAt(0, bytes);
  if (!status.ok()) Fail(std::string(name), "cannot be copied");
  return bytes;
}

const nlohmann::json& Manifest::At(std::string_view path) const {
  const auto found = paths.find(std::string(path));
  if (found == paths.end()) Fail(std::string(path), "not in the manifest");
  return found->second;
}

const Manifest& GoldenManifest(std::string_view name) {
  static auto& manifests = *new std::map<std::string, Manifest, std::less<>>;
  std::lock_guard<std::mutex> lock(unpacking);
  const auto found = manifests.find(name);
  if (found != manifests.end()) return found->second;
  return manifests
      .emplace(name, ParseManifest(GoldenPath(name, ".manifest.jsonl.xz")))
      .first->second;
}

std::string UnquoteManifest(std::string_view text) {
  std::string raw;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      raw.push_back(static_cast<char>(
          std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)));
      i += 2;
    } else {
      raw.push_back(text[i]);
    }
  }
  return raw;
}

}  // namespace fusexfs
