# Compiles the programs TEST... of SOURCE for tensor memory, and runs them on the emulator twice: with dots and copies
# that complete as early as possible, and in random order.
# on-blackwell.sh SOURCE OUTPUT COMPILER SEED TEST...
set -euo pipefail
source=$1 output=$2 compiler=$3 seed=$4
for test in "${@:5}"; do
  $compiler -I"$source" "$source/$test.tt.cpp" -o "$output/$test"
  grep -q tcgen05.mma "$output/$test" || { echo "$test: no product is in tensor memory"; exit 1; }
  TILECC_DEVICE=emu:sm_100a "$output/$test"
  TILECC_DEVICE=emu:sm_100a TILECC_EMU_SCHEDULE=random TILECC_EMU_SEED=$seed "$output/$test"
done
