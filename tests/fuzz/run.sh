#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs every fuzz target for so many seconds: run.sh SECONDS [TARGET...]
#
# Fails if one crashes, hangs (10 s for one input), or takes more than 2 GiB.
# BUILD  where the targets are (default: build-fuzz, from `cmake --preset fuzz`)
# JOBS   targets at once (default 1)
# TIMEOUT seconds for one input (default 10; more on a machine that does other work)
# New inputs are kept in $BUILD/fuzz-corpus, and what broke in $BUILD/fuzz-broken.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
build=${BUILD:-build-fuzz}
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(mount directory attribute inode btree log)

run_one() {
  local target=$1 status=0
  mkdir -p "$build/fuzz-corpus/$target" "$build/fuzz-broken"
  "$build/bin/${target}_fuzz" -max_total_time="$seconds" -timeout="${TIMEOUT:-10}" \
    -rss_limit_mb=2048 -max_len=640 -len_control=10 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$build/fuzz-broken/$target-" \
    "$build/fuzz-corpus/$target" "tests/fuzz/corpus/$target" \
    >"$build/fuzz-$target.log" 2>&1 || status=$?
  local runs edges
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz-$target.log")
  edges=$(grep -o 'cov: [0-9]*' "$build/fuzz-$target.log" | tail -1)
  echo "$target: ${runs:-?} executions, ${edges:-cov: ?} edges, exit $status"
  if [[ $status -ne 0 ]]; then
    tail -40 "$build/fuzz-$target.log"
    return 1
  fi
}

failed=0
running=0
for target in "${targets[@]}"; do
  run_one "$target" &
  running=$((running + 1))
  if [[ $running -ge ${JOBS:-1} ]]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
done
while [[ $running -gt 0 ]]; do
  wait -n || failed=1
  running=$((running - 1))
done
exit $failed
