# Operations and element types that TTIR does not have, each compared with Python's results.
import itertools
import math

import numpy as np
import cuda.tile as ct
import tilecc.cutile as device

C = ct.Constant[int]
stream = device.stream()


def run(kernel, *arguments, grid=(1,)):
    ct.launch(stream, grid, kernel, arguments)
    device.synchronize()


def zeros(*shape, dtype=np.float32):
    return device.asarray(np.zeros(shape, dtype))


def check(name, got, want):
    got, want = np.asarray(got), np.asarray(want)
    same = np.array_equal(got, want, equal_nan=got.dtype.kind == "f")
    print(name, "is right" if same else f"is wrong: {got[got != want][:8]} for {want[got != want][:8]}")


# ---- element types

def value_of(bits, exponent_bits, fraction_bits, bias):
    """The value of a number without infinities."""
    sign = -1 if bits >> exponent_bits + fraction_bits else 1
    exponent, fraction = bits >> fraction_bits & (1 << exponent_bits) - 1, bits & (1 << fraction_bits) - 1
    return sign * math.ldexp(fraction + (1 << fraction_bits if exponent else 0), max(exponent, 1) - bias - fraction_bits)


E8M0 = np.array([math.ldexp(1.0, b - 127) for b in range(255)] + [math.nan])
E2M1 = np.array([value_of(b, 2, 1, 1) for b in range(16)])


@ct.kernel
def decode(bits, from_e8m0, from_e2m1, halves):
    b = ct.load(bits, index=(0,), shape=(256,))
    ct.store(from_e8m0, index=(0,), tile=ct.astype(ct.bitcast(b, ct.float8_e8m0fnu), ct.float32))
    nibbles = ct.unpack_from_bytes(b, ct.float4_e2m1fn)
    ct.store(from_e2m1, index=(0,), tile=ct.astype(nibbles, ct.float32))
    ct.store(halves, index=(0,), tile=ct.pack_to_bytes(nibbles))


bits = device.asarray(np.arange(256, dtype=np.uint8))
outputs = [zeros(256), zeros(512), zeros(256, dtype=np.uint8)]
run(decode, bits, *outputs)
check("f8e8m0fnu", outputs[0], E8M0.astype(np.float32))
check("f4e2m1fn", outputs[1], [E2M1[n] for b in range(256) for n in (b & 15, b >> 4)])
check("pack, unpack of f4e2m1fn", outputs[2], bits)


@ct.kernel
def encode(x, down, up, four, T: C):
    values = ct.load(x, index=(0,), shape=(T,))
    down_bits = ct.bitcast(ct.astype(values, ct.float8_e8m0fnu, rounding_mode=ct.RoundingMode.RZ), ct.uint8)
    up_bits = ct.bitcast(ct.astype(values, ct.float8_e8m0fnu, rounding_mode=ct.RoundingMode.RP), ct.uint8)
    ct.store(down, index=(0,), tile=down_bits)
    ct.store(up, index=(0,), tile=up_bits)
    ct.store(four, index=(0,), tile=ct.pack_to_bytes(ct.astype(values, ct.float4_e2m1fn)))


def to_e8m0(x, up):
    x = abs(x)
    if math.isnan(x):
        return 255
    powers = [b for b in range(255) if (E8M0[b] >= x if up else E8M0[b] <= x)]
    return (min(powers) if powers else 254) if up else max(powers) if powers else 0


def to_e2m1(x):
    if math.isnan(x):
        return 7
    distance = [(abs(abs(x) - E2M1[b]), b & 1) for b in range(8)]
    nearest = min(range(8), key=lambda b: distance[b]) if abs(x) < 6 else 7
    return nearest | (8 if math.copysign(1, x) < 0 else 0)


specials = [0.0, -0.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, -5.0, 5.0001, 7.0, 1e-40, 6e-39, 1e38, 3e38, math.inf, -math.inf, math.nan, 1.0]
for dtype in (np.float32, np.float64, np.float16):
    with np.errstate(over="ignore"):
        x = np.resize(np.array(specials + list(np.random.default_rng(2).standard_normal(44) * 3)).astype(dtype), 64)
    if dtype == np.float64:
        x[20:24] = [1 + 2.0**-50, 2 - 2.0**-50, 2.0**-127 * (1 + 2.0**-50), 0.25 + 2.0**-40]
    outputs = [zeros(64, dtype=np.uint8), zeros(64, dtype=np.uint8), zeros(32, dtype=np.uint8)]
    run(encode, device.asarray(x), *outputs, 64)
    name = f"to narrow from {np.dtype(dtype).name}:"
    check(name + " down", outputs[0], [to_e8m0(float(v), False) for v in x])
    check(name + " up", outputs[1], [to_e8m0(float(v), True) for v in x])
    four = [to_e2m1(float(v)) for v in x]
    check(name + " f4e2m1fn", outputs[2], [a | b << 4 for a, b in zip(four[::2], four[1::2])])


# ---- products of scaled matrices

@ct.kernel
def scaled8(a, sa, b, sb, c, M: C, N: C, K: C, S: C):
    x = ct.bitcast(ct.load(a, index=(0, 0), shape=(M, K)), ct.float8_e4m3fn)
    y = ct.bitcast(ct.load(b, index=(0, 0), shape=(K, N)), ct.float8_e4m3fn)
    x_scale = ct.bitcast(ct.load(sa, index=(0, 0), shape=(M, S)), ct.float8_e8m0fnu)
    y_scale = ct.bitcast(ct.load(sb, index=(0, 0), shape=(S, N)), ct.float8_e8m0fnu)
    ct.store(c, index=(0, 0), tile=ct.mma_scaled(x, x_scale, y, y_scale, ct.full((M, N), 0, dtype=ct.float32)))


@ct.kernel
def scaled4(a, sa, b, sb, c, M: C, N: C, K: C, S: C):
    x = ct.unpack_from_bytes(ct.load(a, index=(0,), shape=(M * K // 2,)), ct.float4_e2m1fn).reshape((M, K))
    y = ct.unpack_from_bytes(ct.load(b, index=(0,), shape=(K * N // 2,)), ct.float4_e2m1fn).reshape((K, N))
    x_scale = ct.bitcast(ct.load(sa, index=(0, 0), shape=(M, S)), ct.float8_e4m3fn)
    y_scale = ct.bitcast(ct.load(sb, index=(0, 0), shape=(S, N)), ct.float8_e4m3fn)
    ct.store(c, index=(0, 0), tile=ct.mma_scaled(x, x_scale, y, y_scale, ct.full((M, N), 0, dtype=ct.float32)))


rng = np.random.default_rng(5)
E4M3 = np.array([value_of(b, 4, 3, 7) for b in range(256)])
M, N, K = 32, 16, 64
few = np.array([0x00, 0x38, 0x40, 0x44, 0xb8, 0xc0], np.uint8)  # 0, 1, 2, 3, -1, -2
a, b = rng.choice(few, (M, K)), rng.choice(few, (K, N))
sa, sb = (rng.integers(125, 130, shape).astype(np.uint8) for shape in [(M, 2), (2, N)])
c = zeros(M, N)
run(scaled8, *map(device.asarray, (a, sa, b, sb)), c, M, N, K, 2)
check("mma_scaled of f8e4m3fn", c, (E4M3[a] * E8M0[sa].repeat(32, 1)) @ (E4M3[b] * E8M0[sb].repeat(32, 0)))
a, b = rng.integers(0, 16, (M, K)).astype(np.uint8), rng.integers(0, 16, (K, N)).astype(np.uint8)
sa, sb = rng.choice(few[1:4], (M, 4)), rng.choice(few[1:4], (4, N))
packed = [device.asarray(x.reshape(-1, 2) @ np.array([1, 16], np.uint8)) for x in (a, b)]
c = zeros(M, N)
run(scaled4, packed[0], device.asarray(sa), packed[1], device.asarray(sb), c, M, N, K, 4)
check("mma_scaled of f4e2m1fn", c, (E2M1[a] * E4M3[sa].repeat(16, 1)) @ (E2M1[b] * E4M3[sb].repeat(16, 0)))


# ---- rounding

def rounded(exact, dtype, mode):
    """The number of `dtype` next to a fraction, in the direction of the mode."""
    nearest = dtype(float(exact))
    below = nearest if exact >= type(exact)(float(nearest)) else np.nextafter(nearest, dtype(-np.inf))
    above = nearest if exact <= type(exact)(float(nearest)) else np.nextafter(nearest, dtype(np.inf))
    return {"RM": below, "RP": above, "RZ": below if exact > 0 else above}[mode]


def rounding_kernel(mode):
    @ct.kernel
    def compute(x, y, sums, differences, products, quotients, roots, T: C):
        a, b = ct.load(x, index=(0,), shape=(T,)), ct.load(y, index=(0,), shape=(T,))
        ct.store(sums, index=(0,), tile=ct.add(a, b, rounding_mode=mode))
        ct.store(differences, index=(0,), tile=ct.sub(a, b, rounding_mode=mode))
        ct.store(products, index=(0,), tile=ct.mul(a, b, rounding_mode=mode))
        ct.store(quotients, index=(0,), tile=ct.truediv(a, b, rounding_mode=mode))
        ct.store(roots, index=(0,), tile=ct.sqrt(ct.abs(a), rounding_mode=mode))
    return compute


def narrowing_kernel(mode):
    @ct.kernel
    def convert(x, y, T: C):
        ct.store(y, index=(0,), tile=ct.astype(ct.load(x, index=(0,), shape=(T,)), y.dtype, rounding_mode=mode))
    return convert


from fractions import Fraction

for mode in ("RZ", "RM", "RP"):
    for dtype in (np.float32, np.float16):
        x, y = (rng.uniform(-3, 3, 64).astype(dtype) for _ in range(2))
        outputs = [zeros(64, dtype=dtype) for _ in range(5)]
        run(rounding_kernel(getattr(ct.RoundingMode, mode)), device.asarray(x), device.asarray(y), *outputs, 64)
        a, b = [Fraction(float(v)) for v in x], [Fraction(float(v)) for v in y]
        exact = [[p + q for p, q in zip(a, b)], [p - q for p, q in zip(a, b)], [p * q for p, q in zip(a, b)],
                 [p / q for p, q in zip(a, b)], [Fraction(math.isqrt(abs(p.numerator) * p.denominator << 160), p.denominator << 80) +
                                                 Fraction(1, 2**70) * (math.isqrt(abs(p.numerator) * p.denominator) ** 2 != abs(p.numerator) * p.denominator)
                                                 for p in a]]
        for name, got, want in zip(("sums", "differences", "products", "quotients", "roots"), outputs, exact):
            check(f"{name} of {np.dtype(dtype).name} {mode}", got, [rounded(e, dtype, mode) for e in want])
    for before, after in ((np.float64, np.float32), (np.float32, np.float16)):
        x = rng.uniform(-3, 3, 64).astype(before)
        x[:4] = [1e-9, -1e-9, 1, 0]
        y = zeros(64, dtype=after)
        if (before, mode) == (np.float32, "RM") or (before, mode) == (np.float32, "RP"):
            continue  # cuTile does not offer it
        run(narrowing_kernel(getattr(ct.RoundingMode, mode)), device.asarray(x), y, 64)
        check(f"{np.dtype(before).name} to {np.dtype(after).name} {mode}", y, [rounded(Fraction(float(v)), after, mode) for v in x])


# ---- compare and swap, with a mask

@ct.kernel
def swap(x, old, T: C):
    i = ct.arange(T, dtype=ct.int32) * 3
    ct.store(old, index=(0,), tile=ct.atomic_cas(x, i, i % 2, 100 + i))  # indices beyond the end are masked


x, old = np.arange(70, dtype=np.int32) % 3, zeros(32, dtype=np.int32)
given = device.asarray(x.copy())
run(swap, given, old, 32)
want, before = x.copy(), []
for i in range(0, 96, 3):
    before.append(x[i] if i < 70 else i % 2)
    if i < 70 and x[i] == i % 2:
        want[i] = 100 + i
check("atomic_cas", given, want)
check("atomic_cas's result", old, before)
