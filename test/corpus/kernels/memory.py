"""Kernels that move and index: gathers, scatters, transposes, convolutions, packing."""
import triton
import triton.language as tl
from case import case


@case(ids="i64[16]=<50", table="f16[50x200]", out="f16[16x200]=out", width="i32=200", BLOCK=256, grid=(16, ))
@triton.jit
def embedding(ids, table, out, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    row = tl.load(ids + token)
    i = tl.arange(0, BLOCK)
    tl.store(out + token * width + i, tl.load(table + row * width + i, mask=i < width), mask=i < width)


@case(ids="i32[32]=<20", grad="f32[32x64]", out="f32[20x64]=inout:0", n="i32=32", ROWS=8, D=64, grid=(4, ),
      tolerance=1e-5)
@triton.jit
def embedding_backward(ids, grad, out, n, ROWS: tl.constexpr, D: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    row = tl.load(ids + r, mask=r < n, other=0)
    d = tl.arange(0, D)
    v = tl.load(grad + r[:, None] * D + d[None, :], mask=(r < n)[:, None], other=0.0)
    tl.atomic_add(out + row[:, None] * D + d[None, :], v, mask=(r < n)[:, None], sem="relaxed")


@case(x="f32[50x64]", index="i64[40]=<50", out="f32[40x64]=out", n="i32=40", stride="i32=64", ROWS=16, D=64, grid=(3, ))
@triton.jit
def index_select(x, index, out, n, stride, ROWS: tl.constexpr, D: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    d = tl.arange(0, D)
    row = tl.load(index + r, mask=r < n, other=0)
    v = tl.load(x + row[:, None] * stride + d[None, :], mask=(r < n)[:, None])
    tl.store(out + r[:, None] * D + d[None, :], v, mask=(r < n)[:, None])


@case(k="bf16[8x4x64]", v="bf16[8x4x64]", slots="i64[8]=3,9,1,30,22,7,11,16", kc="bf16[32x4x64]=inout:0",
      vc="bf16[32x4x64]=inout:0", heads="i32=4", HD=256, D=64, grid=(8, ))
@triton.jit
def cache_write(k, v, slots, kc, vc, heads, HD: tl.constexpr, D: tl.constexpr):
    token = tl.program_id(0)
    slot = tl.load(slots + token)
    if slot < 0:
        return
    i = tl.arange(0, HD)
    mask = i < heads * D
    tl.store(kc + slot * heads * D + i, tl.load(k + token * heads * D + i, mask=mask), mask=mask)
    tl.store(vc + slot * heads * D + i, tl.load(v + token * heads * D + i, mask=mask), mask=mask)


@case(x="f32[100x72]", out="f32[72x100]=out", rows="i32=100", columns="i32=72", M=64, N=32, grid=(2, 3))
@triton.jit
def transpose(x, out, rows, columns, M: tl.constexpr, N: tl.constexpr):
    i = (tl.program_id(0) * M + tl.arange(0, M))[:, None]
    j = (tl.program_id(1) * N + tl.arange(0, N))[None, :]
    mask = (i < rows) & (j < columns)
    tl.store(out + j * rows + i, tl.load(x + i * columns + j, mask=mask), mask=mask)


@case(x="f16[64x64]", out="f16[64x64]=out", sxm="i32=64", sxn="i32=2", som="i32=2", son="i32=64", M=32, N=32)
@triton.jit
def copy_strided(x, out, sxm, sxn, som, son, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None]
    j = tl.arange(0, N)[None, :]
    tl.store(out + i * som + j * son, tl.load(x + i * sxm + j * sxn))


@case(x="f32[32x64]", index="i32[32x64]=<64", out="f32[32x64]=out", M=32, N=64)
@triton.jit
def gather_columns(x, index, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), axis=1))


@case(x="f32[64x16]", index="i32[64x16]=<64", out="f32[64x16]=out", M=64, N=16)
@triton.jit
def gather_rows(x, index, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), axis=0))


@case(packed="u8[4x256]", table="f32[16]", scale="f32[4x8]", out="f16[4x512]=out", columns="i32=512", BLOCK=256,
      GROUP=64, grid=(4, ))
@triton.jit
def dequantize_nf4(packed, table, scale, out, columns, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    q = tl.load(packed + row * BLOCK + i)
    low = tl.load(table + (q & 15))
    high = tl.load(table + (q >> 4))
    v = tl.interleave(low, high)
    j = tl.arange(0, 2 * BLOCK)
    s = tl.load(scale + row * 8 + j // GROUP)
    tl.store(out + row * columns + j, (v * s).to(tl.float16))


@case(x="f32[16x256]", out="u8[16x128]=out", scales="f32[16x4]=out", G=64, N=256, grid=(16, ))
@triton.jit
def quantize_int4(x, out, scales, G: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * N + tl.arange(0, N)).reshape(N // G, G)
    scale = tl.max(tl.abs(v), 1) / 7.0
    tl.store(scales + row * (N // G) + tl.arange(0, N // G), scale)
    q = tl.clamp(tl.floor(v / scale[:, None] + 8.5), 0.0, 15.0).to(tl.uint8).reshape(N // 2, 2)
    low, high = tl.split(q)
    tl.store(out + row * (N // 2) + tl.arange(0, N // 2), low | (high << 4))


@case(x="f32[66x64]", w="f32[64x4]", bias="f32[64]", out="f32[66x64]=out", length="i32=66", width="i32=64", T=16, D=64,
      grid=(5, ))
@triton.jit
def conv1d_causal(x, w, bias, out, length, width, T: tl.constexpr, D: tl.constexpr):
    t = tl.program_id(0) * T + tl.arange(0, T)
    d = tl.arange(0, D)
    acc = tl.zeros([T, D], tl.float32) + tl.load(bias + d)[None, :]
    for tap in tl.static_range(4):
        s = t + tap - 3
        v = tl.load(x + s[:, None] * width + d[None, :], mask=((s >= 0) & (s < length))[:, None], other=0.0)
        acc += v * tl.load(w + d * 4 + tap)[None, :]
    acc = acc * tl.sigmoid(acc)
    tl.store(out + t[:, None] * width + d[None, :], acc, mask=(t < length)[:, None])


@case(x="f16[16x8x8]", w="f16[32x16x3x3]", out="f16[32x6x6]=out", height="i32=8", width="i32=8", channels="i32=16",
      P=64, C=16, F=32, tolerance=4e-3)
@triton.jit
def conv2d(x, w, out, height, width, channels, P: tl.constexpr, C: tl.constexpr, F: tl.constexpr):
    oh = height - 2
    ow = width - 2
    p = tl.program_id(0) * P + tl.arange(0, P)
    py = p // ow
    px = p % ow
    f = tl.arange(0, F)
    c = tl.arange(0, C)
    acc = tl.zeros([P, F], tl.float32)
    for tap in range(9):
        dy = tap // 3
        dx = tap % 3
        for begin in range(0, channels, C):
            at = (begin + c)[None, :] * height * width + (py + dy)[:, None] * width + (px + dx)[:, None]
            tx = tl.load(x + at, mask=(p < oh * ow)[:, None], other=0.0)
            tw = tl.load(w + f[None, :] * channels * 9 + (begin + c)[:, None] * 9 + tap)
            acc = tl.dot(tx, tw, acc)
    tl.store(out + f[None, :] * oh * ow + p[:, None], acc.to(tl.float16), mask=(p < oh * ow)[:, None])


@case(x="f32[4x16x20]", w="f32[4x9]", out="f32[4x16x20]=out", height="i32=16", width="i32=20", BLOCK=256, grid=(2, 4))
@triton.jit
def conv2d_depthwise(x, w, out, height, width, BLOCK: tl.constexpr):
    channel = tl.program_id(1)
    p = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = p // width
    z = p % width
    acc = tl.zeros([BLOCK], tl.float32)
    for dy in tl.static_range(3):
        for dx in tl.static_range(3):
            sy = y + dy - 1
            sz = z + dx - 1
            inside = (sy >= 0) & (sy < height) & (sz >= 0) & (sz < width)
            v = tl.load(x + channel * height * width + sy * width + sz, mask=inside, other=0.0)
            acc += v * tl.load(w + channel * 9 + dy * 3 + dx)
    tl.store(out + channel * height * width + p, acc, mask=y < height)


@case(x="f32[8x8x16]", out="f32[4x4x16]=out", where="i32[4x4x16]=out", width="i32=8", C=16, P=16)
@triton.jit
def max_pool2d(x, out, where, width, C: tl.constexpr, P: tl.constexpr):
    p = tl.arange(0, P)
    c = tl.arange(0, C)
    half = width // 2
    best = tl.full([P, C], -float("inf"), tl.float32)
    at = tl.zeros([P, C], tl.int32)
    for i in range(4):
        source = ((p // half) * 2 + i // 2) * width + (p % half) * 2 + i % 2
        v = tl.load(x + source[:, None] * C + c[None, :])
        at = tl.where(v > best, source[:, None], at)
        best = tl.maximum(best, v)
    tl.store(out + p[:, None] * C + c[None, :], best)
    tl.store(where + p[:, None] * C + c[None, :], at)


@case(x="f32[3x8x8]", out="f32[3x16x16]=out", n="i32=768", size="i32=8", BLOCK=256, grid=(3, ), tolerance=1e-5)
@triton.jit
def upsample_bilinear(x, out, n, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    wide = size * 2
    c = i // (wide * wide)
    sy = tl.maximum(((i // wide) % wide).to(tl.float32) * 0.5 - 0.25, 0.0)
    sx = tl.maximum((i % wide).to(tl.float32) * 0.5 - 0.25, 0.0)
    y0 = sy.to(tl.int32)
    x0 = sx.to(tl.int32)
    y1 = tl.minimum(y0 + 1, size - 1)
    x1 = tl.minimum(x0 + 1, size - 1)
    fy = sy - y0
    fx = sx - x0
    base = x + c * size * size
    top = tl.load(base + y0 * size + x0, mask=i < n) * (1 - fx) + tl.load(base + y0 * size + x1, mask=i < n) * fx
    low = tl.load(base + y1 * size + x0, mask=i < n) * (1 - fx) + tl.load(base + y1 * size + x1, mask=i < n) * fx
    tl.store(out + i, top * (1 - fy) + low * fy, mask=i < n)


@case(a="f16[32x32]", b="f16[32x32]", out="f16[32x64]=out", M=32, N=32)
@triton.jit
def concat_columns(a, b, out, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)[:, None]
    at = r * N + tl.arange(0, N)[None, :]
    both = tl.permute(tl.join(tl.load(a + at), tl.load(b + at)), (0, 2, 1)).reshape(M, 2 * N)
    tl.store(out + r * 2 * N + tl.arange(0, 2 * N)[None, :], both)


@case(x="f32[64x64]", out="f32[64x64]=out", n="i32=64", BLOCK=1024, grid=(4, ))
@triton.jit
def lower_triangle(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.where(i // n >= i % n, tl.load(x + i, mask=i < n * n), 0.0), mask=i < n * n)


@case(x="f16[8x512]", out="f16[8x512]=out", N=512, grid=(8, ))
@triton.jit
def reverse_rows(x, out, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + at, tl.flip(tl.load(x + at), 0))


@case(x="f16[64x64]", scale="f16[64]", out="f16[64x64]=out", bias="f16[64]", n="i32=64", M=64, N=64)
@triton.jit
def scale_half(x, scale, out, bias, n, M: tl.constexpr, N: tl.constexpr):
    c = tl.arange(0, N)[None, :]
    at = tl.arange(0, M)[:, None] * n + c
    v = tl.load(x + at)
    tl.store(out + at, tl.maximum(v * tl.load(scale + c) + tl.load(bias + c), 0.0))


@case(seen="i32[64]=<2", keys="i32[256]=<64", firsts="i32[64]=inout:1000", n="i32=256", BLOCK=128, grid=(2, ))
@triton.jit
def first_occurrence(seen, keys, firsts, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    key = tl.load(keys + i, mask=i < n, other=0)
    wanted = tl.load(seen + key, mask=i < n, other=0) != 0
    tl.atomic_min(firsts + key, i, mask=(i < n) & wanted, sem="relaxed")
