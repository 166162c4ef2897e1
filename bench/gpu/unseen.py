#!/usr/bin/env python3
"""Kernels of other kinds than those of tutorials.py (unseen.tt.cpp) compared with the same kernels in Triton
(unseen_peers.py) and with torch, on random inputs (comparison.py). Both sides have the same few sizes of tiles, and the
fastest of each counts. Without a GPU, it checks tcc's results, with small sizes.

  bench/gpu/unseen.py libunseen.so [libunseen-before.so] [kernel ...]
  TILECC_DEVICE=cpu bench/gpu/unseen.py libunseen.so
"""
import math

import torch
import torch.nn.functional as F
import triton

import unseen_peers as peers
from comparison import Comparison, device

bf16, f32, i32, cdiv = torch.bfloat16, torch.float32, torch.int32, triton.cdiv
gpu = device == "cuda"
comparison = Comparison()
torch.manual_seed(0)


def normal(*shape, dtype=bf16):
    return torch.randn(*shape, device=device, dtype=f32).to(dtype)


def empty(*shape, dtype=bf16):
    return torch.zeros(*shape, device=device, dtype=dtype)


def integers(high, *shape, dtype=i32, low=0):
    return torch.randint(low, high, shape, device=device, dtype=dtype)


def of(name):
    """Runs the function, which sets up a case, with the tile sizes in its annotation, if the case is wanted."""
    def run(function):
        if comparison.wants(name):
            function()
    return run


def case(name, call, peer, out, expected, configs=({},), **options):
    comparison.case(name, call, peer, out, expected, configs, **options)


# Recurrences.


@of("selective_scan")
def _():
    B, L, C = (8, 1024, 4096) if gpu else (2, 20, 100)
    x, dt, b, c, out = normal(B, L, C), normal(B, L, C), normal(B, L, 16), normal(B, L, 16), empty(B, L, C)
    a, d = -torch.rand(C, 16, device=device) * 4, normal(C, dtype=f32)
    step, state, expected = F.softplus(dt.float()), torch.zeros(B, C, 16, device=device), empty(B, L, C, dtype=f32)
    for t in range(L):
        state = torch.exp(a * step[:, t, :, None]) * state + (step * x)[:, t, :, None] * b[:, t, None, :]
        expected[:, t] = (state * c[:, t, None, :]).sum(-1) + d * x[:, t]
    case("selective_scan", lambda lib, i: lib.bench_selective_scan(i, x, dt, a, b, c, d, out, B, L, C),
         lambda BC, **o: peers.selective_scan[(B, cdiv(C, BC))](x, dt, a, b, c, d, out, L, C, BC=BC, STATES=16, **o), out, expected,
         [dict(BC=64), dict(BC=32)], warps=(1, 4))


@of("rwkv")
def _():
    B, L, C = (8, 1024, 4096) if gpu else (2, 20, 100)
    k, v, w, u, out = normal(B, L, C), normal(B, L, C), torch.rand(C, device=device), normal(C, dtype=f32), empty(B, L, C)
    num, den, top, expected = (torch.zeros(B, C, device=device), torch.zeros(B, C, device=device), torch.full((B, C), -1e30, device=device),
                               empty(B, L, C, dtype=f32))
    for t in range(L):
        key, value = k[:, t].float(), v[:, t].float()
        after = torch.maximum(top, u + key)
        past, now = torch.exp(top - after), torch.exp(u + key - after)
        expected[:, t] = (past * num + now * value) / (past * den + now)
        after = torch.maximum(top - w, key)
        past, now = torch.exp(top - w - after), torch.exp(key - after)
        num, den, top = past * num + now * value, past * den + now, after
    case("rwkv", lambda lib, i: lib.bench_rwkv(i, k, v, w, u, out, B, L, C),
         lambda BC, **o: peers.rwkv[(B, cdiv(C, BC))](k, v, w, u, out, L, C, BC=BC, **o), out, expected, [dict(BC=32), dict(BC=128)], warps=(1, 4))


@of("retention")
def _():
    H, L, W = (128, 2048, 256) if gpu else (2, 200, 128)
    q, k, v, out = normal(H, L, 128), normal(H, L, 128), normal(H, L, W), empty(H, L, W)
    decay = torch.log2(1 - 2.0 ** -(5 + torch.arange(H, device=device) % 8))
    i = torch.arange(L, device=device)
    within = torch.where(i[:, None] >= i, torch.exp2((i[:, None] - i) * decay[:, None, None]), 0)
    expected = ((q.float() @ k.float().mT) * within) @ v.float() * 0.125
    case("retention", lambda lib, i: lib.bench_retention(i, q, k, v, decay, out, H, L, W, 0.125),
         lambda CHUNK, DV, **o: peers.retention[(H, W // DV)](q, k, v, decay, out, L, W, 0.125, CHUNK=CHUNK, DK=128, DV=DV, **o), out, expected,
         [dict(CHUNK=64, DV=64), dict(CHUNK=64, DV=128), dict(CHUNK=128, DV=64)], tolerance=2e-2)


@of("solve_lower")
def _():
    L, H = (32768, 16) if gpu else (64, 3)
    a, out = normal(L, H, 32, dtype=f32) / 8, empty(L, H, 32, dtype=f32)
    blocks = a.view(L // 32, 32, H, 32).transpose(1, 2).tril(-1)
    expected = torch.linalg.inv(blocks + torch.eye(32, device=device)).transpose(1, 2).reshape(L, H, 32)
    case("solve_lower", lambda lib, i: lib.bench_solve_lower(i, a, out, L, H),
         lambda **o: peers.solve_lower[(L // 32, H)](a, out, H, N=32, **o), out, expected, warps=(1, 4))


# Products.


def int4(M, N, K):
    a, w, scales, out = normal(M, K), integers(2**31, K // 8, N, low=-2**31), normal(K // 128, N) / 8, empty(M, N)
    k = torch.arange(K, device=device)
    weights = (((w[k // 8] >> (k % 8 * 4)[:, None]) & 15) - 8).to(bf16) * scales[k // 128]
    case(f"int4_matmul {M}x{N}x{K}", lambda lib, i: lib.bench_int4_matmul(i, a, w, scales, out, M, N, K),
         lambda BM, BN, BK, **o: peers.int4_matmul[(cdiv(M, BM), cdiv(N, BN))](a, w, scales, out, M, N, K, BM=BM, BN=BN, BK=BK, GROUP=128, **o),
         out, a.float() @ weights.float(), [dict(BM=16, BN=64, BK=128), dict(BM=64, BN=128, BK=64), dict(BM=128, BN=128, BK=64)])


of("int4_matmul 16")(lambda: int4(16, 8192, 8192) if gpu else int4(13, 72, 256))
of("int4_matmul 2048")(lambda: int4(2048, 8192, 8192) if gpu else int4(130, 128, 128))


@of("fp8_blocks")
def _():
    M, N, K = (4096, 4096, 7168) if gpu else (100, 200, 256)
    fp8 = torch.float8_e4m3fn
    a, b, sa, sb, out = normal(M, K).to(fp8), normal(N, K).to(fp8), torch.rand(M, K // 128, device=device), torch.rand(cdiv(N, 128), K // 128, device=device), empty(M, N)
    expected = (a.float() * sa.repeat_interleave(128, 1)) @ (b.float() * sb.repeat_interleave(128, 0)[:N].repeat_interleave(128, 1)).T
    case("fp8_blocks", lambda lib, i: lib.bench_fp8_blocks(i, a, sa, b, sb, out, M, N, K),
         lambda BM, BN, **o: peers.fp8_blocks[(cdiv(M, BM), cdiv(N, BN))](a, sa, b, sb, out, M, N, K, BM=BM, BN=BN, **o), out, expected,
         [dict(BM=64, BN=128), dict(BM=128, BN=128)])


@of("experts")
def _():
    tokens, E, choices, N, K = (4096, 64, 8, 1408, 2048) if gpu else (50, 4, 2, 72, 96)
    x, w = normal(tokens, K), normal(E, N, K) / 32
    chosen = torch.rand(tokens, E, device=device).topk(choices, 1).indices.flatten()
    pairs, out, expected = tokens * choices, empty(tokens * choices, N), empty(tokens * choices, N, dtype=f32)
    numbers, expert_of = [], []
    for e in range(E):
        mine = (chosen == e).nonzero().flatten()
        expected[mine] = x[mine // choices].float() @ w[e].float().T
        numbers.append(F.pad(mine, (0, -len(mine) % 64), value=pairs))
        expert_of += [e] * (len(numbers[-1]) // 64)
    numbers, expert_of = torch.cat(numbers).to(i32), torch.tensor(expert_of, device=device, dtype=i32)
    padded, blocks = torch.tensor([len(numbers)], device=device, dtype=i32), len(expert_of) + 8
    numbers = F.pad(numbers, (0, 8 * 64), value=pairs)
    case("experts", lambda lib, i: lib.bench_experts(i, x, w, out, numbers, expert_of, padded, blocks, pairs, choices, N, K),
         lambda BM, BN, **o: peers.experts[(blocks, cdiv(N, BN))](x, w, out, numbers, expert_of, padded, pairs, choices, N, K, BM=BM, BN=BN, BK=64, **o),
         out, expected, [dict(BM=64, BN=128), dict(BM=64, BN=64)])


@of("small_products")
def _():
    B = 16384 if gpu else 5
    a, b, c = normal(B, 64, 64), normal(B, 64, 64), empty(B, 64, 64)
    case("small_products", lambda lib, i: lib.bench_small_products(i, a, b, c, B), lambda **o: peers.small_products[(B,)](a, b, c, S=64, **o),
         c, torch.bmm(a, b), torch_call=lambda: torch.bmm(a, b, out=c))


@of("swiglu")
def _():
    M, N, K = (4096, 11008, 4096) if gpu else (150, 104, 96)
    a, w, v, out = normal(M, K), normal(K, N) / 64, normal(K, N) / 64, empty(M, N)
    case("swiglu", lambda lib, i: lib.bench_swiglu(i, a, w, v, out, M, N, K),
         lambda BM, BN, **o: peers.swiglu[(cdiv(M, BM), cdiv(N, BN))](a, w, v, out, M, N, K, BM=BM, BN=BN, BK=64, **o), out,
         F.silu((a @ w).float()) * (a @ v).float(), [dict(BM=128, BN=64), dict(BM=128, BN=128)], torch_call=lambda: F.silu(a @ w) * (a @ v))


@of("int8_scaled")
def _():
    M, N, K = (4096, 4096, 4096) if gpu else (150, 280, 160)
    a, b = integers(128, M, K, dtype=torch.int8, low=-127), integers(128, N, K, dtype=torch.int8, low=-127)
    rows, columns, bias, residual, out = torch.rand(M, device=device) / 1e4, torch.rand(N, device=device), normal(N), normal(M, N), empty(M, N)
    expected = (a.float() @ b.float().T) * rows[:, None] * columns + bias + residual
    case("int8_scaled", lambda lib, i: lib.bench_int8_scaled(i, a, b, rows, columns, bias, residual, out, M, N, K),
         lambda BM, BN, BK, **o: peers.int8_scaled[(cdiv(M, BM), cdiv(N, BN))](a, b, rows, columns, bias, residual, out, M, N, K, BM=BM, BN=BN, BK=BK, **o),
         out, expected, [dict(BM=128, BN=128, BK=128), dict(BM=128, BN=256, BK=128)])


# Attention.


@of("attention_bias")
def _():
    B, H, L = (4, 16, 2048) if gpu else (1, 2, 200)
    q, k, v, bias, out = normal(B, H, L, 64), normal(B, H, L, 64), normal(B, H, L, 64), normal(H, L, L), empty(B, H, L, 64)
    torch_call = lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=bias[None])
    case("attention_bias", lambda lib, i: lib.bench_attention_bias(i, q, k, v, bias, out, B, H, L, 0.125),
         lambda BM, BN, **o: peers.attention_bias[(cdiv(L, BM), B * H)](q, k, v, bias, out, H, L, 0.125, BM=BM, BN=BN, D=64, **o), out,
         F.scaled_dot_product_attention(q.float(), k.float(), v.float(), attn_mask=bias[None].float()),
         [dict(BM=128, BN=64), dict(BM=64, BN=128), dict(BM=64, BN=64)], torch_call=torch_call)


@of("attention_varlen")
def _():
    H, shared, lengths = (32, 4, integers(4096, 16, low=500).tolist()) if gpu else (4, 2, [150, 30, 64])
    starts, total = torch.tensor([sum(lengths[:i]) for i in range(len(lengths) + 1)], device=device, dtype=i32), sum(lengths)
    q, k, v, out = normal(total, H, 128), normal(total, H // shared, 128), normal(total, H // shared, 128), empty(total, H, 128)
    scale, expected = math.log2(math.e) / math.sqrt(128), empty(total, H, 128, dtype=f32)
    for at, n in zip(starts.tolist(), lengths):
        one = lambda x: x[at:at + n].float().transpose(0, 1)[None]
        expected[at:at + n] = F.scaled_dot_product_attention(one(q), one(k), one(v), is_causal=True, enable_gqa=True)[0].transpose(0, 1)
    case("attention_varlen", lambda lib, i: lib.bench_attention_varlen(i, q, k, v, out, starts, len(lengths), max(lengths), H, shared, scale),
         lambda BM, BN, **o: peers.attention_varlen[(cdiv(max(lengths), BM), H, len(lengths))](q, k, v, out, starts, H, shared, scale, BM=BM, BN=BN, D=128, **o),
         out, expected, [dict(BM=128, BN=64), dict(BM=128, BN=128), dict(BM=64, BN=64)])


@of("attention_sink")
def _():
    B, L, H, shared, window = (4, 4096, 64, 8, 128) if gpu else (2, 200, 4, 2, 70)
    q, k, v, out = normal(B, L, H, 64), normal(B, L, H // shared, 64), normal(B, L, H // shared, 64), empty(B, L, H, 64)
    sinks, i = normal(H, dtype=f32), torch.arange(L, device=device)
    one = lambda x: x[0].float().repeat_interleave(H // x.shape[2], 1).transpose(0, 1)
    scores = torch.where((i[:, None] >= i) & (i[:, None] - i < window), one(q) @ one(k).mT * 0.125, -math.inf)
    p = torch.cat([scores, sinks[:, None, None].expand(H, L, 1)], -1).softmax(-1)[:, :, :-1]
    case("attention_sink", lambda lib, i: lib.bench_attention_sink(i, q, k, v, sinks, out, B, L, H, shared, window, 0.125),
         lambda BM, BN, **o: peers.attention_sink[(cdiv(L, BM), B * H)](q, k, v, sinks, out, L, H, shared, window, 0.125, BM=BM, BN=BN, D=64, **o),
         out[0], (p @ one(v)).transpose(0, 1), [dict(BM=128, BN=64), dict(BM=64, BN=64)])


@of("decode_split")
def _():
    B, H, most, splits = (8, 8, 16384, 16) if gpu else (2, 2, 1500, 16)
    q, k, v, out = normal(B, H, 16, 128), normal(B, most, H, 128), normal(B, most, H, 128), empty(B, H, 16, 128)
    partial, logs, scale = empty(B, H, 16, splits, 128, dtype=f32), empty(B, H, 16, splits, dtype=f32), math.log2(math.e) / math.sqrt(128)
    lengths = torch.tensor([most - 100 * i for i in range(B)], device=device, dtype=i32)
    expected = torch.cat([F.scaled_dot_product_attention(q[b:b + 1].float(), *(x[b:b + 1, :lengths[b]].float().transpose(1, 2) for x in (k, v)))
                          for b in range(B)])

    def call(lib, i):
        lib.bench_decode_split(i, q, k, v, lengths, partial, logs, B, H, splits, most, scale)
        lib.bench_decode_merge(0, partial, logs, out, B * H * 16)

    def peer(BN, **o):
        peers.decode_split[(B, H, splits)](q, k, v, lengths, partial, logs, H, most, scale, GROUP=16, BN=BN, D=128, **o)
        peers.decode_merge[(B * H * 16,)](partial, logs, out, SPLITS=16, D=128)

    case("decode_split", call, peer, out, expected, [dict(BN=64), dict(BN=128)])


@of("latent_decode")
def _():
    B, H, most = (64, 128, 4096) if gpu else (2, 20, 150)
    q, cache, out, scale = normal(B, H, 576), normal(B, most, 576), empty(B, H, 512), math.log2(math.e) / math.sqrt(192)
    lengths = torch.full((B,), most - 13, device=device, dtype=i32)
    keys = cache[:2, :most - 13].float()
    expected = (q[:2].float() @ keys.mT / math.sqrt(192)).softmax(-1) @ keys[:, :, :512]
    case("latent_decode", lambda lib, i: lib.bench_latent_decode(i, q, cache, lengths, out, B, H, most, scale),
         lambda BH, BN, **o: peers.latent_decode[(B, cdiv(H, BH))](q, cache, lengths, out, H, most, scale, BH=BH, BN=BN, D=512, R=64, **o), out[:2],
         expected, [dict(BH=16, BN=32), dict(BH=16, BN=64), dict(BH=64, BN=32)])


# Gradients, statistics, optimizers.


@of("rms_norm_backward")
def _():
    rows, columns, programs = (16384, 4096, 528) if gpu else (20, 1000, 3)
    dy, x, w, dx, dw = normal(rows, columns), normal(rows, columns), normal(columns), empty(rows, columns), empty(programs, columns, dtype=f32)
    rstd = torch.rsqrt(x.float().square().mean(1) + 1e-5)
    normalized, scaled = x.float() * rstd[:, None], dy.float() * w.float()
    expected = [(scaled - normalized * (scaled * normalized).mean(1, keepdim=True)) * rstd[:, None], (dy.float() * normalized).sum(0)]

    class Sum:  # of the parts of dw
        def float(self):
            return dw.sum(0)
    case("rms_norm_backward", lambda lib, i: lib.bench_rms_norm_backward(i, dy, x, w, rstd, dx, dw, programs, rows, columns),
         lambda **o: peers.rms_norm_backward[(programs,)](dy, x, w, rstd, dx, dw, rows, columns, BLOCK=4096, **o), [dx, Sum()], expected)


@of("channel_sums")
def _():
    rows, channels, splits = (1 << 18, 512, 64) if gpu else (1000, 100, 3)
    x, sums = normal(rows, channels) + 1, empty(2, channels, dtype=f32)
    case("channel_sums", lambda lib, i: lib.bench_channel_sums(i, x, sums[0], sums[1], splits, rows, channels),
         lambda BR, BC, **o: peers.channel_sums[(cdiv(channels, BC), splits)](x, sums[0], sums[1], rows, channels, BR=BR, BC=BC, **o), sums,
         torch.stack([x.float().sum(0), x.float().square().sum(0)]), [dict(BR=64, BC=64), dict(BR=32, BC=128)], prepare=sums.zero_)


@of("cross_entropy_gradient")
def _():
    rows, columns = (2048, 128256) if gpu else (5, 9000)
    first, labels, loss = normal(rows, columns), integers(columns, rows, dtype=torch.int64), empty(rows, dtype=f32)
    x = first.clone()
    leaf = first.float().requires_grad_()
    expected = F.cross_entropy(leaf, labels, reduction="none", label_smoothing=0.1)
    gradient, = torch.autograd.grad(expected.sum(), leaf)
    case("cross_entropy_gradient", lambda lib, i: lib.bench_cross_entropy_gradient(i, x, labels, loss, rows, columns, 0.1),
         lambda BLOCK, **o: peers.cross_entropy_gradient[(rows,)](x, labels, loss, columns, 0.1, BLOCK=BLOCK, **o), [x, loss],
         [gradient, expected.detach()], [dict(BLOCK=4096), dict(BLOCK=8192)], prepare=lambda: x.copy_(first))


@of("adamw")
def _():
    n = 1 << 26 if gpu else 5000
    start = normal(n), normal(n, dtype=f32), torch.rand(n, device=device)
    p, m, v = (x.clone() for x in start)
    g, numbers = normal(n), (1e-2, 0.9, 0.99, 1e-8, 0.1, 0.2, 0.3)
    rate, beta1, beta2, epsilon, decay, c1, c2 = numbers
    means, variances = beta1 * start[1] + (1 - beta1) * g.float(), beta2 * start[2] + (1 - beta2) * g.float()**2
    expected = start[0].float() * (1 - rate * decay) - rate * (means / c1) / (torch.sqrt(variances / c2) + epsilon)
    case("adamw", lambda lib, i: lib.bench_adamw(i, p, g, m, v, n, *numbers),
         lambda **o: peers.adamw[(cdiv(n, 1024),)](p, g, m, v, n, *numbers, BLOCK=1024, **o), [p, m, v], [expected, means, variances],
         prepare=lambda: [x.copy_(y) for x, y in zip((p, m, v), start)])


# Images.


@of("depthwise")
def _():
    images, H, W, C = (32, 112, 112, 256) if gpu else (2, 5, 20, 72)
    x, w, out = normal(images, H, W, C), normal(3, 3, C), empty(images, H, W, C)
    nchw, filters = x.permute(0, 3, 1, 2), w.permute(2, 0, 1)[:, None].contiguous()
    expected = F.conv2d(nchw.float(), filters.float(), padding=1, groups=C).permute(0, 2, 3, 1)
    case("depthwise", lambda lib, i: lib.bench_depthwise(i, x, w, out, images, H, W, C),
         lambda BW, BC, **o: peers.depthwise[(cdiv(W, BW), images * H, cdiv(C, BC))](x, w, out, H, W, C, BW=BW, BC=BC, **o), out, expected,
         [dict(BW=32, BC=64), dict(BW=16, BC=128)], torch_call=lambda: F.conv2d(nchw, filters, padding=1, groups=C))


@of("bilinear")
def _():
    planes, H, W = (4096, 64, 64) if gpu else (3, 10, 30)
    x, out = normal(1, planes, H, W), empty(1, planes, 2 * H, 2 * W)
    case("bilinear", lambda lib, i: lib.bench_bilinear(i, x, out, planes, H, W),
         lambda **o: peers.bilinear[(cdiv(4 * H * W, 1024), planes)](x, out, H, W, BLOCK=1024, **o), out,
         F.interpolate(x.float(), scale_factor=2, mode="bilinear"), torch_call=lambda: F.interpolate(x, scale_factor=2, mode="bilinear"))


# Indices.


@of("route")
def _():
    tokens = 1 << 17 if gpu else 50
    logits = (torch.rand(tokens, 128, device=device).argsort(1) / 32).to(bf16)  # no two are equal
    weights, indices = empty(tokens, 8, dtype=f32), empty(tokens, 8, dtype=i32)
    top, where = logits.float().softmax(1).topk(8, 1)
    case("route", lambda lib, i: lib.bench_route(i, logits, weights, indices, tokens),
         lambda BM, **o: peers.route[(cdiv(tokens, BM),)](logits, weights, indices, tokens, BM=BM, EXPERTS=128, CHOICES=8, **o), [weights, indices],
         [top / top.sum(1, keepdim=True), where], [dict(BM=16), dict(BM=32)])


@of("count_bins")
def _():
    n, programs = (1 << 26, 1056) if gpu else (10000, 3)
    x, counts = integers(256, n), empty(256, dtype=i32)
    case("count_bins", lambda lib, i: lib.bench_count_bins(i, x, counts, programs, n),
         lambda **o: peers.count_bins[(programs,)](x, counts, n, BLOCK=2048, BINS=256, **o), counts, torch.bincount(x, minlength=256),
         prepare=counts.zero_, tolerance=1e-6, torch_call=lambda: torch.bincount(x, minlength=256))


@of("sparse_vector")
def _():
    rows = 1 << 16 if gpu else 20
    lengths = integers(400, rows)
    starts = F.pad(lengths.cumsum(0), (1, 0)).to(i32)
    total = int(starts[-1])
    columns, values, x, y = integers(rows, total), normal(total, dtype=f32), normal(rows, dtype=f32), empty(rows, dtype=f32)
    expected = torch.zeros(rows, device=device).index_add_(0, torch.repeat_interleave(torch.arange(rows, device=device), lengths), values * x[columns])
    matrix = torch.sparse_csr_tensor(starts, columns, values, (rows, rows))
    case("sparse_vector", lambda lib, i: lib.bench_sparse_vector(i, starts, columns, values, x, y, rows),
         lambda BLOCK, **o: peers.sparse_vector[(rows,)](starts, columns, values, x, y, BLOCK=BLOCK, **o), y, expected,
         [dict(BLOCK=128), dict(BLOCK=256)], torch_call=lambda: torch.mv(matrix, x), warps=(1, 4))


@of("cache_fp8")
def _():
    tokens = 32768 if gpu else 20
    keys, slots = normal(tokens, 8, 128), torch.randperm(2 * tokens, device=device)[:tokens]
    cache, scales = torch.zeros(2 * tokens, 8, 128, device=device).to(torch.float8_e4m3fn), empty(2 * tokens, 8, dtype=f32)
    scale = keys.float().abs().amax(2).clamp_min(1e-6) / 448
    expected = [torch.zeros(2 * tokens, 8, 128, device=device), torch.zeros(2 * tokens, 8, device=device)]
    expected[0][slots], expected[1][slots] = (keys.float() / scale[:, :, None]).to(torch.float8_e4m3fn).float(), scale
    case("cache_fp8", lambda lib, i: lib.bench_cache_fp8(i, keys, slots, cache, scales, tokens),
         lambda **o: peers.cache_fp8[(tokens,)](keys, slots, cache, scales, HEADS=8, D=128, **o), [cache, scales], expected)


@of("combine")
def _():
    tokens, columns = (8192, 4096) if gpu else (20, 1500)
    x, where, weights, out = normal(tokens * 8, columns), torch.randperm(tokens * 8, device=device).to(i32), torch.rand(tokens, 8, device=device), empty(tokens, columns)
    expected = torch.stack([weights[:, c, None] * x[where.view(tokens, 8)[:, c].long()].float() for c in range(8)]).sum(0)
    case("combine", lambda lib, i: lib.bench_combine(i, x, where, weights, out, tokens, columns),
         lambda **o: peers.combine[(tokens, cdiv(columns, 1024))](x, where, weights, out, columns, BLOCK=1024, CHOICES=8, **o), out, expected)


@of("long_cumsum")
def _():
    rows, columns = (1024, 65536) if gpu else (3, 9000)
    x, out = torch.rand(rows, columns, device=device), empty(rows, columns, dtype=f32)
    case("long_cumsum", lambda lib, i: lib.bench_long_cumsum(i, x, out, rows, columns),
         lambda BLOCK, **o: peers.long_cumsum[(rows,)](x, out, columns, BLOCK=BLOCK, **o), out, x.cumsum(1), [dict(BLOCK=1024), dict(BLOCK=4096)],
         torch_call=lambda: torch.cumsum(x, 1))


@of("sample")
def _():
    rows, columns = (1024, 128256) if gpu else (5, 9000)
    logits, out, temperature = normal(rows, columns), empty(rows, dtype=torch.int64), 0.7 if gpu else 1e-4
    if gpu:
        peers.sample[(rows,)](logits, out, columns, temperature, 7, BLOCK=1024)
        expected = out.clone()
    else:  # at a low temperature, the noise makes no difference
        logits.copy_(torch.rand(rows, columns).argsort(1) % 251)
        logits[:, 5000] = 256
        expected = logits.float().argmax(1)
    case("sample", lambda lib, i: lib.bench_sample(i, logits, out, rows, columns, temperature, 7),
         lambda BLOCK, **o: peers.sample[(rows,)](logits, out, columns, temperature, 7, BLOCK=BLOCK, **o), out, expected,
         [dict(BLOCK=1024), dict(BLOCK=4096)])


print(f"{comparison.wrong} wrong")
