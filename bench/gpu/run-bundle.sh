#!/usr/bin/env bash
# Runs every program of this folder on the GPU of this machine and finally prints `N passed, N failed, N skipped`.
# Created by `cmake --build build --target gpu-bundle`; needs no compiler. TILECC_DEVICE chooses another device.
#
#   ./run [programs] [matrix] [sanitizers] [speed]     runs these parts; without arguments, all
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
passed=0 failed=0 skipped=0
seed=${TILECC_TEST_SEED:-$RANDOM}

pass() { passed=$((passed + 1)); printf 'ok      %s\n' "$*"; }
fail() { failed=$((failed + 1)); printf 'FAILED  %s\n' "$*"; }
skip() { skipped=$((skipped + 1)); printf 'skipped %s\n' "$*"; }

programs() {
  local program output status
  for program in programs/*; do
    output=$(timeout 300 "./$program" 2>&1)
    status=$?
    case $status in
    0) pass "$(basename "$program")${output:+: $(tail -n 1 <<<"$output")}" ;;
    77) skip "$(basename "$program"): $output" ;; # as in automake: the program prints why it cannot run
    *) fail "$(basename "$program") (exit status $status)" && head -c 4000 <<<"$output" ;;
    esac
  done
}

# The matrix: on the GPU, and with the same inputs on the CPU device, where integers must have the same bits.
matrix() {
  if ./matrix --seed="$seed" --hash=matrix.gpu >matrix.log 2>&1; then pass "matrix: $(tail -n 1 matrix.log)"
  else fail "matrix: $(tail -n 1 matrix.log)"; grep FAILED matrix.log | head -n 50; fi
  [ -z "${TILECC_DEVICE:-}" ] || return
  # Cases that a device does not support have no result on it.
  if TILECC_DEVICE=cpu ./matrix --seed="$seed" --hash=matrix.cpu >matrix-cpu.log 2>&1 &&
    awk 'NR == FNR { bits[$1] = $2; next } !($1 in bits) || bits[$1] != $2 { print $1; wrong = 1 } END { exit wrong || NR == FNR }' \
      matrix.gpu matrix.cpu >matrix.differences; then
    pass "matrix: $(wc -l <matrix.cpu) results have the same bits as on the CPU device: $(tail -n 1 matrix-cpu.log)"
  else
    fail "the matrix on the CPU device, or the comparison: $(tail -n 1 matrix-cpu.log)"
    head -n 20 matrix.differences
  fi
}

# compute-sanitizer on a sample of small tiles, because it would take too long for all.
sanitizers() {
  local tool options
  if ! command -v compute-sanitizer >/dev/null || [ -n "${TILECC_DEVICE:-}" ]; then
    skip "compute-sanitizer: it needs a GPU and CUDA's compute-sanitizer"
    return
  fi
  for tool in memcheck racecheck synccheck initcheck; do
    # The runtime queries the current context before there is one; this is not an error of a kernel.
    options=
    [ $tool = memcheck ] && options="--report-api-errors no"
    if compute-sanitizer --tool $tool $options --error-exitcode 9 --print-limit 20 ./matrix --seed="$seed" \
      --sample="${TILECC_SANITIZER_SAMPLE:-20}" --time-limit="${TILECC_SANITIZER_SECONDS:-60}" >matrix-$tool.log 2>&1; then
      pass "$tool: $(grep ' passed, ' matrix-$tool.log)"
    else
      fail "$tool"
      tail -n 30 matrix-$tool.log
    fi
  done
}

speed() {
  local measure
  if ! python3 -c 'import torch, triton; assert torch.cuda.is_available()' 2>/dev/null; then
    skip "the comparison with Triton: it needs a GPU, torch and Triton"
    return
  fi
  for measure in "run.py ./libkernels.so" "matmul.py ./libmatmul.so"; do
    if python3 $measure; then pass "$measure"; else fail "$measure"; fi
  done
}

if [ -z "${TILECC_DEVICE:-}" ]; then
  [ -n "$(ldconfig -p | grep libcuda.so.1)" ] || [ -e /dev/nvidia0 ] || echo "no GPU here: the programs run on the CPU device"
fi
[ $# -gt 0 ] || set -- programs matrix sanitizers speed
for part in "$@"; do
  case $part in
  programs | matrix | sanitizers | speed) $part ;;
  *) echo "there is no part '$part': programs, matrix, sanitizers, speed" >&2 && exit 2 ;;
  esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
