//===-- HipDriver.h - HIP, opened at run time --------------------------------------------------------------------===//
//
// HIP's functions mirror those of the CUDA driver. So AMD's GPUs use the code in cuda/, whose table of functions
// (CudaDriver.h) is then set to HIP's functions. Most of them have the same parameters. HipAdapters.cpp and
// HipContexts.cpp implement the others by the functions below.
//
// A context of the CUDA driver is represented by a device, because HIP has deprecated contexts, and each device has
// one.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HIPDRIVER_H
#define TILECC_RUNTIME_HIPDRIVER_H

#include "cuda/CudaDriver.h"
#include "hip/HipTypes.h"

#include <type_traits>

namespace tilecc::rt {

// X(result, name, parameters)
#define TILECC_HIP(X)                                                                                                  \
  X(const char *, hipGetErrorName, (hipError_t error))                                                                 \
  X(const char *, hipGetErrorString, (hipError_t error))                                                               \
  X(hipError_t, hipRuntimeGetVersion, (int *version))                                                                  \
  X(hipError_t, hipGetDevicePropertiesR0600, (hipDeviceProp_tR0600 * properties, int device))                          \
  X(hipError_t, hipGetDevice, (int *device))                                                                           \
  X(hipError_t, hipSetDevice, (int device))                                                                            \
  X(hipError_t, hipDeviceEnablePeerAccess, (int peer, unsigned flags))                                                 \
  X(hipError_t, hipDeviceDisablePeerAccess, (int peer))                                                                \
  X(hipError_t, hipModuleLoadData, (CUmodule * module, const void *image))                                             \
  X(hipError_t, hipModuleLaunchCooperativeKernel,                                                                      \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,            \
     unsigned blockZ, unsigned sharedBytes, CUstream stream, void **args))                                             \
  X(hipError_t, hipMemcpy, (void *to, const void *from, size_t bytes, int kind))                                       \
  X(hipError_t, hipMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, CUstream stream))                 \
  X(hipError_t, hipMemcpy2D,                                                                                           \
    (void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind))             \
  X(hipError_t, hipMemcpy2DAsync,                                                                                      \
    (void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind,              \
     CUstream stream))                                                                                                 \
  X(hipError_t, hipMemset2D, (void *to, size_t pitch, int byte, size_t width, size_t height))                          \
  X(hipError_t, hipMemset2DAsync, (void *to, size_t pitch, int byte, size_t width, size_t height, CUstream stream))    \
  X(hipError_t, hipPointerGetAttributes, (hipPointerAttribute_t * attributes, const void *pointer))                    \
  X(hipError_t, hipMemGetAddressRange, (void **begin, size_t *bytes, void *pointer))                                   \
  X(hipError_t, hipGraphAddKernelNode,                                                                                 \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,                                 \
     const hipKernelNodeParams *params))                                                                               \
  X(hipError_t, hipGraphKernelNodeGetParams, (CUgraphNode node, hipKernelNodeParams * params))                         \
  X(hipError_t, hipGraphKernelNodeSetParams, (CUgraphNode node, const hipKernelNodeParams *params))                    \
  X(hipError_t, hipGraphExecKernelNodeSetParams,                                                                       \
    (CUgraphExec exec, CUgraphNode node, const hipKernelNodeParams *params))                                           \
  X(hipError_t, hipGraphKernelNodeGetAttribute, (CUgraphNode node, int attribute, void *value))                        \
  X(hipError_t, hipGraphAddMemcpyNode1D,                                                                               \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count, void *to, const void *from,     \
     size_t bytes, int kind))                                                                                          \
  X(hipError_t, hipGraphAddMemsetNode,                                                                                 \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count, const hipMemsetParams *params)) \
  X(hipError_t, hipGraphExecUpdate, (CUgraphExec exec, CUgraph graph, CUgraphNode * errorNode, int *updateResult))

struct HipDriver {
#define TILECC_HIP_MEMBER(result, name, parameters) result(*name) parameters;
  TILECC_HIP(TILECC_HIP_MEMBER)
#undef TILECC_HIP_MEMBER
};

// Filled in once by openHipDriver(), before any other thread can use it.
extern HipDriver hip;

// Opens HIP; the parameters are those of openCudaDriver().
ttError_t openHipDriver(int *count, char *whyNone, size_t whyNoneSize);

extern const DriverVendor amdDriver;

// Called at exit: after this, there is no current context, because HIP's exit handlers may have run.
void endHip();

// Lists the functions of the table: SAME(function, HIP function with the same parameters); ADAPTED(function, HIP
// function that performs the operation, function below that calls it).
#define TILECC_HIP_TABLE(SAME, ADAPTED)                                                                                \
  SAME(cuInit, hipInit)                                                                                                \
  SAME(cuDeviceGetCount, hipGetDeviceCount)                                                                            \
  SAME(cuDeviceGet, hipDeviceGet)                                                                                      \
  SAME(cuDeviceGetName, hipDeviceGetName)                                                                              \
  SAME(cuDeviceTotalMem, hipDeviceTotalMem)                                                                            \
  SAME(cuCtxSynchronize, hipDeviceSynchronize)                                                                         \
  SAME(cuModuleUnload, hipModuleUnload)                                                                                \
  SAME(cuModuleGetFunction, hipModuleGetFunction)                                                                      \
  SAME(cuFuncGetAttribute, hipFuncGetAttribute)                                                                        \
  SAME(cuLaunchKernel, hipModuleLaunchKernel)                                                                          \
  SAME(cuThreadExchangeStreamCaptureMode, hipThreadExchangeStreamCaptureMode)                                          \
  SAME(cuMemAlloc, hipMalloc)                                                                                          \
  SAME(cuMemFree, hipFree)                                                                                             \
  SAME(cuMemHostAlloc, hipHostMalloc)                                                                                  \
  SAME(cuMemFreeHost, hipHostFree)                                                                                     \
  SAME(cuMemGetInfo, hipMemGetInfo)                                                                                    \
  SAME(cuMemsetD8, hipMemsetD8)                                                                                        \
  SAME(cuMemsetD8Async, hipMemsetD8Async)                                                                              \
  SAME(cuMemAllocManaged, hipMallocManaged)                                                                            \
  SAME(cuMemAllocPitch, hipMemAllocPitch)                                                                              \
  SAME(cuMemPrefetchAsync, hipMemPrefetchAsync)                                                                        \
  SAME(cuMemAdvise, hipMemAdvise)                                                                                      \
  SAME(cuMemHostRegister, hipHostRegister)                                                                             \
  SAME(cuMemHostUnregister, hipHostUnregister)                                                                         \
  SAME(cuMemAllocAsync, hipMallocAsync)                                                                                \
  SAME(cuMemAllocFromPoolAsync, hipMallocFromPoolAsync)                                                                \
  SAME(cuMemFreeAsync, hipFreeAsync)                                                                                   \
  SAME(cuMemPoolCreate, hipMemPoolCreate)                                                                              \
  SAME(cuMemPoolDestroy, hipMemPoolDestroy)                                                                            \
  SAME(cuMemPoolTrimTo, hipMemPoolTrimTo)                                                                              \
  SAME(cuMemPoolSetAttribute, hipMemPoolSetAttribute)                                                                  \
  SAME(cuMemPoolGetAttribute, hipMemPoolGetAttribute)                                                                  \
  SAME(cuDeviceGetDefaultMemPool, hipDeviceGetDefaultMemPool)                                                          \
  SAME(cuDeviceGetMemPool, hipDeviceGetMemPool)                                                                        \
  SAME(cuDeviceSetMemPool, hipDeviceSetMemPool)                                                                        \
  SAME(cuDeviceCanAccessPeer, hipDeviceCanAccessPeer)                                                                  \
  SAME(cuOccupancyMaxActiveBlocksPerMultiprocessor, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)                \
  SAME(cuLaunchHostFunc, hipLaunchHostFunc)                                                                            \
  SAME(cuStreamBeginCapture, hipStreamBeginCapture)                                                                    \
  SAME(cuStreamEndCapture, hipStreamEndCapture)                                                                        \
  SAME(cuStreamIsCapturing, hipStreamIsCapturing)                                                                      \
  SAME(cuGraphCreate, hipGraphCreate)                                                                                  \
  SAME(cuGraphDestroy, hipGraphDestroy)                                                                                \
  SAME(cuGraphGetNodes, hipGraphGetNodes)                                                                              \
  SAME(cuGraphKernelNodeSetAttribute, hipGraphKernelNodeSetAttribute)                                                  \
  SAME(cuGraphAddHostNode, hipGraphAddHostNode)                                                                        \
  SAME(cuGraphAddEmptyNode, hipGraphAddEmptyNode)                                                                      \
  SAME(cuGraphAddChildGraphNode, hipGraphAddChildGraphNode)                                                            \
  SAME(cuGraphInstantiateWithFlags, hipGraphInstantiateWithFlags)                                                      \
  SAME(cuGraphExecDestroy, hipGraphExecDestroy)                                                                        \
  SAME(cuGraphNodeGetType, hipGraphNodeGetType)                                                                        \
  SAME(cuGraphNodeGetDependencies, hipGraphNodeGetDependencies)                                                        \
  SAME(cuGraphAddDependencies, hipGraphAddDependencies)                                                                \
  SAME(cuGraphDestroyNode, hipGraphDestroyNode)                                                                        \
  SAME(cuGraphUpload, hipGraphUpload)                                                                                  \
  SAME(cuGraphLaunch, hipGraphLaunch)                                                                                  \
  SAME(cuStreamCreate, hipStreamCreateWithFlags)                                                                       \
  SAME(cuStreamDestroy, hipStreamDestroy)                                                                              \
  SAME(cuStreamSynchronize, hipStreamSynchronize)                                                                      \
  SAME(cuStreamQuery, hipStreamQuery)                                                                                  \
  SAME(cuStreamWaitEvent, hipStreamWaitEvent)                                                                          \
  SAME(cuEventCreate, hipEventCreateWithFlags)                                                                         \
  SAME(cuEventRecord, hipEventRecord)                                                                                  \
  SAME(cuEventSynchronize, hipEventSynchronize)                                                                        \
  SAME(cuEventQuery, hipEventQuery)                                                                                    \
  SAME(cuEventElapsedTime, hipEventElapsedTime)                                                                        \
  SAME(cuEventDestroy, hipEventDestroy)                                                                                \
  ADAPTED(cuGetErrorName, hipGetErrorName, getErrorName)                                                               \
  ADAPTED(cuGetErrorString, hipGetErrorString, getErrorString)                                                         \
  ADAPTED(cuDeviceGetAttribute, hipGetDevicePropertiesR0600, getDeviceAttribute)                                       \
  ADAPTED(cuDevicePrimaryCtxRetain, hipSetDevice, retainContext)                                                       \
  ADAPTED(cuCtxGetCurrent, hipGetDevice, getCurrentContext)                                                            \
  ADAPTED(cuCtxSetCurrent, hipSetDevice, setCurrentContext)                                                            \
  ADAPTED(cuCtxPushCurrent, hipSetDevice, pushContext)                                                                 \
  ADAPTED(cuCtxPopCurrent, hipSetDevice, popContext)                                                                   \
  ADAPTED(cuCtxGetId, hipGetDevice, getContextId)                                                                      \
  ADAPTED(cuCtxGetDevice, hipGetDevice, getContextDevice)                                                              \
  ADAPTED(cuCtxEnablePeerAccess, hipDeviceEnablePeerAccess, enablePeerAccess)                                          \
  ADAPTED(cuCtxDisablePeerAccess, hipDeviceDisablePeerAccess, disablePeerAccess)                                       \
  ADAPTED(cuModuleLoadDataEx, hipModuleLoadData, loadModule)                                                           \
  ADAPTED(cuFuncSetAttribute, hipFuncSetAttribute, setFunctionAttribute)                                               \
  ADAPTED(cuLaunchKernelEx, hipModuleLaunchCooperativeKernel, launchWithAttributes)                                    \
  ADAPTED(cuOccupancyMaxActiveClusters, hipOccupancyMaxActiveClusters, countActiveClusters)                            \
  ADAPTED(cuMemcpy, hipMemcpy, copy)                                                                                   \
  ADAPTED(cuMemcpyAsync, hipMemcpyAsync, copyAsync)                                                                    \
  ADAPTED(cuMemcpy2DUnaligned, hipMemcpy2D, copyRows)                                                                  \
  ADAPTED(cuMemcpy2DAsync, hipMemcpy2DAsync, copyRowsAsync)                                                            \
  ADAPTED(cuMemsetD2D8, hipMemset2D, setRows)                                                                          \
  ADAPTED(cuMemsetD2D8Async, hipMemset2DAsync, setRowsAsync)                                                           \
  ADAPTED(cuPointerGetAttributes, hipPointerGetAttributes, getPointerAttributes)                                       \
  ADAPTED(cuGraphAddKernelNode, hipGraphAddKernelNode, addKernelNode)                                                  \
  ADAPTED(cuGraphKernelNodeGetParams, hipGraphKernelNodeGetParams, getKernelNode)                                      \
  ADAPTED(cuGraphKernelNodeSetParams, hipGraphKernelNodeSetParams, setKernelNode)                                      \
  ADAPTED(cuGraphExecKernelNodeSetParams, hipGraphExecKernelNodeSetParams, setExecKernelNode)                          \
  ADAPTED(cuGraphKernelNodeGetAttribute, hipGraphKernelNodeGetAttribute, getNodeAttribute)                             \
  ADAPTED(cuGraphAddMemcpyNode, hipGraphAddMemcpyNode1D, addCopyNode)                                                  \
  ADAPTED(cuGraphAddMemsetNode, hipGraphAddMemsetNode, addSetNode)                                                     \
  ADAPTED(cuGraphExecUpdate, hipGraphExecUpdate, updateExec)

// The functions whose parameters differ from HIP's.
namespace hipAdapters {
#define TILECC_NOTHING(function, hipFunction)
#define TILECC_DECLARE(function, hipFunction, adapter) std::remove_pointer_t<decltype(CudaDriver::function)> adapter;
TILECC_HIP_TABLE(TILECC_NOTHING, TILECC_DECLARE)
#undef TILECC_DECLARE
#undef TILECC_NOTHING
} // namespace hipAdapters

} // namespace tilecc::rt
#endif
