#!/usr/bin/env python3
"""Twenty kernels as in tutorials (tutorials.tt.cpp) compared with the same kernels in Triton (tutorials_peers.py), and
with torch if it has the operation, on random inputs (comparison.py). Nothing is tuned: tiles have one size, tcc chooses
warps and stages, and Triton uses the better of 4 and 8 warps. Prints Triton's and torch's times divided by tcc's.

  bench/gpu/tutorials.py libtutorials.so [libtutorials-before.so] [kernel ...]
"""
import math

import torch
import torch.nn.functional as F
import triton

import tutorials_peers as peers
from comparison import Comparison

bf16, f32 = torch.bfloat16, torch.float32
comparison = Comparison()


def normal(*shape, dtype=bf16):
    return torch.randn(*shape, device="cuda", dtype=f32).to(dtype)


def case(name, call, grid, arguments, constants, out, expected, torch_call=None, **options):
    """`call` calls the function of this name in the library that it gets; the kernel in Triton has the same name."""
    if comparison.wants(name):
        kernel = getattr(peers, name.split(" ")[0])
        comparison.case(name, lambda library, _: call(library), lambda **o: kernel[grid](*arguments, **constants, **o), out, expected,
                        torch_call=torch_call, **options)


def matmul(m, n, k, transposed=()):
    a = normal(k, m).T if "a" in transposed else normal(m, k)
    b = normal(n, k).T if "b" in transposed else normal(k, n)
    out = torch.empty(m, n, device="cuda", dtype=bf16)
    numbers = (m, n, k, *a.stride(), *b.stride(), *out.stride())
    form = f", {' and '.join(transposed)} transposed" if transposed else ""
    case(f"matmul {m}x{n}x{k}{form}", lambda lib: lib.bench_matmul(a, b, out, *numbers), (triton.cdiv(m, 128), triton.cdiv(n, 128)),
         (a, b, out, *numbers), dict(BM=128, BN=128, BK=64), out, a @ b, lambda: torch.matmul(a, b, out=out))


torch.manual_seed(0)
for size in (4096,) * 3, (2048,) * 3, (1024,) * 3, (1000,) * 3, (4000, 4104, 4096):
    matmul(*size)
for rows, columns, depth in ((1, 4096, 4096), (16, 4096, 4096), (16, 8192, 8192), (64, 4096, 14336), (128, 8192, 8192), (256, 1024, 8192),
                             (256, 2048, 4096), (256, 4096, 2048), (16, 28672, 4096)):
    matmul(rows, columns, depth)
matmul(4096, 4096, 4096, ["b"])
matmul(4096, 4096, 4096, ["a"])
matmul(16, 8192, 8192, ["b"])

M, N, K = 4096, 11008, 4096
a, w, bias, out = normal(M, K), normal(N, K) / 64, normal(N), torch.empty(M, N, device="cuda", dtype=bf16)
case("linear_gelu", lambda lib: lib.bench_linear_gelu(a, w, bias, out, M, N, K), (M // 128, N // 128), (a, w, bias, out, M, N, K),
     dict(BM=128, BN=128, BK=64), out, F.gelu(F.linear(a, w, bias)), lambda: F.gelu(F.linear(a, w, bias)))

x, out = normal(8192, 8064), torch.empty(8192, 8064, device="cuda", dtype=bf16)
case("softmax", lambda lib: lib.bench_softmax(x, out, 8064, 8064, 8192, 8064), (8192,), (x, out, 8064, 8064, 8064), dict(BLOCK=8192), out,
     x.float().softmax(1), lambda: torch.softmax(x, 1))
x, first, residual, w, out = normal(8192, 4096), normal(8192, 4096), normal(8192, 4096), normal(4096), torch.empty(8192, 4096, device="cuda", dtype=bf16)
case("add_rms_norm", lambda lib: lib.bench_add_rms_norm(x, residual, w, out, 8192, 4096), (8192,), (x, residual, w, out, 4096, 1e-5),
     dict(BLOCK=4096), out, F.rms_norm(x.float() + first.float(), (4096,), w.float(), 1e-5), prepare=lambda: residual.copy_(first))
y = normal(8192, 4096)
mean, rstd = x.float().mean(1), 1 / torch.sqrt(x.float().var(1, correction=0) + 1e-5)
g, n = y.float() * w.float(), (x.float() - mean[:, None]) * rstd[:, None]
expected = (g - n * (n * g).mean(1, keepdim=True) - g.mean(1, keepdim=True)) * rstd[:, None]
case("layer_norm_backward", lambda lib: lib.bench_layer_norm_backward(y, x, w, mean, rstd, out, 8192, 4096), (8192,),
     (y, x, w, mean, rstd, out, 4096), dict(BLOCK=4096), out, expected)

first = normal(16384, 32, 128)
x, angle = first.clone(), torch.rand(16384, 64, device="cuda") * 6
c, s = angle.cos(), angle.sin()
l, r = first[..., :64].float(), first[..., 64:].float()
expected = torch.cat([l * c[:, None] - r * s[:, None], r * c[:, None] + l * s[:, None]], -1)
case("rope", lambda lib: lib.bench_rope(x, c, s, 16384, 32), (16384,), (x, c, s, 32), dict(HEADS=32, HALF=64), x, expected,
     prepare=lambda: x.copy_(first))
x, out = normal(8192, 2 * 11008), torch.empty(8192, 11008, device="cuda", dtype=bf16)
case("silu_and_mul", lambda lib: lib.bench_silu_and_mul(x, out, 8192, 11008), (8192, triton.cdiv(11008, 1024)), (x, out, 11008),
     dict(BLOCK=1024), out, F.silu(x[:, :11008].float()) * x[:, 11008:].float())
x, labels, loss = normal(8192, 32000), torch.randint(0, 32000, (8192,), device="cuda"), torch.empty(8192, device="cuda")
case("cross_entropy", lambda lib: lib.bench_cross_entropy(x, labels, loss, 8192, 32000), (8192,), (x, labels, loss, 32000), dict(BLOCK=4096),
     loss, F.cross_entropy(x.float(), labels, reduction="none"), lambda: F.cross_entropy(x, labels, reduction="none"))
table, tokens, out = normal(32000, 4096), torch.randint(0, 32000, (16384,), device="cuda"), torch.empty(16384, 4096, device="cuda", dtype=bf16)
case("embedding", lambda lib: lib.bench_embedding(tokens, table, out, 16384, 4096), (16384,), (tokens, table, out, 4096), dict(BLOCK=4096), out,
     table[tokens], lambda: F.embedding(tokens, table))
x, out, scales = normal(8192, 8192), torch.empty(8192, 8192, device="cuda", dtype=torch.int8), torch.empty(8192, device="cuda")
case("quantize_rows", lambda lib: lib.bench_quantize_rows(x, out, scales, 8192, 8192), (8192,), (x, out, scales, 8192), dict(BLOCK=8192), out,
     torch.round(x.float() / (x.float().abs().amax(1, keepdim=True) / 127 + 1e-12)))
x, out = normal(8192, 8192), torch.empty(8192, 8192, device="cuda", dtype=bf16)
case("transpose", lambda lib: lib.bench_transpose(x, out, 8192, 8192, 8192, 1, 8192, 1), (128, 128), (x, out, 8192, 8192, 8192, 1, 8192, 1),
     dict(BM=64, BN=64), out, x.T, lambda: out.copy_(x.T))
x, out = normal(16384, 4096, dtype=f32), torch.empty(16384, 4096, device="cuda")
case("cumulative_sum", lambda lib: lib.bench_cumulative_sum(x, out, 16384, 4096), (16384,), (x, out, 4096), dict(BLOCK=4096), out, x.cumsum(1),
     lambda: torch.cumsum(x, 1))
x = torch.stack([torch.randperm(8192, device="cuda") for _ in range(4096)]).to(f32)
x, out = (x / 8192).to(bf16) + (x == 8191), torch.empty(4096, device="cuda", dtype=torch.int64)
case("argmax_rows", lambda lib: lib.bench_argmax_rows(x, out, 4096, 8192), (4096,), (x, out, 8192), dict(BLOCK=8192), out, x.float().argmax(1),
     lambda: torch.argmax(x, 1))
x, out = normal(1 << 26), torch.empty(1 << 26, device="cuda", dtype=bf16)
peers.dropout[(1 << 16,)](x, out, 1 << 26, 0.5, 7, BLOCK=1024)
case("dropout", lambda lib: lib.bench_dropout(x, out, 1 << 26, 7), (1 << 16,), (x, out, 1 << 26, 0.5, 7), dict(BLOCK=1024), out, out.clone())
x, w, scales, y = normal(8192), torch.randint(-127, 128, (28672, 8192), device="cuda", dtype=torch.int8), torch.rand(28672, device="cuda"), torch.empty(28672, device="cuda", dtype=bf16)
case("int8_vector", lambda lib: lib.bench_int8_vector(x, w, scales, y, 28672, 8192), (28672 // 16,), (x, w, scales, y, 28672, 8192),
     dict(BN=16, BK=512), y, (w.float() @ x.float()) * scales)
x, w, out = normal(8, 4096, 2048), normal(2048, 4, dtype=f32), torch.empty(8, 4096, 2048, device="cuda", dtype=bf16)
expected = F.silu(F.conv1d(F.pad(x.float().transpose(1, 2), (3, 0)), w[:, None], groups=2048)).transpose(1, 2)
case("causal_conv", lambda lib: lib.bench_causal_conv(x, w, out, 8, 4096, 2048), (64, 32, 8), (x, w, out, 4096, 2048), dict(BT=64, BC=64), out,
     expected)
keys, slots = normal(32768, 1024), torch.randperm(65536, device="cuda")[:32768]
cache = torch.zeros(65536, 1024, device="cuda", dtype=bf16)
expected = cache.clone().index_copy_(0, slots, keys)
case("write_cache", lambda lib: lib.bench_write_cache(keys, cache, slots, 32768, 1024), (32768,), (keys, cache, slots, 1024), dict(BLOCK=1024),
     cache, expected, lambda: cache.index_copy_(0, slots, keys), prepare=cache.zero_)

batch, heads, length = 64, 8, 4000
lengths = torch.full((batch,), length, device="cuda", dtype=torch.int32)
most = triton.cdiv(length, 64)
pages = torch.randperm(batch * most, device="cuda").to(torch.int32).view(batch, most)
q, k, v = normal(batch, heads, 16, 128), normal(batch * most, heads, 64, 128), normal(batch * most, heads, 64, 128)
out, scale = torch.empty_like(q), math.log2(math.e) / math.sqrt(128)
of = lambda t: t[pages[:2].long()].permute(0, 2, 1, 3, 4).reshape(2, heads, most * 64, 128)[:, :, :length].float()
expected = F.scaled_dot_product_attention(q[:2].float(), of(k), of(v))
case("decode", lambda lib: lib.bench_decode(q, k, v, pages, lengths, out, batch, heads, most, scale), (batch, heads),
     (q, k, v, pages, lengths, out, heads, most, scale), dict(GROUP=16, PAGE=64, D=128), out[:2], expected)
x, w, b = normal(32, 256, 64, 64), normal(256), normal(256)
out = torch.empty_like(x)
case("group_norm", lambda lib: lib.bench_group_norm(x, w, b, out, 32, 32, 8 * 4096, 4096), (32 * 32,), (x, w, b, out, 32, 8 * 4096, 4096, 1e-5),
     dict(BLOCK=2048), out, F.group_norm(x.float(), 32, w.float(), b.float()), lambda: F.group_norm(x, 32, w, b))
src, index, dst = normal(16384, 2048, dtype=f32), torch.randint(0, 32000, (16384,), device="cuda"), torch.zeros(32000, 2048, device="cuda")
expected = torch.zeros_like(dst).index_add_(0, index, src)
case("scatter_add", lambda lib: lib.bench_scatter_add(src, index, dst, 16384, 2048), (16384, 2), (src, index, dst, 2048), dict(BLOCK=1024), dst,
     expected, lambda: dst.index_add_(0, index, src), prepare=dst.zero_)
