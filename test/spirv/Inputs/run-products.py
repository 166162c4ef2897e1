"""Runs dots of the matrix unit of Intel's GPUs on an OpenCL implementation without such a unit, and checks the results.

    run-products.py PRODUCTS.ll UNIT.ll FOLDER

PRODUCTS.ll is what `tcc --emit=llvm -arch=spirv64-intel products.tt.cpp` writes. The instruction of the matrix unit is
replaced by the function of UNIT.ll, which is matrix-unit.cl. So this checks which lane holds which element.
"""

import random
import re
import struct
import subprocess
import sys

import opencl

INSTRUCTION = "_Z45__spirv_SubgroupMatrixMultiplyAccumulateINTEL"
CODES = {"float16": "e", "int8": "b"}
TIMES = 3


def pack(kind, values):
    if kind in CODES:
        return struct.pack(f"<{len(values)}{CODES[kind]}", *values)
    words = struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))
    return struct.pack(f"<{len(values)}H", *(word >> 16 for word in words))


def multiply(a, b, rows, columns, depth):
    return [sum(a[i * depth + k] * b[k * columns + j] for k in range(depth)) for i in range(rows) for j in range(columns)]


def build(device, text, unit, folder):
    """Builds the module without the matrix unit. Returns it, its kernel, and the kernel's number of threads."""
    count = len(re.findall(rf"call .*@{INSTRUCTION}", text))
    kernel = re.search(r"define spir_kernel void @\"?([^\s\"(]+)", text)[1]
    if not count:
        sys.exit(f"{kernel}: no instruction of the matrix unit")
    threads = int(re.search(r"!{i32 (\d+), i32 1, i32 1}", text)[1])
    with open(f"{folder}/kernel.ll", "w") as file:
        file.write(text.replace(INSTRUCTION, "_Z4unit"))
    for command in (["llvm-link", f"{folder}/kernel.ll", unit, "-S", "-o", f"{folder}/linked.ll"],
                    ["llc", "-O0", "-filetype=obj", "--spirv-ext=+SPV_INTEL_bfloat16_conversion", f"{folder}/linked.ll",
                     "-o", f"{folder}/linked.spv"]):
        subprocess.run(command, check=True)
    with open(f"{folder}/linked.spv", "rb") as file:
        return device.build(file.read()), kernel, threads


def main():
    products, unit, folder = sys.argv[1:]
    device, rng, ran = opencl.Device(), random.Random(1), set()
    with open(products) as file:
        modules = file.read().split("// -----")
    for text in modules:
        module, kernel, threads = build(device, text, unit, folder)
        kind, rows, columns, depth = re.search(r"(float16|bfloat16|int8|chain)_(\d+)x(\d+)x(\d+)", kernel).groups()
        rows, columns, depth = int(rows), int(columns), int(depth)
        if (kind, rows, columns, depth) in ran:  # another variant of the same kernel
            continue
        ran.add((kind, rows, columns, depth))
        # Small integers, whose products and sums are exact in any order.
        a = [rng.randint(-4, 4) for _ in range(rows * depth)]
        b = [rng.randint(-4, 4) for _ in range(depth * columns)]
        expected = multiply(a, b, rows, columns, depth)
        element = "bfloat16" if kind == "chain" else kind
        if kind == "chain":
            b = [rng.randint(0, 1) for _ in b]
            expected = [TIMES * value for value in multiply(multiply(a, b, rows, depth, depth), b, rows, columns, depth)]
        buffers = [pack(element, a), pack(element, b), bytes(4 * rows * columns)]
        numbers = [TIMES] if kind == "chain" else []
        code = "i" if kind == "int8" else "f"
        results = struct.unpack(f"<{rows * columns}{code}", module.launch(kernel, 1, threads, buffers, numbers)[2])
        for index, (got, want) in enumerate(zip(results, expected)):
            if got != want:
                sys.exit(f"{kernel}: row {index // columns}, column {index % columns} is {got}, not {want}")
        print(f"{kernel}: right")


main()
