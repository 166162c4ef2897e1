# Runs kernels of IR as CPU code and on the PTX emulator, and compares with results of Python:
#   run-ir.py <tcc> <tcc-run> <C compiler> <scratch folder> <folder of .ttir and .ttgir>
import array, math, os, random, struct, sys

from run_kernel import on_cpu, on_emulator

tcc, tcc_run, cc, scratch, inputs = sys.argv[1:]
random.seed(1)
nan, inf = float("nan"), float("inf")
floats = lambda n: array.array("f", [random.uniform(-1, 1) for _ in range(n)])
ints = lambda n, low=-100, high=100: array.array("i", [random.randint(low, high) for _ in range(n)])
byte_tile = lambda n, high=255: array.array("B", [random.randint(0, high) for _ in range(n)])
zeros = lambda code, n: array.array(code, [0] * n)


class Long(int):  # an argument of 64 bits
    pass


def e2m1(n):
    return (-1 if n & 8 else 1) * (0, 0.5, 1, 1.5, 2, 3, 4, 6)[n & 7]


def e4m3(n):
    e, m = n >> 3 & 15, n & 7
    value = nan if n & 127 == 127 else math.ldexp(m, -9) if e == 0 else math.ldexp(8 + m, e - 10)
    return -value if n & 128 else value


def e5m2(n):
    e, m = n >> 2 & 31, n & 3
    value = (nan if m else inf) if e == 31 else math.ldexp(m, -16) if e == 0 else math.ldexp(4 + m, e - 17)
    return -value if n & 128 else value


def e8m0(n):
    return nan if n == 255 else math.ldexp(1, n - 127)


def toward_zero_f16(x):
    try:
        data = struct.pack("<e", x)
    except OverflowError:
        return math.copysign(65504, x)
    value = struct.unpack("<e", data)[0]
    if abs(value) > abs(x):
        value = struct.unpack("<e", (int.from_bytes(data, "little") - 1).to_bytes(2, "little"))[0]
    return value


def toward_zero_bf16(x):
    return struct.unpack("<f", (struct.unpack("<I", struct.pack("<f", x))[0] & 0xffff0000).to_bytes(4, "little"))[0]


def nearest_bf16(x):  # of a finite number
    bits = struct.unpack("<I", struct.pack("<f", x))[0]
    bits += 0x7fff + (bits >> 16 & 1)
    return struct.unpack("<f", (bits & 0xffff0000).to_bytes(4, "little"))[0]


def nibbles(data):  # the lower bits are first
    return [e2m1(x) for byte in data for x in (byte & 15, byte >> 4)]


def product(a, a_scales, b, b_scales):  # 16x64 times 64x16, with a scale for 32 adjacent elements along K
    result = []
    for r in range(16):
        for c in range(16):
            s = 0.0
            for k in range(64):
                x = a[r * 64 + k] * (e8m0(a_scales[r * 2 + k // 32]) if a_scales else 1)
                y = b[k * 16 + c] * (e8m0(b_scales[c * 2 + k // 32]) if b_scales else 1)
                s += x * y
            result.append(s)
    return result


def scales():
    return array.array("B", [random.randint(120, 130) for _ in range(32)])


def cases():
    """Name, targets, grid, arguments, and the expected results by the arguments' numbers."""
    m, n = 37, 50
    a = floats(m * (n + 2))
    want = [2 * a[r * (n + 2) + c] for r in range(m) for c in range(n)]
    yield "scale-blocks.ttir", "cpu sm_80 sm_90", (3,), [a, zeros("f", m * n), m, n, n + 2], {1: want}
    a = floats(8 * 5)
    for below in (0, 1):
        want = [a[(r + 4 * below) * 5 + c] if c < 5 else nan for r in range(4) for c in range(8)]
        yield "choose-block.ttir", "cpu sm_90", (1,), [a, zeros("f", 32), 5, below], {1: want}
    m, n = 20, 12
    d, g = ints(m * n), ints(m * n)
    shape = [Long(m), Long(n), Long(n), Long(1), 0]  # sizes, strides, and 1 to pad with NaNs
    greatest = [x if x % 2**32 > y % 2**32 else y for x, y in zip(d, g)]
    yield ("signed-descriptors.ttir", "cpu sm_80", (3,),
           [d, *shape, m, n, Long(n), Long(1), zeros("i", m * n), *shape, g], {10: [x + 1 for x in d], 16: greatest})
    x, y = ints(64), array.array("i", [random.choice([-7, -2, 3, 5, 16]) for _ in range(64)])
    unsigned = [(u + v - 1) // v for u, v in zip((u % 2**32 for u in x), (v % 2**32 for v in y))]
    unsigned = [u - 2**32 if u >= 2**31 else u for u in unsigned]
    yield ("divisions.ttir", "cpu sm_80", (1,), [x, y, zeros("i", 64), zeros("i", 64), zeros("i", 64), 7],
           {2: [-(-u // v) for u, v in zip(x, y)], 3: unsigned, 4: [u // v + 4 for u, v in zip(x, y)]})
    a, b, s, t = byte_tile(16 * 32), byte_tile(64 * 16, 126), scales(), scales()
    s[3] = 255
    yield ("scaled-e2m1-e4m3.ttir", "cpu sm_80 sm_90", (1,), [a, s, b, t, zeros("f", 256)],
           {4: product(nibbles(a), s, [e4m3(v) for v in b], t)})
    a, b = byte_tile(16 * 64, 90), [random.uniform(-1, 1) for _ in range(64 * 16)]
    halves = array.array("H", struct.unpack("<1024H", struct.pack("<1024e", *b)))
    b = struct.unpack("<1024e", halves.tobytes())
    yield ("scaled-e5m2-fp16.ttir", "cpu sm_90", (1,), [a, s2 := scales(), halves, t, zeros("f", 256)],
           {4: product([e5m2(v) for v in a], s2, b, None)})
    a, b = byte_tile(16 * 32), byte_tile(64 * 8)
    yield ("scaled-columns.ttir", "cpu sm_90", (1,), [a, s2, b, t, zeros("f", 256)],
           {4: product(nibbles(a), s2, nibbles(b), t)})
    x = floats(64)
    x[0], x[1] = 70000, -70000
    halves = [toward_zero_f16(v) for v in x]
    yield ("conversions.ttir", "cpu sm_80 sm_90", (1,), [x, zeros("f", 64), zeros("f", 64), zeros("f", 64)],
           {1: [4096 * (h - v) for h, v in zip(halves, x)], 2: [4096 * (toward_zero_bf16(v) - v) for v in x],
            3: [4096 * (inf if abs(h) > 65000 else nearest_bf16(h) - h) * (-1 if h < -65000 else 1) for h in halves]})
    a, b = ([random.uniform(-1, 1) for _ in range(1024)] for _ in range(2))
    a, b = (array.array("H", struct.unpack("<1024H", struct.pack("<1024e", *v))) for v in (a, b))
    x, y = (struct.unpack("<1024e", v.tobytes()) for v in (a, b))
    yield ("rows-in-two-groups.ttgir", "compute_90a", (1,), [a, b, zeros("f", 4096)],
           {2: [sum(x[r * 16 + k] * y[k * 64 + c] for k in range(16)) for r in range(64) for c in range(64)]})
    x, y = ints(32), ints(32)
    yield "concatenate.ttgir", "sm_90", (1,), [x, y, zeros("i", 64)], {2: sorted([*x, *y])}


def differs(x, y):
    return x != y and not (math.isnan(x) and math.isnan(y)) and not abs(x - y) <= 1e-3 * (1 + abs(y))


os.makedirs(scratch, exist_ok=True)
os.chdir(scratch)
for name, targets, grid, arguments, wanted in cases():
    for target in targets.split():
        fresh = [a if isinstance(a, int) else array.array(a.typecode, a) for a in arguments]
        path = f"{inputs}/{name}"
        got = on_cpu(tcc, cc, path, grid, fresh) if target == "cpu" else on_emulator(tcc, tcc_run, target, path, grid, fresh)
        if name.startswith("concatenate"):  # in whatever order
            got = {2: sorted(got[2])}
        wrong = [(n, i) for n, want in wanted.items() for i, (x, y) in enumerate(zip(got[n], want, strict=True)) if differs(x, y)]
        print(f"{name} {target}: {'right' if not wrong else f'WRONG in {len(wrong)} places, the first {wrong[0]}'}")
