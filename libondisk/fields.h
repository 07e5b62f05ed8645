// SPDX-License-Identifier: GPL-2.0-or-later
// One table of fields per disk structure: the single place that names a field
// and says what it means. `ondisk explain` prints it, and so do the format
// pages.
//
// A table lists the fields of a structure in the order of their offsets. Values
// packed into bits (extent records, flag words inside a key) are added by the
// structure's own Explain function through Explanation::Add.
//
// Thread-safety: tables are constants; an Explanation belongs to one thread.
#ifndef FUSEXFS_LIBONDISK_FIELDS_H_
#define FUSEXFS_LIBONDISK_FIELDS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libondisk/checker.h"
#include "libondisk/types.h"

namespace ondisk {

enum class FieldKind : uint8_t {
  kUnsigned,  // decimal
  kSigned,
  kHex,
  kMagic,  // hexadecimal, and as text where it is printable
  kUuid,
  kText,      // characters, NUL-padded
  kBytes,     // shown as hexadecimal only
  kCrc,       // little-endian
  kLsn,       // cycle:block
  kBlockLsn,  // the same, in the header of a block (block_lsn.h)
  kFlags,     // `names` maps bits to words
  kEnum,      // `names` maps values to words
  kMode,      // file type and permissions
  kTime,     // seconds and nanoseconds (structures with bigtime add it by hand)
  kPadding,  // must be zero
};

struct NamedValue {
  uint64_t value;  // a mask for kFlags, the whole value for kEnum
  std::string_view name;
  std::string_view meaning = {};
};

struct Field {
  std::string_view name;
  uint32_t offset;  // bytes from the start of the structure
  uint32_t size;    // bytes of one element
  FieldKind kind;
  std::string_view meaning;
  std::span<const NamedValue> names = {};
  uint32_t count = 1;  // elements, for arrays
  std::endian order = std::endian::big;
};

// The same field, stored in this machine's byte order (log items).
constexpr Field HostOrder(Field field) {
  field.order = std::endian::native;
  return field;
}

struct FieldTable {
  std::string_view structure;  // as errors name it
  std::string_view about;      // one or two sentences for a student
  uint32_t size;               // bytes
  std::span<const Field> fields;
};

// A table's row for member `member` of struct `Struct`; the name is the
// member's.
#define ONDISK_FIELD(Struct, member, kind, meaning, ...)              \
  ::ondisk::Field {                                                   \
#member, offsetof(Struct, member), sizeof(Struct::member),        \
        ::ondisk::FieldKind::kind, meaning __VA_OPT__(, ) __VA_ARGS__ \
  }

// The same for a member of type Host16, Host32 or Host64 (log_endian.h).
#define ONDISK_HOST_FIELD(...) ::ondisk::HostOrder(ONDISK_FIELD(__VA_ARGS__))

struct ExplainedField {
  std::string name;
  uint64_t offset = 0;  // bytes from the start of the explained block
  std::string raw;      // hexadecimal; long values are cut with "..."
  std::string value;
  std::string meaning;
  std::string problem;                // empty if the field's checks hold
  std::optional<Lsn> block_lsn = {};  // kBlockLsn only
};

// One structure of the image in words: what `ondisk explain` prints as a table
// or as JSON.
struct Explanation {
  std::string structure;
  std::string about;
  std::string where;
  std::vector<ExplainedField> fields;
  std::vector<Finding> problems;  // those that no row of `fields` carries
  std::vector<Explanation> parts;

  // Adds a row for `bytes` at `offset` in the block.
  void Add(std::string_view name, uint64_t offset, Bytes bytes,
           std::string_view value, std::string_view meaning);
  bool AllChecksHold() const;  // of this and of all parts
};

// Renders each field of `table` from `bytes` (which starts at `base_offset` in
// the block). Fields that lie beyond the end of `bytes` are left out.
Explanation ExplainTable(const FieldTable& table, Bytes bytes,
                         uint64_t base_offset, Where where);
// Appends the rows only.
void ExplainFields(const FieldTable& table, Bytes bytes, uint64_t base_offset,
                   Explanation& into);

// Puts each finding beside the field it names, or among the problems.
void AttachFindings(const Checker& check, Explanation& explanation);

// The value of one field as text.
std::string RenderField(const Field& field, Bytes bytes);
// "0xab 0xcd": the names of the bits set, joined by "|", rest in hexadecimal.
std::string RenderFlags(uint64_t value, std::span<const NamedValue> names);
std::string RenderUuid(Bytes bytes);  // REQUIRES: 16 bytes
std::string RenderHex(Bytes bytes, size_t most_bytes = 16);

}  // namespace ondisk

#endif  // FUSEXFS_LIBONDISK_FIELDS_H_
