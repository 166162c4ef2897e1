// The runtime declares what it uses of HIP by itself. Here it is held against HIP's own header, which Triton has: the
// same numbers and layouts, and parameters of the same sizes.
//
// REQUIRES: hip-header
// RUN: %clangxx -std=c++20 -w -fsyntax-only -I%source_dir -I%source_dir/runtime/src -I%source_dir/runtime/include -isystem %hip_include %s
// RUN: not %clangxx -std=c++20 -w -fsyntax-only -DBREAK_IT -I%source_dir -I%source_dir/runtime/src -I%source_dir/runtime/include \
// RUN:   -isystem %hip_include %s 2>&1 | FileCheck %s
// CHECK: error: static assertion failed{{.*}}hipMalloc
#define __HIP_PLATFORM_AMD__
#define __HIP_DISABLE_CPP_FUNCTIONS__
#include <hip/hip_runtime_api.h>
#include <stddef.h>
#include <type_traits>

// Of these the header also has C++ functions; the casts select C's.
extern "C" std::remove_pointer_t<decltype(static_cast<hipError_t (*)(void **, size_t, hipStream_t)>(hipMallocAsync))>
    plainMallocAsync;
extern "C" std::remove_pointer_t<
    decltype(static_cast<hipError_t (*)(void **, size_t, hipMemPool_t, hipStream_t)>(hipMallocFromPoolAsync))>
    plainMallocFromPoolAsync;
#define hipMallocAsync plainMallocAsync
#define hipMallocFromPoolAsync plainMallocFromPoolAsync

#ifdef BREAK_IT
#define hipMalloc hipMallocInFour
extern "C" hipError_t hipMallocInFour(void **, size_t, int, int);
#endif

#include "runtime/src/hip/HipDriver.h"

namespace rt = tilecc::rt;

template <class> struct Signature;
template <class R, class... P> struct Signature<R (*)(P...)> {
  template <class Other> static constexpr bool matches = false;
  template <class R2, class... P2> static constexpr bool matches<R2 (*)(P2...)> = [] {
    if constexpr (sizeof...(P) == sizeof...(P2))
      return sizeof(R) == sizeof(R2) && ((sizeof(P) == sizeof(P2)) && ...);
    return false;
  }();
};

#define CHECK_SAME(function, hipName)                                                                                  \
  static_assert(Signature<decltype(&::hipName)>::matches<decltype(rt::CudaDriver::function)>, #hipName);
#define NOTHING(function, hipName, adapter)
TILECC_HIP_TABLE(CHECK_SAME, NOTHING)

#define SAME(name) static_assert(static_cast<int>(rt::name) == static_cast<int>(::name), #name)
SAME(hipErrorInvalidValue);
SAME(hipErrorStreamCaptureUnsupported);
SAME(hipMemcpyDefault);
SAME(hipMemoryTypeUnregistered);
SAME(hipMemoryTypeHost);
SAME(hipMemoryTypeDevice);
SAME(hipMemoryTypeManaged);

// Numbers that are passed on as CUDA's.
static_assert(int(rt::CUDA_ERROR_DEINITIALIZED) == hipErrorDeinitialized && int(rt::CUDA_ERROR_NO_DEVICE) == hipErrorNoDevice &&
              int(rt::CUDA_ERROR_INVALID_CONTEXT) == hipErrorInvalidContext && int(rt::CUDA_ERROR_NOT_READY) == hipErrorNotReady &&
              int(rt::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) == hipErrorGraphExecUpdateFailure);
static_assert(int(ttErrorMemoryAllocation) == hipErrorOutOfMemory && int(ttErrorInvalidDevice) == hipErrorInvalidDevice &&
              int(ttErrorNoKernelImageForDevice) == hipErrorNoBinaryForGpu && int(ttErrorLaunchFailure) == hipErrorLaunchFailure &&
              int(ttErrorIllegalAddress) == hipErrorIllegalAddress && int(ttErrorNotSupported) == hipErrorNotSupported &&
              int(ttErrorCooperativeLaunchTooLarge) == hipErrorCooperativeLaunchTooLarge &&
              int(ttErrorStreamCaptureUnsupported) == hipErrorStreamCaptureUnsupported &&
              int(ttErrorStreamCaptureUnjoined) == hipErrorStreamCaptureUnjoined);
static_assert(int(rt::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES) == HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES &&
              int(rt::CU_FUNC_ATTRIBUTE_NUM_REGS) == HIP_FUNC_ATTRIBUTE_NUM_REGS &&
              int(rt::CU_FUNC_ATTRIBUTE_BINARY_VERSION) == HIP_FUNC_ATTRIBUTE_BINARY_VERSION);
static_assert(int(rt::CU_LAUNCH_ATTRIBUTE_COOPERATIVE) == hipLaunchAttributeCooperative &&
              int(rt::CU_LAUNCH_ATTRIBUTE_PRIORITY) == hipLaunchAttributePriority &&
              sizeof(rt::CUlaunchAttribute::value) == sizeof(hipLaunchAttributeValue));
static_assert(rt::driverPortableHostMemory == hipHostMallocPortable && rt::driverPortableHostMemory == hipHostRegisterPortable &&
              rt::CU_MEM_ATTACH_GLOBAL == hipMemAttachGlobal && rt::driverCpuDevice == hipCpuDeviceId);
static_assert(int(rt::CU_GRAPH_NODE_TYPE_KERNEL) == hipGraphNodeTypeKernel &&
              int(rt::CU_STREAM_CAPTURE_MODE_RELAXED) == hipStreamCaptureModeRelaxed &&
              int(ttStreamCaptureStatusInvalidated) == hipStreamCaptureStatusInvalidated &&
              int(ttStreamNonBlocking) == hipStreamNonBlocking && int(ttEventDisableTiming) == hipEventDisableTiming &&
              int(ttEventBlockingSync) == hipEventBlockingSync && int(ttMemAdviseSetReadMostly) == hipMemAdviseSetReadMostly &&
              int(ttMemAdviseUnsetAccessedBy) == hipMemAdviseUnsetAccessedBy &&
              int(ttMemPoolAttrReleaseThreshold) == hipMemPoolAttrReleaseThreshold &&
              int(ttMemPoolAttrUsedMemHigh) == hipMemPoolAttrUsedMemHigh);

#define SAME_SIZE(type) static_assert(sizeof(rt::type) == sizeof(::type), #type)
#define SAME_PLACE(type, member) static_assert(offsetof(rt::type, member) == offsetof(::type, member), #type "::" #member)
SAME_SIZE(hipDeviceProp_tR0600);
SAME_PLACE(hipDeviceProp_tR0600, name);
SAME_PLACE(hipDeviceProp_tR0600, totalGlobalMem);
SAME_PLACE(hipDeviceProp_tR0600, sharedMemPerBlock);
SAME_PLACE(hipDeviceProp_tR0600, multiProcessorCount);
SAME_PLACE(hipDeviceProp_tR0600, l2CacheSize);
SAME_PLACE(hipDeviceProp_tR0600, gcnArchName);
SAME_SIZE(hipPointerAttribute_t);
SAME_PLACE(hipPointerAttribute_t, type);
SAME_PLACE(hipPointerAttribute_t, device);
SAME_PLACE(hipPointerAttribute_t, devicePointer);
SAME_PLACE(hipPointerAttribute_t, hostPointer);
SAME_PLACE(hipPointerAttribute_t, isManaged);
SAME_SIZE(hipKernelNodeParams);
SAME_PLACE(hipKernelNodeParams, blockDim);
SAME_PLACE(hipKernelNodeParams, func);
SAME_PLACE(hipKernelNodeParams, gridDim);
SAME_PLACE(hipKernelNodeParams, kernelParams);
SAME_PLACE(hipKernelNodeParams, sharedMemBytes);
SAME_SIZE(hipMemsetParams);
SAME_PLACE(hipMemsetParams, dst);
SAME_PLACE(hipMemsetParams, elementSize);
SAME_PLACE(hipMemsetParams, height);
SAME_PLACE(hipMemsetParams, pitch);
SAME_PLACE(hipMemsetParams, value);
SAME_PLACE(hipMemsetParams, width);
static_assert(sizeof(rt::CUDA_HOST_NODE_PARAMS) == sizeof(hipHostNodeParams) &&
              sizeof(rt::CUmemPoolProps) == sizeof(hipMemPoolProps) &&
              offsetof(rt::CUmemPoolProps, location) == offsetof(hipMemPoolProps, location) &&
              offsetof(rt::CUmemPoolProps, maxSize) == offsetof(hipMemPoolProps, maxSize) &&
              int(rt::CU_MEM_ALLOCATION_TYPE_PINNED) == hipMemAllocationTypePinned &&
              int(rt::CU_MEM_LOCATION_TYPE_DEVICE) == hipMemLocationTypeDevice);

// What the adapters call.
namespace tilecc::rt {
#define CHECK_ADAPTED(result, name, parameters)                                                                        \
  static_assert(Signature<decltype(&::name)>::matches<result(*) parameters>, #name);
TILECC_HIP(CHECK_ADAPTED)
} // namespace tilecc::rt
