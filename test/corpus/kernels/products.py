"""Matrix products as in real programs: epilogues, quantized operands, groups, gathers, CUDA cores."""
import triton
import triton.language as tl
from case import case


@case("matmul_f16", a="f16[64x96]", b="f16[96x64]", c="f16[64x64]=out", m="i32=64", n="i32=64", k="i32=96", BM=64,
      BN=64, BK=32, tolerance=4e-3)
@case("matmul_bf16_large", a="bf16[128x128]", b="bf16[128x128]", c="bf16[128x128]=out", m="i32=128", n="i32=128",
      k="i32=128", BM=128, BN=128, BK=64, warps=8, tolerance=3e-2)
@case("matmul_tf32", a="f32[64x96]", b="f32[96x64]", c="f32[64x64]=out", m="i32=64", n="i32=64", k="i32=96", BM=64,
      BN=64, BK=32, tolerance=1e-4)
@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + (rm % m)[:, None] * k + rk[None, :]
    pb = b + rk[:, None] * n + (rn % n)[None, :]
    acc = tl.zeros([BM, BN], tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        ta = tl.load(pa, mask=rk[None, :] < k - i * BK, other=0.0)
        tb = tl.load(pb, mask=rk[:, None] < k - i * BK, other=0.0)
        acc = tl.dot(ta, tb, acc)
        pa += BK
        pb += BK * n
    tl.store(c + rm[:, None] * n + rn[None, :], acc.to(c.dtype.element_ty), mask=(rm < m)[:, None] & (rn < n)[None, :])


@case(x="f16[64x128]", w="f16[64x128]", bias="f16[64]", out="f16[64x64]=out", n="i32=64", k="i32=128", BM=64, BN=64,
      BK=64, tolerance=4e-3)
@triton.jit
def linear_bias_gelu(x, w, bias, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        tx = tl.load(x + rm[:, None] * k + rk[None, :])
        tw = tl.load(w + rn[:, None] * k + rk[None, :])
        acc += tl.dot(tx, tl.trans(tw))
    v = acc + tl.load(bias + rn).to(tl.float32)[None, :]
    v = v * tl.sigmoid(1.5957691 * (v + 0.044715 * v * v * v))
    tl.store(out + rm[:, None] * n + rn[None, :], v.to(tl.float16))


@case(a="bf16[128x64]", b="bf16[128x64]", out="f32[64x64]=inout:0", m="i32=64", n="i32=64", k="i32=128", split="i32=2",
      BM=64, BN=64, BK=32, grid=(1, 1, 2), tolerance=1e-4)
@triton.jit
def weight_gradient_split(a, b, out, m, n, k, split, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    part = k // split
    first = tl.program_id(2) * part
    acc = tl.zeros([BM, BN], tl.float32)
    for begin in range(first, first + part, BK):
        rk = begin + tl.arange(0, BK)
        ta = tl.load(a + rk[:, None] * m + rm[None, :])
        tb = tl.load(b + rk[:, None] * n + rn[None, :])
        acc = tl.dot(tl.trans(ta), tb, acc)
    tl.atomic_add(out + rm[:, None] * n + rn[None, :], acc, sem="relaxed")


@case(x="f16[32x128]", w="i8[128x64]", scale="f16[64]", out="f16[32x64]=out", n="i32=64", k="i32=128", BM=32, BN=64,
      BK=64, tolerance=4e-3)
@triton.jit
def matmul_int8_weights(x, w, scale, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        tx = tl.load(x + rm[:, None] * k + rk[None, :])
        tw = tl.load(w + rk[:, None] * n + rn[None, :]).to(tl.float16)
        acc = tl.dot(tx, tw, acc)
    tl.store(out + rm[:, None] * n + rn[None, :], (acc * tl.load(scale + rn)[None, :]).to(tl.float16))


@case(x="f16[32x128]", w="i32[16x64]", scales="f16[2x64]", zeros="f16[2x64]", out="f16[32x64]=out", n="i32=64",
      k="i32=128", group="i32=64", BM=32, BN=64, BK=64, tolerance=4e-3)
@triton.jit
def matmul_int4_weights(x, w, scales, zeros, out, n, k, group, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        tx = tl.load(x + rm[:, None] * k + rk[None, :])
        packed = tl.load(w + (rk // 8)[:, None] * n + rn[None, :])
        g = begin // group
        q = (packed >> ((rk % 8) * 4)[:, None]) & 15
        tw = (q.to(tl.float16) - tl.load(zeros + g * n + rn)[None, :]) * tl.load(scales + g * n + rn)[None, :]
        acc = tl.dot(tx, tw, acc)
    tl.store(out + rm[:, None] * n + rn[None, :], acc.to(tl.float16))


@case(x="i8[64x128]", w="i8[64x128]", sx="f32[64]", sw="f32[64]", out="bf16[64x64]=out", n="i32=64", k="i32=128", BM=64,
      BN=64, BK=64, tolerance=1e-2)
@triton.jit
def matmul_int8(x, w, sx, sw, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.int32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        tx = tl.load(x + rm[:, None] * k + rk[None, :])
        tw = tl.load(w + rn[None, :] * k + rk[:, None])
        acc = tl.dot(tx, tw, acc, out_dtype=tl.int32)
    v = acc.to(tl.float32) * tl.load(sx + rm)[:, None] * tl.load(sw + rn)[None, :]
    tl.store(out + rm[:, None] * n + rn[None, :], v.to(tl.bfloat16))


@case(x="f16[32x128]", w="u8[64x128]=<120", scale="f32[2x1]", out="f16[32x64]=out", n="i32=64", k="i32=128", BM=32,
      BN=64, BK=64, tolerance=4e-3)
@triton.jit
def matmul_fp8_block(x, w, scale, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        tx = tl.load(x + rm[:, None] * k + rk[None, :])
        tw = tl.load(w + rn[None, :] * k + rk[:, None]).to(tl.float8e5, bitcast=True).to(tl.float16)
        acc += tl.dot(tx, tw) * tl.load(scale + begin // BK)
    tl.store(out + rm[:, None] * n + rn[None, :], acc.to(tl.float16))


@case(a="f16[40x64]", b="f16[3x64x32]", out="f16[40x32]=out", offsets="i32[4]=0,10,26,40", n="i32=32", k="i32=64",
      BM=16, BN=32, BK=32, grid=(3, ), tolerance=4e-3)
@triton.jit
def grouped_gemm(a, b, out, offsets, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    g = tl.program_id(0)
    first = tl.load(offsets + g)
    last = tl.load(offsets + g + 1)
    rn = tl.arange(0, BN)
    for start in range(first, last, BM):
        rm = start + tl.arange(0, BM)
        acc = tl.zeros([BM, BN], tl.float32)
        for begin in range(0, k, BK):
            rk = begin + tl.arange(0, BK)
            ta = tl.load(a + rm[:, None] * k + rk[None, :], mask=(rm < last)[:, None], other=0.0)
            tb = tl.load(b + g * k * n + rk[:, None] * n + rn[None, :])
            acc = tl.dot(ta, tb, acc)
        tl.store(out + rm[:, None] * n + rn[None, :], acc.to(tl.float16), mask=(rm < last)[:, None])


@case(x="bf16[64x64]", w="bf16[4x64x64]", tokens="i32[64]=<64", experts="i32[2]=1,3", weights="f32[64]",
      out="bf16[64x64]=out", valid="i32=60", n="i32=64", k="i32=64", BM=32, BN=64, BK=32, grid=(2, ), tolerance=3e-2)
@triton.jit
def moe_gemm(x, w, tokens, experts, weights, out, valid, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    slot = tl.program_id(0) * BM + tl.arange(0, BM)
    token = tl.load(tokens + slot)
    expert = tl.load(experts + tl.program_id(0)).to(tl.int64)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    px = x + token[:, None] * k + rk[None, :]
    pw = w + expert * k * n + rn[None, :] * k + rk[:, None]
    acc = tl.zeros([BM, BN], tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        tx = tl.load(px, mask=(slot < valid)[:, None] & (rk[None, :] < k - i * BK), other=0.0)
        tw = tl.load(pw, mask=rk[:, None] < k - i * BK, other=0.0)
        acc += tl.dot(tx, tw)
        px += BK
        pw += BK
    acc *= tl.load(weights + slot, mask=slot < valid, other=0.0)[:, None]
    tl.store(out + slot[:, None] * n + rn[None, :], acc.to(tl.bfloat16), mask=(slot < valid)[:, None])


@case(x="f16[32x64]", a="f16[64x16]", b="f16[16x64]", y="f16[32x64]=inout", k="i32=64", scale="f32=2", BM=32, BK=32,
      R=16, N=64, tolerance=4e-3)
@triton.jit
def lora(x, a, b, y, k, scale, BM: tl.constexpr, BK: tl.constexpr, R: tl.constexpr, N: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    r = tl.arange(0, R)
    low = tl.zeros([BM, R], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        low += tl.dot(tl.load(x + rm[:, None] * k + rk[None, :]), tl.load(a + rk[:, None] * R + r[None, :]))
    rn = tl.arange(0, N)
    at = y + rm[:, None] * N + rn[None, :]
    v = tl.dot((low * scale).to(tl.float16), tl.load(b + r[:, None] * N + rn[None, :]))
    tl.store(at, (tl.load(at) + v).to(tl.float16))


@case(a="f16[64x96]", b="f16[96x64]", c="f16[64x64]=out", m="i32=64", n="i32=64", k="i32=96", BM=64, BN=64, BK=32,
      tolerance=4e-3)
@triton.jit
def matmul_block_pointers(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pa = tl.make_block_ptr(a, (m, k), (k, 1), (tl.program_id(0) * BM, 0), (BM, BK), (1, 0))
    pb = tl.make_block_ptr(b, (k, n), (n, 1), (0, tl.program_id(1) * BN), (BK, BN), (1, 0))
    acc = tl.zeros([BM, BN], tl.float32)
    for _ in range(0, k, BK):
        acc += tl.dot(tl.load(pa, boundary_check=(0, 1)), tl.load(pb, boundary_check=(0, 1)))
        pa = tl.advance(pa, (0, BK))
        pb = tl.advance(pb, (BK, 0))
    pc = tl.make_block_ptr(c, (m, n), (n, 1), (tl.program_id(0) * BM, tl.program_id(1) * BN), (BM, BN), (1, 0))
    tl.store(pc, acc.to(tl.float16), boundary_check=(0, 1))


@case("matmul_f32_ieee", a="f32[64x64]", b="f32[64x64]", c="f32[64x64]=out", n="i32=64", k="i32=64", BM=64, BN=64,
      BK=32, tolerance=1e-5)
@case("matmul_f64", a="f64[32x32]", b="f64[32x32]", c="f64[32x32]=out", n="i32=32", k="i32=32", BM=32, BN=32, BK=16,
      tolerance=1e-12)
@triton.jit
def matmul_ieee(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], c.dtype.element_ty)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        ta = tl.load(a + rm[:, None] * k + rk[None, :])
        tb = tl.load(b + rk[:, None] * n + rn[None, :])
        acc = tl.dot(ta, tb, acc, input_precision="ieee", out_dtype=c.dtype.element_ty)
    tl.store(c + rm[:, None] * n + rn[None, :], acc)


@case("dot_small_f32", a="f32[16x16]", b="f32[16x16]", c="f32[16x16]=out", N=16, warps=1, tolerance=1e-5)
@case("dot_small_f64", a="f64[16x16]", b="f64[16x16]", c="f64[16x16]=out", N=16, warps=1, tolerance=1e-12)
@triton.jit
def dot_small(a, b, c, N: tl.constexpr):
    at = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at), input_precision="ieee", out_dtype=c.dtype.element_ty))


@case(x="f16[4x16x32]", y="f16[4x32x16]", out="f32[4x16x16]=out", B=4, M=16, K=32, N=16, tolerance=1e-4)
@triton.jit
def batched_dot(x, y, out, B: tl.constexpr, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr):
    b = tl.arange(0, B)[:, None, None]
    m = tl.arange(0, M)[None, :, None]
    n = tl.arange(0, N)[None, None, :]
    vx = tl.load(x + b * (M * K) + m * K + tl.arange(0, K)[None, None, :])
    vy = tl.load(y + b * (K * N) + tl.arange(0, K)[None, :, None] * N + n)
    tl.store(out + b * (M * N) + m * N + n, tl.dot(vx, vy))


@case(x="f32[64x64]", out="f32[64x64]=out", n="i32=64", k="i32=64", BM=32, BK=32, grid=(2, 2), tolerance=1e-4)
@triton.jit
def cosine_similarity(x, out, n, k, BM: tl.constexpr, BK: tl.constexpr):
    ri = tl.program_id(0) * BM + tl.arange(0, BM)
    rj = tl.program_id(1) * BM + tl.arange(0, BM)
    acc = tl.zeros([BM, BM], tl.float32)
    ni = tl.zeros([BM], tl.float32)
    nj = tl.zeros([BM], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        a = tl.load(x + ri[:, None] * k + rk[None, :])
        b = tl.load(x + rj[:, None] * k + rk[None, :])
        acc += tl.dot(a, tl.trans(b))
        ni += tl.sum(a * a, axis=1)
        nj += tl.sum(b * b, axis=1)
    tl.store(out + ri[:, None] * n + rj[None, :], acc * tl.rsqrt(ni)[:, None] * tl.rsqrt(nj)[None, :])


@case(x="f16[64x64]", w="f16[64x64]", gate="f16[64x64]", out="f16[64x64]=out", n="i32=64", k="i32=64", BM=32, BN=64,
      BK=32, grid=(2, ), tolerance=4e-3)
@triton.jit
def gated_linear(x, w, gate, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    up = tl.zeros([BM, BN], tl.float32)
    g = tl.zeros([BM, BN], tl.float32)
    for begin in range(0, k, BK):
        rk = begin + tl.arange(0, BK)
        tx = tl.load(x + rm[:, None] * k + rk[None, :])
        up = tl.dot(tx, tl.load(w + rk[:, None] * n + rn[None, :]), up)
        g = tl.dot(tx, tl.load(gate + rk[:, None] * n + rn[None, :]), g)
    tl.store(out + rm[:, None] * n + rn[None, :], (up * g * tl.sigmoid(g)).to(tl.float16))
