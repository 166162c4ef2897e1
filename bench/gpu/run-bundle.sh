#!/usr/bin/env bash
# Runs every program of this folder on the GPU of this machine and closes with `N passed, N failed, N skipped`.
# Made by `cmake --build build --target gpu-bundle`; needs no compiler here. TILECC_DEVICE chooses another device.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
passed=0 failed=0 skipped=0
if [ -z "${TILECC_DEVICE:-}" ]; then
  [ -n "$(ldconfig -p | grep libcuda.so.1)" ] || [ -e /dev/nvidia0 ] || echo "no GPU here: the programs run on the CPU device"
fi
for program in programs/*; do
  output=$(timeout 300 "./$program" 2>&1)
  status=$?
  if [ $status -eq 0 ]; then
    passed=$((passed + 1))
    printf 'ok      %s%s\n' "$(basename "$program")" "${output:+: $output}"
  elif [ $status -eq 77 ]; then # as in automake: the program says why it cannot run here
    skipped=$((skipped + 1))
    printf 'skipped %s: %s\n' "$(basename "$program")" "$output"
  else
    failed=$((failed + 1))
    printf 'FAILED  %s (exit status %d)\n%s\n' "$(basename "$program")" "$status" "$output"
  fi
done
# The matrix: on the GPU, and with the same inputs on the CPU device, where integers must be the same bits.
seed=${TILECC_TEST_SEED:-$RANDOM}
if ./matrix --seed=$seed --hash=matrix.gpu >matrix.log 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); grep FAILED matrix.log | head -n 50; fi
echo "matrix: $(tail -n 1 matrix.log)"
if [ -z "${TILECC_DEVICE:-}" ]; then
  if TILECC_DEVICE=cpu ./matrix --seed=$seed --hash=matrix.cpu >matrix-cpu.log 2>&1 && cmp matrix.gpu matrix.cpu; then
    passed=$((passed + 1))
    echo "matrix: $(wc -l <matrix.gpu) results have the same bits as on the CPU device: $(tail -n 1 matrix-cpu.log)"
  else
    failed=$((failed + 1))
    echo "FAILED  the matrix on the CPU device, or the comparison: $(tail -n 1 matrix-cpu.log)"
    diff matrix.gpu matrix.cpu | head -n 20
  fi
fi
# compute-sanitizer on a sample of small tiles: some minutes would not be enough for all.
if command -v compute-sanitizer >/dev/null && [ -z "${TILECC_DEVICE:-}" ]; then
  for tool in memcheck racecheck synccheck initcheck; do
    # The runtime asks for the current context before there is one: no error of a kernel.
    options=
    [ $tool = memcheck ] && options="--report-api-errors no"
    if compute-sanitizer --tool $tool $options --error-exitcode 9 --print-limit 20 ./matrix --seed=$seed --sample=${TILECC_SANITIZER_SAMPLE:-20} \
      --time-limit=${TILECC_SANITIZER_SECONDS:-60} >matrix-$tool.log 2>&1; then
      passed=$((passed + 1))
      echo "ok      $tool: $(grep ' passed, ' matrix-$tool.log)"
    else
      failed=$((failed + 1))
      echo "FAILED  $tool"
      tail -n 30 matrix-$tool.log
    fi
  done
else
  echo "skipped compute-sanitizer: it needs a GPU and CUDA's compute-sanitizer"
  skipped=$((skipped + 1))
fi
if python3 -c 'import torch, triton; assert torch.cuda.is_available()' 2>/dev/null; then
  if python3 run.py ./libkernels.so; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  if python3 matmul.py ./libmatmul.so; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
else
  echo "skipped the comparison with Triton: it needs a GPU, torch and Triton"
  skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
