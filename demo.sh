#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows fusexfs in half a minute (plus the build): as root on Debian 12 or 13 it
# installs what it needs, builds, makes an XFS image, mounts it with fusexfs, and
# looks inside. Leaves nothing behind but build/.
set -eu
cd "$(dirname "$0")"

step() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
run() { printf '\033[2m$ %s\033[0m\n' "$*"; "$@"; }

step "Installing what the build needs, and building (build/)"
.ci/install-packages.sh attr
launcher=
if command -v ccache >/dev/null; then
  launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset release $launcher >/dev/null
cmake --build --preset release -j "$(nproc)" --target fusexfs_tool fusexfs_ctl ondisk_tool |
  tail -n 1
PATH=$PWD/build/bin:$PATH

work=$(mktemp -d)
mnt=$work/mnt
mkdir "$mnt" "$work/kernel"
cleanup() {
  if mountpoint -q "$mnt"; then fusermount3 -u -z "$mnt"; fi
  if mountpoint -q "$work/kernel"; then umount "$work/kernel"; fi
  rm -rf "$work"
}
trap cleanup EXIT

image=$work/demo.img
zstd -q -d images/golden/empty-v5.img.zst -o "$image"
if [ "$(id -u)" = 0 ] && mount -t xfs -o loop "$image" "$work/kernel" 2>/dev/null; then
  step "Filling an empty XFS image through the kernel's own XFS"
  tree=$work/kernel
  mkdir -p "$tree/letters/sent" "$tree/backup"
  printf 'Dear reader,\nthis file was written by the kernel and is read by fusexfs.\n' \
    >"$tree/letters/hello"
  ln "$tree/letters/hello" "$tree/letters/sent/to-you"
  ln "$tree/letters/hello" "$tree/backup/hello.1"
  ln -s ../letters/hello "$tree/backup/latest"
  head -c 3000000 /dev/zero | tr '\0' 'x' >"$tree/backup/original"
  cp --reflink=always "$tree/backup/original" "$tree/backup/clone"
  printf 'changed' | dd of="$tree/backup/clone" bs=1 seek=1000000 conv=notrunc status=none
  setfattr -n user.author -v "a demo" "$tree/letters/hello"
  umount "$work/kernel"
  directory=letters file=letters/hello attributed=letters/hello shared=backup/clone
  origin="took the empty XFS image images/golden/empty-v5.img.zst; the kernel's XFS filled it"
else
  step "No loop mounts here: taking an image that the kernel filled before"
  zstd -q -d -f images/golden/tiny-v5.img.zst -o "$image"
  directory=links/one file=links/one/name attributed=attributes/short shared=shared/broken
  origin="took the ready XFS image images/golden/tiny-v5.img.zst, filled by a kernel before"
fi

step "Mounting it with fusexfs, read-only, in userspace"
run fusexfs -o ro "$image" "$mnt"
run df -hT "$mnt"

step "Listing it"
run ls -lR "$mnt/$directory"

step "Reading a file, and extended attributes"
run cat "$mnt/$file"
run getfattr --absolute-names -d "$mnt/$attributed"

step "Where the blocks of a file are, and which are shared with its clone (FIEMAP)"
run fusexfs-ctl fiemap "$mnt/$shared"

step "All names of that file, found through its parent pointers"
run fusexfs-ctl parents "$mnt/$file"

step "The same image without mounting: what the superblock says, byte by byte"
run ondisk explain "$image" sb | head -n 12
echo "  ..."

step "Unmounting"
run fusermount3 -u "$mnt"

step "Done"
cat <<END
  built fusexfs, fusexfs-ctl and ondisk into build/bin
  $origin
  mounted it with fusexfs, read-only
  listed the directory $directory
  read $file, and the extended attributes of $attributed
  showed the extents of $shared, with those that it shares
  showed every name of $file by its parent pointers
  explained the first bytes of the superblock, without a mount
  unmounted it, and removed it
END
