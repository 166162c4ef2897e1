// Kernels that reduce rows: softmax in three forms, norms, cross entropy.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// A row in one tile, with padding that does not count.
template <class T, int BLOCK> __tile_global__ void softmax(const T *x, T *out, int rows, int columns) {
  auto in = ct::partition_view(ct::tensor_span(x, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  auto v = ct::element_cast<float>(in.load_masked(ct::view_padding_negative_inf_t{}, ct::bid().x, 0));
  auto e = ct::exp(v - ct::reduce_max(v, 1_ic));
  to.store_masked(ct::element_cast<T>(e / ct::sum<1>(e)), ct::bid().x, 0);
}

// A row in pieces, with a running maximum and sum.
template <int BLOCK> __tile_global__ void online_softmax(const float *x, float *out, int rows, int columns) {
  auto in = ct::partition_view(ct::tensor_span(x, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  auto row = ct::bid().x;
  auto most = ct::full<ct::tile<float, ct::shape<1, 1>>>(-INFINITY);
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, 1>>>();
  const int pieces = ct::ceildiv(columns, BLOCK);
  for (int i : ct::irange(0, pieces)) {
    auto v = in.template load_masked<ct::view_padding::negative_inf>(row, i);
    auto next = ct::max(most, ct::reduce_max<1>(v));
    sum = sum * ct::exp2((most - next) * 1.44269504f) + ct::sum<1>(ct::exp2((v - next) * 1.44269504f));
    most = next;
  }
  for (int i : ct::irange(0, pieces))
    to.store_masked(ct::exp(in.load_masked(row, i) - most) / sum, row, i);
}

// Several rows of a column-major matrix at once, with tiles of pointers.
template <int ROWS, int BLOCK> __tile_global__ void log_softmax(const float *x, float *out, int rows, int columns) {
  auto i = ct::reshape(ct::iota<ct::tile<int, ct::shape<ROWS>>>(), ct::shape<ROWS, 1>{}) + int(ct::bid().x) * ROWS;
  auto j = ct::reshape(ct::iota<ct::tile<int, ct::shape<BLOCK>>>(), ct::shape<1, BLOCK>{});
  auto offset = i + j * rows;
  auto mask = (i < rows) && (j < columns);
  auto v = ct::load_masked(x + offset, mask, -INFINITY);
  auto inside = i < rows;
  auto most = ct::select(inside, ct::reduce_max<1>(v), ct::zeros<ct::tile<float, ct::shape<ROWS, 1>>>());
  auto log_sum = ct::log(ct::sum(ct::exp(v - most), 1_ic)) + most;
  ct::store_masked(out + offset, v - log_sum, mask);
}

template <int BLOCK>
__tile_global__ void rms_norm(const __half *x, const __half *weight, __half *out, int rows, int columns,
                              float epsilon) {
  auto in = ct::partition_view(ct::tensor_span(x, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  auto weights = ct::partition_view(ct::tensor_span(weight, ct::extents{columns}), ct::shape<BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{rows, columns}), ct::shape<1, BLOCK>{});
  for (auto row : ct::irange(ct::bid().x, unsigned(rows), ct::num_blocks().x)) { // persistent
    auto v = ct::element_cast<float>(in.load_masked(row, 0));
    auto scale = ct::rsqrt(ct::sum<1>(v * v) / float(columns) + epsilon);
    to.store_masked(ct::element_cast<__half>(v * scale * ct::element_cast<float>(weights.load_masked(0))), row, 0);
  }
}

template <int BLOCK>
__tile_global__ void layer_norm(const float *x, const float *weight, const float *bias, float *out, float *mean,
                                float *deviation, int rows, int columns) {
  auto in = ct::partition_view(ct::tensor_span(x, ct::extents{rows, columns}), ct::shape<4, BLOCK>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{rows, columns}), ct::shape<4, BLOCK>{});
  auto row_shape = ct::shape<4>{};
  auto means = ct::partition_view(ct::tensor_span(mean, ct::extents{rows}), row_shape);
  auto deviations = ct::partition_view(ct::tensor_span(deviation, ct::extents{rows}), row_shape);
  auto column = ct::iota<ct::tile<int, ct::shape<BLOCK>>>();
  auto v = in.load_masked(ct::bid().x, 0);
  auto m = ct::sum<1>(v) / float(columns);
  auto centered = ct::select(column < columns, v - m, ct::zeros<decltype(v)>());
  auto r = 1.0f / ct::sqrt(ct::sum<1>(centered * centered) / float(columns) + 1e-5f);
  auto inside = column < columns;
  auto w = ct::load_masked(weight + column, inside, 0.0f), b = ct::load_masked(bias + column, inside, 0.0f);
  to.store_masked(
      ct::fma(centered * r, ct::broadcast(w, ct::shape<4, BLOCK>{}), ct::broadcast(b, ct::shape<4, BLOCK>{})),
      ct::bid().x, 0);
  means.store_masked(ct::reshape(m, row_shape), ct::bid().x);
  deviations.store_masked(ct::reshape(r, row_shape), ct::bid().x);
}

// The loss of one row, and its gradient where the row was.
template <int BLOCK> __tile_global__ void cross_entropy(float *x, const int *label, float *loss, int columns) {
  auto row = ct::bid().x;
  float *base = x + size_t(row) * columns;
  auto column = ct::iota<ct::tile<int, ct::shape<BLOCK>>>();
  auto inside = column < columns;
  auto v = ct::load_masked(base + column, inside, -INFINITY);
  auto most = ct::reduce_max<0>(v);
  auto e = ct::exp(v - most);
  auto sum = ct::sum<0>(e);
  int at = ct::load(label + row);
  auto picked = ct::sum<0>(ct::select(column == at, v, ct::zeros<decltype(v)>()));
  ct::store(loss + row, float(ct::log(sum) + most - picked));
  ct::store_masked(base + column, e / sum - ct::element_cast<float>(column == at), inside);
}

template __tile_global__ void softmax<float, 256>(const float *, float *, int, int);
template __tile_global__ void softmax<__half, 256>(const __half *, __half *, int, int);
template __tile_global__ void softmax<__nv_bfloat16, 256>(const __nv_bfloat16 *, __nv_bfloat16 *, int, int);
template __tile_global__ void online_softmax<128>(const float *, float *, int, int);
template __tile_global__ void log_softmax<16, 64>(const float *, float *, int, int);
template __tile_global__ void rms_norm<512>(const __half *, const __half *, __half *, int, int, float);
template __tile_global__ void layer_norm<256>(const float *, const float *, const float *, float *, float *, float *,
                                              int, int);
template __tile_global__ void cross_entropy<128>(float *, const int *, float *, int);
