// Mistakes in NVIDIA's language, with our messages, at the user's line. (nvcc.test checks that nvcc rejects the same
// lines.)
// RUN: not %tcc -fsyntax-only -ferror-limit=0 %s 2>&1 | grep error: | sort -t: -k2,2n | FileCheck %s --implicit-check-not=error:

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class T, size_t... D> using tile = ct::tile<T, ct::shape<D...>>;

__tile_global__ void arithmetic(float *fp, const float *cp, int n, long wide) {
  auto i = ct::iota<tile<int, 64>>();
  auto f = ct::load(fp + i);
  auto h = ct::element_cast<__half>(f);
  auto b = ct::element_cast<__nv_bfloat16>(f);
  auto e = ct::element_cast<__nv_fp8_e4m3>(f);
  auto m = ct::zeros<tile<float, 16, 64>>();
  // CHECK: :[[#@LINE+1]]:{{.*}} error: float would be narrowed in an operation on tile<int, 64>: convert it with element_cast
  auto a1 = i * 1.5f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: double would be narrowed in an operation on tile<float, 64>: convert it with element_cast
  auto a2 = f * 2.0;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: long would be narrowed in an operation on tile<int, 64>: convert it with element_cast
  auto a3 = i + wide;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: unsigned int would be narrowed in an operation on tile<int, 64>: convert it with element_cast
  auto a4 = i + 1u;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: float would be narrowed in an operation on tile<__half, 64>: convert it with element_cast
  auto a5 = h * 2.0f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no common element type of tile<__half, 64> and tile<__nv_bfloat16, 64>: convert one with element_cast
  auto a6 = h + b;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no arithmetic between tile<__nv_fp8_e4m3, 64> and tile<__nv_fp8_e4m3, 64>
  auto a7 = e + e;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot broadcast tile<float, 16, 64> with tile<float, 32>: dimension 1 is 64 and 32
  auto a8 = m + ct::zeros<tile<float, 32>>();
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no such operation between tile<float, 64> and tile<float, 64>: it is for integers
  auto a9 = f % f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no such operation between tile<float, 64> and int: it is for integers
  auto a10 = f << 2;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no such operation on tile<float, 64>: it is for integers
  auto a11 = ~f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: invalid operands to binary expression
  auto a12 = i * 2_ic;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no viable overloaded '+='
  f += f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: tile<int, 64> would be narrowed in an operation on tile<unsigned, 64>: convert it with element_cast
  auto a13 = i < ct::ones<tile<unsigned, 64>>();
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot compare tile<float *, 64> with tile<int, 64>
  auto a14 = (fp + i) < i;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot move tile<float *, 64> by tile<float, 64>: pointers move by integers
  auto a15 = (fp + i) + f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: this function takes floating-point numbers, not tile<int, 64>
  auto a16 = ct::exp(i);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: select takes two values of one type, not tile<float, 64> and int
  auto a17 = ct::select(f < 0.0f, f, 0);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: tile<float, 64> would be narrowed in an fma with tile<__half, 64>: convert it with element_cast
  auto a18 = ct::fma(f, h, h);
}

__tile_global__ void conversions(float *fp) {
  auto i = ct::iota<tile<int, 64>>();
  auto f = ct::load(fp + i);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no viable conversion from 'tile<float, 64>' to 
  tile<int, 64> c1 = f;
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no viable conversion from 'tile<float, 1>' to 'float'
  float c2 = ct::sum<0>(f);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot take the bits of tile<float, 64> as short: they are not as many
  auto c3 = ct::element_bitcast<short>(f);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: the dimensions of a tile are powers of two: dimension 0 is 48
  auto c4 = ct::zeros<tile<float, 48>>();
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no viable constructor or deduction guide for deduction of template arguments of 'ct::irange'
  auto c6 = ct::irange(0, 8u);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: iota: the elements of tile<int8, 512> cannot count so far
  auto c5 = ct::iota<tile<signed char, 512>>();
}

__tile_global__ void shapes(float *fp) {
  auto m = ct::zeros<tile<float, 16, 64>>();
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot reshape tile<float, 16, 64> to tile<float, 16, 32>: they have not as many elements
  auto s1 = ct::reshape(m, ct::shape<16, 32>{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot broadcast tile<float, 16, 64> to tile<float, 32, 64>
  auto s2 = ct::broadcast(m, ct::shape<32, 64>{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: a dimension_map for tile<float, 16, 64> names each of its dimensions once
  auto s3 = ct::permute(m, ct::dimension_map<2, 0, 1>{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cat takes two tiles of one type, not tile<float, 16, 64> and tile<float, 16, 32>
  auto s4 = ct::cat<1>(m, ct::zeros<tile<float, 16, 32>>());
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot divide tile<float, 16, 64> into parts of tile<float, 32, 32>
  auto s5 = ct::extract(m, ct::shape<32, 32>{}, 0, 0);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: the dimension is out of range for tile<float, 16, 64>
  auto s6 = ct::sum<2>(m);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no such operation on tile<float, 16, 64>: it is for integers
  auto s7 = ct::reduce_bitor<0>(m);
}

__tile_global__ void products(float *) {
  auto a = ct::zeros<tile<__half, 16, 64>>();
  auto b = ct::zeros<tile<__half, 32, 16>>();
  auto c = ct::zeros<tile<float, 16, 16>>();
  auto d = ct::zeros<tile<__nv_bfloat16, 64, 16>>();
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot multiply tile<__half, 16, 64> by tile<__half, 32, 16>: the columns of one are not the rows of the other
  auto p1 = ct::mma(a, b, c);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: mma multiplies tiles of one element type, not tile<__half, 16, 64> and tile<__nv_bfloat16, 64, 16>
  auto p2 = ct::mma(a, d, c);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: products of tile<__half, 16, 64> cannot be accumulated in tile<int, 16, 16>
  auto p3 = ct::mma(a, ct::transpose(a), ct::zeros<tile<int, 16, 16>>());
  // CHECK: :[[#@LINE+1]]:{{.*}} error: products of tile<__nv_bfloat16, 64, 16> cannot be accumulated in tile<__half, 64, 64>
  auto p4 = ct::mma(d, ct::transpose(d), ct::zeros<tile<__half, 64, 64>>());
}

__tile_global__ void memory(float *fp, const float *cp, __half *hp, int *ip, short *sp, int n) {
  auto i = ct::iota<tile<int, 64>>();
  auto f = ct::load(fp + i);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot store through tile<const float *, 64>
  ct::store(cp + i, f);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: tile<float, 64> would be narrowed by a store through tile<__half *, 64>: convert it with element_cast
  ct::store(hp + i, f);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot store float through tile<float *, 64>: the shapes differ
  ct::store(fp + i, 0.0f);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: memory is accessed through pointers, not through tile<int, 64>
  auto m1 = ct::load(i);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: the padding double would be narrowed by a load through tile<float *, 64>: convert it with element_cast
  auto m2 = ct::load_masked(fp + i, i < n, 0.0);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot broadcast the mask tile<bool, 32> to the shape of tile<float *, 64>
  auto m3 = ct::load_masked(fp + i, ct::iota<tile<int, 32>>() < n);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: there is no such atomic access through tile<int16 *, 64>
  ct::atomic_add(sp + i, ct::ones<tile<short, 64>>(), ct::memory_order_relaxed_t{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: there is no such atomic access through tile<float *, 64>
  ct::atomic_max(fp + i, f, ct::memory_order_relaxed_t{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: no matching function for call to 'atomic_add'
  ct::atomic_add(ip, 1);
  auto view = ct::partition_view(ct::tensor_span(fp, ct::extents{n, n}), ct::shape<16, 4>{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: a tile of a view is picked by one index for each dimension
  auto m4 = view.load(0);
  // CHECK: :[[#@LINE+1]]:{{.*}} error: cannot store tile<float, 64> through tile<float *, 16, 4>: the shapes differ
  view.store(f, 0, 0);
  auto whole = ct::partition_view(ct::tensor_span(ip, ct::extents{n}), ct::shape<64>{});
  // CHECK: :[[#@LINE+1]]:{{.*}} error: the padding is not a number of type int
  auto m5 = whole.load_masked(ct::view_padding_nan_t{}, 0);
}
