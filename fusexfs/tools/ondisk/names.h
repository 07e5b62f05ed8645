// SPDX-License-Identifier: GPL-2.0-or-later
// Names as an image holds them: any bytes but '/' and NUL. What a person or a
// program can be given of them.
//
// Thread-safety: pure functions.
#ifndef FUSEXFS_FUSEXFS_TOOLS_ONDISK_NAMES_H_
#define FUSEXFS_FUSEXFS_TOOLS_ONDISK_NAMES_H_

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace fusexfs::tool {

using Json = nlohmann::ordered_json;

bool IsUtf8(std::string_view bytes);

// Control characters, backslashes and bytes that are no UTF-8 as \n, \\, \xNN:
// safe on a terminal, and no two names look alike.
std::string EscapeName(std::string_view bytes);
// The same, but backslashes stay: for text in which they already escape.
std::string EscapeRest(std::string_view bytes);

// Bytes that are no UTF-8 become U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view bytes);

// object[key] = the text; where it is not UTF-8, bad bytes are replaced and
// object[key + "_hex"] holds the exact bytes.
void PutName(Json& object, std::string_view key, std::string_view bytes);

// "dir" + "name" with one slash between.
std::string JoinPath(std::string_view directory, std::string_view name);

}  // namespace fusexfs::tool

#endif  // FUSEXFS_FUSEXFS_TOOLS_ONDISK_NAMES_H_
