# Runs a kernel of a .tilebc as CPU code and on the PTX emulator, and compares with what Python computes:
#   run.py <tcc> <tcc-run> <C compiler> <scratch folder> <folder of .tilebc>
import array, os, pathlib, random, struct, sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "driver" / "Inputs"))
from run_kernel import on_cpu, on_emulator

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
    # Five bits of exponent, three of fraction, and no sign; 255, a NaN, is left out.
    numbers = [(b & 7 | (8 if b > 7 else 0)) * 2.0 ** (max(b >> 3, 1) - 18) for b in range(255)]
    yield "scales-13.4", (1,), [(array.array("B", [*range(255), 0]), [256]), (zeros("f", 256), [256])], {1: numbers + [0]}
    x = f(16)
    yield "globals-13.4", (3,), [(x, None), (zeros("f", 16), None), (zeros("i", 1), None)], {
        1: [v * (1, 2, 4, 8)[p % 4] for p, v in enumerate(x)], 2: [40 + 41 + 42]}


def halves(n):
    """Small integers, of which products are exact: their numbers, and the bits of 16-bit floats."""
    numbers = [random.randint(-3, 3) for _ in range(n)]
    return numbers, array.array("H", struct.pack(f"{n}e", *numbers))


def product(a, b, m, k, n):
    return [sum(a[r * k + i] * b[i * n + c] for i in range(k)) for r in range(m) for c in range(n)]


def cases_with_maps():
    """Kernels that make tensor maps if their shared memory is static."""
    m, k, n = 72, 136, 88
    (a, ha), (b, hb) = halves(m * k), halves(k * n)
    yield "ragged-13.1", (2, 2), [(ha, [m, k]), (hb, [k, n]), (zeros("f", m * n), [m, n])], {2: product(a, b, m, k, n)}
    rows, keys, width = 128, 96, 64
    (q, hq), (k, hk), (v, hv) = halves(rows * width), halves(keys * width), halves(keys * width)
    scores = product(q, [k[j * width + i] for i in range(width) for j in range(keys)], rows, width, keys)
    want = product([max(s, 0) for s in scores], v, rows, keys, width)
    yield "chain-13.1", (1,), [(hq, [rows, width]), (hk, [keys, width]), (hv, [keys, width]),
                               (zeros("f", rows * width), [rows, width])], {3: want}


def flatten(arguments):  # an array is its pointer, sizes and strides, or the pointer alone
    for argument in arguments:
        if isinstance(argument, int):
            yield argument
            continue
        data, shape = argument
        if shape is None:
            yield data
            continue
        strides = [1]
        for size in reversed(shape[1:]):
            strides.insert(0, strides[0] * size)
        yield from (data, *shape, *strides)


def run(where, path, grid, passed):
    if where == "cpu":
        return on_cpu(tcc, cc, path, grid, passed)
    if where == "emu":
        return on_emulator(tcc, tcc_run, "sm_90", path, grid, passed)
    schedule = ["--schedule=random", f"--seed={where[1]}"] if where[1] else []
    left = on_emulator(tcc, tcc_run, "sm_90", path, grid, passed, ["--static-shared"], schedule)
    assert "tensormap.replace" in open("k.ptx").read(), f"{path} makes no tensor maps"
    return left


os.makedirs(scratch, exist_ok=True)
os.chdir(scratch)
plain, static = ("cpu", "emu"), [("static", seed) for seed in range(4)]
for places, (name, grid, arguments, wanted) in [(plain, case) for case in cases()] + [(("emu", *static), case) for case in cases_with_maps()]:
    path = f"{inputs}/{name}.tilebc"
    for where in places:
        fresh = [a if isinstance(a, int) else (array.array(a[0].typecode, a[0]), a[1]) for a in arguments]
        left = run(where, path, grid, list(flatten(fresh)))
        arrays = iter([a for a in left if not isinstance(a, int)])
        got = [a if isinstance(a, int) else next(arrays) for a in fresh]
        worst = max(abs(x - y) / (1 + abs(y)) for n, want in wanted.items() for x, y in zip(got[n], want, strict=True))
        print(f"{name} {where if where in plain else 'maps'}: {'right' if worst < 1e-5 else f'WRONG by {worst}'}")
