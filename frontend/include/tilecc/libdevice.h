//===-- tilecc/libdevice.h - NVIDIA's functions -------------------------------------------------------------------===//
//
// The functions of libdevice, the bitcode library of the CUDA toolkit, with the names and types of Triton 3.6's
// triton.language.extra.libdevice: tt::libdevice::sin(x) calls __nv_sinf for a float and __nv_sin for a double. Each
// function takes tiles or scalars; several operands broadcast. As in Triton, types are not converted: the operands must
// have the types that a function declares. The CUDA C++ Programming Guide lists their accuracy.
//
// Compiling for a GPU requires the toolkit; running does not. <tilecc/tt.h> has the common functions without it. On the
// CPU device the functions are computed by the host's mathematical library.
//
//===--------------------------------------------------------------------------------------------------------------===//
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
