"""The kernels of tutorials.tt.cpp in Triton, line by line."""
import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, a_m, a_k, b_k, b_n, c_m, c_n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm, pn = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), 8)
    m, n, k = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN), tl.arange(0, BK)
    pa = a + (m[:, None] * a_m + k[None, :] * a_k)
    pb = b + (k[:, None] * b_k + n[None, :] * b_n)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, K, BK):
        x = tl.load(pa, mask=(m < M)[:, None] & (k[None, :] < K - i), other=0.0)
        y = tl.load(pb, mask=(k[:, None] < K - i) & (n < N)[None, :], other=0.0)
        acc = tl.dot(x, y, acc)
        pa += BK * a_k
        pb += BK * b_k
    tl.store(c + (m[:, None] * c_m + n[None, :] * c_n), acc.to(tl.bfloat16), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def linear_gelu(a, w, bias, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, K, BK):
        k = i + tl.arange(0, BK)
        x = tl.load(a + (m[:, None] * K + k[None, :]), mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        y = tl.load(w + (n[None, :] * K + k[:, None]), mask=(k < K)[:, None] & (n < N)[None, :], other=0.0)
        acc = tl.dot(x, y, acc)
    acc += tl.load(bias + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    acc = acc * 0.5 * (1.0 + tl.erf(acc * 0.70710678))
    tl.store(c + (m[:, None] * N + n[None, :]), acc.to(tl.bfloat16), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def softmax(x, out, x_row, out_row, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * x_row + i, mask=i < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * out_row + i, (e / tl.sum(e, 0)).to(tl.bfloat16), mask=i < columns)


@triton.jit
def add_rms_norm(x, residual, w, out, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    i = tl.arange(0, BLOCK)
    mask = i < columns
    total = tl.load(x + row + i, mask=mask, other=0.0).to(tl.float32) + tl.load(residual + row + i, mask=mask, other=0.0).to(tl.float32)
    tl.store(residual + row + i, total.to(tl.bfloat16), mask=mask)
    scale = tl.rsqrt(tl.sum(total * total, 0) / columns + epsilon)
    tl.store(out + row + i, (total * scale * tl.load(w + i, mask=mask, other=0.0).to(tl.float32)).to(tl.bfloat16), mask=mask)


@triton.jit
def layer_norm_backward(dy, x, w, mean, rstd, dx, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    g = tl.load(dy + row * columns + i, mask=mask, other=0.0).to(tl.float32) * tl.load(w + i, mask=mask, other=0.0).to(tl.float32)
    r = tl.load(rstd + row)
    normal = tl.where(mask, (tl.load(x + row * columns + i, mask=mask, other=0.0).to(tl.float32) - tl.load(mean + row)) * r, 0.0)
    c1 = tl.sum(normal * g, 0) / columns
    c2 = tl.sum(g, 0) / columns
    tl.store(dx + row * columns + i, ((g - (normal * c1 + c2)) * r).to(tl.bfloat16), mask=mask)


@triton.jit
def rope(x, cosines, sines, heads, HEADS: tl.constexpr, HALF: tl.constexpr):
    token = tl.program_id(0)
    h, d = tl.arange(0, HEADS), tl.arange(0, HALF)
    c = tl.load(cosines + token * HALF + d)[None, :]
    s = tl.load(sines + token * HALF + d)[None, :]
    first = x + ((token * heads + h[:, None]) * (2 * HALF) + d[None, :])
    mask = (h < heads)[:, None]
    a = tl.load(first, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(first + HALF, mask=mask, other=0.0).to(tl.float32)
    tl.store(first, (a * c - b * s).to(tl.bfloat16), mask=mask)
    tl.store(first + HALF, (b * c + a * s).to(tl.bfloat16), mask=mask)


@triton.jit
def silu_and_mul(x, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    gate = tl.load(x + row * 2 * width + i, mask=i < width, other=0.0).to(tl.float32)
    up = tl.load(x + row * 2 * width + width + i, mask=i < width, other=0.0).to(tl.float32)
    tl.store(out + row * width + i, (gate * tl.sigmoid(gate) * up).to(tl.bfloat16), mask=i < width)


@triton.jit
def cross_entropy(logits, labels, loss, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    largest = -float("inf")
    total = 0.0
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(logits + row * columns + i, mask=i < columns, other=-float("inf")).to(tl.float32)
        after = tl.maximum(largest, tl.max(v, 0))
        total = total * tl.exp(largest - after) + tl.sum(tl.exp(v - after), 0)
        largest = after
    chosen = tl.load(logits + row * columns + tl.load(labels + row)).to(tl.float32)
    tl.store(loss + row, tl.log(total) + largest - chosen)


@triton.jit
def embedding(tokens, table, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    token = tl.load(tokens + row)
    i = tl.arange(0, BLOCK)
    tl.store(out + row * columns + i, tl.load(table + token * columns + i, mask=i < columns), mask=i < columns)


@triton.jit
def quantize_rows(x, out, scales, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=0.0).to(tl.float32)
    scale = tl.max(tl.abs(v), 0) / 127.0 + 1e-12
    tl.store(out + row * columns + i, tl.extra.cuda.libdevice.rint(v / scale).to(tl.int8), mask=i < columns)
    tl.store(scales + row, scale)


@triton.jit
def transpose(x, out, M, N, x_m, x_n, out_n, out_m, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (m < M)[:, None] & (n < N)[None, :]
    v = tl.load(x + (m[:, None] * x_m + n[None, :] * x_n), mask=mask)
    tl.store(out + (n[None, :] * out_n + m[:, None] * out_m), v, mask=mask)


@triton.jit
def cumulative_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    tl.store(out + row * columns + i, tl.cumsum(tl.load(x + row * columns + i, mask=i < columns, other=0.0), 0), mask=i < columns)


@triton.jit
def argmax_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf")).to(tl.float32)
    tl.store(out + row, tl.argmax(v, 0).to(tl.int64))


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(out + i, tl.where(tl.rand(seed, i) > p, v / (1 - p), 0.0).to(tl.bfloat16), mask=i < n)


@triton.jit
def int8_vector(x, w, scales, y, N, K, BN: tl.constexpr, BK: tl.constexpr):
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BN, BK), dtype=tl.float32)
    for begin in range(0, K, BK):
        k = begin + tl.arange(0, BK)
        weights = tl.load(w + (n[:, None] * K + k[None, :]), mask=(n < N)[:, None] & (k < K)[None, :], other=0)
        acc += weights.to(tl.float32) * tl.load(x + k, mask=k < K, other=0.0).to(tl.float32)[None, :]
    tl.store(y + n, (tl.sum(acc, 1) * tl.load(scales + n, mask=n < N, other=0.0)).to(tl.bfloat16), mask=n < N)


@triton.jit
def causal_conv(x, w, out, length, channels, BT: tl.constexpr, BC: tl.constexpr):
    t, c = tl.program_id(0) * BT + tl.arange(0, BT), tl.program_id(1) * BC + tl.arange(0, BC)
    base = tl.program_id(2).to(tl.int64) * length * channels
    acc = tl.zeros((BT, BC), dtype=tl.float32)
    for tap in range(4):
        at = t - 3 + tap
        v = tl.load(x + base + (at[:, None] * channels + c[None, :]), mask=((at >= 0) & (at < length))[:, None] & (c < channels)[None, :],
                    other=0.0)
        acc += v.to(tl.float32) * tl.load(w + c * 4 + tap, mask=c < channels, other=0.0)[None, :]
    tl.store(out + base + (t[:, None] * channels + c[None, :]), (acc * tl.sigmoid(acc)).to(tl.bfloat16),
             mask=(t < length)[:, None] & (c < channels)[None, :])


@triton.jit
def write_cache(keys, cache, slots, columns, BLOCK: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slots + token)
    i = tl.arange(0, BLOCK)
    if slot >= 0:
        tl.store(cache + slot * columns + i, tl.load(keys + token * columns + i, mask=i < columns), mask=i < columns)


@triton.jit
def decode(q, keys, values, pages, lengths, out, heads, most, scale, GROUP: tl.constexpr, PAGE: tl.constexpr, D: tl.constexpr):
    batch, head = tl.program_id(0), tl.program_id(1)
    length = tl.load(lengths + batch)
    g, d, n = tl.arange(0, GROUP), tl.arange(0, D), tl.arange(0, PAGE)
    rows = (batch * heads + head) * (GROUP * D) + (g[:, None] * D + d[None, :])
    query = tl.load(q + rows)
    largest = tl.full((GROUP,), -float("inf"), tl.float32)
    total = tl.zeros((GROUP,), tl.float32)
    acc = tl.zeros((GROUP, D), tl.float32)
    for begin in range(0, length, PAGE):
        page = tl.load(pages + batch * most + begin // PAGE).to(tl.int64)
        base = (page * heads + head) * (PAGE * D)
        k = tl.load(keys + base + (n[None, :] * D + d[:, None]))
        scores = tl.where((begin + n < length)[None, :], tl.dot(query, k) * scale, -float("inf"))
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - after[:, None])
        shrink = tl.exp2(largest - after)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(values + base + (n[:, None] * D + d[None, :]))
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None])
        largest = after
    tl.store(out + rows, (acc / total[:, None]).to(tl.bfloat16))


@triton.jit
def group_norm(x, w, b, out, groups, size, pixels, epsilon, BLOCK: tl.constexpr):
    base = tl.program_id(0).to(tl.int64) * size
    channel = tl.program_id(0) % groups * (size // pixels)
    i = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for begin in range(0, size, BLOCK):
        v = tl.load(x + base + begin + i, mask=begin + i < size, other=0.0).to(tl.float32)
        total += v
        squares += v * v
    mean = tl.sum(total, 0) / size
    scale = tl.rsqrt(tl.sum(squares, 0) / size - mean * mean + epsilon)
    for begin in range(0, size, BLOCK):
        at = begin + i
        mask = at < size
        c = channel + at // pixels
        v = tl.load(x + base + at, mask=mask, other=0.0).to(tl.float32)
        y = (v - mean) * scale * tl.load(w + c, mask=mask, other=0.0).to(tl.float32) + tl.load(b + c, mask=mask, other=0.0).to(tl.float32)
        tl.store(out + base + at, y.to(tl.bfloat16), mask=mask)


@triton.jit
def scatter_add(src, index, dst, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    to = tl.load(index + row)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(dst + to * columns + i, tl.load(src + row * columns + i, mask=i < columns, other=0.0), mask=i < columns)
