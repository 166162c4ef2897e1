"""The kernels of kernels.tt.cpp in Triton, line by line."""
import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax_rows(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(x + row * stride + i, mask=mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * stride + i, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def layer_norm(x, w, b, out, stride, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(x + row * stride + i, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(mask, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / columns + epsilon)
    g = tl.load(w + i, mask=mask)
    h = tl.load(b + i, mask=mask)
    tl.store(out + row * stride + i, d * scale * g + h, mask=mask)


@triton.jit
def transpose_copy(x, out, rows, columns, M: tl.constexpr, N: tl.constexpr):
    i = (tl.program_id(0) * M + tl.arange(0, M))[:, None]
    j = (tl.program_id(1) * N + tl.arange(0, N))[None, :]
    mask = (i < rows) & (j < columns)
    tl.store(out + j * rows + i, tl.load(x + i * columns + j, mask=mask), mask=mask)


@triton.jit
def row_sum(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    partial = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, columns, BLOCK):
        partial += tl.load(x + row * columns + begin + i, mask=begin + i < columns, other=0.0)
    tl.store(out + row, tl.sum(partial, axis=0))


@triton.jit
def dequantize(q, scale, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < columns
    v = tl.load(q + row * columns + i, mask=mask)
    tl.store(out + row * columns + i, v.to(tl.float32) * tl.load(scale + row), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, sa, sb_k, sb_n, sc, INTEGERS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
           GROUP: tl.constexpr):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * columns
    first = pid // in_group * GROUP
    size = min(rows - first, GROUP)
    pm, pn = first + pid % in_group % size, pid % in_group // size
    k = tl.arange(0, BK)
    pa = a + ((pm * BM + tl.arange(0, BM)) % M)[:, None] * sa + k[None, :]
    pb = b + k[:, None] * sb_k + ((pn * BN + tl.arange(0, BN)) % N)[None, :] * sb_n
    acc = tl.zeros((BM, BN), dtype=tl.int32 if INTEGERS else tl.float32)
    for i in range(tl.cdiv(K, BK)):
        x = tl.load(pa, mask=k[None, :] < K - i * BK, other=0.0)
        y = tl.load(pb, mask=k[:, None] < K - i * BK, other=0.0)
        acc = tl.dot(x, y, acc, out_dtype=acc.dtype)
        pa += BK
        pb += BK * sb_k
    m, n = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN)
    tl.store(c + m[:, None] * sc + n[None, :], acc.to(c.dtype.element_ty), mask=(m < M)[:, None] & (n < N)[None, :])


@triton.jit
def grouped(a, b, c, expert, begin, end, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    columns = N // BN
    rows, pid = tl.num_programs(0) // columns, tl.program_id(0)
    in_group = GROUP * columns
    first = pid // in_group * GROUP
    size = min(rows - first, GROUP)
    pm, pn = first + pid % in_group % size, pid % in_group // size
    e = tl.load(expert + pm)
    m = tl.load(begin + pm) + tl.arange(0, BM)
    n = pn * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    mask = (m < tl.load(end + e))[:, None]
    pa = a + (m[:, None] * K + k[None, :])
    pb = b + e.to(tl.int64) * K * N + (k[:, None] * N + n[None, :])
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for i in range(0, K, BK):
        acc = tl.dot(tl.load(pa, mask=mask, other=0.0), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.store(c + (m[:, None] * N + n[None, :]), acc.to(c.dtype.element_ty), mask=mask)


@triton.jit
def int4_weights(a, b, scales, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    half, whole = tl.arange(0, BK // 2), tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + (m[:, None] * K + (k + whole)[None, :]), mask=(m < M)[:, None], other=0.0)
        packed = tl.load(b + ((k // 2 + half)[:, None] * N + n[None, :]))
        low, high = (packed & 15).to(a.dtype.element_ty), (packed >> 4).to(a.dtype.element_ty)
        y = tl.reshape(tl.permute(tl.join(low, high), (0, 2, 1)), (BK, BN))
        scale = tl.load(scales + k // 128 * N + n)
        acc = tl.dot(x, (y - 8) * scale[None, :], acc)
    tl.store(c + (m[:, None] * N + n[None, :]), acc.to(c.dtype.element_ty), mask=(m < M)[:, None])
