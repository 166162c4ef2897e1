//===-- HipContexts.cpp - the contexts of HIP's devices ----------------------------------------------------------===//
//
// HIP makes device 0 current in each thread by itself. Until the runtime or the program has selected another device, a
// thread therefore counts as one without a context, so that the runtime's default device becomes current.
//
// The CUDA driver rejects calls after its exit handlers have run. HIP does not, so the runtime installs a handler that
// runs before HIP's.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "hip/HipDriver.h"

using namespace tilecc::rt;

static constinit std::atomic<bool> hasEnded{false};
static thread_local bool hasSelected = false; // the runtime has selected this thread's device
static thread_local int beforePush = 0;       // the device to which popContext() returns

void tilecc::rt::endHip() { hasEnded = true; }

static CUcontext contextOf(int device) { return reinterpret_cast<CUcontext>(static_cast<uintptr_t>(device) + 1); }
static int deviceOf(CUcontext context) { return static_cast<int>(reinterpret_cast<uintptr_t>(context) - 1); }

static CUresult select(int device) {
  hasSelected = true;
  return hip.hipSetDevice(device);
}

CUresult hipAdapters::getContextDevice(CUdevice *device) {
  if (hasEnded.load(std::memory_order_relaxed))
    return CUDA_ERROR_DEINITIALIZED;
  if (hipError_t error = hip.hipGetDevice(device))
    return error;
  return *device || hasSelected ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult hipAdapters::retainContext(CUcontext *context, CUdevice device) {
  *context = contextOf(device);
  return CUDA_SUCCESS;
}

CUresult hipAdapters::getCurrentContext(CUcontext *context) {
  int device;
  CUresult result = getContextDevice(&device);
  *context = result ? nullptr : contextOf(device);
  return result == CUDA_ERROR_INVALID_CONTEXT ? CUDA_SUCCESS : result;
}

CUresult hipAdapters::setCurrentContext(CUcontext context) { return select(deviceOf(context)); }

// The runtime pushes one context at a time.
CUresult hipAdapters::pushContext(CUcontext context) {
  hipError_t error = hip.hipGetDevice(&beforePush);
  return error ? error : hip.hipSetDevice(deviceOf(context));
}

CUresult hipAdapters::popContext(CUcontext *context) {
  CUresult result = getCurrentContext(context);
  return result ? result : hip.hipSetDevice(beforePush);
}

CUresult hipAdapters::getContextId(CUcontext context, unsigned long long *id) {
  int device = 0;
  if (hasEnded.load(std::memory_order_relaxed))
    return CUDA_ERROR_DEINITIALIZED;
  if (!context)
    if (CUresult result = getContextDevice(&device))
      return result;
  *id = context ? reinterpret_cast<uintptr_t>(context) : static_cast<unsigned long long>(device) + 1;
  return CUDA_SUCCESS;
}

CUresult hipAdapters::enablePeerAccess(CUcontext peer, unsigned flags) {
  return hip.hipDeviceEnablePeerAccess(deviceOf(peer), flags);
}

CUresult hipAdapters::disablePeerAccess(CUcontext peer) { return hip.hipDeviceDisablePeerAccess(deviceOf(peer)); }
