# usage: on.sh aarch64|riscv64 LEVEL|all PROGRAM [ARGUMENT...] : runs a program for this architecture under qemu, on a
# processor whose best level of CPU code is LEVEL, or on one after the other
architecture=$1 levels=$2
shift 2
if [ "$levels" = all ]; then
  case $architecture in
    aarch64) levels="neon sve128 sve256 sve512" ;;
    riscv64) levels="rv64gc rvv128 rvv256 rvv512" ;;
  esac
fi
export TILECC_DEVICE="${TILECC_DEVICE:-cpu}" TILECC_NUM_THREADS=2
for level in $levels; do
  case $level in
    neon) processor=cortex-a72 ;;
    sve*) processor=max,pauth=off,sve-default-vector-length=$((${level#sve} / 8)) ;; # pauth takes a third of the time
    rv64gc) processor=rv64 ;;
    rvv*) processor=rv64,v=true,vext_spec=v1.0,vlen=${level#rvv} ;;
    *) echo "there is no level $level"; exit 2 ;;
  esac
  # The variable makes programs fail that do not find this level.
  TILECC_CPU_LEVEL=${TILECC_CPU_LEVEL-$level} qemu-$architecture -L /usr/$architecture-linux-gnu -cpu "$processor" "$@" && continue
  status=$?
  echo "on a processor with $level: exit status $status; repeat it with"
  echo "  TILECC_DEVICE=$TILECC_DEVICE TILECC_CPU_LEVEL=$level qemu-$architecture -L /usr/$architecture-linux-gnu -cpu $processor $*"
  exit $status
done
