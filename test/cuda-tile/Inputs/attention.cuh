// Attention forward, backward and for decoding in parts.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// q, k, v, out: batches x heads x length x D. Each program has M rows of one head.
template <int M, int N, int D, bool Causal>
__tile_global__ void attention(const __half *q, const __half *k, const __half *v, __half *out, float *log_sum,
                               int batches, int heads, int length, float scale) {
  auto extents = ct::extents{batches, heads, length, ct::integral_constant<D>{}};
  auto rows = ct::shape<1, 1, M, D>{};
  auto keys = ct::shape<1, 1, N, D>{};
  auto qv = ct::partition_view(ct::tensor_span(q, extents), rows);
  auto kv = ct::partition_view(ct::tensor_span(k, extents), keys);
  auto vv = ct::partition_view(ct::tensor_span(v, extents), keys);
  auto ov = ct::partition_view(ct::tensor_span(out, extents), rows);
  auto block = ct::bid().x, batch = ct::bid().y / heads, head = ct::bid().y % heads;

  auto queries = ct::reshape(qv.load_masked(batch, head, block, 0), ct::shape<M, D>{});
  auto most = ct::full<ct::tile<float, ct::shape<M, 1>>>(-1e30f);
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, 1>>>();
  auto acc = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<M>>>(), ct::shape<M, 1>{}) + int(block) * M;
  auto column = ct::reshape(ct::iota<ct::tile<int, ct::shape<N>>>(), ct::shape<1, N>{});
  const int last = Causal ? ct::min(length, int(block + 1) * M) : length;
  for (int j : ct::irange(0, ct::ceildiv(last, N))) {
    auto kt = ct::reshape(kv.load_masked(batch, head, j, 0), ct::shape<N, D>{});
    auto scores = ct::mma(queries, ct::transpose(kt), ct::zeros<ct::tile<float, ct::shape<M, N>>>()) * scale;
    auto seen = column + j * N < length;
    if constexpr (Causal)
      scores = ct::select(seen && (column + j * N <= row), scores, ct::full<decltype(scores)>(-1e30f));
    else
      scores = ct::select(seen, scores, ct::full<decltype(scores)>(-1e30f));
    auto next = ct::max(most, ct::reduce_max<1>(scores));
    auto p = ct::exp2(scores - next, ct::round_subnormals_to_zero_t{});
    auto shrink = ct::exp2(most - next);
    sum = sum * shrink + ct::sum<1>(p);
    auto values = ct::reshape(vv.load_masked(batch, head, j, 0), ct::shape<N, D>{});
    acc = ct::mma(ct::element_cast<__half>(p), values, acc * shrink);
    most = next;
  }
  ov.store_masked(ct::reshape(ct::element_cast<__half>(acc / sum), rows), batch, head, block, 0);
  auto sums = ct::partition_view(ct::tensor_span(log_sum, ct::extents{batches * heads, length}), ct::shape<1, M>{});
  sums.store_masked(ct::reshape(most + ct::log2(sum), ct::shape<1, M>{}), ct::bid().y, block);
}

// Shared by the gradients: the sum of out * dout along each row.
template <int M, int D>
__tile_global__ void attention_delta(const __half *out, const __half *dout, float *delta, int length) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto a = ct::partition_view(ct::tensor_span(out, extents), ct::shape<M, D>{});
  auto b = ct::partition_view(ct::tensor_span(dout, extents), ct::shape<M, D>{});
  auto to = ct::partition_view(ct::tensor_span(delta, ct::extents{length}), ct::shape<M>{});
  auto product =
      ct::element_cast<float>(a.load_masked(ct::bid().x, 0)) * ct::element_cast<float>(b.load_masked(ct::bid().x, 0));
  to.store_masked(ct::reshape(ct::sum<1>(product), ct::shape<M>{}), ct::bid().x);
}

// The gradients of N keys and values of one head, from all queries.
template <int M, int N, int D>
__tile_global__ void attention_backward_kv(const __half *q, const __half *k, const __half *v, const __half *dout,
                                           const float *log_sum, const float *delta, float *dk, float *dv, int length,
                                           float scale) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto rows = ct::shape<M, D>{};
  auto keys = ct::shape<N, D>{};
  auto qv = ct::partition_view(ct::tensor_span(q, extents), rows),
       dov = ct::partition_view(ct::tensor_span(dout, extents), rows);
  auto kv = ct::partition_view(ct::tensor_span(k, extents), keys),
       vv = ct::partition_view(ct::tensor_span(v, extents), keys);
  auto kt = kv.load_masked(ct::bid().x, 0), vt = vv.load_masked(ct::bid().x, 0);
  auto dks = ct::zeros<ct::tile<float, ct::shape<N, D>>>(), dvs = dks;
  auto lane = ct::iota<ct::tile<int, ct::shape<M>>>();
  auto zero = ct::zeros<ct::tile<float, ct::shape<N, M>>>();
  for (int i : ct::irange(0, ct::ceildiv(length, M))) {
    auto queries = qv.load_masked(i, 0), gradients = dov.load_masked(i, 0);
    auto inside = lane + i * M < length;
    auto l = ct::load_masked(log_sum + (lane + i * M), inside, 0.0f);
    auto d = ct::load_masked(delta + (lane + i * M), inside, 0.0f);
    auto p = ct::exp2(ct::mma(kt, ct::transpose(queries), zero) * scale - l); // keys x queries
    p = ct::select(inside, p, zero);
    dvs = ct::mma(ct::element_cast<__half>(p), gradients, dvs);
    auto ds = p * (ct::mma(vt, ct::transpose(gradients), zero) - d);
    dks = ct::mma(ct::element_cast<__half>(ds), queries, dks);
  }
  auto dkv = ct::partition_view(ct::tensor_span(dk, extents), keys),
       dvv = ct::partition_view(ct::tensor_span(dv, extents), keys);
  dkv.store_masked(dks * (scale * 0.69314718f), ct::bid().x, 0);
  dvv.store_masked(dvs, ct::bid().x, 0);
}

// The gradients of M queries of one head, from all keys.
template <int M, int N, int D>
__tile_global__ void attention_backward_q(const __half *q, const __half *k, const __half *v, const __half *dout,
                                          const float *log_sum, const float *delta, float *dq, int length,
                                          float scale) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto rows = ct::shape<M, D>{};
  auto keys = ct::shape<N, D>{};
  auto qv = ct::partition_view(ct::tensor_span(q, extents), rows),
       dov = ct::partition_view(ct::tensor_span(dout, extents), rows);
  auto kv = ct::partition_view(ct::tensor_span(k, extents), keys),
       vv = ct::partition_view(ct::tensor_span(v, extents), keys);
  auto queries = qv.load_masked(ct::bid().x, 0), gradients = dov.load_masked(ct::bid().x, 0);
  auto column = ct::shape<M, 1>{};
  auto sums = ct::partition_view(ct::tensor_span(log_sum, ct::extents{length, 1_ic}), column);
  auto deltas = ct::partition_view(ct::tensor_span(delta, ct::extents{length, 1_ic}), column);
  auto l = sums.load_masked(ct::bid().x, 0), d = deltas.load_masked(ct::bid().x, 0);
  auto dqs = ct::zeros<ct::tile<float, ct::shape<M, D>>>();
  auto zero = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  auto lane = ct::iota<ct::tile<int, ct::shape<N>>>();
  for (int j : ct::irange(0, ct::ceildiv(length, N))) {
    auto kt = kv.load_masked(j, 0), vt = vv.load_masked(j, 0);
    auto p = ct::select(lane + j * N < length, ct::exp2(ct::mma(queries, ct::transpose(kt), zero) * scale - l), zero);
    auto ds = p * (ct::mma(gradients, ct::transpose(vt), zero) - d);
    dqs = ct::mma(ct::element_cast<__half>(ds), kt, dqs);
  }
  ct::partition_view(ct::tensor_span(dq, extents), rows).store_masked(dqs * (scale * 0.69314718f), ct::bid().x, 0);
}

// One query of each of 16 heads against a part of the keys; the parts are merged by the next kernel.
template <int N, int D>
__tile_global__ void decode(const __half *q, const __half *k, const __half *v, float *parts, float *log_sums,
                            int length, int each, float scale) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto kv = ct::partition_view(ct::tensor_span(k, extents), ct::shape<N, D>{});
  auto vv = ct::partition_view(ct::tensor_span(v, extents), ct::shape<N, D>{});
  auto heads = ct::shape<16, D>{};
  auto queries = ct::partition_view(ct::tensor_span(q, heads), heads).load(0, 0);
  auto part = ct::bid().x;
  auto most = ct::full<ct::tile<float, ct::shape<16, 1>>>(-1e30f);
  auto sum = ct::zeros<ct::tile<float, ct::shape<16, 1>>>();
  auto acc = ct::zeros<ct::tile<float, ct::shape<16, D>>>();
  auto column = ct::iota<ct::tile<int, ct::shape<1, N>>>();
  for (int j : ct::irange(int(part) * each, ct::min(int(part + 1) * each, ct::ceildiv(length, N)))) {
    auto scores =
        ct::mma(queries, ct::transpose(kv.load_masked(j, 0)), ct::zeros<ct::tile<float, ct::shape<16, N>>>()) * scale;
    scores = ct::select(column + j * N < length, scores, ct::full<decltype(scores)>(-1e30f));
    auto next = ct::max(most, ct::reduce_max<1>(scores));
    auto p = ct::exp2(scores - next);
    auto shrink = ct::exp2(most - next);
    sum = sum * shrink + ct::sum<1>(p);
    acc = ct::mma(ct::element_cast<__half>(p), vv.load_masked(j, 0), acc * shrink);
    most = next;
  }
  auto to = ct::partition_view(
      ct::tensor_span(parts, ct::extents{int(ct::num_blocks().x), 16_ic, ct::integral_constant<D>{}}),
      ct::shape<1, 16, D>{});
  to.store(ct::reshape(acc / sum, ct::shape<1, 16, D>{}), part, 0, 0);
  auto sums =
      ct::partition_view(ct::tensor_span(log_sums, ct::extents{int(ct::num_blocks().x), 16_ic}), ct::shape<1, 16>{});
  sums.store(ct::reshape(most + ct::log2(sum), ct::shape<1, 16>{}), part, 0);
}
template <int P, int D>
__tile_global__ void decode_merge(const float *parts, const float *log_sums, float *out, int count) {
  auto head = ct::bid().x;
  auto sums = ct::partition_view(ct::tensor_span(log_sums, ct::extents{count, 16_ic}), ct::shape<P, 1>{});
  auto all = ct::partition_view(ct::tensor_span(parts, ct::extents{count, 16_ic, ct::integral_constant<D>{}}),
                                ct::shape<P, 1, D>{});
  auto l = sums.load_masked(ct::view_padding_negative_inf_t{}, 0, head);
  auto w = ct::exp2(l - ct::reduce_max<0>(l));
  w = w / ct::sum<0>(w);
  auto weighted = ct::reshape(all.load_masked(0, head, 0), ct::shape<P, D>{}) * w;
  ct::partition_view(ct::tensor_span(out, ct::extents{16_ic, ct::integral_constant<D>{}}), ct::shape<1, D>{})
      .store(ct::sum<0>(weighted), head, 0);
}

template __tile_global__ void attention<64, 64, 64, true>(const __half *, const __half *, const __half *, __half *,
                                                          float *, int, int, int, float);
template __tile_global__ void attention<128, 32, 64, false>(const __half *, const __half *, const __half *, __half *,
                                                            float *, int, int, int, float);
template __tile_global__ void attention_delta<32, 64>(const __half *, const __half *, float *, int);
template __tile_global__ void attention_backward_kv<32, 64, 64>(const __half *, const __half *, const __half *,
                                                                const __half *, const float *, const float *, float *,
                                                                float *, int, float);
template __tile_global__ void attention_backward_q<64, 32, 64>(const __half *, const __half *, const __half *,
                                                               const __half *, const float *, const float *, float *,
                                                               int, float);
template __tile_global__ void decode<32, 64>(const __half *, const __half *, const __half *, float *, float *, int, int,
                                             float);
template __tile_global__ void decode_merge<8, 64>(const float *, const float *, float *, int);
