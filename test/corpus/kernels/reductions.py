"""Reductions over each axis, scans, order statistics."""
import triton
import triton.language as tl
from case import case


@triton.jit
def larger_of(a, b):
    return tl.maximum(a, b)


@triton.jit
def recur(decay_a, value_a, decay_b, value_b):
    return decay_a * decay_b, value_a * decay_b + value_b


@triton.jit
def welford(mean_a, square_a, weight_a, mean_b, square_b, weight_b):
    weight = weight_a + weight_b
    part = tl.where(weight == 0.0, 0.0, weight_b / weight)
    delta = mean_b - mean_a
    return mean_a + delta * part, square_a + square_b + delta * delta * weight_a * part, weight


@case(x="f32[64x128]", out="f32[64]=out", stride="i32=128", M=64, N=128)
@triton.jit
def sum_columns_of_row(x, out, stride, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    v = tl.load(x + r[:, None] * stride + tl.arange(0, N)[None, :])
    tl.store(out + r, tl.sum(v, axis=1))


@case(x="f32[200x96]", out="f32[96]=out", rows="i32=200", stride="i32=96", M=32, N=64, grid=(2, ))
@triton.jit
def sum_rows(x, out, rows, stride, M: tl.constexpr, N: tl.constexpr):
    c = tl.program_id(0) * N + tl.arange(0, N)
    total = tl.zeros([M, N], tl.float32)
    for begin in range(0, rows, M):
        r = begin + tl.arange(0, M)
        total += tl.load(x + r[:, None] * stride + c[None, :],
                         mask=(r < rows)[:, None] & (c < stride)[None, :],
                         other=0.0)
    tl.store(out + c, tl.sum(total, axis=0), mask=c < stride)


@case("argmax_last", x="f32[32x100]", values="f32[32]=out", indices="i64[32]=out", m="i32=32", n="i32=100",
      sm="i32=100", sn="i32=1", M=8, N=32, grid=(4, ))
@case("argmax_strided", x="f32[32x200]", values="f32[32]=out", indices="i64[32]=out", m="i32=32", n="i32=100",
      sm="i32=200", sn="i32=2", M=8, N=32, grid=(4, ))
@triton.jit
def argmax_rows(x, values, indices, m, n, sm, sn, M: tl.constexpr, N: tl.constexpr):
    r = tl.program_id(0) * M + tl.arange(0, M)
    best = tl.full([M], -float("inf"), tl.float32)
    where = tl.zeros([M], tl.int64)
    for begin in range(0, n, N):
        c = begin + tl.arange(0, N)
        v = tl.load(x + r[:, None] * sm + c[None, :] * sn,
                    mask=(r < m)[:, None] & (c < n)[None, :],
                    other=-float("inf"))
        top, at = tl.max(v, 1, return_indices=True)
        where = tl.where(top > best, begin + at, where)
        best = tl.maximum(best, top)
    tl.store(values + r, best, mask=r < m)
    tl.store(indices + r, where, mask=r < m)


@case(x="f32[64x64]", out="i32[64]=out", stride="i32=64", M=64, N=64)
@triton.jit
def argmin_rows(x, out, stride, M: tl.constexpr, N: tl.constexpr):
    c = tl.arange(0, N)
    v = tl.load(x + tl.arange(0, M)[:, None] * stride + c[None, :])
    tl.store(out + c, tl.argmin(v, axis=0))


@case(x="f16[8x32x64]", out="f16[8x64]=out", A=8, B=32, C=64)
@triton.jit
def max_middle(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a = tl.arange(0, A)[:, None, None]
    b = tl.arange(0, B)[None, :, None]
    c = tl.arange(0, C)[None, None, :]
    v = tl.max(tl.load(x + a * (B * C) + b * C + c), axis=1)
    tl.store(out + tl.arange(0, A)[:, None] * C + tl.arange(0, C)[None, :], v)


@case(x="f32[4x1000]", mean="f32[4]=out", variance="f32[4]=out", columns="i32=1000", BLOCK=256, grid=(4, ),
      tolerance=1e-5)
@triton.jit
def variance_welford(x, mean, variance, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = tl.zeros([BLOCK], tl.float32)
    s = tl.zeros([BLOCK], tl.float32)
    w = tl.zeros([BLOCK], tl.float32)
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        mask = i < columns
        v = tl.load(x + row * columns + i, mask=mask, other=0.0)
        weight = tl.where(mask, w + 1, w)
        delta = v - m
        m += tl.where(mask, delta / weight, 0.0)
        s += tl.where(mask, delta * (v - m), 0.0)
        w = weight
    m_all, s_all, w_all = tl.reduce((m, s, w), 0, welford)
    tl.store(mean + row, m_all)
    tl.store(variance + row, s_all / w_all)


@case(x="f32[32x64]", w="f32[64]", out="f32[1]=inout:0", n="i32=2048", BLOCK=512, grid=(4, ), tolerance=1e-5)
@triton.jit
def dot_product_atomic(x, w, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=mask, other=0.0) * tl.load(w + i % 64, mask=mask, other=0.0)))


@case(x="bf16[128x64]", y="bf16[64]", out="f32[128]=out", m="i32=128", n="i32=64", M=32, N=64, grid=(4, ))
@triton.jit
def matvec(x, y, out, m, n, M: tl.constexpr, N: tl.constexpr):
    r = tl.program_id(0) * M + tl.arange(0, M)
    total = tl.zeros([M], tl.float32)
    for begin in range(0, n, N):
        c = begin + tl.arange(0, N)
        a = tl.load(x + r[:, None] * n + c[None, :], mask=(r < m)[:, None] & (c < n)[None, :], other=0.0)
        b = tl.load(y + c, mask=c < n, other=0.0)
        total += tl.sum(a.to(tl.float32) * b.to(tl.float32)[None, :], axis=1)
    tl.store(out + r, total, mask=r < m)


@case(o="f16[64x64]", do="f16[64x64]", delta="f32[64]=out", M=64, D=64)
@triton.jit
def attention_delta(o, do, delta, M: tl.constexpr, D: tl.constexpr):
    r = tl.program_id(0) * M + tl.arange(0, M)
    at = r[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(delta + r, tl.sum(tl.load(o + at) * tl.load(do + at).to(tl.float32), axis=1))


@case(x="f32[48x40]", out="f32[48]=out", rows="i32=48", n="i32=40", stride="i32=40", M=16, N=64, grid=(3, ))
@triton.jit
def log_sum_exp(x, out, rows, n, stride, M: tl.constexpr, N: tl.constexpr):
    r = tl.program_id(0) * M + tl.arange(0, M)
    c = tl.arange(0, N)
    v = tl.load(x + r[:, None] * stride + c[None, :], mask=(r < rows)[:, None] & (c < n)[None, :], other=-float("inf"))
    top = tl.max(v, 1)
    tl.store(out + r, top + tl.log(tl.sum(tl.exp(v - top[:, None]), 1)), mask=r < rows)


@case(x="f32[64x64]", flags="i32[64]=out", n="i32=60", M=64, N=64)
@triton.jit
def any_outlier(x, flags, n, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)
    c = tl.arange(0, N)
    v = tl.load(x + r[:, None] * N + c[None, :], mask=(c < n)[None, :], other=0.0)
    tl.store(flags + r, tl.reduce_or((tl.abs(v) > 0.99).to(tl.int32), 1))


@case(x="f32[4x1024]", out="f32[4x1024]=out", columns="i32=1024", BLOCK=1024, grid=(4, ), tolerance=1e-5)
@triton.jit
def cumsum_row(x, out, columns, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + i
    tl.store(out + at, tl.cumsum(tl.load(x + at, mask=i < columns, other=0.0)), mask=i < columns)


@case(g="f32[2x64x64]", out="f32[2x64x64]=out", t="i32=64", T=64, D=64, grid=(2, ), tolerance=1e-5)
@triton.jit
def cumsum_chunk(g, out, t, T: tl.constexpr, D: tl.constexpr):
    r = tl.arange(0, T)
    at = tl.program_id(0) * t * D + r[:, None] * D + tl.arange(0, D)[None, :]
    v = tl.load(g + at, mask=(r < t)[:, None], other=0.0)
    tl.store(out + at, tl.cumsum(v, axis=0, reverse=True), mask=(r < t)[:, None])


@case(a="f32[128x32]", b="f32[128x32]", h="f32[128x32]=out", T=128, D=32, tolerance=1e-5)
@triton.jit
def linear_recurrence(a, b, h, T: tl.constexpr, D: tl.constexpr):
    at = tl.arange(0, T)[:, None] * D + tl.arange(0, D)[None, :]
    _, v = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, recur)
    tl.store(h + at, v)


@case(x="i32[2x512]=<1000", out="i32[2x512]=out", BLOCK=512, grid=(2, ))
@triton.jit
def running_max(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.associative_scan(tl.load(x + at), 0, larger_of))


@case(ids="i32[1000]=<64", counts="i32[64]=out", ends="i32[64]=out", n="i32=1000", EXPERTS=64, BLOCK=256)
@triton.jit
def expert_offsets(ids, counts, ends, n, EXPERTS: tl.constexpr, BLOCK: tl.constexpr):
    total = tl.zeros([EXPERTS], tl.int32)
    for begin in range(0, n, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        total += tl.histogram(tl.load(ids + i, mask=i < n, other=0), EXPERTS, mask=i < n)
    e = tl.arange(0, EXPERTS)
    tl.store(counts + e, total)
    tl.store(ends + e, tl.cumsum(total))


@case(x="f32[8x64]", out="f32[8x64]=out", M=8, N=64)
@triton.jit
def sort_rows(x, out, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.sort(tl.load(x + at), dim=1))


@case(x="f32[4x128]", out="f32[4x8]=out", M=4, N=128, K=8)
@triton.jit
def top_k(x, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    r = tl.arange(0, M)[:, None]
    v = tl.load(x + r * N + tl.arange(0, N)[None, :])
    tl.store(out + r * K + tl.arange(0, K)[None, :], tl.topk(v, K, dim=1))


@case(x="f32[64x200]", mean="f32[64]=out", square="f32[64]=out", n="i32=200", sb="i32=12800", sp="i32=1", sc="i32=200",
      C=16, P=64, grid=(4, ), tolerance=1e-5)
@triton.jit
def batch_norm_stats(x, mean, square, n, sb, sp, sc, C: tl.constexpr, P: tl.constexpr):
    c = tl.program_id(0) * C + tl.arange(0, C)
    s = tl.zeros([C], tl.float32)
    q = tl.zeros([C], tl.float32)
    for begin in range(0, n, P):
        p = begin + tl.arange(0, P)
        v = tl.load(x + c[None, :] * sc + p[:, None] * sp, mask=(p < n)[:, None], other=0.0)
        s += tl.sum(v, axis=0)
        q += tl.sum(v * v, axis=0)
    tl.store(mean + c, s / n)
    tl.store(square + c, q / n)
