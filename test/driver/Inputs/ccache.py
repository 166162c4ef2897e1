"""Compiles the same source in two checkouts with ccache, and prints its hits and misses.

    ccache.py TCC
"""
import os
import subprocess
import sys

root = os.path.abspath("ccache")
environment = {**{name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")},
               "CCACHE_DIR": root + "/cache", "CCACHE_BASEDIR": root, "CCACHE_NOHASHDIR": "1"}
source = '#include <tilecc/tt.h>\n#include "two.h"\n__tile_global__ void k(float *x) { tt::store(x, TWO); }\n'


def write(checkout, header):
    os.makedirs(f"{root}/{checkout}", exist_ok=True)
    open(f"{root}/{checkout}/k.tt.cpp", "w").write(source)
    open(f"{root}/{checkout}/two.h", "w").write(header)


def compile_in(checkout, what):
    subprocess.run(["ccache", "--zero-stats"], env=environment, check=True, capture_output=True)
    subprocess.run(["ccache", sys.argv[1], "-MD", "-c", f"{root}/{checkout}/k.tt.cpp", "-o", "k.o"],
                   cwd=f"{root}/{checkout}", env=environment, check=True)
    stats = subprocess.run(["ccache", "--print-stats"], env=environment, check=True, capture_output=True, text=True).stdout
    counts = dict(line.split() for line in stats.splitlines())
    hits = int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])
    print(f"{what}: a {'hit' if hits else 'miss'}", flush=True)


write("one", "#define TWO 2.0f\n")
write("two", "#define TWO 2.0f\n")
compile_in("one", "first")
compile_in("one", "again")
compile_in("two", "another checkout")
write("two", "#define TWO 3.0f\n")
compile_in("two", "a changed header")
