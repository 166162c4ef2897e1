"""The kernels of unseen.tt.cpp in Triton, line by line."""
import triton
import triton.language as tl

INFINITY = tl.constexpr(float("inf"))


@triton.jit
def selective_scan(x, dt, a, b, c, d, out, length, channels, BC: tl.constexpr, STATES: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * length
    i, s = tl.program_id(1) * BC + tl.arange(0, BC), tl.arange(0, STATES)
    mask = i < channels
    rates = tl.load(a + (i[:, None] * STATES + s[None, :]), mask=mask[:, None], other=0.0)
    skip = tl.load(d + i, mask=mask, other=0.0)
    state = tl.zeros((BC, STATES), tl.float32)
    for t in range(length):
        step = tl.load(dt + (first + t) * channels + i, mask=mask, other=0.0).to(tl.float32)
        step = tl.where(step > 20, step, tl.log(1 + tl.exp(step)))
        v = tl.load(x + (first + t) * channels + i, mask=mask, other=0.0).to(tl.float32)
        within = tl.load(b + (first + t) * STATES + s).to(tl.float32)
        read = tl.load(c + (first + t) * STATES + s).to(tl.float32)
        state = tl.exp(rates * step[:, None]) * state + (step * v)[:, None] * within[None, :]
        y = tl.sum(state * read[None, :], 1) + skip * v
        tl.store(out + (first + t) * channels + i, y.to(tl.bfloat16), mask=mask)


@triton.jit
def rwkv(k, v, w, u, out, length, channels, BC: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * length
    i = tl.program_id(1) * BC + tl.arange(0, BC)
    mask = i < channels
    decay, bonus = tl.load(w + i, mask=mask, other=0.0), tl.load(u + i, mask=mask, other=0.0)
    numerator, denominator = tl.zeros((BC,), tl.float32), tl.zeros((BC,), tl.float32)
    largest = tl.full((BC,), -1e30, tl.float32)
    for t in range(length):
        key = tl.load(k + (first + t) * channels + i, mask=mask, other=0.0).to(tl.float32)
        value = tl.load(v + (first + t) * channels + i, mask=mask, other=0.0).to(tl.float32)
        after = tl.maximum(largest, bonus + key)
        past, now = tl.exp(largest - after), tl.exp(bonus + key - after)
        y = (past * numerator + now * value) / (past * denominator + now)
        tl.store(out + (first + t) * channels + i, y.to(tl.bfloat16), mask=mask)
        after = tl.maximum(largest - decay, key)
        past, now = tl.exp(largest - decay - after), tl.exp(key - after)
        numerator = past * numerator + now * value
        denominator = past * denominator + now
        largest = after


@triton.jit
def retention(q, k, v, log_decay, out, length, width, scale, CHUNK: tl.constexpr, DK: tl.constexpr, DV: tl.constexpr):
    head = tl.program_id(0)
    g = tl.load(log_decay + head)
    i, dk, dv = tl.arange(0, CHUNK), tl.arange(0, DK), tl.program_id(1) * DV + tl.arange(0, DV)
    within = tl.where(i[:, None] >= i[None, :], tl.exp2((i[:, None] - i[None, :]).to(tl.float32) * g), 0.0)
    since_start, to_end = tl.exp2((i + 1).to(tl.float32) * g), tl.exp2((CHUNK - 1 - i).to(tl.float32) * g)
    whole = tl.exp2(CHUNK * g)
    q += head.to(tl.int64) * length * DK
    k += head.to(tl.int64) * length * DK
    v += head.to(tl.int64) * length * width
    out += head.to(tl.int64) * length * width
    state = tl.zeros((DK, DV), tl.float32)
    for begin in range(0, length, CHUNK):
        rows = begin + i
        mask = rows < length
        queries = tl.load(q + (rows[:, None] * DK + dk[None, :]), mask=mask[:, None], other=0.0)
        keys = tl.load(k + (rows[None, :] * DK + dk[:, None]), mask=mask[None, :], other=0.0)
        values = tl.load(v + (rows[:, None] * width + dv[None, :]), mask=mask[:, None], other=0.0)
        scores = tl.dot(queries, keys) * within
        y = tl.dot(queries, state.to(tl.bfloat16)) * since_start[:, None]
        y = tl.dot(scores.to(tl.bfloat16), values, y)
        state = tl.dot(keys, (values.to(tl.float32) * to_end[:, None]).to(tl.bfloat16), state * whole)
        tl.store(out + (rows[:, None] * width + dv[None, :]), (y * scale).to(tl.bfloat16), mask=mask[:, None])


@triton.jit
def solve_lower(a, out, heads, N: tl.constexpr):
    first = (tl.program_id(0).to(tl.int64) * N * heads + tl.program_id(1)) * N
    i = tl.arange(0, N)
    at = i[:, None] * (heads * N) + i[None, :]
    inverse = -tl.where(i[:, None] > i[None, :], tl.load(a + first + at), 0.0)
    for r in range(1, N):
        row = tl.where(i < r, -tl.load(a + first + r * heads * N + i), 0.0)
        row += tl.sum(row[:, None] * inverse, 0)
        inverse = tl.where((i == r)[:, None], row[None, :], inverse)
    tl.store(out + first + at, inverse + (i[:, None] == i[None, :]).to(tl.float32))


@triton.jit
def int4_matmul(a, w, scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for begin in range(0, K, BK):
        k = begin + tl.arange(0, BK)
        x = tl.load(a + (m[:, None] * K + k[None, :]), mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        words = tl.load(w + ((k // 8)[:, None] * N + n[None, :]), mask=(k < K)[:, None] & (n < N)[None, :], other=0)
        scale = tl.load(scales + begin // GROUP * N + n, mask=n < N, other=0.0)
        digits = (words >> (k % 8 * 4)[:, None]) & 15
        acc = tl.dot(x, (digits - 8).to(tl.bfloat16) * scale[None, :], acc)
    tl.store(c + (m[:, None] * N + n[None, :]), acc.to(tl.bfloat16), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def fp8_blocks(a, a_scales, b, b_scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    blocks = tl.cdiv(K, 128)
    acc = tl.zeros((BM, BN), tl.float32)
    for block in range(blocks):
        k = block * 128 + tl.arange(0, 128)
        x = tl.load(a + (m[:, None] * K + k[None, :]), mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        y = tl.load(b + (n[None, :] * K + k[:, None]), mask=(n < N)[None, :] & (k < K)[:, None], other=0.0)
        x_scale = tl.load(a_scales + m * blocks + block, mask=m < M, other=0.0)
        y_scale = tl.load(b_scales + n // 128 * blocks + block, mask=n < N, other=0.0)
        acc += tl.dot(x, y) * x_scale[:, None] * y_scale[None, :]
    tl.store(c + (m[:, None] * N + n[None, :]), acc.to(tl.bfloat16), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def experts(x, w, out, numbers, expert_of, padded, pairs, choices, N, K, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr):
    block = tl.program_id(0)
    if block * BM >= tl.load(padded):
        return
    pair = tl.load(numbers + block * BM + tl.arange(0, BM))
    n, k = tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    expert = tl.load(expert_of + block).to(tl.int64)
    px = x + ((pair // choices)[:, None] * K + k[None, :])
    pw = w + expert * N * K + (n[None, :] * K + k[:, None])
    acc = tl.zeros((BM, BN), tl.float32)
    for begin in range(0, K, BK):
        rows = tl.load(px, mask=(pair < pairs)[:, None] & (k[None, :] < K - begin), other=0.0)
        columns = tl.load(pw, mask=(n < N)[None, :] & (k[:, None] < K - begin), other=0.0)
        acc = tl.dot(rows, columns, acc)
        px += BK
        pw += BK
    tl.store(out + (pair[:, None] * N + n[None, :]), acc.to(tl.bfloat16), mask=(pair < pairs)[:, None] & (n < N)[None, :])


@triton.jit
def small_products(a, b, c, S: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * (S * S)
    i = tl.arange(0, S)
    at = i[:, None] * S + i[None, :]
    tl.store(c + first + at, tl.dot(tl.load(a + first + at), tl.load(b + first + at)).to(tl.bfloat16))


@triton.jit
def swiglu(a, w, v, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    gate, up = tl.zeros((BM, BN), tl.float32), tl.zeros((BM, BN), tl.float32)
    for begin in range(0, K, BK):
        k = begin + tl.arange(0, BK)
        mask = (k < K)[:, None] & (n < N)[None, :]
        x = tl.load(a + (m[:, None] * K + k[None, :]), mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        gate = tl.dot(x, tl.load(w + (k[:, None] * N + n[None, :]), mask=mask, other=0.0), gate)
        up = tl.dot(x, tl.load(v + (k[:, None] * N + n[None, :]), mask=mask, other=0.0), up)
    tl.store(c + (m[:, None] * N + n[None, :]), (gate * tl.sigmoid(gate) * up).to(tl.bfloat16),
             mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def int8_scaled(a, b, row_scales, column_scales, bias, residual, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                BK: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.int32)
    for begin in range(0, K, BK):
        k = begin + tl.arange(0, BK)
        x = tl.load(a + (m[:, None] * K + k[None, :]), mask=(m < M)[:, None] & (k < K)[None, :], other=0)
        y = tl.load(b + (n[None, :] * K + k[:, None]), mask=(n < N)[None, :] & (k < K)[:, None], other=0)
        acc = tl.dot(x, y, acc, out_dtype=tl.int32)
    mask = (m < M)[:, None] & (n < N)[None, :]
    at = m[:, None] * N + n[None, :]
    y = acc.to(tl.float32) * tl.load(row_scales + m, mask=m < M, other=0.0)[:, None] * tl.load(
        column_scales + n, mask=n < N, other=0.0)[None, :]
    y += tl.load(bias + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    y += tl.load(residual + at, mask=mask, other=0.0).to(tl.float32)
    tl.store(c + at, y.to(tl.bfloat16), mask=mask)


@triton.jit
def attention_bias(q, k, v, bias, out, heads, length, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * length * D
    bias_base = (tl.program_id(1) % heads).to(tl.int64) * length * length
    m, d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    rows = m[:, None] * D + d[None, :]
    queries = tl.load(q + base + rows, mask=(m < length)[:, None], other=0.0)
    largest, total = tl.full((BM,), -INFINITY, tl.float32), tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for begin in range(0, length, BN):
        n = begin + tl.arange(0, BN)
        keys = tl.load(k + base + (n[None, :] * D + d[:, None]), mask=(n < length)[None, :], other=0.0)
        extra = tl.load(bias + bias_base + (m[:, None] * length + n[None, :]), mask=(m < length)[:, None] & (n < length)[None, :],
                        other=0.0)
        scores = tl.dot(queries, keys) * scale + extra.to(tl.float32)
        scores = tl.where((n < length)[None, :], scores, -INFINITY)
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp(scores - after[:, None])
        shrink = tl.exp(largest - after)
        total = total * shrink + tl.sum(p, 1)
        values = tl.load(v + base + (n[:, None] * D + d[None, :]), mask=(n < length)[:, None], other=0.0)
        acc = tl.dot(p.to(tl.bfloat16), values, acc * shrink[:, None])
        largest = after
    tl.store(out + base + rows, (acc / total[:, None]).to(tl.bfloat16), mask=(m < length)[:, None])


@triton.jit
def attention_varlen(q, k, v, out, starts, heads, shared, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head, sequence = tl.program_id(1), tl.program_id(2)
    start = tl.load(starts + sequence)
    length = tl.load(starts + sequence + 1) - start
    if tl.program_id(0) * BM >= length:
        return
    key_heads = heads // shared
    q += (start.to(tl.int64) * heads + head) * D
    out += (start.to(tl.int64) * heads + head) * D
    k += (start.to(tl.int64) * key_heads + head // shared) * D
    v += (start.to(tl.int64) * key_heads + head // shared) * D
    m, d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    rows = m[:, None] * (heads * D) + d[None, :]
    queries = tl.load(q + rows, mask=(m < length)[:, None], other=0.0)
    largest, total = tl.full((BM,), -INFINITY, tl.float32), tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    end = tl.minimum(length, (tl.program_id(0) + 1) * BM)
    for begin in range(0, end, BN):
        n = begin + tl.arange(0, BN)
        keys = tl.load(k + (n[None, :] * (key_heads * D) + d[:, None]), mask=(n < length)[None, :], other=0.0)
        scores = tl.dot(queries, keys) * scale
        scores = tl.where((m[:, None] >= n[None, :]) & (n < length)[None, :], scores, -INFINITY)
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - after[:, None])
        shrink = tl.exp2(largest - after)
        total = total * shrink + tl.sum(p, 1)
        values = tl.load(v + (n[:, None] * (key_heads * D) + d[None, :]), mask=(n < length)[:, None], other=0.0)
        acc = tl.dot(p.to(tl.bfloat16), values, acc * shrink[:, None])
        largest = after
    tl.store(out + rows, (acc / total[:, None]).to(tl.bfloat16), mask=(m < length)[:, None])


@triton.jit
def attention_sink(q, k, v, sinks, out, length, heads, shared, window, scale, BM: tl.constexpr, BN: tl.constexpr,
                   D: tl.constexpr):
    head, batch, key_heads = tl.program_id(1) % heads, tl.program_id(1) // heads, heads // shared
    q += (batch.to(tl.int64) * length * heads + head) * D
    out += (batch.to(tl.int64) * length * heads + head) * D
    k += (batch.to(tl.int64) * length * key_heads + head // shared) * D
    v += (batch.to(tl.int64) * length * key_heads + head // shared) * D
    first = tl.program_id(0) * BM
    m, d = first + tl.arange(0, BM), tl.arange(0, D)
    rows = m[:, None] * (heads * D) + d[None, :]
    queries = tl.load(q + rows, mask=(m < length)[:, None], other=0.0)
    largest = tl.zeros((BM,), tl.float32) + tl.load(sinks + head) * 1.44269504
    total = tl.full((BM,), 1.0, tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    start = tl.maximum(0, first - window + 1) // BN * BN
    end = tl.minimum(length, first + BM)
    for begin in range(start, end, BN):
        n = begin + tl.arange(0, BN)
        keys = tl.load(k + (n[None, :] * (key_heads * D) + d[:, None]), mask=(n < length)[None, :], other=0.0)
        scores = tl.dot(queries, keys) * (scale * 1.44269504)
        scores = tl.where((m[:, None] >= n[None, :]) & (m[:, None] - n[None, :] < window), scores, -INFINITY)
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - after[:, None])
        shrink = tl.exp2(largest - after)
        total = total * shrink + tl.sum(p, 1)
        values = tl.load(v + (n[:, None] * (key_heads * D) + d[None, :]), mask=(n < length)[:, None], other=0.0)
        acc = tl.dot(p.to(tl.bfloat16), values, acc * shrink[:, None])
        largest = after
    tl.store(out + rows, (acc / total[:, None]).to(tl.bfloat16), mask=(m < length)[:, None])


@triton.jit
def decode_split(q, k, v, lengths, partial, logs, heads, most, scale, GROUP: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    batch, head, split, splits = tl.program_id(0), tl.program_id(1), tl.program_id(2), tl.num_programs(2)
    length = tl.load(lengths + batch)
    share = tl.cdiv(tl.cdiv(length, splits), BN) * BN
    start = split * share
    end = tl.minimum(start + share, length)
    g, d = tl.arange(0, GROUP), tl.arange(0, D)
    rows = (batch * heads + head) * GROUP
    query = tl.load(q + ((rows + g[:, None]) * D + d[None, :]))
    base = (batch.to(tl.int64) * most * heads + head) * D
    largest, total = tl.full((GROUP,), -INFINITY, tl.float32), tl.zeros((GROUP,), tl.float32)
    acc = tl.zeros((GROUP, D), tl.float32)
    for begin in range(start, end, BN):
        n = begin + tl.arange(0, BN)
        keys = tl.load(k + base + (n[None, :] * (heads * D) + d[:, None]), mask=(n < end)[None, :], other=0.0)
        scores = tl.where((n < end)[None, :], tl.dot(query, keys) * scale, -INFINITY)
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - after[:, None])
        shrink = tl.exp2(largest - after)
        total = total * shrink + tl.sum(p, 1)
        values = tl.load(v + base + (n[:, None] * (heads * D) + d[None, :]), mask=(n < end)[:, None], other=0.0)
        acc = tl.dot(p.to(tl.bfloat16), values, acc * shrink[:, None])
        largest = after
    some = tl.maximum(total, 1e-30)  # a split may have no tokens
    tl.store(partial + (((rows + g) * splits + split)[:, None] * D + d[None, :]), acc / some[:, None])
    tl.store(logs + (rows + g) * splits + split, largest + tl.log2(total))


@triton.jit
def decode_merge(partial, logs, out, SPLITS: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0)
    s, d = tl.arange(0, SPLITS), tl.arange(0, D)
    log = tl.load(logs + row * SPLITS + s)
    weights = tl.exp2(log - tl.max(log, 0))
    parts = tl.load(partial + ((row * SPLITS + s)[:, None] * D + d[None, :]))
    tl.store(out + row * D + d, (tl.sum(parts * weights[:, None], 0) / tl.sum(weights, 0)).to(tl.bfloat16))


@triton.jit
def latent_decode(q, cache, lengths, out, heads, most, scale, BH: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
                  R: tl.constexpr):
    batch = tl.program_id(0)
    length = tl.load(lengths + batch)
    h, d, r = tl.program_id(1) * BH + tl.arange(0, BH), tl.arange(0, D), D + tl.arange(0, R)
    row = (batch * heads + h)[:, None] * (D + R)
    query = tl.load(q + (row + d[None, :]), mask=(h < heads)[:, None], other=0.0)
    rotated = tl.load(q + (row + r[None, :]), mask=(h < heads)[:, None], other=0.0)
    cache += batch.to(tl.int64) * most * (D + R)
    largest, total = tl.full((BH,), -INFINITY, tl.float32), tl.zeros((BH,), tl.float32)
    acc = tl.zeros((BH, D), tl.float32)
    for begin in range(0, length, BN):
        n = begin + tl.arange(0, BN)
        latent = tl.load(cache + (n[None, :] * (D + R) + d[:, None]), mask=(n < length)[None, :], other=0.0)
        position = tl.load(cache + (n[None, :] * (D + R) + r[:, None]), mask=(n < length)[None, :], other=0.0)
        scores = tl.dot(rotated, position, tl.dot(query, latent)) * scale
        scores = tl.where((n < length)[None, :], scores, -INFINITY)
        after = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp2(scores - after[:, None])
        shrink = tl.exp2(largest - after)
        total = total * shrink + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.bfloat16), tl.trans(latent), acc * shrink[:, None])
        largest = after
    tl.store(out + ((batch * heads + h)[:, None] * D + d[None, :]), (acc / total[:, None]).to(tl.bfloat16),
             mask=(h < heads)[:, None])


@triton.jit
def rms_norm_backward(dy, x, w, rstd, dx, dw, rows, columns, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < columns
    weights = tl.load(w + i, mask=mask, other=0.0).to(tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        at = row.to(tl.int64) * columns
        g = tl.load(dy + at + i, mask=mask, other=0.0).to(tl.float32)
        r = tl.load(rstd + row)
        normal = tl.load(x + at + i, mask=mask, other=0.0).to(tl.float32) * r
        scaled = g * weights
        tl.store(dx + at + i, ((scaled - normal * (tl.sum(scaled * normal, 0) / columns)) * r).to(tl.bfloat16), mask=mask)
        total += g * normal
    tl.store(dw + tl.program_id(0) * columns + i, total, mask=mask)


@triton.jit
def channel_sums(x, sums, squares, rows, channels, BR: tl.constexpr, BC: tl.constexpr):
    c = tl.program_id(0) * BC + tl.arange(0, BC)
    total, square = tl.zeros((BR, BC), tl.float32), tl.zeros((BR, BC), tl.float32)
    for begin in range(tl.program_id(1) * BR, rows, tl.num_programs(1) * BR):
        r = begin + tl.arange(0, BR)
        v = tl.load(x + (r[:, None] * channels + c[None, :]), mask=(r < rows)[:, None] & (c < channels)[None, :], other=0.0)
        v = v.to(tl.float32)
        total += v
        square += v * v
    tl.atomic_add(sums + c, tl.sum(total, 0), mask=c < channels)
    tl.atomic_add(squares + c, tl.sum(square, 0), mask=c < channels)


@triton.jit
def cross_entropy_gradient(logits, labels, loss, columns, smooth, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    label = tl.load(labels + row)
    logits += row * columns
    largest = -INFINITY
    total, everything = 0.0, 0.0
    chosen = tl.load(logits + label).to(tl.float32)
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(logits + i, mask=i < columns, other=-INFINITY).to(tl.float32)
        after = tl.maximum(largest, tl.max(v, 0))
        everything += tl.sum(tl.where(i < columns, v, 0.0), 0)
        total = total * tl.exp(largest - after) + tl.sum(tl.exp(v - after), 0)
        largest = after
    log = largest + tl.log(total)
    share = smooth / columns
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(logits + i, mask=i < columns, other=-INFINITY).to(tl.float32)
        g = tl.exp(v - log) - share - tl.where(i == label, 1 - smooth, 0.0)
        tl.store(logits + i, g.to(tl.bfloat16), mask=i < columns)
    tl.store(loss + row, (1 - smooth) * (log - chosen) + smooth * log - share * everything)


@triton.jit
def adamw(parameters, gradients, means, variances, n, rate, beta1, beta2, epsilon, decay, correction1, correction2,
          BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    p, g = tl.load(parameters + i, mask=mask).to(tl.float32), tl.load(gradients + i, mask=mask).to(tl.float32)
    m = beta1 * tl.load(means + i, mask=mask) + (1 - beta1) * g
    v = beta2 * tl.load(variances + i, mask=mask) + (1 - beta2) * g * g
    p *= 1 - rate * decay
    p -= rate * (m / correction1) / (tl.sqrt(v / correction2) + epsilon)
    tl.store(parameters + i, p.to(tl.bfloat16), mask=mask)
    tl.store(means + i, m, mask=mask)
    tl.store(variances + i, v, mask=mask)


@triton.jit
def depthwise(x, w, out, height, width, channels, BW: tl.constexpr, BC: tl.constexpr):
    row = tl.program_id(1) % height
    image = (tl.program_id(1) // height).to(tl.int64)
    column, c = tl.program_id(0) * BW + tl.arange(0, BW), tl.program_id(2) * BC + tl.arange(0, BC)
    x += image * height * width * channels
    acc = tl.zeros((BW, BC), tl.float32)
    for i in tl.static_range(3):
        for j in tl.static_range(3):
            h = row + i - 1
            at = column + (j - 1)
            inside = ((at >= 0) & (at < width))[:, None] & (c < channels)[None, :] & ((h >= 0) & (h < height))
            v = tl.load(x + ((h * width + at)[:, None] * channels + c[None, :]), mask=inside, other=0.0)
            tap = tl.load(w + (i * 3 + j) * channels + c, mask=c < channels, other=0.0)
            acc += v.to(tl.float32) * tap.to(tl.float32)[None, :]
    tl.store(out + (image * height + row) * width * channels + (column[:, None] * channels + c[None, :]), acc.to(tl.bfloat16),
             mask=(column < width)[:, None] & (c < channels)[None, :])


@triton.jit
def bilinear(x, out, height, width, BLOCK: tl.constexpr):
    plane = tl.program_id(1).to(tl.int64)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < 4 * height * width
    h = tl.maximum((i // (2 * width)).to(tl.float32) * 0.5 - 0.25, 0.0)
    w = tl.maximum((i % (2 * width)).to(tl.float32) * 0.5 - 0.25, 0.0)
    top, left = h.to(tl.int32), w.to(tl.int32)
    down, right = tl.minimum(top + 1, height - 1), tl.minimum(left + 1, width - 1)
    dh, dw = h - top.to(tl.float32), w - left.to(tl.float32)
    x += plane * height * width
    a = tl.load(x + (top * width + left), mask=mask).to(tl.float32)
    b = tl.load(x + (top * width + right), mask=mask).to(tl.float32)
    c = tl.load(x + (down * width + left), mask=mask).to(tl.float32)
    d = tl.load(x + (down * width + right), mask=mask).to(tl.float32)
    y = (a * (1 - dw) + b * dw) * (1 - dh) + (c * (1 - dw) + d * dw) * dh
    tl.store(out + plane * 4 * height * width + i, y.to(tl.bfloat16), mask=mask)


@triton.jit
def route(logits, weights, indices, tokens, BM: tl.constexpr, EXPERTS: tl.constexpr, CHOICES: tl.constexpr):
    m, e = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, EXPERTS)
    mask = m < tokens
    v = tl.load(logits + (m[:, None] * EXPERTS + e[None, :]), mask=mask[:, None], other=0.0).to(tl.float32)
    p = tl.exp(v - tl.max(v, 1)[:, None])
    total = tl.zeros((BM,), tl.float32)
    for choice in range(CHOICES):
        best, at = tl.max(p, 1), tl.argmax(p, 1)
        tl.store(indices + m * CHOICES + choice, at, mask=mask)
        tl.store(weights + m * CHOICES + choice, best, mask=mask)
        total += best
        p = tl.where(e[None, :] == at[:, None], -1.0, p)
    tl.debug_barrier()
    c = tl.arange(0, CHOICES)
    chosen = weights + (m[:, None] * CHOICES + c[None, :])
    tl.store(chosen, tl.load(chosen, mask=mask[:, None]) / total[:, None], mask=mask[:, None])


@triton.jit
def count_bins(x, counts, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    count = tl.zeros((BINS,), tl.int32)
    for begin in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = begin + tl.arange(0, BLOCK)
        count += tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS, mask=i < n)
    tl.atomic_add(counts + tl.arange(0, BINS), count)


@triton.jit
def sparse_vector(starts, columns, values, x, y, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start, end = tl.load(starts + row), tl.load(starts + row + 1)
    total = tl.zeros((BLOCK,), tl.float32)
    for begin in range(start, end, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        c = tl.load(columns + i, mask=i < end, other=0)
        total += tl.load(values + i, mask=i < end, other=0.0) * tl.load(x + c, mask=i < end, other=0.0)
    tl.store(y + row, tl.sum(total, 0))


@triton.jit
def cache_fp8(keys, slots, cache, scales, HEADS: tl.constexpr, D: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    slot = tl.load(slots + token)
    if slot < 0:
        return
    h = tl.arange(0, HEADS)
    at = h[:, None] * D + tl.arange(0, D)[None, :]
    v = tl.load(keys + token * (HEADS * D) + at).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(v), 1), 1e-6) / 448.0
    tl.store(cache + slot * (HEADS * D) + at, (v / scale[:, None]).to(tl.float8e4nv))
    tl.store(scales + slot * HEADS + h, scale)


@triton.jit
def combine(x, where, weights, out, columns, BLOCK: tl.constexpr, CHOICES: tl.constexpr):
    token = tl.program_id(0).to(tl.int64)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for choice in range(CHOICES):
        row = tl.load(where + token * CHOICES + choice).to(tl.int64)
        weight = tl.load(weights + token * CHOICES + choice)
        acc += weight * tl.load(x + row * columns + i, mask=i < columns).to(tl.float32)
    tl.store(out + token * columns + i, acc.to(tl.bfloat16), mask=i < columns)


@triton.jit
def long_cumsum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    before = 0.0
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(x + row + i, mask=i < columns, other=0.0)
        tl.store(out + row + i, before + tl.cumsum(v, 0), mask=i < columns)
        before += tl.sum(v, 0)


@triton.jit
def sample(logits, out, columns, temperature, seed, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best, at = tl.full((BLOCK,), -INFINITY, tl.float32), tl.zeros((BLOCK,), tl.int32)
    for begin in range(0, columns, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        v = tl.load(logits + row.to(tl.int64) * columns + i, mask=i < columns, other=-INFINITY).to(tl.float32)
        v = v / temperature - tl.log(-tl.log(tl.rand(seed, row * columns + i) + 1e-10) + 1e-10)
        at = tl.where(v > best, i, at)
        best = tl.maximum(v, best)
    where = tl.argmax(best, 0)
    tl.store(out + row, tl.sum(tl.where(tl.arange(0, BLOCK) == where, at, 0), 0).to(tl.int64))
