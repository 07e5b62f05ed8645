// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/format.h"

#include <sys/stat.h>

#include <array>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fusexfs::tool {
namespace {

char TypeLetter(uint32_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return '-';
    case S_IFDIR:
      return 'd';
    case S_IFLNK:
      return 'l';
    case S_IFCHR:
      return 'c';
    case S_IFBLK:
      return 'b';
    case S_IFIFO:
      return 'p';
    case S_IFSOCK:
      return 's';
    default:
      return '?';
  }
}

// The execute letter of one class, with its set-id or sticky bit.
char ExecuteLetter(bool execute, bool special, char letter) {
  if (!special) return execute ? 'x' : '-';
  return execute ? letter : static_cast<char>(letter - 'a' + 'A');
}

std::tm LocalTime(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm broken{};
  localtime_r(&time, &broken);
  return broken;
}

std::string DateAndTime(const std::tm& t) {
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", t.tm_year + 1900,
                     t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}

}  // namespace

std::string ModeText(uint32_t mode) {
  std::string text(1, TypeLetter(mode));
  const auto add_class = [&](int shift, bool special, char letter) {
    const uint32_t bits = mode >> shift;
    text += (bits & 4) != 0 ? 'r' : '-';
    text += (bits & 2) != 0 ? 'w' : '-';
    text += ExecuteLetter((bits & 1) != 0, special, letter);
  };
  add_class(6, (mode & S_ISUID) != 0, 's');
  add_class(3, (mode & S_ISGID) != 0, 's');
  add_class(0, (mode & S_ISVTX) != 0, 't');
  return text;
}

std::string_view TypeText(uint32_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "regular file";
    case S_IFDIR:
      return "directory";
    case S_IFLNK:
      return "symbolic link";
    case S_IFCHR:
      return "character device";
    case S_IFBLK:
      return "block device";
    case S_IFIFO:
      return "fifo";
    case S_IFSOCK:
      return "socket";
    default:
      return "unknown type";
  }
}

std::string TimeText(Timestamp time) {
  return DateAndTime(LocalTime(time.seconds));
}

std::string ExactTimeText(Timestamp time) {
  const std::tm broken = LocalTime(time.seconds);
  const long minutes = broken.tm_gmtoff / 60;
  const long distance = minutes < 0 ? -minutes : minutes;
  return fmt::format("{}.{:09} {}{:02}{:02}", DateAndTime(broken),
                     time.nanoseconds, minutes < 0 ? '-' : '+', distance / 60,
                     distance % 60);
}

std::string SizeText(uint64_t bytes) {
  constexpr std::array<std::string_view, 7> kUnits = {
      "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  size_t unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value,
                     value < 10    ? 2
                     : value < 100 ? 1
                                   : 0,
                     kUnits[unit]);
}

Json TimeJson(Timestamp time) {
  return {{"seconds", time.seconds}, {"nanoseconds", time.nanoseconds}};
}

Json AttributesJson(const Attributes& a) {
  Json json;
  json["inode"] = a.inode.value;
  json["generation"] = a.generation;
  json["type"] = TypeText(a.mode);
  json["mode"] = a.mode;
  json["links"] = a.links;
  json["uid"] = a.user;
  json["gid"] = a.group;
  json["project"] = a.project;
  if (S_ISCHR(a.mode) || S_ISBLK(a.mode)) {
    json["device_major"] = a.device_major;
    json["device_minor"] = a.device_minor;
  }
  json["size"] = a.size;
  json["blocks_512"] = a.blocks;
  json["block_size"] = a.block_size;
  json["atime"] = TimeJson(a.access);
  json["mtime"] = TimeJson(a.modify);
  json["ctime"] = TimeJson(a.change);
  if (a.birth) json["btime"] = TimeJson(*a.birth);
  json["flags"] = a.flags;
  json["flags2"] = a.flags2;
  json["extent_size_hint_blocks"] = a.extent_size_hint;
  json["cow_extent_size_hint_blocks"] = a.cow_extent_size_hint;
  json["data_extents"] = a.data_extents;
  json["attribute_extents"] = a.attribute_extents;
  return json;
}

}  // namespace fusexfs::tool
