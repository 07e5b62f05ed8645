# SPDX-License-Identifier: GPL-2.0-or-later
# What the recipes of the golden images share.  Source it: . "$(dirname "$0")/lib.sh"
#
# A recipe makes ../golden/NAME.img.zst, NAME.manifest.jsonl.xz (what the kernel
# shows of it) and NAME.versions (who made it). It needs root, a kernel
# with XFS, and an xfsprogs of 6.13 or newer in $FUSEXFS_ORACLE_ROOT.
set -eu
export FUSEXFS_ORACLE_ROOT="${FUSEXFS_ORACLE_ROOT:-/var/lib/fusexfs-oracle/trixie}"
recipes=$(cd "$(dirname "$0")" && pwd)
golden=$(cd "$recipes/../golden" && pwd)
export PYTHONPATH="$recipes/../../tests/support/python" PYTHONDONTWRITEBYTECODE=1
umask 022
mkdir -p "$FUSEXFS_ORACLE_ROOT/img"
work=$(mktemp -d "$FUSEXFS_ORACLE_ROOT/img/golden.XXXXXX")
mnt=$(mktemp -d)
trap 'umount "$mnt" 2>/dev/null || true; rmdir "$mnt"; rm -rf "$work"' EXIT

# make NAME SIZE MKFS-OPTION...
make() {
  name=$1
  image=$work/$name.img
  truncate -s "$2" "$image"
  shift 2
  mkfs_options=$*
  # The three variables lift mkfs.xfs's minimum sizes.
  chroot "$FUSEXFS_ORACLE_ROOT" env TEST_DIR=x TEST_DEV=x QA_CHECK_FS=x \
    mkfs.xfs -q -f "$@" "${image#"$FUSEXFS_ORACLE_ROOT"}"
}

attach() { # attach OPTIONS: loop devices are shared, so try again
  for _ in 1 2 3 4 5 6 7 8; do
    mount -t xfs -o "loop,nouuid,$1" "$image" "$mnt" && return 0
    sleep 1
  done
  return 1
}

# fill FAMILY[:SCALE]...  (see tests/support/python/xfsjudge/contents.py)
fill() {
  attach rw,noatime
  python3 -m xfsjudge.contents "$mnt" "$@"
}

check() {
  chroot "$FUSEXFS_ORACLE_ROOT" xfs_repair -n -o force_geometry \
    "${image#"$FUSEXFS_ORACLE_ROOT"}" >"$work/repair" 2>&1 ||
    { cat "$work/repair"; echo "$name: xfs_repair finds damage" >&2; exit 1; }
}

pack() {
  zstd -q -f -19 --ultra "$image" -o "$golden/$name.img.zst"
  {
    echo "image: $(stat -c %s "$image") bytes, sha256 $(sha256sum <"$image" | cut -c1-64)"
    echo "mkfs: ${mkfs_version:-$(chroot "$FUSEXFS_ORACLE_ROOT" mkfs.xfs -V)}"
    echo "mkfs options: $mkfs_options"
    echo "kernel: ${content_by:-$(uname -r | sed 's/-.*//')}"
    echo "made: $(date -u +%Y-%m-%d)"
  } >"$golden/$name.versions"
}

# manifest SUFFIX MOUNT-OPTIONS: what the kernel shows of $image
manifest() {
  attach "$2"
  python3 -m xfsjudge.manifest "$mnt" >"$work/manifest"
  xz -9 <"$work/manifest" >"$golden/$name$1.manifest.jsonl.xz"
  umount "$mnt"
}

# finish: unmount, check, take the manifest read-only, pack
finish() {
  umount "$mnt"
  check
  manifest "" ro
  pack
}
