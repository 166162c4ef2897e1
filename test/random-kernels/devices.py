"""Compiles a kernel of ir.py with tcc and runs it: on the PTX emulator, with all checks, and on the CPU."""

import ctypes
import os
import random
import re
import struct
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "emulator", "Inputs"))

from emulator import CHECK_ALL, Config, Options, VERSION
from ir import FLOATS, INTS

BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, **FLOATS}
CODES = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
ERROR_TEXT = 2000


class Failure(Exception):
    """A message, which begins with the device's name."""


def pack(dtype, values):
    if dtype == "bf16":
        bits = struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))
        return struct.pack(f"<{len(values)}H", *(b >> 16 for b in bits))
    return struct.pack(f"<{len(values)}{CODES[dtype]}", *values)


def unpack(dtype, data):
    count = len(data) // BYTES[dtype]
    if dtype == "bf16":
        return list(struct.unpack(f"<{count}f", b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2))))
    return list(struct.unpack(f"<{count}{CODES[dtype]}", data))


def contents(kernel, seed):
    """The initial contents of the buffers, as lists. Results are filled with 77, which remains where nothing is stored."""
    rng, result = random.Random(seed), []
    for buffer in kernel["buffers"]:
        dtype, count = buffer["dtype"], buffer["elements"]
        if buffer.get("out"):
            result.append([77] * count)
        elif dtype in INTS:
            bits = INTS[dtype]
            ends = [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, -1, 0, 1]
            result.append(
                [
                    (
                        rng.choice(ends)
                        if rng.random() < 0.1
                        else rng.randint(-(2 ** rng.randint(0, bits - 1)), 2 ** rng.randint(0, bits - 1) - 1)
                    )
                    for _ in range(count)
                ]
            )
        elif buffer["exact"]:
            result.append([float(rng.randint(-8, 8)) for _ in range(count)])
        else:
            result.append(unpack(dtype, pack(dtype, [rng.uniform(-1, 1) for _ in range(count)])))
    return result


def compile_kernel(tcc, folder, kernel, options, output, source="kernel.ttir"):
    command = [
        tcc,
        source,
        f"--num-warps={kernel['warps']}",
        f"--num-stages={kernel['stages']}",
        "-o",
        output,
        *options,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise Failure(f"{' '.join(command)}: exit status {done.returncode}: {(done.stderr + done.stdout)[:ERROR_TEXT]}")


# --- the emulator -----------------------------------------------------------------------------------------------------


REPORT = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


def emulate(build, folder, kernel, buffers, arch, seed, file, blocks):
    """The buffers' bytes after the emulator has run the kernel in `file`, with this number of thread blocks per program. Every
    other seed runs it in random order."""
    emu = ctypes.CDLL(os.path.join(build, "lib", "libtilecc_emu.so"))
    emu.tilecc_emu_error_message.restype = ctypes.c_char_p
    emu.tilecc_emu_kernel_name.restype = ctypes.c_char_p
    emu.tilecc_emu_shared_limit.restype = ctypes.c_size_t
    name, reports = f"emu:sm_{arch}", []

    def call(function, *arguments):
        if getattr(emu, "tilecc_emu_" + function)(*arguments):
            raise Failure(f"{name}: {''.join(reports) or emu.tilecc_emu_error_message().decode()}"[:ERROR_TEXT])

    report = REPORT(lambda text, size: reports.append(text[:size].decode()))
    device, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    options = Options(
        VERSION, arch, CHECK_ALL, seed % 2, seed if seed % 2 else 0, 0, None, ctypes.cast(report, ctypes.c_void_p), None
    )
    call("create", ctypes.byref(options), ctypes.byref(device))
    with open(os.path.join(folder, file), "rb") as text:
        ptx = text.read()
    call("load", device, ptx, ctypes.c_size_t(len(ptx)), b"kernel.ptx", ctypes.byref(module))
    symbol = emu.tilecc_emu_kernel_name(module, ctypes.c_size_t(0))
    call("get_kernel", module, symbol, b"kernel", ctypes.byref(function))
    addresses = []
    for data in buffers:
        address = ctypes.c_void_p()
        call("allocate", device, ctypes.c_size_t(len(data)), ctypes.byref(address))
        call("copy", device, address, data, ctypes.c_size_t(len(data)))
        addresses.append(address)
    values = addresses + [ctypes.c_int32(value) for value in kernel["scalars"]]
    arguments = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
    threads = int(re.search(rb"\.reqntid (\d+)", ptx)[1])
    limit = emu.tilecc_emu_shared_limit(arch)
    grid, cluster = (kernel["grid"] * blocks, 1, 1), (blocks, 1, 1)
    config = Config(grid, (threads, 1, 1), cluster, limit if b".extern .shared" in ptx else 0, None)
    call("launch", function, ctypes.byref(config), arguments, None)
    results = []
    for data, address in zip(buffers, addresses):
        result = ctypes.create_string_buffer(len(data))
        call("copy", device, result, address, ctypes.c_size_t(len(data)))
        results.append(result.raw)
    return results


# --- the CPU ----------------------------------------------------------------------------------------------------------


def cpu_levels():
    """The levels for which kernels are run. The AVX-512 level, if this processor has it, also has functions for two programs."""
    with open("/proc/cpuinfo") as file:
        return ("3", "4") if "avx512vl" in file.read() else ("3",)


def run_on_cpu(folder, name, kernel, buffers):
    path = os.path.join(folder, f"{name}.s")
    with open(path) as file:
        text = file.read()
    symbols = re.findall(r"\.type\s+([^,\s]+\.cpu\.[^,\s]+),@function", text)
    with open(path, "w") as file:
        file.write(re.sub(r"\t\.hidden\t.*\n", "", text))
    library = os.path.join(folder, f"{name}.so")
    done = subprocess.run(["cc", "-shared", path, "-o", library, "-lm"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failure(f"{name}: {done.stderr[:ERROR_TEXT]}")
    code = ctypes.CDLL(library)
    functions = {".two" in symbol: getattr(code, symbol) for symbol in symbols}
    memory = [ctypes.create_string_buffer(data, len(data) + 64) for data in buffers]
    aligned = []  # like ttMalloc
    for buffer, data in zip(memory, buffers):
        address = (ctypes.addressof(buffer) + 63) // 64 * 64
        ctypes.memmove(address, data, len(data))
        aligned.append(ctypes.c_void_p(address))
    values = aligned + [ctypes.c_int32(value) for value in kernel["scalars"]]
    arguments = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
    room = ctypes.create_string_buffer(1 << 24)
    scratch = ctypes.c_void_p((ctypes.addressof(room) + 63) // 64 * 64)
    grid = (ctypes.c_uint32 * 3)(kernel["grid"], 1, 1)
    pid = 0
    while pid < kernel["grid"]:
        are_two = True in functions and pid + 1 < kernel["grid"]
        functions[are_two](arguments, (ctypes.c_uint32 * 3)(pid, 0, 0), grid, scratch)
        pid += 1 + are_two
    return [ctypes.string_at(address.value, len(data)) for address, data in zip(aligned, buffers)]
