//===-- tilecc/threads.h - calls of SIMT code from tile kernels ---------------------------------------------------===//
//
// A tile kernel has programs, not threads. With the functions of this header it calls code that has threads: __device__
// functions of the source, of CUDA libraries such as CUB, and of bitcode libraries (--device-library).
//
//   __device__ int arrive(int *count) { __threadfence(); return atomicAdd(count, 1); }
//
//   __tile_global__ void partial_sums(const float *x, float *parts, int *count) {
//     int p = tt::program_id(0);
//     tt::store(parts + p, tt::sum(tt::load(x + p * 256 + tt::arange<256>())));
//     int before = tt::once<arrive>(count); // one thread, after all stores of the program
//     ...
//   }
//
//   once           one thread calls the function; all get its result
//   all_threads    every thread calls it
//   with_items     every thread calls it with its elements of a tile, in registers
//   in_shared      every thread calls it with a whole tile, in shared memory
//
// The function is a template argument, or a lambda without captures. It is compiled as SIMT code is: threadIdx,
// __shared__ variables, __syncthreads(), shuffles and PTX may be used in it, tile operations may not. It takes numbers
// and pointers by value. All threads of the program wait for each other before and after the call, so the function may
// read what the program has stored, and the program what the function has stored.
//
// Such a kernel runs one program in each block ([[tt::num_ctas]] is not available), and its loops are not divided among
// producer and consumer warps. blockIdx is the block's, which need not be the program's position: pass tt::program_id.
// There is no code for the CPU device.
//
// The header needs CUDA's: the source is a .cu, or is compiled with --simt. Include it before the kernels that use it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_THREADS_H
#define TILECC_THREADS_H
#pragma GCC system_header

#if defined(__TILECC__) && !defined(__CUDACC__)
#error "<tilecc/threads.h> calls SIMT code: compile this source with --simt, or name it .cu"
#endif

#include <tilecc/detail/push_macros.h>

#include "tt.h"
#ifdef __TILECC__
#include "tt/threads.h"
#endif

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_THREADS_H
