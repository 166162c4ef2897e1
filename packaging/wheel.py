#!/usr/bin/env python3
"""Creates a wheel from an installation: wheel.py <installation> <version> <folder for the wheel>

pip copies the wheel's folder `data` unchanged into the environment, so bin/, lib/ and include/ are as in any installation,
and CMake finds the package by the environment's bin/ in PATH. Wheels cannot contain links. Instead, the other names of a
program are shell scripts of one line, a shared library has the name by which it is loaded, and the name by which it is
linked is a linker script.
"""
import base64
import hashlib
import os
import pathlib
import platform
import re
import stat
import sys
import zipfile

LAUNCHER = """#!/bin/bash
exec -a "$0" "$(dirname "$(readlink -f "$0")")/{}" "$@"
"""

METADATA = """Metadata-Version: 2.1
Name: tilecc
Version: {}
Summary: tcc, a compiler driver for C++ with tile kernels, for NVIDIA GPUs and CPUs
License: Apache-2.0 WITH LLVM-exception
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Compilers

`tcc` compiles C++ sources (`.tt.cpp`) that mix host code and tile kernels, ahead of time, to code for NVIDIA GPUs and for
CPUs. It needs the headers and libraries of C and C++ (Debian: libstdc++-12-dev). CMake finds it: `find_package(TileCC)`.
"""


def contents(tree):
    """(path in the environment, bytes, executable) of each file."""
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_dir():
            continue
        if not path.is_symlink():
            soname = re.fullmatch(r"(.*\.so\.\d+)\.[\d.]+", name)
            yield soname[1] if soname else name, path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR)
            continue
        target = os.readlink(path)
        if name.startswith("bin/") or "/bin/" in target:
            yield name, LAUNCHER.format(target).encode(), True
        elif name.endswith(".so"):
            yield name, f"INPUT({re.match(r'.*[.]so[.][0-9]+', target)[0]})\n".encode(), False
        elif ".so." not in name:
            yield name, path.read_bytes(), False


def main():
    tree, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    libc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
    tag = f"py3-none-manylinux_{libc}_{platform.machine()}"
    base = f"tilecc-{version}"
    record = []
    wheel = folder / f"{base}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        def add(name, data, executable=False):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            record.append(f"{name},sha256={digest},{len(data)}\n")

        modules = "lib/tilecc/cutile/python/"  # also modules of the environment: import tilecc.cutile
        for name, data, executable in contents(tree):
            add(f"{base}.data/data/{name}", data, executable)
            if name.startswith(modules):
                add(name.removeprefix(modules), data)
        add(f"{base}.dist-info/METADATA", METADATA.format(version).encode())
        about = f"Wheel-Version: 1.0\nGenerator: tcc\nRoot-Is-Purelib: false\nTag: {tag}\n"
        add(f"{base}.dist-info/WHEEL", about.encode())
        for text in ("LICENSE", "copyright"):
            add(f"{base}.dist-info/licenses/{text}", (tree / "share/doc/tilecc" / text).read_bytes())
        record.append(f"{base}.dist-info/RECORD,,\n")
        archive.writestr(f"{base}.dist-info/RECORD", "".join(record))
    print(wheel)


main()
