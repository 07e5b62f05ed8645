#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs what building and testing needs on Debian 12 or 13, as root. Does
# nothing when all is there, so that it also works without a network.
set -eu
packages="g++ cmake ninja-build pkg-config python3 xz-utils zstd fuse3
  libfuse3-dev liburcu-dev libabsl-dev libgtest-dev libgmock-dev libisal-dev
  libblkid-dev libarchive-dev libcli11-dev nlohmann-json3-dev libfmt-dev
  libspdlog-dev systemtap-sdt-dev $*"
missing=
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" ||
    missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
  echo "These packages are missing; run this as root, or install them:$missing" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
# shellcheck disable=SC2086
apt-get install -q -y --no-install-recommends $missing
