# usage: on.sh LEVEL|all PROGRAM [ARGUMENT...] : runs a program for AArch64 under qemu, on a processor whose best level
# of CPU code is LEVEL, or on one after the other
levels=$1
shift
[ "$levels" = all ] && levels="neon sve128 sve256 sve512"
export TILECC_DEVICE="${TILECC_DEVICE:-cpu}" TILECC_NUM_THREADS=2
for level in $levels; do
  case $level in
    neon) processor=cortex-a72 ;;
    sve*) processor=max,pauth=off,sve-default-vector-length=$((${level#sve} / 8)) ;; # pauth takes a third of the time
    *) echo "there is no level $level"; exit 2 ;;
  esac
  # The variable makes programs fail that do not find this level.
  TILECC_CPU_LEVEL=${TILECC_CPU_LEVEL-$level} qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu "$processor" "$@" && continue
  status=$?
  echo "on a processor with $level: exit status $status; repeat it with"
  echo "  TILECC_DEVICE=$TILECC_DEVICE TILECC_CPU_LEVEL=$level qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu $processor $*"
  exit $status
done
