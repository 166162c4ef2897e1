// Mistakes with <tilecc/tune.h>: one message each, at the user's line.
//
// RUN: not %tcc -fsyntax-only -DARGUMENTS %s 2>&1 | FileCheck %s --check-prefix=ARGUMENTS --implicit-check-not="error:"
// RUN: not %tcc -fsyntax-only -DOPTION %s 2>&1 | FileCheck %s --check-prefix=OPTION --implicit-check-not="error:"
// RUN: not %tcc -fsyntax-only -DTWICE %s 2>&1 | FileCheck %s --check-prefix=TWICE --implicit-check-not="error:"
// RUN: %tcc -fsyntax-only %s
#include <tilecc/tt.h>
#include <tilecc/tune.h>

template <int N> __tile_global__ void fill(float *x, float value, int n) {
  auto i = tt::program_id(0) * N + tt::arange<N>();
  tt::store(x + i, value, i < n);
}
constexpr int sizes[] = {64, 128};
struct none {};

#ifdef OPTION
// OPTION: tuning.tt.cpp:[[#@LINE+1]]:25: error: tt::autotune: an option is none of <tilecc/tune.h>'s
static auto tuned = tt::autotune<sizes>([]<int N>() { return fill<N>; }, none{});
#elif defined(TWICE)
// TWICE: tuning.tt.cpp:[[#@LINE+1]]:25: error: tt::autotune: an option is given twice
static auto tuned = tt::autotune<sizes>([]<int N>() { return fill<N>; }, tt::key([](float *, float, int n) { return n; }),
                                        tt::key([](float *x, float, int) { return x != nullptr; }));
#else
static auto tuned = tt::autotune<sizes>([]<int N>() { return fill<N>; });
#endif

void launch(float *x, int n) {
#ifdef ARGUMENTS
  // ARGUMENTS: tuning.tt.cpp:[[#@LINE+1]]:9: error: tt::tuned_kernel: the kernel takes another number of arguments
  tuned.launch(1, nullptr, x, n);
#else
  tuned.launch([&](int size) { return tt::cdiv(n, size); }, nullptr, x, 1.0f, n);
#endif
}
