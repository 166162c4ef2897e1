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
if python3 -c 'import torch, triton; assert torch.cuda.is_available()' 2>/dev/null; then
  if python3 run.py ./libkernels.so; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
else
  echo "skipped the comparison with Triton: it needs a GPU, torch and Triton"
  skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
