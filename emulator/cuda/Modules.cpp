//===- Modules.cpp - modules, libraries, kernels and variables ----------------------------------------------------===//
//
// A library and a module are the same: code that has been loaded. So are a kernel and a function.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Facts.h"
#include "Images.h"
#include "State.h"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace tilecc::cuda;

static Module *moduleOf(CUmodule handle) { return reinterpret_cast<Module *>(handle); }
static Module *moduleOf(CUlibrary handle) { return reinterpret_cast<Module *>(handle); }
static Kernel *kernelOf(CUfunction handle) { return reinterpret_cast<Kernel *>(handle); }
static Kernel *kernelOf(CUkernel handle) { return reinterpret_cast<Kernel *>(handle); }

//===--- code -----------------------------------------------------------------------------------------------------===//

static CUresult load(Module *&module, const void *bytes) {
  if (!device())
    return CUDA_ERROR_NO_DEVICE;
  Image image;
  if (CUresult error = readImage(bytes, image))
    return error;
  std::unique_ptr<Module> loaded;
  if (CUresult error = keep(device()->load(image.bytes, image.size, "a program's PTX", loaded)))
    return error;
  module = loaded.release();
  return CUDA_SUCCESS;
}

DRIVER cuModuleLoadData(CUmodule *module, const void *image) {
  Module *loaded = nullptr;
  CUresult error = load(loaded, image);
  *module = reinterpret_cast<CUmodule>(loaded);
  return error;
}
DRIVER cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, CUjit_option *, void **) {
  return cuModuleLoadData(module, image);
}
DRIVER cuModuleLoadFatBinary(CUmodule *module, const void *image) { return cuModuleLoadData(module, image); }
DRIVER cuModuleLoad(CUmodule *module, const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return file ? cuModuleLoadData(module, bytes.c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
}
DRIVER cuModuleUnload(CUmodule module) {
  delete moduleOf(module);
  return CUDA_SUCCESS;
}
DRIVER cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *, void **, unsigned, CUlibraryOption *,
                         void **, unsigned) {
  return cuModuleLoadData(reinterpret_cast<CUmodule *>(library), image);
}
DRIVER cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *, void **, unsigned, CUlibraryOption *,
                             void **, unsigned) {
  return cuModuleLoad(reinterpret_cast<CUmodule *>(library), path);
}
DRIVER cuLibraryUnload(CUlibrary library) {
  delete moduleOf(library);
  return CUDA_SUCCESS;
}
DRIVER cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  *module = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}

//===--- variables ------------------------------------------------------------------------------------------------===//

static CUresult findVariable(Module *module, const char *name, CUdeviceptr *address, size_t *bytes) {
  void *found;
  size_t size;
  if (int error = module->findVariable(name, found, size))
    return static_cast<CUresult>(error);
  if (address)
    *address = addressOf(found);
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}
DRIVER cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  return findVariable(moduleOf(module), name, address, bytes);
}
DRIVER cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  return findVariable(moduleOf(library), name, address, bytes);
}

//===--- kernels --------------------------------------------------------------------------------------------------===//

DRIVER cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  Kernel *kernel = nullptr;
  CUresult error = keep(moduleOf(module)->findKernel(name, kernel));
  *function = reinterpret_cast<CUfunction>(kernel);
  return error;
}
DRIVER cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return cuModuleGetFunction(reinterpret_cast<CUfunction *>(kernel), reinterpret_cast<CUmodule>(library), name);
}
DRIVER cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}
DRIVER cuFuncGetName(const char **name, CUfunction function) {
  *name = kernelOf(function)->name.c_str();
  return CUDA_SUCCESS;
}
DRIVER cuKernelGetName(const char **name, CUkernel kernel) {
  *name = kernelOf(kernel)->name.c_str();
  return CUDA_SUCCESS;
}

DRIVER cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  KernelFacts facts = kernelOf(function)->facts();
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = facts.maxThreads; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(facts.sharedBytes); return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(facts.localBytes); return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = facts::sharedOfBlock - static_cast<int>(facts.sharedBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = facts::registersOfThread; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = facts.arch; return CUDA_SUCCESS;
  default: *value = 0; return CUDA_SUCCESS;
  }
}
DRIVER cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}
// Have no effect: shared memory up to the maximum of a block is available without opting in, and there are no caches.
DRIVER cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
DRIVER cuKernelSetAttribute(CUfunction_attribute, int, CUkernel, CUdevice) { return CUDA_SUCCESS; }
DRIVER cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }

//===--- occupancy ------------------------------------------------------------------------------------------------===//

DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                            size_t shared, unsigned) {
  if (threads <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  KernelFacts facts = kernelOf(function)->facts();
  size_t bytes = facts.sharedBytes + shared;
  int most = threads > facts.maxThreads || bytes > facts::sharedOfBlock ? 0 : facts::threadsOfOne / threads;
  *blocks = std::min({most, facts::blocksOfOne, bytes ? static_cast<int>(facts::sharedOfOne / bytes) : most});
  return CUDA_SUCCESS;
}
DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
