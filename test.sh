#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs what is needed, builds and runs the tests, ending with CTest's
# summaries. As root, on Debian 12 or 13.
#
#   ./test.sh          builds with clang's thread-safety check, asan and
#                      release, and runs all tests but the long ones (the unit
#                      tests in both builds)
#   ./test.sh --long   also the unit tests under ThreadSanitizer, the large
#                      images, and 60 s of each fuzz target
set -eu
cd "$(dirname "$0")"
long=
case "${1:-}" in
  "") ;;
  --long) long=yes ;;
  *) sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
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
  cmake --preset "$preset" $launcher -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >"/tmp/fusexfs-configure.$$" 2>&1 ||
    { cat "/tmp/fusexfs-configure.$$"; exit 1; }
  rm -f "/tmp/fusexfs-configure.$$"
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}
failed=
run_tests() { # run_tests PRESET CTEST-OPTION...
  preset=$1
  shift
  ctest --preset "$preset" -j "$jobs" "$@" || failed="$failed $preset"
}
build clang-thread-safety fusexfs_engine fusexfs_fuse
build asan unit_tests
echo "== unit tests with AddressSanitizer and UndefinedBehaviorSanitizer"
run_tests asan -L unit
build release
if [ -z "$long" ]; then
  echo "== all tests: unit, against the oracles, over a mount"
  run_tests release -LE long
else
  build tsan unit_tests
  echo "== unit tests with ThreadSanitizer"
  run_tests tsan -L unit
  # The fuzzer's runtime is a package of its own, named by clang's version.
  .ci/install-packages.sh "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
  build fuzz fuzz
  echo "== fuzz targets, 60 s each"
  tests/fuzz/run.sh 60 || failed="$failed fuzz"
  echo "== all tests, also the long ones"
  run_tests release
fi
if [ -n "$failed" ]; then
  echo "FAILED:$failed" >&2
  exit 1
fi
