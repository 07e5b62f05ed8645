#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the root that holds the second oracle: an xfsprogs that knows parent
# pointers (6.10 and later), which Debian 12's own does not. It lives outside
# the source tree and is made once. FUSEXFS_ORACLE_ROOT chooses another place,
# FUSEXFS_DEBIAN_MIRROR another mirror than the one that apt uses.
set -eu
root=${FUSEXFS_ORACLE_ROOT:-/var/lib/fusexfs-oracle/trixie}
if [ ! -x "$root/usr/sbin/mkfs.xfs" ]; then
  mirror=${FUSEXFS_DEBIAN_MIRROR:-$(apt-get indextargets \
    --format '$(REPO_URI)' 'Created-By: Packages' |
    grep '/debian/*$' | head -n 1)}
  mkdir -p "$(dirname "$root")"
  if ! debootstrap --variant=minbase --include=xfsprogs trixie "$root.new" \
    ${mirror:+"$mirror"} >"$root.log" 2>&1; then
    tail -n 20 "$root.log" >&2
    echo "The oracle (xfsprogs of Debian 13 in $root) could not be made; without it the tests prove nothing." >&2
    exit 1
  fi
  mv "$root.new" "$root"
fi
mkdir -p "$root/img"
version=$(chroot "$root" mkfs.xfs -V | sed 's/.* //')
case $version in
  [1-5].* | 6.[0-9].* | 6.[0-9])
    echo "The oracle in $root is xfsprogs $version; it must be 6.10 or newer." >&2
    exit 1 ;;
esac
if ! grep -qw xfs /proc/filesystems && ! modprobe xfs; then
  echo "This kernel has no XFS: the tests have no judge." >&2
  exit 1
fi
echo "oracles: kernel $(uname -r), xfsprogs $version in $root"
