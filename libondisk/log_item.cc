// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/log_item.h"

#include <algorithm>

#include "libondisk/log_item_attribute.h"
#include "libondisk/log_item_bmap.h"
#include "libondisk/log_item_buffer.h"
#include "libondisk/log_item_create.h"
#include "libondisk/log_item_exchange.h"
#include "libondisk/log_item_extent_free.h"
#include "libondisk/log_item_inode.h"
#include "libondisk/log_item_intent.h"
#include "libondisk/log_item_quota.h"
#include "libondisk/log_item_refcount.h"
#include "libondisk/log_item_rmap.h"

namespace ondisk {
namespace {

enum class Role { kPlain, kIntent, kDone };

struct ItemClass {
  LogItemType type;
  Role role;
  void (*verify)(const Geometry&, LogRegions, Checker&);
  Explanation (*explain)(const Geometry&, LogRegions, uint64_t, Where);
};

using enum LogItemType;
constexpr ItemClass kClasses[] = {
    {kEfi, Role::kIntent, VerifyLogExtentFree, ExplainLogExtentFree},
    {kEfd, Role::kDone, VerifyLogExtentFree, ExplainLogExtentFree},
    {kInode, Role::kPlain, VerifyLogInode, ExplainLogInode},
    {kBuffer, Role::kPlain, VerifyLogBuffer, ExplainLogBuffer},
    {kDquot, Role::kPlain, VerifyLogDquot, ExplainLogDquot},
    {kQuotaOff, Role::kPlain, VerifyLogQuotaOff, ExplainLogQuotaOff},
    {kInodeCreate, Role::kPlain, VerifyLogInodeCreate, ExplainLogInodeCreate},
    {kRui, Role::kIntent, VerifyLogRui, ExplainLogRui},
    {kRud, Role::kDone, VerifyLogDone, ExplainLogRud},
    {kCui, Role::kIntent, VerifyLogCui, ExplainLogCui},
    {kCud, Role::kDone, VerifyLogDone, ExplainLogCud},
    {kBui, Role::kIntent, VerifyLogBui, ExplainLogBui},
    {kBud, Role::kDone, VerifyLogDone, ExplainLogBud},
    {kAttri, Role::kIntent, VerifyLogAttri, ExplainLogAttri},
    {kAttrd, Role::kDone, VerifyLogDone, ExplainLogAttrd},
    {kXmi, Role::kIntent, VerifyLogXmi, ExplainLogXmi},
    {kXmd, Role::kDone, VerifyLogDone, ExplainLogXmd},
    {kEfiRt, Role::kIntent, VerifyLogExtentFree, ExplainLogExtentFree},
    {kEfdRt, Role::kDone, VerifyLogExtentFree, ExplainLogExtentFree},
    {kRuiRt, Role::kIntent, VerifyLogRui, ExplainLogRui},
    {kRudRt, Role::kDone, VerifyLogDone, ExplainLogRud},
    {kCuiRt, Role::kIntent, VerifyLogCui, ExplainLogCui},
    {kCudRt, Role::kDone, VerifyLogDone, ExplainLogCud},
};

constexpr NamedValue kTypeNames[] = {
    {0x1236, "EFI"},      {0x1237, "EFD"},     {0x1238, "iunlink"},
    {0x123b, "inode"},    {0x123c, "buffer"},  {0x123d, "dquot"},
    {0x123e, "quotaoff"}, {0x123f, "icreate"}, {0x1240, "RUI"},
    {0x1241, "RUD"},      {0x1242, "CUI"},     {0x1243, "CUD"},
    {0x1244, "BUI"},      {0x1245, "BUD"},     {0x1246, "ATTRI"},
    {0x1247, "ATTRD"},    {0x1248, "XMI"},     {0x1249, "XMD"},
    {0x124a, "EFI_RT"},   {0x124b, "EFD_RT"},  {0x124c, "RUI_RT"},
    {0x124d, "RUD_RT"},   {0x124e, "CUI_RT"},  {0x124f, "CUD_RT"},
};

const ItemClass* FindClass(uint16_t type) {
  const auto* found = std::find_if(
      std::begin(kClasses), std::end(kClasses), [type](const ItemClass& c) {
        return static_cast<uint16_t>(c.type) == type;
      });
  return found == std::end(kClasses) ? nullptr : found;
}

bool HasRole(LogItemType type, Role role) {
  const ItemClass* found = FindClass(static_cast<uint16_t>(type));
  return found != nullptr && found->role == role;
}

const ItemClass* FindClass(LogRegions regions) {
  if (regions.empty() || regions[0].size() < sizeof(LogItemHeader)) {
    return nullptr;
  }
  return FindClass(View<LogItemHeader>(regions[0]).type.value());
}

}  // namespace

const std::span<const NamedValue> kLogItemTypeNames = kTypeNames;

std::string_view LogItemTypeName(uint16_t type) {
  for (const NamedValue& name : kTypeNames) {
    if (name.value == type) return name.name;
  }
  return "unknown";
}

bool IsLogIntent(LogItemType type) { return HasRole(type, Role::kIntent); }
bool IsLogDone(LogItemType type) { return HasRole(type, Role::kDone); }

bool CheckLogRegionCount(LogRegions regions, Checker& check) {
  return check.Equal("regions", regions.size(),
                     View<LogItemHeader>(regions[0]).size.value());
}

bool CheckLogFormatSize(LogRegions regions, size_t bytes, Checker& check) {
  return check.Equal("format bytes", regions[0].size(), bytes);
}

void VerifyLogItem(const Geometry& geometry, LogRegions regions,
                   Checker& check) {
  if (regions.empty()) {
    check.Equal("regions", 0, 1);
    return;
  }
  if (!check.AtLeast("format bytes", regions[0].size(),
                     sizeof(LogItemHeader))) {
    return;
  }
  const ItemClass* found = FindClass(regions);
  const uint16_t type = View<LogItemHeader>(regions[0]).type.value();
  if (found == nullptr) {
    check.That(false, "type", type, "a known type of log item");
    return;
  }
  found->verify(geometry, regions, check);
}

Explanation ExplainLogItem(const Geometry& geometry, LogRegions regions,
                           uint64_t offset, Where where) {
  Explanation result;
  const ItemClass* found = FindClass(regions);
  if (found != nullptr) {
    result = found->explain(geometry, regions, offset, where);
  } else {
    result.structure = "log item of unknown type";
    result.where = where.ToString();
    if (!regions.empty()) {
      result.Add("format", offset, regions[0], RenderHex(regions[0], 64), "");
    }
  }
  Checker check(result.structure, where, Checker::Mode::kAllFindings);
  VerifyLogItem(geometry, regions, check);
  AttachFindings(check, result);
  return result;
}

}  // namespace ondisk
