// -MD, -E and -fsyntax-only use the same headers and definitions.
//
// RUN: %raise -MD -MF %t.d -o %t.o %s
// RUN: FileCheck %s --check-prefix=DEPS < %t.d
// DEPS: dependencies.tt.cpp.tmp.o:
// DEPS: dependencies.tt.cpp
// RUN: %raise -MMD -MF %t.md -o %t.o %s
// RUN: FileCheck %s --check-prefix=USER --implicit-check-not=include/tilecc/ < %t.md
// USER: dependencies.tt.cpp
// RUN: %raise -MD -MF %t.d -o %t.o %s && grep include/tilecc/tt.h %t.d
// RUN: %raise --preprocess -E %s | FileCheck %s --check-prefix=PREPROCESSED
// PREPROCESSED: int version = {{[0-9]+}};
// PREPROCESSED: int cuda = 0;
// PREPROCESSED: __attribute__((global, annotate("tt.kernel"))) void kernel
#include <tilecc/tt.h>
int version = __TILECC__;
#if defined(__CUDACC__) || defined(__CUDA__)
int cuda = 1;
#else
int cuda = 0;
#endif
__tile_global__ void kernel(float *x) {}
