#!/usr/bin/env python3
"""Measures the cost of records inside kernels (-fprofile-tile): attention and a matrix product of plain.tt.cpp, with
and without records, on one GPU, in one process (timing.py).

  tcc -O2 -shared -fPIC plain.tt.cpp -o libplain.so
  tcc -O2 -shared -fPIC -fprofile-tile plain.tt.cpp -o librecords.so
  bench/gpu/profile.py libplain.so librecords.so

Prints for each kernel the time without records and, in percent of it, the time that records add if they are not stored,
because most launches have no buffer. Then prints how long the launches took that store their records, from the beginning
of the first warp to the end of the last one by the GPU's timer: the median of all but the first. The goal is 3 % for
both.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

LAUNCHES = 10


def measure(paths):
    import torch
    from timing import Library, medians, off_by

    plain, records = map(Library, paths)

    def compare(what, call, out, expected):
        for library in plain, records:
            for _ in range(LAUNCHES):  # with records: the launches that are stored
                out.fill_(float("nan"))
                call(library)
            if off_by(out, expected) > 1e-2:
                raise SystemExit(f"{what} is wrong: off by {off_by(out, expected)}")
        median = medians({"plain": lambda: call(plain), "records": lambda: call(records)})
        print(f"{what}: {median['plain'] * 1e3:.1f} us without records, {100 * (median['records'] / median['plain'] - 1):+.2f} % with "
              "records that are not stored", flush=True)

    def attention(d, heads, length):
        q, k, v = (torch.randn(1, heads, length, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
        out, scale = torch.empty_like(q), math.log2(math.e) / math.sqrt(d)
        compare(f"attention D{d} {heads}x{length}",
                lambda library: library.bench_plain_attention(f"full {d}: 128x128", q, k, v, out, heads, length, 1024, scale), out,
                torch.nn.functional.scaled_dot_product_attention(q, k, v))

    def matmul(m, n, k):
        a, b = (torch.randn(*size, device="cuda", dtype=torch.bfloat16) for size in ((m, k), (k, n)))
        out = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
        compare(f"matmul {m}x{n}x{k}", lambda library: library.bench_plain_matmul("128x256", a, b, out, m, n, k), out, a @ b)

    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}", flush=True)
    matmul(4096, 4096, 4096)
    attention(64, 32, 4096)
    attention(128, 32, 4096)


def read(trace):
    launches, full = {}, {}
    for event in json.load(open(trace)):
        if event.get("cat") == "warp":
            name, launch = event["name"], event["args"]["launch"]
            begin, end = launches.setdefault(name, {}).get(launch, (math.inf, 0))
            launches[name][launch] = min(begin, event["ts"]), max(end, event["ts"] + event["dur"])
            full[name] = full.get(name, 0) + event["args"]["full"]
    for name, spans in launches.items():
        times = [end - begin for launch, (begin, end) in spans.items() if launch > 1]
        print(f"{name}: {statistics.median(times):.1f} us with stored records; {full[name]} warps filled their buffers")


if os.environ.get("TILECC_PROFILE"):
    measure(sys.argv[1:3])
else:
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "times.json")
        settings = {"TILECC_PROFILE": trace, "TILECC_PROFILE_LAUNCHES": str(LAUNCHES), "TILECC_PROFILE_BYTES": str(64 << 20)}
        subprocess.run([sys.executable, *sys.argv], env={**os.environ, **settings}, check=True)
        read(trace)
