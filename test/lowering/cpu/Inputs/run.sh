# usage: run.sh <kernel.ttir> <test.cpp> <folder> [compiler flags]: compiles both, links, and runs.
set -e
here=$(dirname "$0")
mkdir -p "$3"
tcc-cpu "$1" -o "$3/k.o" --header "$3/k.h"
${CLANGXX:-clang++-22} -std=c++20 -O1 -I"$here/../../../../runtime/include" -I"$here" "-DKERNEL_HEADER=\"$3/k.h\"" \
  $4 $5 $6 "$2" "$3/k.o" -o "$3/run"
"$3/run"
