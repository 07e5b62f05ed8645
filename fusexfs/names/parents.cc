// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/names/parents.h"

#include "fusexfs/names/attribute_read.h"
#include "libondisk/parent_pointer.h"
#include "libondisk/status.h"

namespace fusexfs {

absl::StatusOr<std::vector<ParentName>> Parents(const NamesContext& context,
                                                const Inode& inode) {
  if (!context.geometry.features.parent) {
    return ondisk::UnsupportedError(
        "this image has no parent pointers (mkfs.xfs -n parent=1)");
  }
  std::vector<ParentName> parents;
  const auto add = [&](const ondisk::AttributeView& attribute) -> absl::Status {
    if (!attribute.is_parent_pointer()) return absl::OkStatus();
    ondisk::Checker check("parent pointer",
                          ondisk::Where::Inode(inode.number()));
    ondisk::VerifyParentPointer(context.geometry, attribute, check);
    ONDISK_RETURN_IF_ERROR(check.status());
    const auto view = ondisk::ViewParentPointer(attribute);
    parents.push_back({view.parent, view.generation, std::string(view.name)});
    return absl::OkStatus();
  };
  ONDISK_RETURN_IF_ERROR(VisitAttributes(context, inode, add));
  return parents;
}

}  // namespace fusexfs
