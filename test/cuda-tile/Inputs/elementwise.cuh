// Activations and other functions of elements, in the forms in which such kernels are written: tiles of pointers with masks,
// and views.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int BLOCK> __tile_global__ void add(const float *x, const float *y, float *out, int n) {
  using Index = ct::tile<int, ct::shape<BLOCK>>;
  auto i = ct::iota<Index>() + int(ct::bid().x) * BLOCK;
  auto mask = i < n;
  ct::store_masked(out + i, ct::load_masked(x + i, mask) + ct::load_masked(y + i, mask), mask);
}

template <int BLOCK> __tile_global__ void relu(const __half *x, __half *out, int n) {
  auto shape = ct::shape<BLOCK>{};
  auto from = ct::partition_view(ct::tensor_span(x, ct::extents{n}), shape);
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{n}), shape);
  auto v = from.load_masked(ct::bid().x);
  to.store_masked(ct::max(v, ct::zeros<decltype(v)>()), ct::bid().x);
}

// The tanh approximation, and its derivative times a gradient.
template <int BLOCK> __tile_global__ void gelu(const float *x, float *out, int n) {
  auto from = ct::partition_view(ct::tensor_span(x, ct::extents{n}), ct::shape<BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{n}), ct::shape<BLOCK>{});
  auto v = from.load_masked(ct::bid().x);
  auto inner = 0.7978845608f * (v + 0.044715f * v * v * v);
  to.store_masked(0.5f * v * (1.0f + ct::tanh(inner)), ct::bid().x);
}
template <int BLOCK> __tile_global__ void gelu_backward(const float *x, const float *dy, float *dx, int n) {
  auto xs = ct::partition_view(ct::tensor_span(x, ct::extents{n}), ct::shape<BLOCK>{});
  auto dys = ct::partition_view(ct::tensor_span(dy, ct::extents{n}), ct::shape<BLOCK>{});
  auto dxs = ct::partition_view(ct::tensor_span(dx, ct::extents{n}), ct::shape<BLOCK>{});
  auto v = xs.load_masked(ct::bid().x);
  auto t = ct::tanh(0.7978845608f * (v + 0.044715f * v * v * v), ct::round_full_t{});
  auto slope = 0.5f * (1.0f + t) + 0.5f * v * (1.0f - t * t) * 0.7978845608f * (1.0f + 3 * 0.044715f * v * v);
  dxs.store_masked(slope * dys.load_masked(ct::bid().x), ct::bid().x);
}

// silu(gate) * up, of rows [gate | up].
template <int BLOCK> __tile_global__ void swiglu(const __nv_bfloat16 *x, __nv_bfloat16 *out, int rows, int columns) {
  auto in = ct::partition_view(ct::tensor_span(x, ct::extents{rows, 2, columns}), ct::shape<1, 1, BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  auto [row, column, z] = ct::bid();
  auto gate = ct::element_cast<float>(ct::reshape(in.load_masked(row, 0, column), ct::shape<1, BLOCK>{}));
  auto up = ct::element_cast<float>(ct::reshape(in.load_masked(row, 1, column), ct::shape<1, BLOCK>{}));
  auto sigmoid = ct::div(1.0f, 1.0f + ct::exp(-gate), ct::round_approximate_t{});
  to.store_masked(ct::element_cast<__nv_bfloat16>(gate * sigmoid * up), row, column);
}

// Rotary embedding: rotates the two halves of each head's row.
template <int HALF>
__tile_global__ void rope(float *x, const float *cosine, const float *sine, int positions, int heads) {
  auto [position, head, z] = ct::bid();
  auto xs = ct::partition_view(ct::tensor_span(x, ct::extents{positions, heads, ct::integral_constant<2>{},
                                                              ct::integral_constant<HALF>{}}),
                               ct::shape<1, 1, 1, HALF>{});
  auto table = ct::extents{positions, ct::integral_constant<HALF>{}};
  auto c = ct::reshape(ct::partition_view(ct::tensor_span(cosine, table), ct::shape<1, HALF>{}).load(position, 0),
                       ct::shape<HALF>{});
  auto s = ct::reshape(ct::partition_view(ct::tensor_span(sine, table), ct::shape<1, HALF>{}).load(position, 0),
                       ct::shape<HALF>{});
  auto a = ct::reshape(xs.load(position, head, 0, 0), ct::shape<HALF>{});
  auto b = ct::reshape(xs.load(position, head, 1, 0), ct::shape<HALF>{});
  auto whole = ct::shape<1, 1, 1, HALF>{};
  xs.store(ct::reshape(a * c - b * s, whole), position, head, 0, 0);
  xs.store(ct::reshape(b * c + a * s, whole), position, head, 1, 0);
}

// Dropout: a hash of the position selects zeros, and the rest is scaled up.
template <int BLOCK> __tile_global__ void dropout(const float *x, float *out, int n, float keep, unsigned seed) {
  using Index = ct::tile<unsigned, ct::shape<BLOCK>>;
  auto i = ct::iota<Index>() + ct::bid().x * BLOCK;
  auto h = (i + seed) * 2654435761u;
  h = (h ^ (h >> 15)) * 2246822519u;
  h = h ^ (h >> 13);
  auto uniform = ct::element_cast<float>(h >> 8) * (1.0f / 16777216.0f);
  auto mask = i < unsigned(n);
  auto v = ct::load_masked(x + i, mask, 0.0f);
  ct::store_masked(out + i, ct::select(uniform < keep, v / keep, ct::zeros<decltype(v)>()), mask);
}

template __tile_global__ void add<1024>(const float *, const float *, float *, int);
template __tile_global__ void relu<512>(const __half *, __half *, int);
template __tile_global__ void gelu<512>(const float *, float *, int);
template __tile_global__ void gelu_backward<512>(const float *, const float *, float *, int);
template __tile_global__ void swiglu<256>(const __nv_bfloat16 *, __nv_bfloat16 *, int, int);
template __tile_global__ void rope<32>(float *, const float *, const float *, int, int);
template __tile_global__ void dropout<1024>(const float *, float *, int, float, unsigned);
