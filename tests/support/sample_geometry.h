// SPDX-License-Identifier: GPL-2.0-or-later
// The geometry of the sample image (sample_headers.h), and as a V4 image of the
// same sizes would have it.
#ifndef FUSEXFS_TESTS_SUPPORT_SAMPLE_GEOMETRY_H_
#define FUSEXFS_TESTS_SUPPORT_SAMPLE_GEOMETRY_H_

#include "libondisk/geometry.h"
#include "libondisk/superblock.h"
#include "tests/support/sample_headers.h"

namespace ondisk {

inline Geometry SampleGeometry() {
  return *GeometryFromSuperblock(SampleSuperblock(), kSampleDeviceBytes);
}

inline Geometry SampleGeometryV4() {
  Geometry geometry = SampleGeometry();
  geometry.features = Features{};
  geometry.features.attr2 = geometry.features.lazy_counters = true;
  return geometry;
}

}  // namespace ondisk

#endif  // FUSEXFS_TESTS_SUPPORT_SAMPLE_GEOMETRY_H_
