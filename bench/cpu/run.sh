#!/usr/bin/env bash
# usage: run.sh <build folder> [threads...]     (needs clang++-22 and libopenblas)
# Compiles the kernels with tcc's CPU target and the plain loops with Clang, finds the best OPENBLAS_CORETYPE for this
# machine, and prints a table per number of threads (default: 1 and 2).
set -e
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?build folder}" && pwd)
shift
out=$build/bench-cpu
mkdir -p "$out"
objects=()
for kernel in vector-add softmax matmul; do
  "$build/bin/tcc-opt" --triton-unwrap-indices "$here/kernels/$kernel.ttir" |
    "$build/bin/tcc-cpu" - -o "$out/$kernel.o" --header "$out/$kernel.h"
  objects+=("$out/$kernel.o")
done
cxx=${CXX:-clang++-22}
$cxx -std=c++20 -O3 -march=native -ffast-math -fveclib=libmvec -c "$here/plain.cpp" -o "$out/plain.o"
$cxx -std=c++20 -O2 -pthread -I"$here" -I"$out" -I"$here/../../runtime/include" "$here/bench.cpp" "$out/plain.o" \
  "${objects[@]}" -lopenblas -lmvec -lm -o "$out/bench-cpu"

best=0 core=
for candidate in Haswell Zen SkylakeX Cooperlake SapphireRapids; do
  case $candidate in # a core type with instructions that this machine lacks would crash
    SkylakeX) grep -q avx512dq /proc/cpuinfo || continue ;;
    Cooperlake) grep -q avx512_bf16 /proc/cpuinfo || continue ;;
    SapphireRapids) grep -q amx_bf16 /proc/cpuinfo || continue ;;
  esac
  read -r speed name < <(OPENBLAS_CORETYPE=$candidate "$out/bench-cpu" 1 blas)
  echo "OPENBLAS_CORETYPE=$candidate: $speed GFLOP/s ($name)"
  if awk "BEGIN { exit !($speed > $best) }"; then best=$speed core=$candidate; fi
done
sed -n 's/^model name[^:]*: */processor: /p' /proc/cpuinfo | head -1
[ $# -gt 0 ] || set -- 1 2
for threads in "$@"; do
  echo
  OPENBLAS_CORETYPE=$core "$out/bench-cpu" "$threads"
done

# Row kernels in the tile language: layer_norm, rope, cumsum, histogram. One thread.
$cxx -std=c++20 -O3 -march=native -ffast-math -fveclib=libmvec -c "$here/loops.cpp" -o "$out/loops.o"
"$build/bin/tcc" -O2 -arch=compute_90 "$here/rows.tt.cpp" "$out/loops.o" -o "$out/rows" -lmvec -lm
printf '\n1 thread\n\n'
TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 "$out/rows"

# Matrix products of narrower types, compared with OpenBLAS in f32. One thread.
"$build/bin/tcc" -O2 -arch=compute_90 "$here/products.tt.cpp" -o "$out/products" -lopenblas
printf '\n1 thread\n\n'
OPENBLAS_CORETYPE=$core OPENBLAS_NUM_THREADS=1 TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 "$out/products"
