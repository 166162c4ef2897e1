#!/usr/bin/env python3
"""Compares the SASS of two CUDA compilers, kernel by kernel.

usage: counts.py [--bin DIR] [--out DIR] [--arch sm_90] NVCC TCC [file.cu ...]

--bin: the folder of cuobjdump and nvdisasm (default: PATH, or the ones in a build of tcc).
--out: the folder for cubins and disassemblies (default: counts.out beside this file).
Columns: instructions of both (without NOPs and the padding branches after the end), the ratio tcc/nvcc, registers,
bytes of stack (local memory, spills included), generic loads and stores (LD, ST), local ones (LDL, STL), and
backward branches (about: loops)."""
import argparse, glob, json, math, os, re, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))


def run(command, env):
    p = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    return p.returncode, p.stdout, p.stderr


def kernels_of(cubin, env):
    """Returns {mangled name: counts}."""
    code, sass, err = run(["cuobjdump", "-sass", cubin], env)
    if code:
        sys.exit("cuobjdump -sass %s: %s" % (cubin, err))
    open(cubin[:-6] + ".sass", "w").write(sass)
    kernels, name, insns = {}, None, []

    def finish():
        if name is None:
            return
        body = [(a, i) for a, i in insns if not re.match(r"(@!?U?P\w+ )?NOP\b", i)]
        # The padding is a branch to itself at the end.
        while body and re.match(r"BRA (0x%x|`\(.*\))$" % body[-1][0], body[-1][1]):
            body.pop()
        ops = []
        loops = 0
        for at, text in body:
            text = re.sub(r"^@!?U?P\w+\s+", "", text)
            ops.append(text.split()[0])
            m = re.search(r"\bBRA\S* .*?(0x[0-9a-f]+)$", text)
            if m and int(m.group(1), 16) < at:
                loops += 1
        base = [o.split(".")[0] for o in ops]
        kernels[name] = {"insns": len(body), "generic": sum(b in ("LD", "ST") for b in base),
                         "local": sum(b in ("LDL", "STL") for b in base), "loops": loops,
                         "calls": sum(b == "CALL" for b in base)}

    for line in sass.splitlines():
        m = re.match(r"\s*Function : (\S+)", line)
        if m:
            finish()
            name, insns = m.group(1), []
            continue
        m = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line)
        if m:
            insns.append((int(m.group(1), 16), m.group(2)))
    finish()
    code, usage, err = run(["cuobjdump", "-res-usage", cubin], env)
    usage = usage + err
    for m in re.finditer(r"Function (\S+):\s*\n\s*REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)", usage):
        if m.group(1) in kernels:
            kernels[m.group(1)].update(regs=int(m.group(2)), stack=int(m.group(3)) + int(m.group(5)))
    return kernels


def plain(mangled):
    m = re.match(r"_Z(\d+)(.*)", mangled)
    if not m:
        return mangled
    n = int(m.group(1))
    rest = m.group(2)[n:]
    numbers = re.findall(r"Li(\d+)E", rest.split("Ev")[0]) if rest.startswith("I") else []
    return m.group(2)[:n] + ("<%s>" % ",".join(numbers) if numbers else "")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bin", default="")
    ap.add_argument("--out", default=os.path.join(here, "counts.out"))
    ap.add_argument("--arch", default="sm_90")
    ap.add_argument("nvcc")
    ap.add_argument("tcc")
    ap.add_argument("files", nargs="*")
    args = ap.parse_args()
    env = dict(os.environ)
    tools = args.bin or os.path.join(os.path.dirname(os.path.abspath(args.tcc)), "../cuda-tools/nvidia/cu13/bin")
    if os.path.exists(os.path.join(tools, "cuobjdump")):
        env["PATH"] = tools + ":" + env["PATH"]
    os.makedirs(args.out, exist_ok=True)
    found = {"nvcc": {}, "tcc": {}}
    failures = []
    for path in args.files or sorted(glob.glob(os.path.join(here, "*.cu"))):
        stem = os.path.basename(path)[:-3]
        for which, compiler in (("nvcc", args.nvcc), ("tcc", args.tcc)):
            cubin = os.path.join(args.out, "%s.%s.cubin" % (stem, which))
            command = [compiler, "-cubin", "-arch=" + args.arch, "-O3", "-std=c++17", path, "-o", cubin]
            code, out, err = run(command, env)
            if code:
                failures.append("%s: %s: %s" % (which, path, (out + err).strip()))
                continue
            for name, k in kernels_of(cubin, env).items():
                found[which][name] = dict(k, file=stem)
    rows = []
    for name in found["nvcc"]:
        if name in found["tcc"]:
            n, t = found["nvcc"][name], found["tcc"][name]
            rows.append((t["insns"] / n["insns"], plain(name), n, t))
        else:
            failures.append("no kernel of tcc: " + name)
    failures += ["no kernel of nvcc: " + n for n in found["tcc"] if n not in found["nvcc"]]
    rows.sort(key=lambda r: -r[0])
    print("%-18s %-9s %6s %6s %6s  %9s  %11s  %9s  %9s  %7s" % ("kernel", "file", "nvcc", "tcc", "ratio", "regs",
                                                                "stack", "generic", "LDL/STL", "loops"))
    for ratio, name, n, t in rows:
        pair = lambda k: "%d/%d" % (n.get(k, -1), t.get(k, -1))
        print("%-18s %-9s %6d %6d %6.2f  %9s  %11s  %9s  %9s  %7s" % (name, n["file"], n["insns"], t["insns"], ratio,
              pair("regs"), pair("stack"), pair("generic"), pair("local"), pair("loops")))
    if rows:
        mean = lambda k: math.exp(sum(math.log(max(r[3][k], 1) / max(r[2][k], 1)) for r in rows) / len(rows))
        print("%d kernels; geometric means tcc/nvcc: instructions %.3f, registers %.3f" % (len(rows), mean("insns"),
                                                                                           mean("regs")))
    for f in failures:
        print("FAILED " + f)
    json.dump(found, open(os.path.join(args.out, "counts.json"), "w"), indent=1)
    return 1 if failures else 0


sys.exit(main())
