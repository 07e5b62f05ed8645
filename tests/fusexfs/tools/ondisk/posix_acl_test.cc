// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/tools/ondisk/posix_acl.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>

#include "libondisk/status.h"

namespace fusexfs::tool {
namespace {

constexpr char kName[] = "system.posix_acl_access";

void AppendLittle(uint32_t value, int bytes, std::string& to) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
}

// The wire form, with read and write for each of `tag` and `id`.
struct Entry {
  uint32_t tag, id;
};
std::string Acl(std::initializer_list<Entry> entries) {
  std::string acl;
  AppendLittle(2, 4, acl);
  for (const Entry& entry : entries) {
    AppendLittle(entry.tag, 2, acl);
    AppendLittle(6, 2, acl);
    AppendLittle(entry.id, 4, acl);
  }
  return acl;
}

// What a tar holds.
std::string TextOf(const std::string& acl) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(
      archive_entry_new(), archive_entry_free);
  archive_entry_set_mode(entry.get(), 0100644);
  EXPECT_TRUE(AddPosixAcl(kName, acl, entry.get()).ok());
  const std::unique_ptr<char, void (*)(void*)> text(
      archive_entry_acl_to_text(entry.get(), nullptr,
                                ARCHIVE_ENTRY_ACL_TYPE_ACCESS |
                                    ARCHIVE_ENTRY_ACL_STYLE_EXTRA_ID |
                                    ARCHIVE_ENTRY_ACL_STYLE_SEPARATOR_COMMA),
      std::free);
  return text == nullptr ? "" : text.get();
}

// As 0 they would be root's rights.
TEST(PosixAclTest, NamesUsersAndGroupsUpToTheHighest) {
  const std::string text = TextOf(Acl({{2, 1000},
                                       {2, 2147483647},
                                       {2, 2147483648},
                                       {2, 4294967294},
                                       {8, 3000000000}}));
  EXPECT_THAT(text, testing::EndsWith("user:1000:rw-,user:2147483647:rw-,"
                                      "user:2147483648:rw-,user:4294967294:rw-,"
                                      "group:3000000000:rw-"));
}

TEST(PosixAclTest, RefusesWhatIsNoAcl) {
  EXPECT_TRUE(CheckPosixAcl(Acl({{2, 1}})).ok());
  for (const std::string& value :
       {std::string(), std::string("\2"), Acl({{2, 1}}) + "x", Acl({{3, 1}})}) {
    EXPECT_EQ(ondisk::ErrnoOf(CheckPosixAcl(value)), EINVAL);
    EXPECT_EQ(ondisk::ErrnoOf(AddPosixAcl(kName, value, nullptr)), EINVAL);
  }
}

}  // namespace
}  // namespace fusexfs::tool
