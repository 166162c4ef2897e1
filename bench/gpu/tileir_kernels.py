"""The kernels of bench/gpu/tileir.py, in cuTile Python as its users write them. KERNELS has for each name the kernel,
its arrays and constants, and the launch."""
import math

import cuda.tile as ct

C = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO


@ct.kernel
def matmul(a, b, c, M: C, N: C, K: C):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.full((M, N), 0, dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(M, K))):
        x = ct.load(a, index=(i, k), shape=(M, K), padding_mode=ZERO)
        y = ct.load(b, index=(k, j), shape=(K, N), padding_mode=ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(i, j), tile=acc.astype(c.dtype))


@ct.kernel
def matmul_groups(a, b, c, M: C, N: C, K: C, G: C):
    """Groups of G rows of tiles keep the tiles of b in the second-level cache."""
    rows, columns = ct.num_tiles(c, axis=0, shape=(M, N)), ct.num_tiles(c, axis=1, shape=(M, N))
    pid = ct.bid(0)
    group = pid // (G * columns)
    height = min(rows - group * G, G)
    i = group * G + pid % (G * columns) % height
    j = pid % (G * columns) // height
    acc = ct.full((M, N), 0, dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(M, K))):
        x = ct.load(a, index=(i, k), shape=(M, K), padding_mode=ZERO)
        y = ct.load(b, index=(k, j), shape=(K, N), padding_mode=ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(i, j), tile=acc.astype(c.dtype))


@ct.kernel
def bmm(a, b, c, M: C, N: C, K: C):
    i, j, p = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.full((M, N), 0, dtype=ct.float32)
    for k in range(ct.cdiv(a.shape[2], K)):
        x = ct.load(a, index=(p, i, k), shape=(1, M, K), padding_mode=ZERO).reshape((M, K))
        y = ct.load(b, index=(p, k, j), shape=(1, K, N), padding_mode=ZERO).reshape((K, N))
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(p, i, j), tile=acc.astype(c.dtype).reshape((1, M, N)))


@ct.kernel(occupancy=2)
def attention(q, k, v, o, scale: float, H: C, D: C, M: C, N: C, CAUSAL: ct.Constant[bool]):
    i, b, h = ct.bid(0), ct.bid(1) // H, ct.bid(1) % H
    scale = scale * 1.4426950408889634
    rows = (i * M + ct.arange(M, dtype=ct.int32))[:, None]
    columns = ct.arange(N, dtype=ct.int32)[None, :]
    most = ct.full((M, 1), -math.inf, dtype=ct.float32)
    total = ct.full((M, 1), 0.0, dtype=ct.float32)
    acc = ct.full((M, D), 0.0, dtype=ct.float32)
    x = ct.load(q, index=(b, h, i, 0), shape=(1, 1, M, D)).reshape((M, D))
    keys = k.shape[2]
    if CAUSAL:
        end = ct.cdiv(min((i + 1) * M, keys), N)
    else:
        end = ct.cdiv(keys, N)
    full = keys // N
    for j in range(0, end):
        y = ct.load(k, index=(b, h, 0, j), shape=(1, 1, D, N), order=(0, 1, 3, 2), latency=2).reshape((D, N))
        p = ct.mma(x, y, ct.full((M, N), 0.0, dtype=ct.float32))
        if CAUSAL or j >= full:
            at = j * N + columns
            keep = ct.full((M, N), True, dtype=ct.bool_) & (at < keys)
            if CAUSAL:
                keep = keep & (rows >= at)
            p += ct.where(keep, 0.0, -math.inf)
        now = max(most, ct.max(p, axis=-1, keepdims=True) * scale)
        p = ct.exp2(p * scale - now, flush_to_zero=True)
        factor = ct.exp2(most - now, flush_to_zero=True)
        total = total * factor + ct.sum(p, axis=-1, keepdims=True)
        acc = acc * factor
        z = ct.load(v, index=(b, h, j, 0), shape=(1, 1, N, D), latency=4).reshape((N, D))
        acc = ct.mma(p.astype(q.dtype), z, acc)
        most = now
    acc = ct.truediv(acc, total, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(o, index=(b, h, i, 0), tile=acc.astype(o.dtype).reshape((1, 1, M, D)))


@ct.kernel
def softmax(x, y, N: C):
    row = ct.bid(0)
    tile = ct.load(x, index=(row, 0), shape=(1, N), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
    tile = ct.exp(tile - ct.max(tile, axis=1, keepdims=True))
    ct.store(y, index=(row, 0), tile=(tile / ct.sum(tile, axis=1, keepdims=True)).astype(y.dtype))


@ct.kernel
def layernorm(x, w, b, y, eps: ct.Constant[float], T: C):
    row = ct.bid(0)
    count = ct.num_tiles(x, axis=1, shape=(1, T))
    columns = x.shape[1]
    mean = ct.full((1, T), 0, dtype=ct.float32)
    for j in range(count):
        mean += ct.load(x, index=(row, j), shape=(1, T), padding_mode=ZERO).astype(ct.float32)
    mean = ct.sum(mean, axis=1, keepdims=True) / columns
    variance = ct.full((1, T), 0, dtype=ct.float32)
    for j in range(count):
        tile = ct.load(x, index=(row, j), shape=(1, T), padding_mode=ZERO).astype(ct.float32)
        inside = (j * T + ct.arange(T, dtype=ct.int32))[None, :] < columns
        centered = ct.where(inside, tile - mean, 0)
        variance += centered * centered
    factor = ct.rsqrt(ct.sum(variance, axis=1, keepdims=True) / columns + eps)
    for j in range(count):
        tile = ct.load(x, index=(row, j), shape=(1, T), padding_mode=ZERO).astype(ct.float32)
        scale = ct.load(w, index=(j,), shape=(T,), padding_mode=ZERO)
        shift = ct.load(b, index=(j,), shape=(T,), padding_mode=ZERO)
        ct.store(y, index=(row, j), tile=((tile - mean) * factor * scale[None, :] + shift[None, :]).astype(y.dtype))


def product(size, tile, kernel=matmul, more=()):
    m, n, k = size
    rows, columns = -(-m // tile[0]), -(-n // tile[1])
    return {"kernel": kernel, "arrays": [("f16", [m, k]), ("f16", [k, n]), ("f16", [m, n], "out")],
            "constants": [*tile, *more], "grid": [rows, columns] if kernel is matmul else [rows * columns]}


def heads(count, length, width, tile, causal):
    array = ("f16", [1, count, length, width])
    return {"kernel": attention, "arrays": [array, array, array, (*array, "out")], "floats": [width**-0.5],
            "constants": [count, width, *tile, causal], "grid": [length // tile[0], count]}


KERNELS = {
    "matmul 4096^3, 128x128x64": product((4096, 4096, 4096), (128, 128, 64)),
    "matmul 8192^3, 128x128x64": product((8192, 8192, 8192), (128, 128, 64)),
    "matmul 4096^3, 128x256x64": product((4096, 4096, 4096), (128, 256, 64)),
    "matmul 4096^3, groups, 128x256x64": product((4096, 4096, 4096), (128, 256, 64), matmul_groups, (8,)),
    "matmul 8192^3, groups, 128x256x64": product((8192, 8192, 8192), (128, 256, 64), matmul_groups, (8,)),
    "matmul 1000x1000x1000, 128x128x64": product((1000, 1000, 1000), (128, 128, 64)),
    "bmm 64x1024^3, 128x128x64": {
        "kernel": bmm, "arrays": [("f16", [64, 1024, 1024])] * 2 + [("f16", [64, 1024, 1024], "out")],
        "constants": [128, 128, 64], "grid": [8, 8, 64]},
    "bmm 64x1024^3, 64x64x32": {
        "kernel": bmm, "arrays": [("f16", [64, 1024, 1024])] * 2 + [("f16", [64, 1024, 1024], "out")],
        "constants": [64, 64, 32], "grid": [16, 16, 64]},
    "attention 32x4096, D64, 64x64": heads(32, 4096, 64, (64, 64), False),
    "attention 32x4096, D64, 128x128": heads(32, 4096, 64, (128, 128), False),
    "attention 32x4096, D128, 128x128": heads(32, 4096, 128, (128, 128), False),
    "causal attention 32x4096, D64, 64x64": heads(32, 4096, 64, (64, 64), True),
    "causal attention 32x4096, D128, 128x128": heads(32, 4096, 128, (128, 128), True),
    "softmax 8192x1024": {
        "kernel": softmax, "arrays": [("f16", [8192, 1024]), ("f16", [8192, 1024], "out")], "constants": [1024],
        "grid": [8192]},
    "softmax 8192x8192": {
        "kernel": softmax, "arrays": [("f16", [8192, 8192]), ("f16", [8192, 8192], "out")], "constants": [8192],
        "grid": [8192]},
    "layernorm 8192x4096": {
        "kernel": layernorm, "arrays": [("f16", [8192, 4096]), ("f32", [4096]), ("f32", [4096]),
                                        ("f16", [8192, 4096], "out")],
        "constants": [1e-5, 1024], "grid": [8192]},
}
