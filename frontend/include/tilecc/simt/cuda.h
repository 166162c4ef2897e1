//===-- cuda.h - the toolkit's cuda.h for Clang's wrapper, and the source's for all others ------------------------===//
//
// Clang's wrapper of CUDA's headers includes "cuda.h" before every source, which nvcc does not do. A project may have a
// header of that name in a folder of its -I options. This file is found before it.
//
//===--------------------------------------------------------------------------------------------------------------===//
#pragma GCC system_header

#ifdef __TILECC_IN_WRAPPER
#include <crt/../cuda.h> // only a toolkit has this folder
#else
#include_next <cuda.h>
#endif
