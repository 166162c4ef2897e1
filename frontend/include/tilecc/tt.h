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
// What must be known when compiling is a template argument (arange<1024>(), sum<1>(x)); everything else is an ordinary
// argument. Operations follow the Triton 3.6 operation of the same name, and each comment names what differs.
//
//   __tile_global__   a kernel: launched with <<<grid>>>, <<<grid, stream>>> or <<<grid, 1, 0, stream>>>, where grid is an
//                     integer or dim3{x, y, z}
//   __tile__          a function that kernels may call; constexpr functions and lambdas need no mark
//
// The part of this file that a kernel does not need (element types, dim3, declarations of kernels) is there for every
// compiler, so headers can be shared with sources that tcc does not compile.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TT_H
#define TILECC_TT_H

#if !defined(__cplusplus) || (__cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L))
#error "<tilecc/tt.h> needs C++20 or later: compile with -std=c++20"
#else

#pragma GCC system_header

#include "detail/config.h"
#ifdef __TILECC__
#include "detail/language.h"
#include "detail/debug.h" // depends on NDEBUG
#include "detail/launch.h"
#endif

#endif // C++20
#endif // TILECC_TT_H
