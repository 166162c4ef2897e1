# Runs a kernel of a .tilebc as CPU code and on the PTX emulator, and compares with what Python computes:
#   run.py <tcc> <tcc-run> <C compiler> <scratch folder> <folder of .tilebc>
import array, ctypes, json, os, random, re, subprocess, sys

tcc, tcc_run, cc, scratch, inputs = sys.argv[1:]
random.seed(1)
f = lambda n: array.array("f", [random.uniform(-1, 1) for _ in range(n)])
i = lambda n: array.array("i", [random.randint(-50, 50) for _ in range(n)])
zeros = lambda code, n: array.array(code, [0] * n)


def cases():
    a, b = f(150), f(150)
    for version in ("13.1", "13.4"):
        yield "add-" + version, (3,), [(a, [150]), (b, [150]), (zeros("f", 150), [150])], {2: [x + y for x, y in zip(a, b)]}
    x = i(96)
    for n in (7, 2):
        s = [sum(v * k for k in range(1, n + 1) if k % 2) for v in x]
        s = [v + 1 for v in s] if n > 3 else [v if u > 0 else -v for u, v in zip(x, s)]
        want = sum((s[p + 16:p + 32] + s[p:p + 16] for p in range(0, 96, 32)), [])
        yield "jumps-13.3", (3,), [(x, [96]), (zeros("i", 96), [96]), n], {1: want}
    x = f(3 * 50)
    lines = [x[50 * r:50 * r + 50] for r in range(3)]
    sums = [sum(line[:c + 1]) for line in lines for c in range(50)]
    best = [max(range(50), key=lambda c: (line[c], -c)) for line in lines]
    yield "rows-13.4", (3,), [(x, [3, 50]), (zeros("i", 3), [3]), (zeros("f", 150), [3, 50])], {1: best, 2: sums}
    a, b = f(20 * 36), f(36 * 28)
    want = [sum(a[r * 36 + k] * b[k * 28 + c] for k in range(36)) for r in range(20) for c in range(28)]
    yield "matmul-13.4", (2, 2), [(a, [20, 36]), (b, [36, 28]), (zeros("f", 560), [20, 28])], {2: want}


def flatten(arguments):  # an array is its pointer, sizes and strides
    for argument in arguments:
        if isinstance(argument, int):
            yield argument
            continue
        data, shape = argument
        strides = [1]
        for size in reversed(shape[1:]):
            strides.insert(0, strides[0] * size)
        yield from (data, *shape, *strides)


def on_cpu(name, path, grid, arguments):
    subprocess.run([tcc, "--emit=cpu-asm", "--cpu-level=2", path, "-o", "k.s"], check=True)
    functions = re.findall(r'^"?([\w.]+\.cpu\.v2[.\w]*)"?:', open("k.s").read(), re.M)
    open("k.c", "w").write(f"""#include <stdint.h>
void __tilecc_cpu_wait(const char *f, uint32_t l, uint64_t i) {{}}
void __tilecc_cpu_wait_over(void) {{}}
void f(void *const *, const uint32_t *, const uint32_t *, void *) __asm__("{functions[0]}");
static char scratch[1 << 20] __attribute__((aligned(64)));
void run(void *const *args, const uint32_t *n) {{
  uint32_t i[3];
  for (i[2] = 0; i[2] < n[2]; i[2]++) for (i[1] = 0; i[1] < n[1]; i[1]++) for (i[0] = 0; i[0] < n[0]; i[0]++)
    f(args, i, n, scratch);
}}""")
    library = f"./{name}-{random.random()}.so"
    subprocess.run([cc, "-O1", "-fPIC", "-shared", "-o", library, "-xc", "k.c", "-xassembler", "k.s", "-lm"], check=True)
    values = [ctypes.c_int32(a) if isinstance(a, int) else ctypes.c_void_p(a.buffer_info()[0]) for a in flatten(arguments)]
    pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    ctypes.CDLL(library).run(pointers, (ctypes.c_uint32 * 3)(*(tuple(grid) + (1, 1))[:3]))
    return [a if isinstance(a, int) else a[0] for a in arguments]


def on_emulator(name, path, grid, arguments):
    subprocess.run([tcc, "-ptx", "-arch=sm_90", path, "-o", "k.ptx"], check=True)
    info = json.loads(subprocess.run([tcc, "--emit=json", "-arch=sm_90", path, "-o", "-"], check=True, capture_output=True).stdout)
    target = re.search(r"\.target (\w+)", open("k.ptx").read())[1]
    launch = next(l for v in info["kernels"][0]["variants"] for l in v["launches"] if l["target"] == target)
    command = [tcc_run, "k.ptx", "--grid=" + ",".join(map(str, grid)), f"--block={launch['threads']}",
               f"--shared={launch['shared_bytes']}"]
    saved = {}
    for n, a in enumerate(flatten(arguments)):
        if isinstance(a, int):
            command.append(f"--arg=s32:{a}")
        else:
            open(f"in{n}", "wb").write(a.tobytes())
            command += [f"--arg={ {'f': 'f32', 'i': 's32'}[a.typecode]}[{len(a)}]=@in{n}", f"--save={n}:out{n}"]
            saved[n] = a.typecode
    subprocess.run(command, check=True)
    results = [array.array(code, open(f"out{n}", "rb").read()) for n, code in saved.items()]
    return [a if isinstance(a, int) else results.pop(0) for a in arguments]


os.makedirs(scratch, exist_ok=True)
os.chdir(scratch)
for name, grid, arguments, wanted in cases():
    for where, run in ("cpu", on_cpu), ("emu", on_emulator):
        fresh = [a if isinstance(a, int) else (array.array(a[0].typecode, a[0]), a[1]) for a in arguments]
        got = run(name, f"{inputs}/{name}.tilebc", grid, fresh)
        worst = max(abs(x - y) / (1 + abs(y)) for n, want in wanted.items() for x, y in zip(got[n], want, strict=True))
        print(f"{name} {where}: {'right' if worst < 1e-5 else f'WRONG by {worst}'}")
