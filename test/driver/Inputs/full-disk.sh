# Part of full-disk.test; `disk` is a file system of 32 KB.
tcc=$1 source=$2
try() { echo "$1"; shift; "$@"; echo status $?; }
try object $tcc -c $source -o disk/add.o
try program $tcc add.o -o disk/add
try preprocessed $tcc -E $source -o disk/add.ii
try 'temporary files' env TMPDIR=disk $tcc -c $source -o again.o
try device $tcc -c $source -o /dev/full
echo left: $(ls -A disk | wc -l)
