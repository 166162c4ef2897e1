//===-- HipAdapters.cpp - functions of the CUDA driver, made of HIP's --------------------------------------------===//
//
// Adapters for the functions that have other parameters in HIP. HipDriver.cpp enters them in the driver's table.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "hip/HipDriver.h"

#include <string.h>

using namespace tilecc::rt;

static void *toPointer(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }

CUresult hipAdapters::getErrorName(CUresult error, const char **name) {
  *name = hip.hipGetErrorName(error);
  return CUDA_SUCCESS;
}

CUresult hipAdapters::getErrorString(CUresult error, const char **text) {
  *text = hip.hipGetErrorString(error);
  return CUDA_SUCCESS;
}

// Reads the properties, whose layout has a version, because HIP's attributes have other numbers than CUDA's.
CUresult hipAdapters::getDeviceAttribute(int *value, int attribute, CUdevice device) {
  hipDeviceProp_tR0600 properties;
  if (hipError_t error = hip.hipGetDevicePropertiesR0600(&properties, device))
    return error;
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = properties.multiProcessorCount; return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = properties.l2CacheSize; return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: // HIP has nothing to opt into
    *value = static_cast<int>(properties.sharedMemPerBlock);
    return CUDA_SUCCESS;
  }
  return hipErrorInvalidValue;
}

//===-- Code ------------------------------------------------------------------------------------------------------===//

// HIP writes no log.
CUresult hipAdapters::loadModule(CUmodule *module, const void *image, unsigned, int *, void **) {
  return hip.hipModuleLoadData(module, image);
}

// Code objects have no dynamic LDS and no clusters.
CUresult hipAdapters::setFunctionAttribute(CUfunction, int, int) { return hipErrorInvalidValue; }
CUresult hipAdapters::countActiveClusters(int *, CUfunction, const CUlaunchConfig *) { return hipErrorInvalidValue; }

static bool isCooperative(const CUlaunchConfig &config) {
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && config.attrs[i].value.number)
      return true;
  return false;
}

// Before HIP 7, cooperative launches are not captured: they run during the capture.
static bool mustNotCapture(CUstream stream) {
  constexpr int hip7 = 7 * 10'000'000;
  int version = 0, status = 0;
  return !hip.hipRuntimeGetVersion(&version) && version < hip7 && !cuda.cuStreamIsCapturing(stream, &status) && status;
}

// On HIP, kernels do not overlap with the previous one in the stream and have no priorities of their own. Both
// attributes are only hints, so they can be ignored.
CUresult hipAdapters::launchWithAttributes(const CUlaunchConfig *config, CUfunction function, void **args, void **) {
  const CUlaunchConfig &c = *config;
  if (!isCooperative(c))
    return cuda.cuLaunchKernel(function, c.gridDimX, c.gridDimY, c.gridDimZ, c.blockDimX, c.blockDimY, c.blockDimZ,
                               c.sharedMemBytes, c.hStream, args, nullptr);
  if (mustNotCapture(c.hStream))
    return hipErrorStreamCaptureUnsupported;
  return hip.hipModuleLaunchCooperativeKernel(function, c.gridDimX, c.gridDimY, c.gridDimZ, c.blockDimX, c.blockDimY,
                                              c.blockDimZ, c.sharedMemBytes, c.hStream, args);
}

//===-- Memory ----------------------------------------------------------------------------------------------------===//

CUresult hipAdapters::copy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return hip.hipMemcpy(toPointer(to), toPointer(from), bytes, hipMemcpyDefault);
}

CUresult hipAdapters::copyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return hip.hipMemcpyAsync(toPointer(to), toPointer(from), bytes, hipMemcpyDefault, stream);
}

CUresult hipAdapters::copyRows(const CUDA_MEMCPY2D *copy) {
  return hip.hipMemcpy2D(toPointer(copy->dstDevice), copy->dstPitch, toPointer(copy->srcDevice), copy->srcPitch,
                         copy->WidthInBytes, copy->Height, hipMemcpyDefault);
}

CUresult hipAdapters::copyRowsAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  return hip.hipMemcpy2DAsync(toPointer(copy->dstDevice), copy->dstPitch, toPointer(copy->srcDevice), copy->srcPitch,
                              copy->WidthInBytes, copy->Height, hipMemcpyDefault, stream);
}

CUresult hipAdapters::setRows(CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height) {
  return hip.hipMemset2D(toPointer(pointer), pitch, byte, width, height);
}

CUresult hipAdapters::setRowsAsync(CUdeviceptr pointer, size_t pitch, unsigned char byte, size_t width, size_t height,
                                   CUstream stream) {
  return hip.hipMemset2DAsync(toPointer(pointer), pitch, byte, width, height, stream);
}

// HIP reports memory that it does not know as unregistered or, in some versions, as an invalid value. Values that do
// not apply stay as they are.
CUresult hipAdapters::getPointerAttributes(unsigned count, int *attributes, void **values, CUdeviceptr pointer) {
  hipPointerAttribute_t found = {};
  hipError_t error = hip.hipPointerGetAttributes(&found, toPointer(pointer));
  if (error == hipErrorInvalidValue || (!error && found.type == hipMemoryTypeUnregistered))
    return CUDA_SUCCESS;
  if (error)
    return error;
  void *begin = nullptr;
  size_t bytes = 0;
  bool isManaged = found.isManaged || found.type == hipMemoryTypeManaged;
  if (hip.hipMemGetAddressRange(&begin, &bytes, toPointer(pointer))) // of registered memory of the host
    begin = nullptr, bytes = 0;
  for (unsigned i = 0; i < count; ++i)
    switch (attributes[i]) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<int *>(values[i]) = found.type == hipMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *static_cast<unsigned *>(values[i]) = isManaged; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int *>(values[i]) = found.device; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<void **>(values[i]) = found.devicePointer; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: *static_cast<void **>(values[i]) = found.hostPointer; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *static_cast<void **>(values[i]) = begin; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *static_cast<size_t *>(values[i]) = bytes; break;
    }
  return CUDA_SUCCESS;
}

//===-- Nodes of graphs -------------------------------------------------------------------------------------------===//

static hipKernelNodeParams toHip(const CUDA_KERNEL_NODE_PARAMS &params) {
  hipKernelNodeParams result = {};
  result.func = params.func;
  result.gridDim = {params.gridDimX, params.gridDimY, params.gridDimZ};
  result.blockDim = {params.blockDimX, params.blockDimY, params.blockDimZ};
  result.sharedMemBytes = params.sharedMemBytes;
  result.kernelParams = params.kernelParams;
  return result;
}

CUresult hipAdapters::addKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                    const CUDA_KERNEL_NODE_PARAMS *params) {
  hipKernelNodeParams own = toHip(*params);
  return hip.hipGraphAddKernelNode(node, graph, dependencies, count, &own);
}

CUresult hipAdapters::getKernelNode(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  hipKernelNodeParams own = {};
  if (hipError_t error = hip.hipGraphKernelNodeGetParams(node, &own))
    return error;
  *params = {};
  params->func = static_cast<CUfunction>(own.func);
  params->gridDimX = own.gridDim.x, params->gridDimY = own.gridDim.y, params->gridDimZ = own.gridDim.z;
  params->blockDimX = own.blockDim.x, params->blockDimY = own.blockDim.y, params->blockDimZ = own.blockDim.z;
  params->sharedMemBytes = own.sharedMemBytes;
  params->kernelParams = own.kernelParams;
  return CUDA_SUCCESS;
}

CUresult hipAdapters::setKernelNode(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  hipKernelNodeParams own = toHip(*params);
  return hip.hipGraphKernelNodeSetParams(node, &own);
}

CUresult hipAdapters::setExecKernelNode(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  hipKernelNodeParams own = toHip(*params);
  return hip.hipGraphExecKernelNodeSetParams(exec, node, &own);
}

// HIP's nodes have no clusters.
CUresult hipAdapters::getNodeAttribute(CUgraphNode node, int attribute, void *value) {
  if (attribute != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
    return hip.hipGraphKernelNodeGetAttribute(node, attribute, value);
  memset(value, 0, sizeof(CUlaunchAttribute::value));
  return CUDA_SUCCESS;
}

// Handles only copies of one row, because the runtime adds no others.
CUresult hipAdapters::addCopyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_MEMCPY3D *params, CUcontext) {
  return hip.hipGraphAddMemcpyNode1D(node, graph, dependencies, count, toPointer(params->dstDevice),
                                     toPointer(params->srcDevice), params->WidthInBytes, hipMemcpyDefault);
}

CUresult hipAdapters::addSetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                 const CUDA_MEMSET_NODE_PARAMS *params, CUcontext) {
  hipMemsetParams own = {toPointer(params->dst), params->elementSize, params->height,
                         params->pitch,          params->value,       params->width};
  return hip.hipGraphAddMemsetNode(node, graph, dependencies, count, &own);
}

CUresult hipAdapters::updateExec(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  return hip.hipGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
