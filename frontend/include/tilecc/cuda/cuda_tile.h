//===-- cuda_tile.h - CUDA Tile C++ -------------------------------------------------------------------------------===//
//
// NVIDIA's tile language, namespace cuda::tiles, for tcc: sources written for nvcc compile unchanged. docs/cuda-tile.md
// describes what is supported and what differs. The implementation uses the operations of <tilecc/tt.h>, and a source
// may use both.
//
//   ../tiles/constants.h   integral_constant, 16_ic, and the options that are types
//            extents.h     extents, strides, shape, dimension_map
//            elements.h    element types      convert.h   conversions of them
//            tile.h        tile               create.h    full, zeros, ones, iota, element_cast, assume_..., irange
//            operators.h   arithmetic         math.h      functions of elements, select
//            shape.h       reshape, broadcast, permute, transpose, cat, extract, insert, repack
//            reduce.h      sum, prod, reduce_..., partial_...
//            mma.h         mma, matmul, scaled_mma
//            memory.h      load, store, atomic_...
//            tensor.h      layouts, tensor_span      views.h     partition_view, strided_view, gather_scatter_view
//            print.h       C's printf
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_CUDA_TILE_H
#define TILECC_CUDA_TILE_H
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#include <tilecc/tt.h>

#ifdef __TILECC__
#include <tilecc/tiles/language.h>

// Kernels may use these without including anything else, as with nvcc. Parsing <math.h> takes as long as a small
// kernel, and its definition is the same.
#ifndef INFINITY
#define INFINITY (__builtin_inff())
#endif
#include <stddef.h>
#include <stdint.h>

#if !__has_include(<vector_types.h>)
struct uint3 {
  unsigned x, y, z;
};
#endif

namespace cuda::tiles::inline __1 {

/// bid() returns the position of this program in the grid, and num_blocks() returns the size of the grid.
__TILECC_FN inline uint3 bid() {
  return {unsigned(tt::program_id(0)), unsigned(tt::program_id(1)), unsigned(tt::program_id(2))};
}
__TILECC_FN inline dim3 num_blocks() {
  return {unsigned(tt::num_programs(0)), unsigned(tt::num_programs(1)), unsigned(tt::num_programs(2))};
}

} // namespace cuda::tiles::inline __1
#endif // __TILECC__

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_CUDA_TILE_H
