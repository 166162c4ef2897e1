//===-- CudaDriver.h - the CUDA driver, opened at run time -----------------------------------------------------===//
//
// One table has the driver's entry points, one macro calls them and checks the results, and one function converts
// errors. The few types that are needed are declared here, so building the runtime needs no CUDA headers, and nothing
// links libcuda.
//
// HIP mirrors this interface, so AMD's GPUs use the same code: hip/HipDriver.cpp sets the same table. The GPUs of a
// process are of one vendor. DriverVendor has the differences between the vendors.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDADRIVER_H
#define TILECC_RUNTIME_CUDADRIVER_H

#include "cuda/CudaTypes.h"

namespace tilecc::rt {

// X(name, symbol, parameters). The version of the symbol is the one that these declarations describe.
#define TILECC_CUDA_DRIVER(X)                                                                                          \
  X(cuInit, "cuInit", (unsigned flags))                                                                                \
  X(cuGetErrorName, "cuGetErrorName", (CUresult error, const char **name))                                             \
  X(cuGetErrorString, "cuGetErrorString", (CUresult error, const char **text))                                         \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                                                \
  X(cuDeviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))                                                      \
  X(cuDeviceGetName, "cuDeviceGetName", (char *name, int length, CUdevice device))                                     \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, CUdevice device))                        \
  X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *bytes, CUdevice device))                                         \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))                      \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext * context))                                                         \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext context))                                                           \
  X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext context))                                                      \
  X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext * context))                                                      \
  X(cuCtxGetId, "cuCtxGetId", (CUcontext context, unsigned long long *id))                                             \
  X(cuCtxGetDevice, "cuCtxGetDevice", (CUdevice * device))                                                             \
  X(cuCtxSynchronize, "cuCtxSynchronize", ())                                                                          \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                                                          \
    (CUmodule * module, const void *image, unsigned count, int *options, void **values))                               \
  X(cuModuleUnload, "cuModuleUnload", (CUmodule module))                                                               \
  X(cuModuleGetFunction, "cuModuleGetFunction", (CUfunction * function, CUmodule module, const char *name))            \
  X(cuFuncGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, CUfunction function))                        \
  X(cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))                         \
  X(cuLaunchKernel, "cuLaunchKernel",                                                                                  \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,            \
     unsigned blockZ, unsigned sharedBytes, CUstream stream, void **args, void **extra))                               \
  X(cuLaunchKernelEx, "cuLaunchKernelEx",                                                                              \
    (const CUlaunchConfig *config, CUfunction function, void **args, void **extra))                                    \
  X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *mode))                               \
  X(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr * pointer, size_t bytes))                                                \
  X(cuMemFree, "cuMemFree_v2", (CUdeviceptr pointer))                                                                  \
  X(cuMemHostAlloc, "cuMemHostAlloc", (void **pointer, size_t bytes, unsigned flags))                                  \
  X(cuMemFreeHost, "cuMemFreeHost", (void *pointer))                                                                   \
  X(cuMemGetInfo, "cuMemGetInfo_v2", (size_t *freeBytes, size_t *totalBytes))                                          \
  X(cuMemcpy, "cuMemcpy", (CUdeviceptr to, CUdeviceptr from, size_t bytes))                                            \
  X(cuMemcpyAsync, "cuMemcpyAsync", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                 \
  X(cuMemsetD8, "cuMemsetD8_v2", (CUdeviceptr pointer, unsigned char byte, size_t bytes))                              \
  X(cuMemsetD8Async, "cuMemsetD8Async", (CUdeviceptr pointer, unsigned char byte, size_t bytes, CUstream stream))      \
  X(cuMemAllocManaged, "cuMemAllocManaged", (CUdeviceptr * pointer, size_t bytes, unsigned flags))                     \
  X(cuMemAllocPitch, "cuMemAllocPitch_v2",                                                                             \
    (CUdeviceptr * pointer, size_t *pitch, size_t width, size_t height, unsigned elementBytes))                        \
  X(cuMemPrefetchAsync, "cuMemPrefetchAsync", (CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream))   \
  X(cuMemAdvise, "cuMemAdvise", (CUdeviceptr pointer, size_t bytes, int advice, CUdevice device))                      \
  X(cuMemHostRegister, "cuMemHostRegister_v2", (void *pointer, size_t bytes, unsigned flags))                          \
  X(cuMemHostUnregister, "cuMemHostUnregister", (void *pointer))                                                       \
  X(cuPointerGetAttributes, "cuPointerGetAttributes",                                                                  \
    (unsigned count, int *attributes, void **values, CUdeviceptr pointer))                                             \
  X(cuMemcpy2DUnaligned, "cuMemcpy2DUnaligned_v2", (const CUDA_MEMCPY2D *copy))                                        \
  X(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", (const CUDA_MEMCPY2D *copy, CUstream stream))                               \
  X(cuMemsetD2D8, "cuMemsetD2D8_v2",                                                                                   \
    (CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height))                              \
  X(cuMemsetD2D8Async, "cuMemsetD2D8Async",                                                                            \
    (CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height, CUstream stream))             \
  X(cuMemAllocAsync, "cuMemAllocAsync", (CUdeviceptr * pointer, size_t bytes, CUstream stream))                        \
  X(cuMemAllocFromPoolAsync, "cuMemAllocFromPoolAsync",                                                                \
    (CUdeviceptr * pointer, size_t bytes, CUmemoryPool pool, CUstream stream))                                         \
  X(cuMemFreeAsync, "cuMemFreeAsync", (CUdeviceptr pointer, CUstream stream))                                          \
  X(cuMemPoolCreate, "cuMemPoolCreate", (CUmemoryPool * pool, const CUmemPoolProps *properties))                       \
  X(cuMemPoolDestroy, "cuMemPoolDestroy", (CUmemoryPool pool))                                                         \
  X(cuMemPoolTrimTo, "cuMemPoolTrimTo", (CUmemoryPool pool, size_t bytes))                                             \
  X(cuMemPoolSetAttribute, "cuMemPoolSetAttribute", (CUmemoryPool pool, int attribute, void *value))                   \
  X(cuMemPoolGetAttribute, "cuMemPoolGetAttribute", (CUmemoryPool pool, int attribute, void *value))                   \
  X(cuDeviceGetDefaultMemPool, "cuDeviceGetDefaultMemPool", (CUmemoryPool * pool, CUdevice device))                    \
  X(cuDeviceGetMemPool, "cuDeviceGetMemPool", (CUmemoryPool * pool, CUdevice device))                                  \
  X(cuDeviceSetMemPool, "cuDeviceSetMemPool", (CUdevice device, CUmemoryPool pool))                                    \
  X(cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", (int *can, CUdevice device, CUdevice peer))                        \
  X(cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess", (CUcontext peer, unsigned flags))                                  \
  X(cuCtxDisablePeerAccess, "cuCtxDisablePeerAccess", (CUcontext peer))                                                \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                        \
    (int *blocks, CUfunction function, int threads, size_t sharedBytes))                                               \
  X(cuOccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",                                                      \
    (int *clusters, CUfunction function, const CUlaunchConfig *config))                                                \
  X(cuLaunchHostFunc, "cuLaunchHostFunc", (CUstream stream, ttHostFn_t function, void *data))                          \
  X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (CUstream stream, int mode))                                      \
  X(cuStreamEndCapture, "cuStreamEndCapture", (CUstream stream, CUgraph * graph))                                      \
  X(cuStreamIsCapturing, "cuStreamIsCapturing", (CUstream stream, int *status))                                        \
  X(cuGraphCreate, "cuGraphCreate", (CUgraph * graph, unsigned flags))                                                 \
  X(cuGraphDestroy, "cuGraphDestroy", (CUgraph graph))                                                                 \
  X(cuGraphGetNodes, "cuGraphGetNodes", (CUgraph graph, CUgraphNode * nodes, size_t *count))                           \
  X(cuGraphAddKernelNode, "cuGraphAddKernelNode_v2",                                                                   \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,                                 \
     const CUDA_KERNEL_NODE_PARAMS *params))                                                                           \
  X(cuGraphKernelNodeSetAttribute, "cuGraphKernelNodeSetAttribute",                                                    \
    (CUgraphNode node, int attribute, const void *value))                                                              \
  X(cuGraphKernelNodeGetAttribute, "cuGraphKernelNodeGetAttribute", (CUgraphNode node, int attribute, void *value))    \
  X(cuGraphAddMemcpyNode, "cuGraphAddMemcpyNode",                                                                      \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count, const CUDA_MEMCPY3D *params,    \
     CUcontext context))                                                                                               \
  X(cuGraphAddMemsetNode, "cuGraphAddMemsetNode",                                                                      \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,                                 \
     const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context))                                                        \
  X(cuGraphAddHostNode, "cuGraphAddHostNode",                                                                          \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count,                                 \
     const CUDA_HOST_NODE_PARAMS *params))                                                                             \
  X(cuGraphAddEmptyNode, "cuGraphAddEmptyNode",                                                                        \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count))                                \
  X(cuGraphAddChildGraphNode, "cuGraphAddChildGraphNode",                                                              \
    (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUgraph child))                 \
  X(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags",                                                        \
    (CUgraphExec * exec, CUgraph graph, unsigned long long flags))                                                     \
  X(cuGraphExecDestroy, "cuGraphExecDestroy", (CUgraphExec exec))                                                      \
  X(cuGraphExecUpdate, "cuGraphExecUpdate_v2", (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo * info))  \
  X(cuGraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams_v2",                                               \
    (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params))                                       \
  X(cuGraphKernelNodeGetParams, "cuGraphKernelNodeGetParams_v2", (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS * params)) \
  X(cuGraphKernelNodeSetParams, "cuGraphKernelNodeSetParams_v2",                                                       \
    (CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params))                                                         \
  X(cuGraphNodeGetType, "cuGraphNodeGetType", (CUgraphNode node, int *type))                                           \
  X(cuGraphNodeGetDependencies, "cuGraphNodeGetDependencies", (CUgraphNode node, CUgraphNode * nodes, size_t *count))  \
  X(cuGraphAddDependencies, "cuGraphAddDependencies",                                                                  \
    (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count))                                     \
  X(cuGraphDestroyNode, "cuGraphDestroyNode", (CUgraphNode node))                                                      \
  X(cuGraphUpload, "cuGraphUpload", (CUgraphExec exec, CUstream stream))                                               \
  X(cuGraphLaunch, "cuGraphLaunch", (CUgraphExec exec, CUstream stream))                                               \
  X(cuStreamCreate, "cuStreamCreate", (CUstream * stream, unsigned flags))                                             \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream stream))                                                          \
  X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream))                                                     \
  X(cuStreamQuery, "cuStreamQuery", (CUstream stream))                                                                 \
  X(cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned flags))                          \
  X(cuEventCreate, "cuEventCreate", (CUevent * event, unsigned flags))                                                 \
  X(cuEventRecord, "cuEventRecord", (CUevent event, CUstream stream))                                                  \
  X(cuEventSynchronize, "cuEventSynchronize", (CUevent event))                                                         \
  X(cuEventQuery, "cuEventQuery", (CUevent event))                                                                     \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CUevent start, CUevent end))                       \
  X(cuEventDestroy, "cuEventDestroy_v2", (CUevent event))

struct DeviceKind;
struct Kernel;

// What differs between NVIDIA's driver and AMD's.
struct DriverVendor {
  const DeviceKind *kind;
  const char *name, *driver; // for messages: "CUDA", "the CUDA driver"
  // Returns the name that the driver has for a function of the table, for messages.
  const char *(*functionName)(const char *function);
  uint32_t code; // the kind of images with code for its devices, TILECC_IMAGE_...
  // Returns the number of a device's architecture, as tilecc_image has it.
  ttError_t (*arch)(CUdevice device, unsigned *arch);
  // Selects the image of a kernel's object for a device, or fails.
  ttError_t (*chooseImage)(const Kernel &kernel, CUdevice device, int *image);
  uint64_t maxThreads; // in a grid along x
};

extern const DriverVendor nvidiaDriver;

struct CudaDriver {
  const DriverVendor *vendor;
#define TILECC_CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters;
  TILECC_CUDA_DRIVER(TILECC_CUDA_MEMBER)
#undef TILECC_CUDA_MEMBER
  CUresult (*cuFuncLoad)(CUfunction function); // since CUDA 12.4, else null
  CUresult (*cuStreamGetId)(CUstream stream, unsigned long long *id); // never reused; null with other vendors
  CUresult (*cuModuleGetGlobal)(CUdeviceptr *pointer, size_t *bytes, CUmodule module,
                                const char *name); // null if the vendor's code has no profiles
  CUresult (*cuTensorMapEncodeTiled)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                                     const uint64_t *strides, const uint32_t *box, const uint32_t *elementStrides,
                                     int interleave, int swizzle, int l2Promotion,
                                     int outOfBounds); // since CUDA 12.0, else null
  CUresult (*cuTensorMapEncodeIm2col)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                                      const uint64_t *strides, const int *lowerCorner, const int *upperCorner,
                                      uint32_t channels, uint32_t pixels, const uint32_t *elementStrides,
                                      int interleave, int swizzle, int l2Promotion, int outOfBounds); // the same
};

// Set once by openCudaDriver(), before any other thread can use it.
extern CudaDriver cuda;

// Opens and initializes the driver, and counts its devices. It is not an error if there is no driver or no device: the
// count is then 0, and `whyNone` is the reason. Called once, under the lock of devices().
ttError_t openCudaDriver(int *count, char *whyNone, size_t whyNoneSize);

// Initializes the driver whose functions are in the table, and counts its devices.
ttError_t initializeDriver(int *count, char *whyNone, size_t whyNoneSize);

// Implements DeviceKind::open by a function like openCudaDriver.
ttError_t openDriver(ttError_t (*open)(int *count, char *whyNone, size_t whyNoneSize), const char *variable,
                     int *number, int *gpuCount);

// Records the failure of a driver call.
ttError_t failCuda(CUresult result, const char *function);

// Calls the driver and returns its error, if any, from the enclosing function.
#define CUDA_TRY(function, ...)                                                                                        \
  do {                                                                                                                 \
    if (::tilecc::rt::CUresult result_ = ::tilecc::rt::cuda.function(__VA_ARGS__))                                     \
      return ::tilecc::rt::failCuda(result_, #function);                                                               \
  } while (0)

// Returns true if this process was forked from a process that had initialized the driver. It then cannot use GPUs.
bool cudaIsLostToFork();
// Implements DeviceKind::afterFork.
void loseCudaToFork(bool inChild);
// Records the error that all CUDA calls return after such a fork.
ttError_t failForked();

// During its lifetime, calls that are not part of a capture are allowed while a capture is in progress. Without it, the
// driver treats such calls as violations of the capture. The CUDA runtime does the same when it loads code at a first
// launch.
class RelaxedCapture {
public:
  RelaxedCapture() { cuda.cuThreadExchangeStreamCaptureMode(&mode); }
  ~RelaxedCapture() { cuda.cuThreadExchangeStreamCaptureMode(&mode); }

private:
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
};

// Implements CUDA's rules for the context of a call. After ensureContext(), the thread has a current context: its own,
// or else the primary context of its device. A current context that has been destroyed, as a reset does to the primary
// one, does not count. At exit, the driver may have been shut down first, and may have freed everything. Callers that
// only release memory pass `driverIsGone`, so that this is not an error for them.
ttError_t ensureContext(bool *driverIsGone = nullptr);
// Does the same, and sets *id to the id of the context, which the driver never reuses.
ttError_t ensureContext(unsigned long long *id, bool *driverIsGone = nullptr);
ttError_t makePrimaryContextCurrent(int device);
ttError_t currentCudaDevice(int *device);

// Fails if the stream or event belongs to the CPU device.
ttError_t checkCudaHandle(const void *handle);

} // namespace tilecc::rt
#endif
