#!/bin/sh
# Installs what is needed, builds and runs the tests, ending with CTest's
# summaries. As root, on Debian 12 or 13.
#
#   ./test.sh          the release build and all tests but the long ones
#   ./test.sh --long   also the asan build with the unit tests, clang's
#                      thread-safety check, the large images, and 60 s of each
#                      fuzz target
set -eu
cd "$(dirname "$0")"
long=
case "${1:-}" in
  "") ;;
  --long) long=yes ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
if [ "$(id -u)" != 0 ]; then
  echo "test.sh mounts images with the kernel, which judges us: run it as root." >&2
  exit 1
fi
.ci/install-packages.sh clang debootstrap xfsprogs attr acl e2fsprogs
.ci/prepare-oracle.sh

jobs=${FUSEXFS_JOBS:-2}
launcher=
if command -v ccache >/dev/null; then
  launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
build() { # build PRESET [TARGET...]
  preset=$1
  shift
  echo "== build: $preset"
  cmake --preset "$preset" $launcher >"/tmp/fusexfs-configure.$$" 2>&1 ||
    { cat "/tmp/fusexfs-configure.$$"; exit 1; }
  rm -f "/tmp/fusexfs-configure.$$"
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}
build release
failed=
if [ -n "$long" ]; then
  build clang-thread-safety fusexfs_engine fusexfs_fuse
  build asan
  echo "== unit tests with AddressSanitizer and UndefinedBehaviorSanitizer"
  ctest --preset asan -j "$jobs" -L unit --quiet --output-log build-asan/tests.log ||
    failed="asan"
  tail -n 30 build-asan/tests.log
  # The fuzzer's runtime is a package of its own, named by clang's version.
  .ci/install-packages.sh "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
  build fuzz fuzz
  echo "== fuzz targets, 60 s each"
  tests/fuzz/run.sh 60 || failed="$failed fuzz"
  echo "== all tests, also the long ones"
  ctest --preset release -j "$jobs" || failed="$failed release"
else
  echo "== all tests: unit, against the oracles, over a mount"
  ctest --preset release -j "$jobs" -LE long || failed="$failed release"
fi
if [ -n "$failed" ]; then
  echo "FAILED: $failed" >&2
  exit 1
fi
