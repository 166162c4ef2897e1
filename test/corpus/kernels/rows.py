"""Kernels whose programs process one row or a few: elementwise chains, norms, softmaxes, losses."""
import triton
import triton.language as tl
from case import case


@case(x="f32[2000]", y="f32[2000]", out="f32[2000]=out", n="i32=2000", BLOCK=1024, grid=(2, ))
@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@case(x="bf16[4096]", bias="bf16[1024]", out="bf16[4096]=out", n="i32=4096", width="i32=1024", BLOCK=1024, grid=(4, ))
@triton.jit
def bias_gelu(x, bias, out, n, width, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    v = tl.load(x + i, mask=mask).to(tl.float32) + tl.load(bias + i % width, mask=mask).to(tl.float32)
    tl.store(out + i, (0.5 * v * (1.0 + tl.erf(v * 0.70710678))).to(tl.bfloat16), mask=mask)


@case(x="f16[4x2048]", out="f16[4x1024]=out", width="i32=1024", BLOCK=1024, grid=(4, ))
@triton.jit
def silu_and_mul(x, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for begin in range(0, width, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        mask = i < width
        gate = tl.load(x + row * 2 * width + i, mask=mask, other=0.0).to(tl.float32)
        up = tl.load(x + row * 2 * width + width + i, mask=mask, other=0.0).to(tl.float32)
        tl.store(out + row * width + i, (gate * tl.sigmoid(gate) * up).to(tl.float16), mask=mask)


@case(x="f16[4x1024]", gate="f16[4x1024]", dy="f16[4x1024]", dx="f16[4x1024]=out", dgate="f16[4x1024]=out",
      width="i32=1024", BLOCK=1024, grid=(4, ))
@triton.jit
def swiglu_backward(x, gate, dy, dx, dgate, width, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0).to(tl.int64) * width + i
    mask = i < width
    g = tl.load(gate + at, mask=mask, other=0.0).to(tl.float32)
    u = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
    d = tl.load(dy + at, mask=mask, other=0.0).to(tl.float32)
    s = tl.sigmoid(g)
    tl.store(dx + at, (d * g * s).to(tl.float16), mask=mask)
    tl.store(dgate + at, (d * u * s * (1 + g * (1 - s))).to(tl.float16), mask=mask)


@case(x="f32[4x1000]", out="f32[4x1000]=out", stride="i32=1000", columns="i32=1000", BLOCK=1024, grid=(4, ))
@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(x + row * stride + i, mask=mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + i, e / tl.sum(e, axis=0), mask=mask)


@case(x="bf16[2x2000]", out="bf16[2x2000]=out", columns="i32=2000", BLOCK=512, grid=(2, ))
@triton.jit
def softmax_online(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    largest = tl.full([BLOCK], -float("inf"), tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    for begin in range(0, columns, BLOCK):
        v = tl.load(x + row * columns + begin + i, mask=begin + i < columns, other=-float("inf")).to(tl.float32)
        larger = tl.maximum(largest, v)
        total = total * tl.where(larger == -float("inf"), 1.0, tl.exp(largest - larger)) + \
            tl.where(v == -float("inf"), 0.0, tl.exp(v - larger))
        largest = larger
    m = tl.max(largest, 0)
    s = tl.sum(total * tl.exp(largest - m), 0)
    for begin in range(0, columns, BLOCK):
        mask = begin + i < columns
        v = tl.load(x + row * columns + begin + i, mask=mask).to(tl.float32)
        tl.store(out + row * columns + begin + i, (tl.exp(v - m) / s).to(tl.bfloat16), mask=mask)


@case(x="f16[2x64x64]", out="f16[2x64x64]=out", n="i32=64", scale="f32=0.125", ROWS=16, BLOCK=64, grid=(4, 2))
@triton.jit
def softmax_causal(x, out, n, scale, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    at = tl.program_id(1) * n * n + r * n + c
    mask = (r < n) & (c < n)
    v = tl.load(x + at, mask=mask & (c <= r), other=-float("inf")).to(tl.float32) * scale
    e = tl.exp(v - tl.max(v, axis=1)[:, None])
    tl.store(out + at, (e / tl.sum(e, axis=1)[:, None]).to(tl.float16), mask=mask)


@case(x="f32[4x1000]", out="f32[4x1000]=out", columns="i32=1000", BLOCK=1024, warps=8, grid=(4, ))
@triton.jit
def log_softmax(x, out, columns, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + i
    mask = i < columns
    v = tl.load(x + at, mask=mask, other=-float("inf"))
    v -= tl.max(v, axis=0)
    tl.store(out + at, v - tl.log(tl.sum(tl.exp(v), axis=0)), mask=mask)


@case(x="f16[2x2000]", w="f16[2000]", b="f16[2000]", out="f16[2x2000]=out", mean_out="f32[2]=out",
      rstd_out="f32[2]=out", columns="i32=2000", epsilon="f32=0.00001", BLOCK=1024, grid=(2, ))
@triton.jit
def layer_norm(x, w, b, out, mean_out, rstd_out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * columns
    out += row * columns
    i = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for begin in range(0, columns, BLOCK):
        total += tl.load(x + begin + i, mask=begin + i < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for begin in range(0, columns, BLOCK):
        v = tl.load(x + begin + i, mask=begin + i < columns, other=0.0).to(tl.float32)
        v = tl.where(begin + i < columns, v - mean, 0.0)
        squares += v * v
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    tl.store(mean_out + row, mean)
    tl.store(rstd_out + row, rstd)
    for begin in range(0, columns, BLOCK):
        mask = begin + i < columns
        v = (tl.load(x + begin + i, mask=mask, other=0.0).to(tl.float32) - mean) * rstd
        tl.store(out + begin + i, v * tl.load(w + begin + i, mask=mask) + tl.load(b + begin + i, mask=mask), mask=mask)


@case(x="f32[4x512]", dy="f32[4x512]", w="f32[512]", mean="f32[4]", rstd="f32[4]=1.5", dx="f32[4x512]=out",
      dw="f32[2x512]=out", db="f32[2x512]=out", columns="i32=512", rows="i32=2", BLOCK=512, grid=(2, ), tolerance=1e-4)
@triton.jit
def layer_norm_backward(x, dy, w, mean, rstd, dx, dw, db, columns, rows, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    g = tl.load(w + i, mask=mask, other=0.0)
    sum_w = tl.zeros([BLOCK], tl.float32)
    sum_b = tl.zeros([BLOCK], tl.float32)
    for row in range(program * rows, (program + 1) * rows):
        v = tl.load(x + row * columns + i, mask=mask, other=0.0)
        d = tl.load(dy + row * columns + i, mask=mask, other=0.0)
        r = tl.load(rstd + row)
        hat = (v - tl.load(mean + row)) * r
        wd = g * d
        c1 = tl.sum(hat * wd, axis=0) / columns
        c2 = tl.sum(wd, axis=0) / columns
        tl.store(dx + row * columns + i, (wd - (hat * c1 + c2)) * r, mask=mask)
        sum_w += d * hat
        sum_b += d
    tl.store(dw + program * columns + i, sum_w, mask=mask)
    tl.store(db + program * columns + i, sum_b, mask=mask)


@case(x="bf16[4x1024]", residual="bf16[4x1024]=inout", w="bf16[1024]", out="bf16[4x1024]=out", columns="i32=1024",
      epsilon="f32=0.00001", BLOCK=1024, grid=(4, ))
@triton.jit
def add_rms_norm(x, residual, w, out, columns, epsilon, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + i
    mask = i < columns
    v = tl.load(x + at, mask=mask, other=0.0).to(tl.float32) + tl.load(residual + at, mask=mask, other=0.0).to(
        tl.float32)
    tl.store(residual + at, v.to(tl.bfloat16), mask=mask)
    rstd = tl.rsqrt(tl.sum(v * v, axis=0) / columns + epsilon)
    tl.store(out + at, (v * rstd * tl.load(w + i, mask=mask).to(tl.float32)).to(tl.bfloat16), mask=mask)


@case(x="f16[64x128]", w="f16[128]", out="f16[64x128]=out", rows="i32=60", ROWS=32, D=128, grid=(2, ))
@triton.jit
def rms_norm_heads(x, w, out, rows, ROWS: tl.constexpr, D: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, D)[None, :]
    v = tl.load(x + r * D + c, mask=r < rows, other=0.0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(v * v, axis=1) / D + 1e-6)
    tl.store(out + r * D + c, (v * rstd[:, None] * tl.load(w + c)).to(tl.float16), mask=r < rows)


@case(x="f32[2x8x256]", w="f32[8]", b="f32[8]", out="f32[2x8x256]=out", pixels="i32=250", stride="i32=256", CHANNELS=4,
      BLOCK=256, grid=(2, 2))
@triton.jit
def group_norm(x, w, b, out, pixels, stride, CHANNELS: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0) * CHANNELS + tl.arange(0, CHANNELS)
    p = tl.arange(0, BLOCK)
    at = (tl.program_id(1) * tl.num_programs(0) * CHANNELS + channel)[:, None] * stride + p[None, :]
    mask = (p < pixels)[None, :]
    v = tl.load(x + at, mask=mask, other=0.0)
    count = pixels * CHANNELS
    mean = tl.sum(v) / count
    d = tl.where(mask, v - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d) / count + 1e-5)
    tl.store(out + at, d * rstd * tl.load(w + channel)[:, None] + tl.load(b + channel)[:, None], mask=mask)


@case(x="f32[4x256]", out="f32[4x256]=out", columns="i32=256", BLOCK=256, warps=1, grid=(4, ))
@triton.jit
def l2_norm(x, out, columns, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + i
    v = tl.load(x + at, mask=i < columns, other=0.0)
    tl.store(out + at, v / tl.maximum(tl.sqrt(tl.sum(v * v)), 1e-12), mask=i < columns)


@case(x="bf16[4x1000]", q="i8[4x1000]=out", scales="f32[4]=out", columns="i32=1000", BLOCK=1024, grid=(4, ))
@triton.jit
def quantize_rows(x, q, scales, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(x + row * columns + i, mask=mask, other=0.0).to(tl.float32)
    scale = tl.max(tl.abs(v)) / 127.0
    tl.store(scales + row, scale)
    tl.store(q + row * columns + i, tl.floor(v / scale + 0.5).to(tl.int8), mask=mask)


@case(logits="f32[4x3000]", labels="i64[4]=<3000", loss="f32[4]=out", lse_out="f32[4]=out", columns="i32=3000",
      BLOCK=1024, smoothing="f32=0.1", grid=(4, ))
@triton.jit
def cross_entropy(logits, labels, loss, lse_out, columns, smoothing, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    logits += row.to(tl.int64) * columns
    label = tl.load(labels + row)
    m = -float("inf")
    s = 0.0
    total = 0.0
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(logits + i, mask=i < columns, other=-float("inf"))
        total += tl.sum(tl.where(i < columns, v, 0.0))
        larger = tl.maximum(m, tl.max(v))
        s = s * tl.exp(m - larger) + tl.sum(tl.exp(v - larger))
        m = larger
    lse = m + tl.log(s)
    tl.store(lse_out + row, lse)
    tl.store(loss + row, lse - (1 - smoothing) * tl.load(logits + label) - smoothing * total / columns)


@case(logits="bf16[2x3000]=inout", labels="i64[2]=<3000", lse="f32[2]=8", columns="i32=3000", scale="f32=0.5",
      BLOCK=1024, warps=8, grid=(2, ))
@triton.jit
def cross_entropy_backward(logits, labels, lse, columns, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    total = tl.load(lse + row)
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(logits + row * columns + i, mask=i < columns, other=0.0).to(tl.float32)
        d = tl.exp(v - total) - tl.where(i == label, 1.0, 0.0)
        tl.store(logits + row * columns + i, (d * scale).to(tl.bfloat16), mask=i < columns)


@case(p="f32[1000]=inout", g="f32[1000]", m="f32[1000]=inout", v="f32[1000]=inout:0.25", n="i32=1000", lr="f32=0.01",
      beta1="f32=0.9", beta2="f32=0.999", epsilon="f32=1e-8", decay="f32=0.1", BLOCK=1024)
@triton.jit
def adamw(p, g, m, v, n, lr, beta1, beta2, epsilon, decay, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    w = tl.load(p + i, mask=mask)
    d = tl.load(g + i, mask=mask)
    first = beta1 * tl.load(m + i, mask=mask) + (1 - beta1) * d
    second = beta2 * tl.load(v + i, mask=mask) + (1 - beta2) * d * d
    tl.store(m + i, first, mask=mask)
    tl.store(v + i, second, mask=mask)
    tl.store(p + i, w * (1 - lr * decay) - lr * first / (tl.sqrt(second) + epsilon), mask=mask)


@case(x="f32[3000]", out="f32[3000]=out", n="i32=3000", p="f32=0.3", seed="i32=77", BLOCK=1024, grid=(3, ))
@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    keep = tl.rand(seed, i) > p
    tl.store(out + i, tl.where(keep, tl.load(x + i, mask=mask) / (1 - p), 0.0), mask=mask)


@case(x="f32[4x500]", out="i32[4]=out", columns="i32=500", temperature="f32=0.7", seed="i32=5", BLOCK=512, grid=(4, ))
@triton.jit
def sample_gumbel(x, out, columns, temperature, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf")) / temperature
    u = tl.rand(seed + row, i)
    tl.store(out + row, tl.argmax(v - tl.log(-tl.log(u + 1e-20) + 1e-20), axis=0))


@case(x="f16[4x16x64]=inout", cosine="f32[4x32]", sine="f32[4x32]", heads="i32=16", HEADS=16, HALF=32, grid=(4, ))
@triton.jit
def rope(x, cosine, sine, heads, HEADS: tl.constexpr, HALF: tl.constexpr):
    token = tl.program_id(0)
    d = tl.arange(0, HALF)
    h = tl.arange(0, HEADS)[:, None]
    c = tl.load(cosine + token * HALF + d)[None, :]
    s = tl.load(sine + token * HALF + d)[None, :]
    at = token * heads * 2 * HALF + h * 2 * HALF + d[None, :]
    low = tl.load(x + at, mask=h < heads).to(tl.float32)
    high = tl.load(x + at + HALF, mask=h < heads).to(tl.float32)
    tl.store(x + at, (low * c - high * s).to(tl.float16), mask=h < heads)
    tl.store(x + at + HALF, (high * c + low * s).to(tl.float16), mask=h < heads)


@case(x="bf16[8x128]", cosine="f32[8x64]", sine="f32[8x64]", out="bf16[8x128]=out", ROWS=8, D=128)
@triton.jit
def rope_interleaved(x, cosine, sine, out, ROWS: tl.constexpr, D: tl.constexpr):
    r = tl.arange(0, ROWS)[:, None]
    d = tl.arange(0, D)[None, :]
    half = tl.arange(0, D // 2)[None, :]
    even, odd = tl.split(tl.load(x + r * D + d).to(tl.float32).reshape(ROWS, D // 2, 2))
    c = tl.load(cosine + r * (D // 2) + half)
    s = tl.load(sine + r * (D // 2) + half)
    turned = tl.join(even * c - odd * s, even * s + odd * c).reshape(ROWS, D)
    tl.store(out + r * D + d, turned.to(tl.bfloat16))


@case(x="f32[4096]", y="f32[4096]=out", n="i32=4096")
@triton.jit
def copy_loop(x, y, n):
    r = tl.arange(0, 512)
    for i in range(0, n, 512):
        tl.store(y + i + r, tl.load(x + i + r))


@case(mean_student="f32[4x1000]", target="f32[4x1000]", loss="f32[4]=out", columns="i32=1000", beta="f32=0.5",
      BLOCK=1024, grid=(4, ), tolerance=1e-4)
@triton.jit
def jensen_shannon(mean_student, target, loss, columns, beta, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    s = tl.load(mean_student + row * columns + i, mask=mask, other=-float("inf"))
    t = tl.load(target + row * columns + i, mask=mask, other=-float("inf"))
    p = tl.exp(s)
    q = tl.exp(t)
    m = beta * p + (1 - beta) * q
    logm = tl.log(m)
    terms = beta * p * (s - logm) + (1 - beta) * q * (t - logm)
    tl.store(loss + row, tl.sum(tl.where(mask, terms, 0.0)))
