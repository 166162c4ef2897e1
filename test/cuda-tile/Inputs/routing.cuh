// A mixture of experts: selecting, counting and sorting tokens, and matrix products with rows gathered by expert.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// The two best experts of each token and their weights.
template <int E> __tile_global__ void top_2(const float *logits, int *expert, float *weight, int tokens) {
  auto token = ct::bid().x;
  auto in =
      ct::partition_view(ct::tensor_span(logits, ct::extents{tokens, ct::integral_constant<E>{}}), ct::shape<1, E>{});
  auto x = in.load(token, 0);
  auto place = ct::iota<ct::tile<unsigned, ct::shape<1, E>>>();
  auto first = ct::max_element<1>(x);
  auto best = ct::reduce_max<1>(x);
  auto rest = ct::select(place == first, ct::full<decltype(x)>(-INFINITY), x);
  auto second = ct::max_element(rest, 1_ic);
  auto ratio = ct::exp(ct::reduce_max<1>(rest) - best);
  auto w = 1.0f / (1.0f + ratio);
  ct::store(expert + 2 * token, int(first));
  ct::store(expert + (2 * token + 1), int(second));
  ct::store(weight + 2 * token, float(w));
  ct::store(weight + (2 * token + 1), float(ratio * w));
}

// How many tokens each expert has, and where in its group each comes.
template <int BLOCK> __tile_global__ void count_tokens(const int *expert, int *count, int *place, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<BLOCK>>>() + int(ct::bid().x) * BLOCK;
  auto inside = i < n;
  auto e = ct::load_masked(expert + i, inside, 0);
  auto one = ct::ones<ct::tile<int, ct::shape<BLOCK>>>();
  auto before =
      ct::atomic_add_masked(count + e, one, inside, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  ct::store_masked(place + i, before, inside);
}

// Groups begin at multiples of a block; which expert each block belongs to.
template <int E> __tile_global__ void align_groups(const int *count, int *start, int *block_expert, int block) {
  auto e = ct::iota<ct::tile<int, ct::shape<E>>>();
  auto padded = ct::ceildiv(ct::load(count + e), block) * block;
  auto end = ct::partial_sum<0>(padded);
  ct::store(start + e, end - padded);
  for (int i = 0; i < E; ++i) {
    int from = ct::load(start + i), blocks = ct::ceildiv(ct::load(count + i), block);
    for (int j : ct::irange(0, blocks))
      ct::store(block_expert + (from / block + j), i);
  }
}

// Each token's number at its place in the sorted order.
template <int BLOCK>
__tile_global__ void scatter_tokens(const int *expert, const int *start, const int *place, int *sorted, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<BLOCK>>>() + int(ct::bid().x) * BLOCK;
  auto inside = i < n;
  auto e = ct::load_masked(expert + i, inside, 0);
  auto at = ct::load_masked(start + e, inside, 0) + ct::load_masked(place + i, inside, 0);
  ct::store_masked(sorted + at, i, inside);
}

// Rows of sorted tokens times their expert's weights; row numbers of -1 are skipped.
template <int M, int N, int K>
__tile_global__ void expert_product(const __nv_bfloat16 *x, const __nv_bfloat16 *w, __nv_bfloat16 *out,
                                    const int *sorted, const int *block_expert, const float *weight, int tokens, int n,
                                    int k) {
  auto [block, j, unused] = ct::bid();
  int expert = ct::load(block_expert + block);
  auto row = ct::load(sorted + (ct::iota<ct::tile<int, ct::shape<M>>>() + int(block) * M));
  auto inside = row >= 0;
  auto token = ct::select(inside, row / 2, ct::full<decltype(row)>(tokens)); // beyond the end: masked
  auto xv = ct::gather_scatter_view(ct::tensor_span(x, ct::extents{tokens, k}), ct::shape<M, K>{}, 0_ic);
  auto wv = ct::partition_view(ct::tensor_span(w + size_t(expert) * n * k, ct::extents{n, k}), ct::shape<N, K>{});
  auto sum = ct::zeros<ct::tile<float, ct::shape<M, N>>>();
  for (int p : ct::irange(0, ct::ceildiv(k, K)))
    sum = ct::mma(xv.load_masked(token, p * K), ct::transpose(wv.load_masked(j, p)), sum);
  auto share = ct::load_masked(weight + row, inside, 0.0f);
  sum = sum * ct::reshape(share, ct::shape<M, 1>{});
  auto ov = ct::gather_scatter_view(ct::tensor_span(out, ct::extents{2 * tokens, n}), ct::shape<M, N>{}, 0_ic);
  ov.store_masked(ct::element_cast<__nv_bfloat16>(sum), ct::select(inside, row, ct::full<decltype(row)>(2 * tokens)),
                  j * N);
}

// Adds the two results of each token.
template <int BLOCK> __tile_global__ void combine(const __nv_bfloat16 *parts, __nv_bfloat16 *out, int tokens, int n) {
  auto in = ct::partition_view(ct::tensor_span(parts, ct::extents{tokens, 2_ic, n}), ct::shape<1, 2, BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{tokens, n}), ct::shape<1, BLOCK>{});
  auto both = ct::element_cast<float>(in.load_masked(ct::bid().x, 0, ct::bid().y));
  to.store_masked(ct::element_cast<__nv_bfloat16>(ct::reshape(ct::sum<1>(both), ct::shape<1, BLOCK>{})), ct::bid().x,
                  ct::bid().y);
}

// Rows of floats as 8-bit floats with one scale each.
template <int BLOCK> __tile_global__ void quantize(const float *x, __nv_fp8_e4m3 *out, float *scale, int columns) {
  const int row = ct::bid().x;
  auto column = ct::iota<ct::tile<int, ct::shape<BLOCK>>>();
  auto inside = column < columns;
  auto v = ct::load_masked(x + (row * columns + column), inside, 0.0f);
  auto s = ct::max(ct::reduce_max<0>(ct::abs(v)) / 448.0f, 1e-12f);
  ct::store(scale + row, float(s));
  ct::store_masked(out + (row * columns + column), ct::element_cast<__nv_fp8_e4m3>(v / s), inside);
}

template __tile_global__ void top_2<16>(const float *, int *, float *, int);
template __tile_global__ void count_tokens<128>(const int *, int *, int *, int);
template __tile_global__ void align_groups<16>(const int *, int *, int *, int);
template __tile_global__ void scatter_tokens<128>(const int *, const int *, const int *, int *, int);
template __tile_global__ void expert_product<32, 64, 32>(const __nv_bfloat16 *, const __nv_bfloat16 *, __nv_bfloat16 *,
                                                         const int *, const int *, const float *, int, int, int);
template __tile_global__ void combine<64>(const __nv_bfloat16 *, __nv_bfloat16 *, int, int);
template __tile_global__ void quantize<128>(const float *, __nv_fp8_e4m3 *, float *, int);
