"""Kernels with more live tiles than registers hold."""
import triton
import triton.language as tl
from case import case


@case(x="f32[64x128]", dy="f32[64x128]", w="f32[128]", mean="f32[64]", rstd="f32[64]=0.5", gate="f32[64x128]",
      residual="f32[64x128]", dx="f32[64x128]=out", dgate="f32[64x128]=out", dres="f32[64x128]=out", M=64, N=128,
      tolerance=1e-4)
@triton.jit
def norm_gate_backward(x, dy, w, mean, rstd, gate, residual, dx, dgate, dres, M: tl.constexpr, N: tl.constexpr):
    rm = tl.program_id(0) * M + tl.arange(0, M)
    rn = tl.arange(0, N)
    at = rm[:, None] * N + rn[None, :]
    tx = tl.load(x + at)
    tdy = tl.load(dy + at)
    tg = tl.load(gate + at)
    tr = tl.load(residual + at)
    mu = tl.load(mean + rm)[:, None]
    rs = tl.load(rstd + rm)[:, None]
    tw = tl.load(w + rn)[None, :]
    xhat = (tx - mu) * rs
    sig = tl.sigmoid(tg)
    normed = xhat * tw
    dnormed = tdy * sig * tg
    dg = tdy * normed * sig * (1 + tg * (1 - sig))
    c1 = tl.sum(dnormed * tw * xhat, 1) / N
    c2 = tl.sum(dnormed * tw, 1) / N
    d = (dnormed * tw - c1[:, None] * xhat - c2[:, None]) * rs
    tl.store(dx + at, d + tr)
    tl.store(dgate + at, dg)
    tl.store(dres + at, tr * tl.sum(d * tr, 1)[:, None])


@case(q="bf16[128x64]", k="bf16[128x64]", v="bf16[128x128]", g="f32[128]=-0.05", o="f32[128x128]=out",
      h="f32[64x128]=out", z="f32[64x128]=out", length="i32=128", T=32, K=64, V=128, tolerance=2e-2)
@triton.jit
def linear_attention_two_states(q, k, v, g, o, h, z, length, T: tl.constexpr, K: tl.constexpr, V: tl.constexpr):
    t = tl.arange(0, T)
    rk = tl.arange(0, K)
    rv = tl.arange(0, V)
    fast = tl.zeros([K, V], tl.float32)
    slow = tl.zeros([K, V], tl.float32)
    for begin in range(0, length, T):
        rt = begin + t
        tq = tl.load(q + rt[:, None] * K + rk[None, :])
        tk = tl.load(k + rt[:, None] * K + rk[None, :])
        tv = tl.load(v + rt[:, None] * V + rv[None, :])
        decay = tl.cumsum(tl.load(g + rt), 0)
        last = tl.sum(tl.load(g + rt), 0)
        scores = tl.dot(tq, tl.trans(tk))
        scores = tl.where(t[:, None] >= t[None, :], scores * tl.exp(decay[:, None] - decay[None, :]), 0.0)
        out = tl.dot(scores.to(tl.bfloat16), tv)
        out += tl.dot(tq, fast.to(tl.bfloat16)) * tl.exp(decay)[:, None]
        out += tl.dot(tq, slow.to(tl.bfloat16))
        tl.store(o + rt[:, None] * V + rv[None, :], out)
        weighted = (tv * tl.exp(last - decay)[:, None]).to(tl.bfloat16)
        fast = fast * tl.exp(last) + tl.dot(tl.trans(tk), weighted)
        slow = slow * 0.99 + tl.dot(tl.trans(tk), tv)
    tl.store(h + rk[:, None] * V + rv[None, :], fast)
    tl.store(z + rk[:, None] * V + rv[None, :], slow)
