"""Attention and its linear relatives: chunks, states, recurrences."""
import triton
import triton.language as tl
from case import case


@case("attention_causal", q="f16[64x64]", k="f16[64x64]", v="f16[64x64]", o="f16[64x64]=out", length="i32=64",
      scale="f32=0.18", BM=32, BN=32, D=64, CAUSAL=True, grid=(2, ), tolerance=4e-3)
@case("attention_full", q="bf16[128x128]", k="bf16[128x128]", v="bf16[128x128]", o="bf16[128x128]=out",
      length="i32=128", scale="f32=0.12", BM=128, BN=64, D=128, CAUSAL=False, warps=8, tolerance=3e-2)
@triton.jit
def attention(q, k, v, o, length, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    start = tl.program_id(0) * BM
    rm = start + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    tq = tl.load(q + rm[:, None] * D + rd[None, :])
    m = tl.full([BM], -float("inf"), tl.float32)
    s = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = start + BM if CAUSAL else length
    for n in range(0, end, BN):
        tk = tl.load(k + (n + rn)[None, :] * D + rd[:, None])
        scores = tl.dot(tq, tk) * scale
        if CAUSAL:
            scores = tl.where(rm[:, None] >= (n + rn)[None, :], scores, -1.0e6)
        larger = tl.maximum(m, tl.max(scores, 1))
        p = tl.exp2(scores - larger[:, None])
        shrink = tl.exp2(m - larger)
        s = s * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None]
        tv = tl.load(v + (n + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(tv.dtype), tv, acc)
        m = larger
    tl.store(o + rm[:, None] * D + rd[None, :], (acc / s[:, None]).to(o.dtype.element_ty))


# The wide tiles are more than registers hold.
@case(name="attention_backward_wide", q="f16[128x64]", k="f16[128x64]", v="f16[128x64]", do="f16[128x64]", lse="f32[128]",
      delta="f32[128]", dk="f32[128x64]=out", dv="f32[128x64]=out", length="i32=128", scale="f32=0.2", BM=64, BN=128, D=64,
      tolerance=2e-3)
@case(q="f16[64x32]", k="f16[64x32]", v="f16[64x32]", do="f16[64x32]", lse="f32[64]", delta="f32[64]",
      dk="f32[64x32]=out", dv="f32[64x32]=out", length="i32=64", scale="f32=0.2", BM=32, BN=64, D=32, tolerance=1e-3)
@triton.jit
def attention_backward(q, k, v, do, lse, delta, dk, dv, length, scale, BM: tl.constexpr, BN: tl.constexpr,
                       D: tl.constexpr):
    rn = tl.program_id(0) * BN + tl.arange(0, BN)
    rd = tl.arange(0, D)
    tk = tl.load(k + rn[:, None] * D + rd[None, :])
    tv = tl.load(v + rn[:, None] * D + rd[None, :])
    gk = tl.zeros([BN, D], tl.float32)
    gv = tl.zeros([BN, D], tl.float32)
    for begin in range(0, length, BM):
        rm = begin + tl.arange(0, BM)
        qt = tl.load(q + rm[None, :] * D + rd[:, None])
        pt = tl.exp2(tl.dot(tk, qt) * scale - tl.load(lse + rm)[None, :])
        pt = tl.where(rm[None, :] >= rn[:, None], pt, 0.0)
        td = tl.load(do + rm[:, None] * D + rd[None, :])
        gv += tl.dot(pt.to(tl.float16), td)
        ds = pt * (tl.dot(tv, tl.trans(td)) - tl.load(delta + rm)[None, :])
        gk += tl.dot(ds.to(tl.float16), tl.trans(qt))
    tl.store(dk + rn[:, None] * D + rd[None, :], gk * scale)
    tl.store(dv + rn[:, None] * D + rd[None, :], gv)


@case(q="f16[4x64]", k="f16[200x64]", v="f16[200x64]", o="f32[4x2x64]=out", lse="f32[4x2]=out", length="i32=200",
      part="i32=128", scale="f32=0.125", BN=32, D=64, grid=(4, 2), tolerance=1e-4)
@triton.jit
def attention_decode(q, k, v, o, lse, length, part, scale, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(0)
    split = tl.program_id(1)
    rd = tl.arange(0, D)
    tq = tl.load(q + head * D + rd).to(tl.float32) * scale
    m = -float("inf")
    s = 0.0
    acc = tl.zeros([D], tl.float32)
    end = tl.minimum((split + 1) * part, length)
    for begin in range(split * part, end, BN):
        n = begin + tl.arange(0, BN)
        mask = (n < end)[:, None]
        tk = tl.load(k + n[:, None] * D + rd[None, :], mask=mask, other=0.0).to(tl.float32)
        scores = tl.where(n < end, tl.sum(tk * tq[None, :], 1), -float("inf"))
        larger = tl.maximum(m, tl.max(scores, 0))
        p = tl.exp(scores - larger)
        shrink = tl.exp(m - larger)
        tv = tl.load(v + n[:, None] * D + rd[None, :], mask=mask, other=0.0).to(tl.float32)
        acc = acc * shrink + tl.sum(p[:, None] * tv, 0)
        s = s * shrink + tl.sum(p, 0)
        m = larger
    tl.store(o + (head * 2 + split) * D + rd, acc / s)
    tl.store(lse + head * 2 + split, m + tl.log(s))


@case(q="f16[2x16x64]", k="f16[16x16x64]", v="f16[16x16x64]", table="i32[2x8]=<16", lengths="i32[2]=100,70",
      o="f16[2x16x64]=out", scale="f32=0.125", pages="i32=8", PAGE=16, G=16, D=64, grid=(2, ), tolerance=4e-3)
@triton.jit
def attention_paged(q, k, v, table, lengths, o, scale, pages, PAGE: tl.constexpr, G: tl.constexpr, D: tl.constexpr):
    request = tl.program_id(0)
    length = tl.load(lengths + request)
    rd = tl.arange(0, D)
    g = tl.arange(0, G)
    tq = tl.load(q + request * G * D + g[:, None] * D + rd[None, :])
    m = tl.full([G], -float("inf"), tl.float32)
    s = tl.zeros([G], tl.float32)
    acc = tl.zeros([G, D], tl.float32)
    for i in range(0, tl.cdiv(length, PAGE)):
        page = tl.load(table + request * pages + i).to(tl.int64)
        n = i * PAGE + tl.arange(0, PAGE)
        row = page * PAGE + tl.arange(0, PAGE)
        tk = tl.load(k + row[None, :] * D + rd[:, None])
        scores = tl.where((n < length)[None, :], tl.dot(tq, tk) * scale, -float("inf"))
        larger = tl.maximum(m, tl.max(scores, 1))
        p = tl.exp(scores - larger[:, None])
        shrink = tl.exp(m - larger)
        tv = tl.load(v + row[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(tl.float16), tv, acc * shrink[:, None])
        s = s * shrink + tl.sum(p, 1)
        m = larger
    tl.store(o + request * G * D + g[:, None] * D + rd[None, :], (acc / s[:, None]).to(tl.float16))


@case(o="f32[4x64]", parts="f32[8x4x64]", lses="f32[8x4]", out="f16[4x64]=out", count="i32=7", D=64, PARTS=8, grid=(4,
      ))
@triton.jit
def attention_combine(o, parts, lses, out, count, D: tl.constexpr, PARTS: tl.constexpr):
    head = tl.program_id(0)
    p = tl.arange(0, PARTS)
    d = tl.arange(0, D)
    lse = tl.load(lses + p * 4 + head, mask=p < count, other=-float("inf"))
    w = tl.exp(lse - tl.max(lse, 0))
    v = tl.load(parts + p[:, None] * (4 * D) + head * D + d[None, :], mask=(p < count)[:, None], other=0.0)
    v = tl.sum(v * w[:, None], 0) / tl.sum(w, 0) + tl.load(o + head * D + d)
    tl.store(out + head * D + d, v.to(tl.float16))


@case(q="bf16[64x64]", k="bf16[64x64]", v="bf16[64x64]", g="f32[64]=-0.01", h="f32[64x64]", o="bf16[64x64]=out",
      scale="f32=0.125", T=64, K=64, V=64, BK=32, tolerance=3e-2)
@triton.jit
def linear_attention_output(q, k, v, g, h, o, scale, T: tl.constexpr, K: tl.constexpr, V: tl.constexpr,
                            BK: tl.constexpr):
    t = tl.arange(0, T)
    rv = tl.arange(0, V)
    acc = tl.zeros([T, V], tl.float32)
    scores = tl.zeros([T, T], tl.float32)
    for begin in range(0, K, BK):
        rk = begin + tl.arange(0, BK)
        tq = tl.load(q + t[:, None] * K + rk[None, :])
        tk = tl.load(k + t[None, :] * K + rk[:, None])
        th = tl.load(h + rk[:, None] * V + rv[None, :])
        acc += tl.dot(tq, th.to(tq.dtype))
        scores += tl.dot(tq, tk)
    decay = tl.cumsum(tl.load(g + t), 0)
    acc *= tl.exp(decay)[:, None]
    scores *= tl.where(t[:, None] >= t[None, :], tl.exp(decay[:, None] - decay[None, :]), 0.0)
    tv = tl.load(v + t[:, None] * V + rv[None, :])
    acc += tl.dot(scores.to(tv.dtype), tv)
    tl.store(o + t[:, None] * V + rv[None, :], (acc * scale).to(tl.bfloat16))


@case(k="bf16[128x64]", v="bf16[128x64]", g="f32[128]=-0.02", h="f32[4x64x64]=out", length="i32=128", T=32, K=64, V=64,
      tolerance=1e-3)
@triton.jit
def linear_attention_states(k, v, g, h, length, T: tl.constexpr, K: tl.constexpr, V: tl.constexpr):
    rk = tl.arange(0, K)
    rv = tl.arange(0, V)
    state = tl.zeros([K, V], tl.float32)
    for i in range(0, tl.cdiv(length, T)):
        t = i * T + tl.arange(0, T)
        tl.store(h + i * K * V + rk[:, None] * V + rv[None, :], state)
        decay = tl.cumsum(tl.load(g + t), 0)
        last = tl.sum(tl.load(g + t), 0)
        tk = tl.load(k + t[None, :] * K + rk[:, None])
        tv = tl.load(v + t[:, None] * V + rv[None, :])
        tv = (tv * tl.exp(last - decay)[:, None]).to(tk.dtype)
        state = state * tl.exp(last) + tl.dot(tk, tv)


@case(q="f32[16x32]", k="f32[16x32]", v="f32[16x32]", beta="f32[16]", o="f32[16x32]=out", h="f32[32x32]=out",
      length="i32=16", K=32, V=32, warps=1, tolerance=1e-4)
@triton.jit
def delta_rule_recurrent(q, k, v, beta, o, h, length, K: tl.constexpr, V: tl.constexpr):
    rk = tl.arange(0, K)
    rv = tl.arange(0, V)
    state = tl.zeros([V, K], tl.float32)
    for t in range(0, length):
        tk = tl.load(k + t * K + rk)
        tv = tl.load(v + t * V + rv)
        tq = tl.load(q + t * K + rk)
        tv -= tl.sum(state * tk[None, :], axis=1)
        tv *= tl.load(beta + t)
        state += tv[:, None] * tk[None, :]
        tl.store(o + t * V + rv, tl.sum(state * tq[None, :], axis=1))
    tl.store(h + rv[:, None] * K + rk[None, :], state)


@case(a="f32[64x16]", out="f32[64x16]=out", length="i32=60", T=16, grid=(4, ), tolerance=1e-4)
@triton.jit
def invert_triangle(a, out, length, T: tl.constexpr):
    i = tl.arange(0, T)
    first = tl.program_id(0) * T
    at = (first + i)[:, None] * T + i[None, :]
    mask = (first + i < length)[:, None]
    v = tl.load(a + at, mask=mask, other=0.0)
    v = -tl.where(i[:, None] > i[None, :], v, 0.0)
    for row in range(1, T):
        r = tl.sum(tl.where((i == row)[:, None], v, 0.0), 0)
        r += tl.sum(r[:, None] * v, 0) * (i < row)
        v = tl.where((i == row)[:, None], r, v)
    tl.store(out + at, v + (i[:, None] == i[None, :]), mask=mask)


@case(q="f16[64x32]", k="f16[64x32]", g="f32[64x32]=-0.03", a="f32[64x64]=out", scale="f32=0.17", T=64, K=32,
      tolerance=1e-3)
@triton.jit
def gated_scores(q, k, g, a, scale, T: tl.constexpr, K: tl.constexpr):
    t = tl.arange(0, T)
    rk = tl.arange(0, K)
    at = t[:, None] * K + rk[None, :]
    decay = tl.cumsum(tl.load(g + at), axis=0)
    tq = (tl.load(q + at) * tl.exp(decay) * scale).to(tl.float16)
    tk = (tl.load(k + at) * tl.exp(-decay)).to(tl.float16)
    scores = tl.where(t[:, None] >= t[None, :], tl.dot(tq, tl.trans(tk)), 0.0)
    tl.store(a + t[:, None] * T + t[None, :], scores)


@case(x="f32[16x64]", dt="f32[16x64]=0.1", a="f32[64x16]=-0.5", b="f32[16x16]", c="f32[16x16]", y="f32[16x64]=out",
      length="i32=16", channels="i32=64", C=32, N=16, grid=(2, ), tolerance=1e-4)
@triton.jit
def selective_scan(x, dt, a, b, c, y, length, channels, C: tl.constexpr, N: tl.constexpr):
    rc = tl.program_id(0) * C + tl.arange(0, C)
    rn = tl.arange(0, N)
    ta = tl.load(a + rc[:, None] * N + rn[None, :])
    state = tl.zeros([C, N], tl.float32)
    for t in range(0, length):
        d = tl.load(dt + t * channels + rc)
        v = tl.load(x + t * channels + rc)
        state = state * tl.exp(ta * d[:, None]) + (d * v)[:, None] * tl.load(b + t * N + rn)[None, :]
        tl.store(y + t * channels + rc, tl.sum(state * tl.load(c + t * N + rn)[None, :], axis=1))
