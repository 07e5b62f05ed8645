// SPDX-License-Identifier: GPL-2.0-or-later
// ondisk explain sb, agf, agi, agfl: the four sectors that open an AG.
#include <cerrno>

#include <fmt/format.h>

#include "fusexfs/tools/ondisk/explain.h"
#include "libondisk/agf.h"
#include "libondisk/agfl.h"
#include "libondisk/agi.h"
#include "libondisk/status.h"
#include "libondisk/superblock.h"

namespace fusexfs::tool {

absl::Status ExplainPrimarySuperblock(const Device& device,
                                      ExplanationPrinter& printer) {
  ONDISK_ASSIGN_OR_RETURN(const auto bytes, ReadSuperblockBytes(device));
  printer.Print(ondisk::ExplainSuperblock(bytes, device.size()));
  return absl::OkStatus();
}

absl::Status ExplainAgHeader(const RawImage& image, AgHeader header,
                             uint64_t number, ExplanationPrinter& printer) {
  const ondisk::Geometry& geometry = image.geometry();
  if (number >= geometry.ag_count) {
    return ondisk::PosixError(
        EINVAL, fmt::format("AG {}: the image has AGs 0 to {}", number,
                            geometry.ag_count - 1));
  }
  const ondisk::AgNumber ag(static_cast<uint32_t>(number));
  if (header == AgHeader::kSuperblock && ag.value == 0) {
    return ExplainPrimarySuperblock(image.device(), printer);
  }
  const auto read = [&](ondisk::DiskAddress address) {
    return image.Read(address, geometry.sector_size);
  };
  switch (header) {
    case AgHeader::kSuperblock: {
      ONDISK_ASSIGN_OR_RETURN(const auto sector,
                              read(geometry.SuperblockAddress(ag)));
      printer.Print(ondisk::ExplainSecondarySuperblock(
          sector, ag, image.superblock(), geometry));
      break;
    }
    case AgHeader::kAgf: {
      const ondisk::DiskAddress address = geometry.AgfAddress(ag);
      ONDISK_ASSIGN_OR_RETURN(const auto sector, read(address));
      printer.Print(ondisk::ExplainAgf(sector, geometry, address));
      break;
    }
    case AgHeader::kAgi: {
      const ondisk::DiskAddress address = geometry.AgiAddress(ag);
      ONDISK_ASSIGN_OR_RETURN(const auto sector, read(address));
      printer.Print(ondisk::ExplainAgi(sector, geometry, address));
      break;
    }
    case AgHeader::kAgfl: {
      const ondisk::DiskAddress address = geometry.AgflAddress(ag);
      ONDISK_ASSIGN_OR_RETURN(const auto sector, read(address));
      printer.Print(ondisk::ExplainAgfl(sector, geometry, address));
      break;
    }
  }
  return absl::OkStatus();
}

}  // namespace fusexfs::tool
