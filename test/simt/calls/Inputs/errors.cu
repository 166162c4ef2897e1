#include <tilecc/threads.h>
__device__ int counter;
__device__ int missing(int x);
extern "C" __device__ float from_library(float x);
__device__ void touch(int v) { counter += v; }
__device__ float stores(float x) { __shared__ float s; s = x; return s; }
__device__ float shuffles(float x) { return __shfl_xor_sync(~0u, x, 1); }
struct numbers { int a[10]; };
template <float (*Function)(float)> __tile_global__ void apply(float *p) {
  auto i = tt::arange<64>();
  tt::store(p + i, tt::map_elementwise([](float x) { return Function(x); }, tt::load(p + i)));
}
#if defined(CAPTURE)
__tile_global__ void k(int n) { tt::once([n](int x) { return x + n; }, 1); }
#elif defined(TILE)
__tile_global__ void k(int *p) { tt::once([](int x) { return x; }, tt::load(p + tt::arange<64>())); }
#elif defined(CLASS)
__tile_global__ void k(numbers b) { tt::once([](numbers b) { return b.a[0]; }, b); }
#elif defined(SIZES)
__tile_global__ void k(float *p) { tt::with_items<48>([](auto &x) {}, tt::load(p + tt::arange<64>())); }
#elif defined(WARPS)
[[tt::num_warps(8)]] __tile_global__ void k(int *p) { tt::with_items<128>([](auto &x) {}, tt::load(p + tt::arange<256>())); }
#elif defined(BLOCKS)
[[tt::num_ctas(2)]] __tile_global__ void k(int *p) { tt::all_threads([] { __syncthreads(); }); }
#elif defined(SHARED)
__tile_global__ void k(int *p) { tt::once([](int *x) { __shared__ char s[200000]; s[*x] = 1; *x = s[0]; }, p); }
#elif defined(OPERATION)
__tile_global__ void k(int *p) { tt::once([](int *p) { tt::store(p, 1); }, p); }
#elif defined(MISSING)
__tile_global__ void k(int *p) { tt::store(p, tt::once<missing>(1)); }
#elif defined(VARIABLE)
__tile_global__ void k(int *p) { tt::once<touch>(1); }
#elif defined(THREADS)
__tile_global__ void k(float *p) { p[threadIdx.x] = 1; }
#elif defined(STORES)
template __tile_global__ void apply<stores>(float *);
#elif defined(SHUFFLES)
template __tile_global__ void apply<shuffles>(float *);
#elif defined(UNDEFINED)
template __tile_global__ void apply<from_library>(float *);
#elif defined(BARRIER)
__device__ int together(int x) { __syncthreads(); return x; }
__tile_global__ void k(int *p) { tt::store(p, tt::once<together>(1)); }
#elif defined(NESTED)
__tile_global__ void k(float *p) {
  auto i = tt::arange<64>();
  tt::store(p + i, tt::map_elementwise([](float x) { return tt::once([](float y) { return y; }, x); }, tt::load(p + i)));
}
#elif defined(RIGHT)
template <class T> __tile__ T first(T *p) { return tt::once([](T *p) { return *p; }, p); }
__tile_global__ void k(float *p) { tt::store(p + 1, first(p)); }
#endif
