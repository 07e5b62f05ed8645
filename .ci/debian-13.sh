#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the release preset on Debian 13 (newer compiler and libraries) and runs
# the unit tests there, in a chroot that is made once outside the source tree.
# As root. FUSEXFS_DEBIAN13_ROOT chooses another place, FUSEXFS_DEBIAN_MIRROR
# another mirror than the one that apt uses.
set -eu
cd "$(dirname "$0")/.."
root=${FUSEXFS_DEBIAN13_ROOT:-/var/lib/fusexfs-oracle/trixie-dev}
if [ ! -x "$root/usr/bin/apt-get" ]; then
  mirror=${FUSEXFS_DEBIAN_MIRROR:-$(apt-get indextargets \
    --format '$(REPO_URI)' 'Created-By: Packages' |
    grep '/debian/*$' | head -n 1)}
  mkdir -p "$(dirname "$root")"
  if ! debootstrap --variant=minbase trixie "$root.new" ${mirror:+"$mirror"} \
    >"$root.log" 2>&1; then
    tail -n 20 "$root.log" >&2
    exit 1
  fi
  mv "$root.new" "$root"
fi

# The mounts are this script's own and end with it.
if [ -z "${FUSEXFS_DEBIAN13_INSIDE:-}" ]; then
  FUSEXFS_DEBIAN13_INSIDE=yes exec unshare --mount --propagation private "$0"
fi
mkdir -p "$root/src" "$root/build"
mount --bind . "$root/src"
mount -o remount,bind,ro "$root/src"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
jobs=${FUSEXFS_JOBS:-2}
chroot "$root" sh -eu -c "
  cd /src
  .ci/install-packages.sh
  cmake --preset release -B /build >/build/configure.log 2>&1 ||
    { cat /build/configure.log; exit 1; }
  cmake --build /build -j $jobs
  ctest --test-dir /build -L unit -j $jobs --output-on-failure"
