"""Runs the kernels of kernels.tt.cpp, compiled for an AMD target, in the emulator, and computes the expected results.

  run.py <tcc-run-amd> <code object> <work-group threads> <folder>
"""
import math
import pathlib
import random
import struct
import subprocess
import sys

runner, image, threads, folder = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
folder.mkdir(exist_ok=True)
kernels = [line.split("(")[0] for line in
           subprocess.run([runner, image, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()]
FORMATS = {"f32": "f", "s32": "i", "f16": "e", "bf16": "H"}
choose = random.Random(942)
failures = 0


def encode(values, kind):
    if kind == "bf16":
        values = [struct.unpack("I", struct.pack("f", value))[0] >> 16 for value in values]
    return struct.pack(f"<{len(values)}{FORMATS[kind]}", *values)


def run(name, arguments, grid="1", tolerance=0):
    """`arguments`: scalars in the emulator's format, inputs (kind, values), and results (kind, values before, values
    after)."""
    global failures
    symbol = next(kernel for kernel in kernels if name in kernel)
    command, results = [runner, image, f"--kernel={symbol}", f"--grid={grid}", f"--block={threads}"], []
    for number, argument in enumerate(arguments):
        if isinstance(argument, str):
            command += ["--arg", argument]
            continue
        kind, values = argument[:2]
        path = folder / f"{name}.{number}"
        path.write_bytes(encode(values, kind))
        command += ["--arg", f"{kind}[{len(values)}]=@{path}"]
        if len(argument) == 3:
            command += [f"--save={number}:{path}"]
            results.append((path, kind, argument[2]))
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        failures += 1
        print(f"{name}: {ran.stderr}")
        return
    for path, kind, expected in results:
        found = struct.unpack(f"<{len(expected)}{FORMATS[kind]}", path.read_bytes())
        wrong = [i for i, (f, e) in enumerate(zip(found, expected)) if not abs(f - e) <= tolerance * abs(e)]
        failures += bool(wrong)
        for i in wrong[:3]:
            print(f"{name}: {path.name}[{i}] is {found[i]}, not {expected[i]} ({len(wrong)} are wrong)")


def integers(count, least=-8, most=8):
    return [choose.randint(least, most) for _ in range(count)]


x, y = integers(1040), integers(1040)
run("add", [("f32", x), ("f32", y), ("f32", [0] * 1040, [a + b for a, b in zip(x, y)]), "s32:1040"], grid="2")

x = [choose.uniform(-4, 4) for _ in range(2048)]
expected = []
for row in x[:1024], x[1024:]:
    e = [math.exp(v - max(row)) for v in row]
    expected += [v / sum(e) for v in e]
run("softmax", [("f32", x), ("f32", [0] * 2048, expected)], grid="2", tolerance=1e-5)

for mangled, kind in ("multiplyIf", "f32"), ("multiplyIDF16_", "f16"), ("multiplyIDF16b", "bf16"):
    a, b = integers(64 * 32), integers(32 * 64)
    product = [sum(a[32 * i + k] * b[64 * k + j] for k in range(32)) for i in range(64) for j in range(64)]
    run(mangled, [(kind, a), (kind, b), ("f32", [0] * 4096, product)])

x = integers(4096)
run("transpose", [("s32", x), ("s32", [0] * 4096, [x[64 * j + i] for i in range(64) for j in range(64)])])

x = integers(1024)
run("running_sums", [("s32", x), ("s32", [0] * 1024, [sum(x[:i + 1]) for i in range(1024)])])

x = integers(512, -10**6, 10**6)
run("ordered", [("s32", x), ("s32", [0] * 512, sorted(x))])

x = integers(1024, -100, 100)
run("totals", [("s32", x), ("s32", [5], [5 + sum(x)]), ("f32", [1] * 16, [1 + sum(x[i::16]) for i in range(16)]),
               ("s32", [-200], [max(x)])], grid="4")

run("grid", [("s32", [0] * 6, [i * 100 + 32 for i in range(6)])], grid="3,2")

print(f"{len(kernels)} kernels, {failures} failures")
sys.exit(failures != 0)
