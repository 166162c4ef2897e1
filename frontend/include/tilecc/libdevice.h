//===-- tilecc/libdevice.h - NVIDIA's functions -------------------------------------------------------------------===//
//
// The functions of libdevice, the bitcode library of the CUDA toolkit, under the names and with the types that Triton 3.6
// gives them in triton.language.extra.libdevice: tt::libdevice::sin(x) calls __nv_sinf of a float and __nv_sin of a
// double. Each takes tiles or scalars; operands of functions of several broadcast. Types are not converted: a function
// takes the types it names, as in Triton. Their accuracy is in the CUDA C++ Programming Guide.
//
// Code for a GPU needs the toolkit when it is compiled (not when it runs); <tilecc/tt.h> has the common functions without
// it. On the CPU device the functions are computed by the host's mathematical library.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LIBDEVICE_H
#define TILECC_LIBDEVICE_H
#pragma GCC system_header

#include <tilecc/detail/push_macros.h>

#include "tt.h"
#ifdef __TILECC__
#include "tt/libdevice.h"
#endif

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_LIBDEVICE_H
