# Compiles the programs TEST... of SOURCE with [[tt::num_ctas(4)]] in front of every kernel, and runs them.
# with-clusters.sh SOURCE OUTPUT COMPILER RUNNER TEST...
set -euo pipefail
source=$1 output=$2 compiler=$3 runner=$4
for test in "${@:5}"; do
  sed -E 's/__tile_global__/[[tt::num_ctas(4)]] &/' "$source/$test.tt.cpp" >"$output/$test.tt.cpp"
  $compiler -I"$source" "$output/$test.tt.cpp" -o "$output/$test"
  $runner "$output/$test"
done
