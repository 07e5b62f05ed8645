// SPDX-License-Identifier: GPL-2.0-or-later
#include "libondisk/features.h"

namespace ondisk {
namespace {

constexpr NamedValue kRoCompat[] = {
    {kRoCompatFinobt, "finobt", "a btree of inode chunks with free inodes"},
    {kRoCompatRmapbt, "rmapbt", "reverse mapping btree"},
    {kRoCompatReflink, "reflink", "files may share blocks"},
    {kRoCompatInobtcount, "inobtcount", "AGI counts the inode btrees' blocks"},
};

constexpr NamedValue kIncompat[] = {
    {kIncompatFtype, "ftype", "directory entries carry the file type"},
    {kIncompatSparseInodes, "sparse", "inode chunks may have holes"},
    {kIncompatMetaUuid, "meta_uuid", "metadata carries an older UUID"},
    {kIncompatBigtime, "bigtime", "timestamps up to the year 2486"},
    {kIncompatNeedsRepair, "needsrepair", "xfs_repair must run first"},
    {kIncompatNrext64, "nrext64", "64-bit extent counters"},
    {kIncompatExchange, "exchange", "file contents may be exchanged"},
    {kIncompatParent, "parent", "inodes know their parent directories"},
    {kIncompatMetadir, "metadir", "metadata inodes live in a directory tree"},
    {kIncompatZoned, "zoned", "zoned realtime device"},
    {kIncompatZoneGaps, "zone_gaps", "realtime zones with gaps"},
};

constexpr NamedValue kLogIncompat[] = {
    {kLogIncompatXattrs, "xattrs", "the log may hold attribute intents"},
};

}  // namespace

const std::span<const NamedValue> kRoCompatNames = kRoCompat;
const std::span<const NamedValue> kIncompatNames = kIncompat;
const std::span<const NamedValue> kLogIncompatNames = kLogIncompat;

}  // namespace ondisk
