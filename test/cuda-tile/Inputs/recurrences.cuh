// Scans, and recurrences in which each step changes a state: linear attention, and the delta rule, step by step and in
// chunks.
#pragma once
#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T, int ROWS, int COLUMNS>
__tile_global__ void scans(const T *x, T *down, T *right_to_left, T *products) {
  auto shape = ct::shape<ROWS, COLUMNS>{};
  auto v = ct::partition_view(ct::tensor_span(x, shape), shape).load(0, 0);
  ct::partition_view(ct::tensor_span(down, shape), shape).store(ct::partial_sum<0>(v), 0, 0);
  ct::partition_view(ct::tensor_span(right_to_left, shape), shape)
      .store(ct::partial_sum(v, 1_ic, ct::scan_backward_t{}), 0, 0);
  ct::partition_view(ct::tensor_span(products, shape), shape).store(ct::partial_prod<1>(v), 0, 0);
}

// The prefix sums of one long row, in pieces that carry their sum.
template <int BLOCK> __tile_global__ void prefix_sum(const int *x, int *out, int n) {
  auto in = ct::partition_view(ct::tensor_span(x, ct::extents{n}), ct::shape<BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{n}), ct::shape<BLOCK>{});
  auto carried = ct::zeros<ct::tile<int, ct::shape<1>>>();
  for (int i : ct::irange(0, ct::ceildiv(n, BLOCK))) {
    auto v = in.load_masked(i);
    to.store_masked(ct::partial_sum<0>(v) + carried, i);
    carried = carried + ct::sum<0>(v);
  }
}

// s = decay * s + k^T v; out = q s: the state is a loop-carried tile.
template <int D>
__tile_global__ void linear_attention(const float *q, const float *k, const float *v, const float *decay, float *out,
                                      int length) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto row = ct::shape<1, D>{};
  auto qv = ct::partition_view(ct::tensor_span(q, extents), row),
       kv = ct::partition_view(ct::tensor_span(k, extents), row),
       vv = ct::partition_view(ct::tensor_span(v, extents), row);
  auto ov = ct::partition_view(ct::tensor_span(out, extents), row);
  auto state = ct::zeros<ct::tile<float, ct::shape<D, D>>>();
  for (int t = 0; t < length; ++t) {
    auto key = ct::transpose(kv.load(t, 0));
    state = state * ct::load(decay + t) + key * vv.load(t, 0);
    ov.store(ct::sum<0>(ct::transpose(qv.load(t, 0)) * state), t, 0);
  }
}

// The gated delta rule: what the state already says of the key is taken from the value before it is added.
template <int D>
__tile_global__ void delta_rule(const float *q, const float *k, const float *v, const float *gate, const float *beta,
                                float *out, float *final_state, int length) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto row = ct::shape<1, D>{};
  auto qv = ct::partition_view(ct::tensor_span(q, extents), row),
       kv = ct::partition_view(ct::tensor_span(k, extents), row),
       vv = ct::partition_view(ct::tensor_span(v, extents), row);
  auto ov = ct::partition_view(ct::tensor_span(out, extents), row);
  auto state = ct::zeros<ct::tile<float, ct::shape<D, D>>>();
  for (int t = 0; t < length; ++t) {
    state = state * ct::exp(ct::full<ct::tile<float, ct::shape<>>>(ct::load(gate + t)));
    auto key = ct::transpose(kv.load(t, 0));
    auto said = ct::sum<0>(key * state);
    state = state + key * ((vv.load(t, 0) - said) * ct::load(beta + t));
    ov.store(ct::sum<0>(ct::transpose(qv.load(t, 0)) * state), t, 0);
  }
  auto whole = ct::shape<D, D>{};
  ct::partition_view(ct::tensor_span(final_state, whole), whole).store(state, 0, 0);
}

// Linear attention by chunks of C steps: dots within a chunk, and with the state of the previous chunks.
template <int C, int D>
__tile_global__ void chunked(const float *q, const float *k, const float *v, float *out, int length) {
  auto extents = ct::extents{length, ct::integral_constant<D>{}};
  auto rows = ct::shape<C, D>{};
  auto qv = ct::partition_view(ct::tensor_span(q, extents), rows),
       kv = ct::partition_view(ct::tensor_span(k, extents), rows),
       vv = ct::partition_view(ct::tensor_span(v, extents), rows);
  auto ov = ct::partition_view(ct::tensor_span(out, extents), rows);
  auto state = ct::zeros<ct::tile<float, ct::shape<D, D>>>();
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<C>>>(), ct::shape<C, 1>{});
  auto j = ct::reshape(ct::iota<ct::tile<int, ct::shape<C>>>(), ct::shape<1, C>{});
  for (int c : ct::irange(0, ct::ceildiv(length, C))) {
    auto qs = qv.load_masked(c, 0), ks = kv.load_masked(c, 0), vs = vv.load_masked(c, 0);
    auto scores = ct::matmul(qs, ct::transpose(ks));
    scores = ct::select(i >= j, scores, ct::zeros<decltype(scores)>());
    ov.store_masked(ct::mma(scores, vs, ct::matmul(qs, state)), c, 0);
    state = ct::mma(ct::transpose(ks), vs, state);
  }
}

template __tile_global__ void scans<float, 16, 64>(const float *, float *, float *, float *);
template __tile_global__ void scans<int, 8, 32>(const int *, int *, int *, int *);
template __tile_global__ void scans<__half, 8, 32>(const __half *, __half *, __half *, __half *);
template __tile_global__ void prefix_sum<256>(const int *, int *, int);
template __tile_global__ void linear_attention<32>(const float *, const float *, const float *, const float *, float *,
                                                   int);
template __tile_global__ void delta_rule<64>(const float *, const float *, const float *, const float *, const float *,
                                             float *, float *, int);
template __tile_global__ void chunked<32, 32>(const float *, const float *, const float *, float *, int);
