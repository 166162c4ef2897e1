//===-- tilecc/detail/launch.h - kernel<<<grid, stream>>>(arguments) ----------------------------------------------===//
//
// Clang turns `<<<a, b, c, d>>>` into a call of __llvmPushCallConfiguration(a, b, c, d); in a source with SIMT code, of
// __cudaPushCallConfiguration, of which it uses the last declaration. The parameters here are classes, so that the grid
// may be an integer or a dim3, and the second argument may be a stream.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DETAIL_LAUNCH_H
#define TILECC_DETAIL_LAUNCH_H
#pragma GCC system_header

#include "config.h"
#include <tilecc/abi.h>

struct CUstream_st; // CUDA's stream, under both of its names: CUstream and cudaStream_t point to it

// Clang requires declarations of these names: a kernel's host stub calls them.
extern "C" unsigned llvmLaunchKernel(const void *stub, tilecc_dim3 grid, tilecc_dim3 block, void **arguments,
                                     decltype(sizeof(0)) shared, void *stream);

namespace tt {
namespace detail {

template <class T> concept stream_like = __is_convertible_to(T, CUstream_st *) && !__is_integral(T);

struct launch_grid {
  tilecc_dim3 value;
  constexpr launch_grid(dim3 d) : value{d.x, d.y, d.z} {}
  // A number that does not fit becomes the largest one, which no device accepts. The launch then fails instead of using
  // another grid.
  template <class T>
    requires(__is_integral(T))
  constexpr launch_grid(T n)
      : value{static_cast<T>(static_cast<unsigned>(n)) == n && !(n < T(0)) ? static_cast<unsigned>(n) : ~0u, 1, 1} {}
};

// The second argument: CUDA's block, which must have size 1 for a tile kernel, or the stream.
struct launch_block_or_stream {
  tilecc_dim3 block{1, 1, 1};
  CUstream_st *stream = nullptr;
  constexpr launch_block_or_stream() {}
#ifdef __CUDACC__ // if SIMT kernels may be launched
#define __TILECC_NO_BLOCK(condition)
#else
#define __TILECC_NO_BLOCK(condition)                                                                                   \
  __attribute__((diagnose_if(condition,                                                                                \
                             "a tile kernel has no block size, it chooses its threads itself: launch it with "         \
                             "<<<grid>>> or <<<grid, stream>>>, and set warps with [[tt::num_warps(N)]]",              \
                             "error")))
#endif
  constexpr launch_block_or_stream(dim3 d) __TILECC_NO_BLOCK(d.x != 1 || d.y != 1 || d.z != 1) : block{d.x, d.y, d.z} {}
  template <class T>
    requires(__is_integral(T))
  constexpr launch_block_or_stream(T n) __TILECC_NO_BLOCK(n != 1) : block{static_cast<unsigned>(n), 1, 1} {}
#undef __TILECC_NO_BLOCK
  template <stream_like T> constexpr launch_block_or_stream(const T &s) : stream(s) {}
};

struct launch_stream {
  CUstream_st *value = nullptr;
  constexpr launch_stream() {}
  template <class T>
    requires(__is_convertible_to(T, CUstream_st *))
  constexpr launch_stream(const T &s) : value(s) {}
};

} // namespace detail
} // namespace tt

#ifdef __CUDACC__
__attribute__((host, nodebug, always_inline)) inline unsigned
__cudaPushCallConfiguration(tt::detail::launch_grid grid, tt::detail::launch_block_or_stream second = {},
                            decltype(sizeof(0)) shared = 0, tt::detail::launch_stream stream = {}) {
  dim3 blocks(grid.value.x, grid.value.y, grid.value.z), threads(second.block.x, second.block.y, second.block.z);
  CUstream_st *queue = second.stream ? second.stream : stream.value;
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  if (!queue)
    queue = cudaStreamPerThread;
#endif
  return __cudaPushCallConfiguration(blocks, threads, shared, queue);
}
#else
// The CUDA runtime's function, if that is linked: see __tilecc_pop_configuration in frontend/HostStubs.cpp.
extern "C" __attribute__((weak)) unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, decltype(sizeof(0)) shared,
                                                                      CUstream_st *stream);

__attribute__((host, nodebug, always_inline)) inline unsigned
__llvmPushCallConfiguration(tt::detail::launch_grid grid, tt::detail::launch_block_or_stream second = {},
                            decltype(sizeof(0)) shared = 0, tt::detail::launch_stream stream = {})
    __attribute__((diagnose_if(shared != 0,
                               "a tile kernel has no shared memory of the launch's: the third launch argument is 0",
                               "error"))) {
  CUstream_st *queue = second.stream ? second.stream : stream.value;
  if (__cudaPushCallConfiguration)
    return __cudaPushCallConfiguration(dim3(grid.value.x, grid.value.y, grid.value.z),
                                       dim3(second.block.x, second.block.y, second.block.z), shared, queue);
  return __tilecc_push_call(&grid.value, &second.block, shared, queue);
}
#endif

#endif // TILECC_DETAIL_LAUNCH_H
