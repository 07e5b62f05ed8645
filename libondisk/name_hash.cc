// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/name_hash.h"

#include <algorithm>
#include <bit>

namespace ondisk {
namespace {

template <class Fold>
uint32_t Hash(std::string_view name, Fold fold) {
  uint32_t hash = 0;
  for (char c : name) {
    hash = std::rotl(hash, 7) ^ fold(static_cast<uint8_t>(c));
  }
  return hash;
}

}  // namespace

uint32_t DaHash(std::string_view name) {
  return Hash(name, [](uint8_t byte) { return byte; });
}

uint8_t AsciiCiFold(uint8_t byte) {
  const bool capital = (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 0xc0 && byte <= 0xde && byte != 0xd7);
  return capital ? byte + ('a' - 'A') : byte;
}

uint32_t AsciiCiHash(std::string_view name) { return Hash(name, AsciiCiFold); }

uint32_t DirectoryNameHash(const Features& features, std::string_view name) {
  return features.ascii_ci ? AsciiCiHash(name) : DaHash(name);
}

bool DirectoryNamesEqual(const Features& features, std::string_view a,
                         std::string_view b) {
  if (!features.ascii_ci) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return AsciiCiFold(static_cast<uint8_t>(x)) ==
           AsciiCiFold(static_cast<uint8_t>(y));
  });
}

uint32_t ParentPointerHash(const Features& features, std::string_view name,
                           InodeNumber parent) {
  return DirectoryNameHash(features, name) ^
         static_cast<uint32_t>(parent.value >> 32) ^
         static_cast<uint32_t>(parent.value);
}

}  // namespace ondisk
