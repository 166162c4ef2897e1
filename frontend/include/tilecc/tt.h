//===-- tilecc/tt.h - tile kernels in C++ -------------------------------------------------------------------------===//
//
// Triton's language for C++: a kernel works on whole tiles, one program of a grid at a time.
//
//   template <int BLOCK>
//   __tile_global__ void add(const float *x, const float *y, float *out, int n) {
//     auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
//     auto mask = i < n;
//     tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
//   }
//   add<1024><<<tt::cdiv(n, 1024)>>>(x, y, out, n);
//
// Values that must be known at compile time are template arguments (arange<1024>(), sum<1>(x)); all others are ordinary
// arguments. Each operation follows the Triton 3.6 operation of the same name; its comment names the differences.
//
//   __tile_global__   a kernel: launched with <<<grid>>>, <<<grid, stream>>> or <<<grid, 1, 0, stream>>>, where grid is an
//                     integer or dim3{x, y, z}; [[tt::num_warps(N), tt::num_stages(N), tt::num_ctas(N)]] before it;
//                     [[tt::persistent]]: a block may run several programs, one after the other (attention kernels do
//                     so by default);
//                     [[tt::num_consumers(C)]]: C (1 to 4) neighbours in the grid may share a block and their loads
//   __tile__          a function that kernels may call; constexpr functions and lambdas need no mark
//   [[tt::divisible(N)]], [[tt::no_specialize]]   on a kernel's parameter: it is a multiple of N; it gets no variants
//   [[tt::temporary]]                             on a pointer: only this kernel uses the memory while it runs
//
// All operations, with the header in tilecc/tt/ that documents each. This header includes them all.
//
//   tile.h       tile<T, M, N>            the type: an array of elements whose sizes are part of it
//                x.to<U>()                converts elements
//                x(tt::all, tt::newaxis)  new dimensions of size 1; from C++23 on also x[tt::all, tt::newaxis]
//                x.col(), x.row()         a tile of one dimension as a column or as a row
//                x.size, x.rank, X::element, any_tile     for generic code
//   create.h     program_id, num_programs the position in the grid, and its size
//                arange                   counted integers
//                full, zeros, zeros_like  equal elements
//                expand_dims              a new dimension of size 1
//                broadcast_to             stretches to a shape
//                cast, bitcast            converts a tile or scalar; reinterprets its bits as another type
//   operators.h  + - * / % & | ^ ~ << >>  arithmetic, also as += and so on; shapes broadcast
//                < <= > >= == != && || !  comparisons and logic, element by element
//                where                    a or b, depending on a condition
//                maximum, minimum         the larger or smaller, with or without NaNs
//   memory.h     load, store              through pointers or tiles of pointers, with mask, other, cache and evict options
//                debug_barrier            waits for all threads of the program
//                grid_dependency_wait, grid_dependency_launch    launches that overlap
//   atomic.h     atomic_add, atomic_max, atomic_min, atomic_and, atomic_or, atomic_xor, atomic_xchg, atomic_cas
//                atomic_load, atomic_store, atomic_poll, grid_barrier
//   descriptor.h make_tensor_descriptor   blocks of a tensor: desc.load, store, gather, scatter, atomic_add and so on
//                tensor_descriptor        the same as a kernel's parameter
//                make_block_ptr, advance  blocks by pointer arithmetic: load and store with boundary_check
//   math.h       abs, ceil, floor, trunc, round, rint, exp, exp2, log, log2, log1p, sin, cos, tan, atan2, tanh, erf, sqrt,
//                sqrt_rn, rsqrt, pow, fma, fdiv, div_rn, umulhi, clamp, isnan, isinf, popcount, clz, sigmoid, softmax
//                                         functions of elements, and their accuracy
//   dot.h        dot                      matrix products
//   dot_scaled.h dot_scaled               products of microscaled formats
//   reduce.h     reduce, sum, mean, var, max, min, argmax, argmin, xor_sum, reduce_or, reduce_and
//                                         along an axis, or of all elements
//                associative_scan, cumsum, cumprod, cummax, cummin            each element with those before it
//   shape.h      reshape, ravel, permute, trans, flip    the same elements in another order
//                join, split, interleave, cat            two tiles as one, and back
//                gather                                  elements picked by integers
//                swizzle2d                               an order of programs that shares loads
//   slice.h      extract, row, column, last, insert         parts of a tile, and a tile with another part
//   sort.h       sort, argsort, sort_by_key, topk, histogram    order and counts
//   call.h       call                     runs another kernel as a part of this one
//   random.h     philox, randint, rand, randn, randint4x, rand4x, randn4x    counter-based random numbers
//                uint_to_uniform_float, pair_uniform_to_normal               conversions that they use
//   range.h      range, static_range      loops with options, loops over constants
//   hints.h      multiple_of, max_contiguous, max_constancy, assume  what the compiler may assume
//   debug.h      device_assert, device_print, static_print,          messages, and times
//                profile_scope
//   escape.h     inline_asm_elementwise, map_elementwise             assembly, and scalar functions that branch
//   tuple.h      tuple, pair              several results, several tiles of a reduction
//   float8.h     float8_e4m3fn, float8_e5m2                          8-bit floating-point types
//   ../detail/marks.h   float16, bfloat16, int8 ... float64, cdiv, next_power_of_2, inf, nan   also for host code
//   ../libdevice.h      tt::libdevice::*  NVIDIA's own functions. Include this header and the next two explicitly
//   ../threads.h        once, all_threads, with_items, in_shared     calls of SIMT code
//   ../communication.h  signal, signal_add, wait, put_signal, sync_ranks,     programs on several GPUs
//                       multimem_sum, multimem_store, multimem_add
//
// The part of this file for host code (element types, dim3, declarations of kernels) works with every compiler from
// C++17 on, so headers can be shared with sources that tcc does not compile. Kernels are C++20.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_H
#define TILECC_TT_H

#if !defined(__cplusplus) || (__cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L))
#error "<tilecc/tt.h> needs C++17 or later: compile with -std=c++17"
#elif defined(__TILECC__) && __cplusplus < 202002L
#error "tile kernels need C++20 or later: compile with -std=c++20"
#else

#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#include "detail/config.h"
#ifdef __TILECC__
#include "detail/language.h"
#include "tt/debug.h" // depends on NDEBUG
#include "detail/launch.h"
#elif defined(__BASE_FILE__)
namespace tt::detail {
constexpr bool is_tile_source(const char *name) {
  for (; *name; ++name)
    if (name[0] == '.' && name[1] == 't' && name[2] == 't' && name[3] == '.' && name[4] == 'c')
      return true;
  return false;
}
static_assert(!is_tile_source(__BASE_FILE__),
              "a source named .tt.cpp holds tile kernels, which tcc compiles, not this compiler");
} // namespace tt::detail
#endif

#include <tilecc/detail/pop_macros.h>

#endif // the dialect of C++
#endif // TILECC_TT_H
