// Views of tensors of one to five dimensions with ragged edges, in all layouts, and atomic accesses.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void copy_1(const double *x, double *out, int n) {
  auto tile = ct::shape<64>{};
  auto from = ct::partition_view(ct::tensor_span(x, ct::extents{n}), tile);
  ct::partition_view(ct::tensor_span(out, ct::extents{n}), tile)
      .store_masked(from.load_masked(ct::bid().x), ct::bid().x);
}

// Transposed, with padding that differs from the data.
__tile_global__ void transpose_2(const float *x, float *out, int m, int n) {
  auto [i, j, unused] = ct::bid();
  auto from = ct::partition_view(ct::tensor_span(x, ct::extents{m, n}), ct::shape<16, 32>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{n, m}), ct::shape<32, 16>{});
  to.store_masked(ct::transpose(from.load_masked(ct::view_padding_nan_t{}, i, j)), j, i);
}

__tile_global__ void permute_3(const short *x, short *out, int a, int b, int c) {
  auto [i, j, k] = ct::bid();
  auto from = ct::partition_view(ct::tensor_span(x, ct::extents{a, b, c}), ct::shape<4, 8, 16>{});
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{c, a, b}), ct::shape<16, 4, 8>{});
  to.store_masked(ct::permute(from.load_masked(i, j, k), ct::dimension_map<2, 0, 1>{}), k, i, j);
}

// Static extents that are multiples of the tile, and strides that do not follow from the extents.
__tile_global__ void slices_4(const float *x, float *out, int a, long stride) {
  using Extents = ct::extents<long, ct::dynamic_extent, 3, 8, 32>;
  using Strides = ct::strides<long, ct::dynamic_stride, 256, 32, 1>;
  auto mapping = ct::layout_strided_mapping(Extents{a}, Strides{stride});
  auto from = ct::partition_view(ct::tensor_span(x, mapping), ct::shape<1, 1, 8, 16>{});
  auto to = ct::partition_view(ct::tensor_span(out, Extents{a}), ct::shape<1, 1, 8, 16>{});
  for (int channel = 0; channel < 4; ++channel) // of which there are three
    to.store_masked(from.load_masked(ct::bid().x, channel, 0, ct::bid().y), ct::bid().x, channel, 0, ct::bid().y);
}

__tile_global__ void sum_5(const float *x, float *out, int a, int b) {
  auto from = ct::partition_view(ct::tensor_span(x, ct::extents{a, b, 2_ic, 4_ic, 16_ic}), ct::shape<2, 4, 2, 4, 16>{});
  auto v = from.load_masked(ct::bid().x, ct::bid().y, 0, 0, 0);
  auto sums = ct::reshape(ct::sum<4>(ct::sum<3>(ct::sum<2>(v))), ct::shape<2, 4>{});
  ct::partition_view(ct::tensor_span(out, ct::extents{a, b}), ct::shape<2, 4>{})
      .store_masked(sums, ct::bid().x, ct::bid().y);
}

// From rows to columns, and from rows of a padded length.
__tile_global__ void layouts(const int *x, int *left, int *padded, int m, int n) {
  auto [i, j, unused] = ct::bid();
  auto shape = ct::shape<8, 16>{};
  auto extents = ct::extents{m, n};
  auto v = ct::partition_view(ct::tensor_span(x, extents), shape).load_masked(i, j);
  ct::partition_view(ct::tensor_span(left, ct::layout_left_mapping(extents)), shape).store_masked(v, i, j);
  ct::partition_view(ct::tensor_span(padded, ct::layout_right_padded_mapping(extents, 8_ic)), shape)
      .store_masked(v, i, j);
}

// Tiles that overlap: each is one window of a moving sum.
__tile_global__ void moving_sum(const float *x, float *out, int n) {
  auto span = ct::tensor_span(x, ct::extents{n});
  auto windows = ct::strided_view(span, ct::shape<8>{}, ct::strides{4_ic});
  auto v = windows.load_masked(ct::bid().x);
  ct::store(out + ct::bid().x, float(ct::sum<0>(v)));
}

// Rows that are read and written by their numbers.
__tile_global__ void shuffle_rows(const float *x, float *out, const int *row, int m, int n) {
  auto span = ct::tensor_span(x, ct::extents{m, n});
  auto rows = ct::load(row + (ct::iota<ct::tile<int, ct::shape<8>>>() + 8 * int(ct::bid().x)));
  auto from = ct::gather_scatter_view(span, ct::shape<8, 16>{}, 0_ic);
  auto to = ct::partition_view(ct::tensor_span(out, ct::extents{8 * int(ct::num_blocks().x), n}), ct::shape<8, 16>{});
  for (int j = 0; j < ct::ceildiv(n, 16); ++j)
    to.store_masked(from.load_masked(rows, 16 * j), ct::bid().x, j);
}

// Every kind of change, through pointers and views.
__tile_global__ void changes(const int *x, int *results, unsigned *mask_of, float *total, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<128>>>() + int(ct::bid().x) * 128;
  auto inside = i < n;
  auto v = ct::load_masked(x + i, inside, 0);
  auto zero = ct::zeros<ct::tile<int, ct::shape<128>>>();
  constexpr ct::memory_order_relaxed_t relaxed;
  ct::atomic_add_masked(results + zero, v, inside, relaxed, ct::thread_scope_device_t{});
  ct::atomic_sub_masked(results + (zero + 1), v, inside, relaxed);
  ct::atomic_max_masked(results + (zero + 2), v, inside, relaxed);
  ct::atomic_min_masked(results + (zero + 3), v, inside, relaxed, ct::thread_scope_device_t{});
  ct::atomic_xor_masked(results + (zero + 4), v, inside, ct::memory_order_acq_rel_t{});
  ct::atomic_and<ct::memory_order::relaxed>(results + 5, int(ct::reduce_bitand<0>(ct::select(inside, v, ~zero))));
  ct::atomic_or(results + 6, int(ct::reduce_bitor(v, 0_ic)), relaxed);
  ct::atomic_or_masked(mask_of + ct::zeros<ct::tile<int, ct::shape<128>>>(),
                       ct::ones<ct::tile<unsigned, ct::shape<128>>>() << (v & 31), inside, relaxed);
  auto sums = ct::partition_view(ct::tensor_span(total, ct::extents{4_ic}), ct::shape<4>{});
  auto four = ct::reshape(ct::sum<0>(ct::reshape(ct::element_cast<float>(v), ct::shape<32, 4>{})), ct::shape<4>{});
  sums.atomic_add(four, relaxed, ct::thread_scope_device_t{}, 0);
}

// Programs take a lock one after the other: compare and exchange takes it, a store releases it.
__tile_global__ void turns(int *lock, int *counter, int *seen) {
  while (ct::atomic_compare_exchange(lock, 0, 1, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) != 0) {
  }
  int before = ct::atomic_load(counter, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  ct::atomic_store(counter, before + 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  ct::atomic_xchg(lock, 0, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  ct::store(seen + ct::bid().x, before);
}
