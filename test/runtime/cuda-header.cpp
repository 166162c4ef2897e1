// The runtime itself declares the CUDA driver functions that it uses. This file compares its table with the toolkit's
// cuda.h: symbols of the current versions, parameters of the same sizes, and the same numbers.
//
// REQUIRES: cuda
// RUN: %clangxx -std=c++20 -fsyntax-only -I%source_dir -I%source_dir/runtime/src -I%source_dir/runtime/include -isystem %cuda/include %s
// RUN: not %clangxx -std=c++20 -fsyntax-only -DBREAK_IT -I%source_dir -I%source_dir/runtime/src -I%source_dir/runtime/include \
// RUN:   -isystem %cuda/include %s 2>&1 | FileCheck %s
// CHECK: error: static assertion failed{{.*}}cuMemAlloc
#include <cuda.h>
#include <stddef.h>
#include <string_view>
#include <type_traits>

#ifdef BREAK_IT
#undef cuMemAlloc
#define cuMemAlloc cuMemAlloc_v3
extern "C" CUresult cuMemAlloc_v3(CUdeviceptr *, size_t);
#endif

// cuda.h's macros replace names by their versions, so that the table has the version of the toolkit.
#include "runtime/src/cuda/CudaDriver.h"

namespace rt = tilecc::rt;

template <class> struct Signature;
template <class R, class... P> struct Signature<R (*)(P...)> {
  template <class Other> static constexpr bool matches = false;
  template <class R2, class... P2> static constexpr bool matches<R2 (*)(P2...)> = [] {
    if constexpr (sizeof...(P) == sizeof...(P2))
      return sizeof(R) == sizeof(R2) && ((sizeof(P) == sizeof(P2)) && ...) &&
             ((std::is_pointer_v<P> == std::is_pointer_v<P2>) && ...);
    return false;
  }();
};

// Newer versions of these exist; every driver since CUDA 12.0 has the ones that are used.
constexpr bool keepsItsVersion(std::string_view symbol) {
  return symbol == "cuEventElapsedTime" || symbol == "cuMemPrefetchAsync" || symbol == "cuMemAdvise" ||
         symbol == "cuGraphNodeGetDependencies" || symbol == "cuGraphAddDependencies";
}

#define STRING(text) #text
#define VERSIONED(name) STRING(name)
#define CHECK_ENTRY(name, symbol, parameters)                                                                          \
  static_assert(std::string_view(VERSIONED(name)) == symbol || keepsItsVersion(symbol), symbol);                       \
  static_assert(Signature<decltype(&::name)>::matches<rt::CUresult(*) parameters> || keepsItsVersion(symbol), symbol);
namespace tilecc::rt {
TILECC_CUDA_DRIVER(CHECK_ENTRY)
}

#define SAME(name) static_assert(static_cast<int>(rt::name) == static_cast<int>(::name), #name)
SAME(CUDA_SUCCESS);
SAME(CUDA_ERROR_DEINITIALIZED);
SAME(CUDA_ERROR_NO_DEVICE);
SAME(CUDA_ERROR_INVALID_CONTEXT);
SAME(CUDA_ERROR_NOT_READY);
SAME(CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
SAME(CU_JIT_ERROR_LOG_BUFFER);
SAME(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
SAME(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
SAME(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
SAME(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME(CU_LAUNCH_ATTRIBUTE_PRIORITY);
SAME(CU_MEMORYTYPE_HOST);
SAME(CU_MEMORYTYPE_DEVICE);
SAME(CU_MEMORYTYPE_UNIFIED);
SAME(CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
SAME(CU_POINTER_ATTRIBUTE_HOST_POINTER);
SAME(CU_POINTER_ATTRIBUTE_IS_MANAGED);
SAME(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME(CU_MEM_ATTACH_GLOBAL);
SAME(CU_MEM_ALLOCATION_TYPE_PINNED);
SAME(CU_MEM_LOCATION_TYPE_DEVICE);
static_assert(rt::driverCpuDevice == CU_DEVICE_CPU);
SAME(CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(rt::driverPortableHostMemory == CU_MEMHOSTALLOC_PORTABLE);

static_assert(sizeof(rt::CUlaunchConfig) == sizeof(::CUlaunchConfig));
static_assert(offsetof(rt::CUlaunchConfig, hStream) == offsetof(::CUlaunchConfig, hStream));
static_assert(offsetof(rt::CUlaunchConfig, attrs) == offsetof(::CUlaunchConfig, attrs));
static_assert(offsetof(rt::CUlaunchConfig, numAttrs) == offsetof(::CUlaunchConfig, numAttrs));
static_assert(sizeof(rt::CUlaunchAttribute) == sizeof(::CUlaunchAttribute));
static_assert(offsetof(rt::CUlaunchAttribute, value) == offsetof(::CUlaunchAttribute, value));

#define SAME_PLACE(type, member) static_assert(offsetof(rt::type, member) == offsetof(::type, member), #type)
static_assert(sizeof(rt::CUDA_MEMCPY2D) == sizeof(::CUDA_MEMCPY2D));
SAME_PLACE(CUDA_MEMCPY2D, srcDevice);
SAME_PLACE(CUDA_MEMCPY2D, srcPitch);
SAME_PLACE(CUDA_MEMCPY2D, dstMemoryType);
SAME_PLACE(CUDA_MEMCPY2D, dstDevice);
SAME_PLACE(CUDA_MEMCPY2D, dstPitch);
SAME_PLACE(CUDA_MEMCPY2D, WidthInBytes);
SAME_PLACE(CUDA_MEMCPY2D, Height);
static_assert(sizeof(rt::CUDA_MEMCPY3D) == sizeof(::CUDA_MEMCPY3D));
SAME_PLACE(CUDA_MEMCPY3D, srcDevice);
SAME_PLACE(CUDA_MEMCPY3D, srcPitch);
SAME_PLACE(CUDA_MEMCPY3D, srcHeight);
SAME_PLACE(CUDA_MEMCPY3D, dstMemoryType);
SAME_PLACE(CUDA_MEMCPY3D, dstDevice);
SAME_PLACE(CUDA_MEMCPY3D, dstPitch);
SAME_PLACE(CUDA_MEMCPY3D, WidthInBytes);
SAME_PLACE(CUDA_MEMCPY3D, Depth);
static_assert(sizeof(rt::CUDA_MEMSET_NODE_PARAMS) == sizeof(::CUDA_MEMSET_NODE_PARAMS));
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, value);
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, width);
static_assert(sizeof(rt::CUDA_HOST_NODE_PARAMS) == sizeof(::CUDA_HOST_NODE_PARAMS));
static_assert(sizeof(rt::CUDA_KERNEL_NODE_PARAMS) == sizeof(::CUDA_KERNEL_NODE_PARAMS));
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS, kernelParams);
static_assert(sizeof(rt::CUgraphExecUpdateResultInfo) == sizeof(::CUgraphExecUpdateResultInfo));
SAME_PLACE(CUgraphExecUpdateResultInfo, errorNode);
static_assert(sizeof(rt::CUmemPoolProps) == sizeof(::CUmemPoolProps));
SAME_PLACE(CUmemPoolProps, location);
SAME_PLACE(CUmemPoolProps, maxSize);

// The public interface passes on CUDA's own handles and numbers.
static_assert(std::is_same_v<ttStream_t, ::CUstream> && std::is_same_v<ttEvent_t, ::CUevent> &&
              std::is_same_v<ttFunction_t, ::CUfunction> && std::is_same_v<ttMemPool_t, ::CUmemoryPool> &&
              std::is_same_v<ttGraph_t, ::CUgraph> && std::is_same_v<ttGraphExec_t, ::CUgraphExec> &&
              std::is_same_v<ttGraphNode_t, ::CUgraphNode>);
static_assert(int(ttMemAdviseSetReadMostly) == CU_MEM_ADVISE_SET_READ_MOSTLY &&
              int(ttMemAdviseUnsetAccessedBy) == CU_MEM_ADVISE_UNSET_ACCESSED_BY &&
              int(ttMemPoolAttrReleaseThreshold) == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD &&
              int(ttMemPoolAttrUsedMemHigh) == CU_MEMPOOL_ATTR_USED_MEM_HIGH &&
              int(ttStreamCaptureModeRelaxed) == CU_STREAM_CAPTURE_MODE_RELAXED &&
              int(ttStreamCaptureStatusInvalidated) == CU_STREAM_CAPTURE_STATUS_INVALIDATED);

// The error numbers are CUDA's.
SAME(CUDA_SUCCESS);
static_assert(ttErrorMemoryAllocation == static_cast<int>(CUDA_ERROR_OUT_OF_MEMORY) &&
              ttErrorNoKernelImageForDevice == static_cast<int>(CUDA_ERROR_NO_BINARY_FOR_GPU) &&
              ttErrorLaunchFailure == static_cast<int>(CUDA_ERROR_LAUNCH_FAILED) &&
              ttErrorNotReady == static_cast<int>(CUDA_ERROR_NOT_READY));
