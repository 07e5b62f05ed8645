// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/parent_pointer.h"

#include "libondisk/directory.h"

namespace ondisk {
namespace {

constexpr Field kFields[] = {
    ONDISK_FIELD(ParentRecord, inode, kUnsigned,
                 "inode number of the directory that has the name"),
    ONDISK_FIELD(ParentRecord, generation, kUnsigned,
                 "its generation, which tells it from earlier inodes of that "
                 "number"),
};

}  // namespace

const FieldTable kParentRecordFields = {
    "parent pointer",
    "The value of an attribute whose name is a name of the inode",
    sizeof(ParentRecord), kFields};

void VerifyParentPointer(const Geometry& geometry,
                         const AttributeView& attribute, Checker& check) {
  check.That(geometry.features.parent, "flags", attribute.flags,
             "no parent pointer: the image lacks the feature");
  check.That(!attribute.incomplete(), "flags", attribute.flags,
             "a complete parent pointer");
  if (check.done()) return;
  if (!IsLegalDirectoryName(attribute.name)) {
    check.That(false, "name", attribute.name.size(),
               "1 to 255 bytes without '/' and NUL");
  }
  check.That(!attribute.remote, "valueblk", attribute.remote_block.value,
             "a local value");
  if (check.done() || attribute.remote) return;
  if (!check.Equal("valuelen", attribute.value.size(), sizeof(ParentRecord))) {
    return;
  }
  const InodeNumber parent(View<ParentRecord>(attribute.value).inode.value());
  check.That(IsLegalDirectoryInode(geometry, parent), "inode", parent.value,
             "a possible inode number");
}

ParentPointerView ViewParentPointer(const AttributeView& attribute) {
  const auto& record = View<ParentRecord>(attribute.value);
  return {attribute.name, InodeNumber(record.inode.value()),
          record.generation.value()};
}

}  // namespace ondisk
