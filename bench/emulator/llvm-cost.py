#!/usr/bin/env python3
"""Measures the cost of compiling PTX with LLVM before running it, which is why the emulator interprets PTX instead.

    bench/emulator/llvm-cost.py [--llc llc-22] [--instructions 2000]

Generates LLVM IR as a translator would: each instruction loads 32 lanes of its operands from the register file, computes,
and stores the lanes that a mask selects; a block has 40 instructions. Prints llc's milliseconds per instruction.
"""
import argparse
import random
import subprocess
import tempfile
import time

REGISTERS = 200


def make_ir(count):
    random.seed(1)
    lines = ["declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)",
             "define void @kernel(ptr %file, i32 %lanes) {", "entry:", "  %mask = bitcast i32 %lanes to <32 x i1>",
             "  br label %block0"]
    for n in range(count):
        if n % 40 == 0:
            block = n // 40
            if n:
                lines.append(f"  %more{block} = icmp eq i32 %lanes, {block}")
                lines.append(f"  br i1 %more{block}, label %block{block}, label %end")
            lines.append(f"block{block}:")
        is_float = random.random() < 0.6
        kind = "<32 x float>" if is_float else "<32 x i32>"
        op = random.choice(["fadd", "fmul", "fma"] if is_float else ["add", "mul", "shl", "xor"])
        for name in "abd":
            lines.append(f"  %p{name}{n} = getelementptr i8, ptr %file, i64 {random.randrange(REGISTERS) * 128}")
            lines.append(f"  %{name}{n} = load {kind}, ptr %p{name}{n}")
        if op == "fma":
            lines.append(f"  %v{n} = call {kind} @llvm.fma.v32f32({kind} %a{n}, {kind} %b{n}, {kind} %d{n})")
        else:
            lines.append(f"  %v{n} = {op} {kind} %a{n}, %b{n}")
        lines.append(f"  %s{n} = select <32 x i1> %mask, {kind} %v{n}, {kind} %d{n}")
        lines.append(f"  store {kind} %s{n}, ptr %pd{n}")
    lines += ["  br label %end", "end:", "  ret void", "}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llc", default="llc-22")
    parser.add_argument("--instructions", type=int, default=2000)
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as ir:
        ir.write(make_ir(options.instructions))
        ir.flush()
        print("| target | -O0 | -O1 | -O2 |\n| --- | ---: | ---: | ---: |")
        for cpu in ("x86-64-v3", "x86-64-v4"):
            cells = []
            for level in range(3):
                start = time.monotonic()
                subprocess.run([options.llc, f"-O{level}", f"-mcpu={cpu}", "-filetype=obj", "-o", "/dev/null", ir.name],
                               check=True)
                cells.append(f"{(time.monotonic() - start) * 1e3 / options.instructions:.2f} ms")
            print(f"| {cpu} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
