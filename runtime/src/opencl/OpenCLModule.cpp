//===-- OpenCLModule.cpp -----------------------------------------------------------------------------------------===//
//
// An object's slot holds its OpenCLModule, a kernel's slot its OpenCLKernel, set once. OpenCLDevice.cpp has these
// functions in its table.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "opencl/OpenCLModule.h"
#include "Device.h"
#include "Error.h"
#include "Images.h"
#include "Variant.h"
#include "Watch.h"
#include "opencl/OpenCLDriver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace tilecc::rt {

// An object's code.
struct OpenCLModule {
  cl_program program; // owned
  int image;          // of the object, that was built
};

// A kernel. Its variants are not changed once it can be seen.
struct OpenCLKernel {
  Mutex launching; // OpenCL keeps a kernel's arguments in the kernel
  int image;
  cl_kernel variants[]; // owned
};

} // namespace tilecc::rt

using namespace tilecc::rt;

static ttError_t failNoImage(const Kernel &kernel) {
  char images[512], sizes[64] = "";
  for (unsigned lanes : opencl.lanes)
    if (lanes) {
      size_t length = strlen(sizes);
      snprintf(sizes + length, sizeof(sizes) - length, "%s%u", length ? ", " : "", lanes);
    }
  const tilecc_module &object = *kernel.module->abi;
  return fail(ttErrorNoKernelImageForDevice,
              "kernel '%s' (%s) has no SPIR-V for this device, whose sub-groups have %s lanes; it was compiled for: %s; "
              "compile it with -arch=spirv64%s as well",
              kernel.abi->display_name, object.source, sizes, listImages(object, images, sizeof(images)),
              opencl.lanes[0] == 32 ? "" : opencl.lanes[0] == 16 ? ":16" : ":64");
}

// The object's code; builds it at the first call. Under the module's lock.
static ttError_t loadModule(const Kernel &kernel, const OpenCLModule **result) {
  Module &object = *kernel.module;
  if ((*result = static_cast<const OpenCLModule *>(object.loaded[openclSlot])))
    return ttSuccess;
  int index = noImage;
  for (unsigned lanes : opencl.lanes)
    if (lanes && index == noImage)
      index = chooseSpirv(*object.abi, lanes);
  if (index == noImage)
    return failNoImage(kernel);
  const tilecc_image &image = object.abi->images[index];
  WatchedWork watched(&openclDevice, WatchedWork::onHost, "load", object.abi->source);
  cl_int error;
  cl_program program = opencl.clCreateProgramWithIL(opencl.context, image.data, image.size, &error);
  if (error)
    return failOpenCL(error, "clCreateProgramWithIL");
  const char *options = opencl.roundsDivisions ? "-cl-fp32-correctly-rounded-divide-sqrt" : nullptr;
  if ((error = opencl.clBuildProgram(program, 1, &opencl.device, options, nullptr, nullptr))) {
    char log[3072] = "";
    opencl.clGetProgramBuildInfo(program, opencl.device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, nullptr);
    opencl.clReleaseProgram(program);
    return fail(ttErrorInvalidKernelImage, "kernel '%s' (%s) cannot be built: OpenCL's error %d%s%s",
                kernel.abi->display_name, object.abi->source, error, *log ? ":\n" : "", log);
  }
  auto *loaded = static_cast<OpenCLModule *>(malloc(sizeof(OpenCLModule)));
  if (!loaded) {
    opencl.clReleaseProgram(program);
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  }
  *loaded = {program, index};
  object.loaded[openclSlot] = loaded;
  *result = loaded;
  return ttSuccess;
}

static void release(OpenCLKernel *kernel, uint32_t variants) {
  for (uint32_t i = 0; i < variants; ++i)
    if (kernel->variants[i])
      opencl.clReleaseKernel(kernel->variants[i]);
  free(kernel);
}

static ttError_t createVariant(const Kernel &kernel, const OpenCLModule &module, uint32_t number, cl_kernel *variant) {
  cl_int error;
  const tilecc_variant &abi = kernel.abi->variants[number];
  *variant = opencl.clCreateKernel(module.program, abi.symbol, &error);
  if (error) {
    ttError_t result = failOpenCL(error, "clCreateKernel");
    return fail(result, "kernel '%s': %s (symbol %s)", kernel.abi->display_name, ttGetLastErrorMessage(), abi.symbol);
  }
  const tilecc_gpu_entry &entry = abi.gpu[module.image];
  if (entry.shared_bytes > opencl.localBytes || entry.threads > opencl.mostThreads)
    return fail(ttErrorLaunchOutOfResources,
                "kernel '%s' needs %u bytes of local memory and work-groups of %u, this device has %zu and %zu; use "
                "smaller tiles or fewer warps",
                kernel.abi->display_name, entry.shared_bytes, entry.threads, opencl.localBytes, opencl.mostThreads);
  // Kernels find pointers in memory, too.
  cl_bool yes = 1;
  if (opencl.hasUsm)
    for (cl_uint what : {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
      OPENCL_TRY(clSetKernelExecInfo, *variant, what, sizeof(yes), &yes);
  return ttSuccess;
}

// The kernel, loaded if need be.
static ttError_t load(Kernel &kernel, OpenCLKernel **result) {
  if (ttError_t error = refuseOpenCLAfterFork())
    return error;
  std::atomic<void *> &slot = kernel.loaded[openclSlot];
  if ((*result = static_cast<OpenCLKernel *>(slot.load(std::memory_order_acquire))))
    return ttSuccess;
  Lock lock(kernel.module->loading);
  if ((*result = static_cast<OpenCLKernel *>(slot.load(std::memory_order_relaxed))))
    return ttSuccess;
  const OpenCLModule *module = nullptr;
  if (ttError_t error = loadModule(kernel, &module))
    return error;
  uint32_t count = kernel.abi->variant_count;
  auto *loaded = static_cast<OpenCLKernel *>(calloc(1, sizeof(OpenCLKernel) + count * sizeof(cl_kernel)));
  if (!loaded)
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  loaded->launching = Mutex();
  loaded->image = module->image;
  for (uint32_t i = 0; i < count; ++i)
    if (ttError_t error = createVariant(kernel, *module, i, &loaded->variants[i])) {
      release(loaded, count);
      return error;
    }
  slot.store(loaded, std::memory_order_release);
  *result = loaded;
  return ttSuccess;
}

static ttError_t setArguments(const tilecc_kernel &abi, cl_kernel kernel, void **args) {
  for (uint32_t i = 0; i < abi.param_count; ++i) {
    const tilecc_param &param = abi.params[i];
    if (param.kind != TILECC_PARAM_POINTER) {
      OPENCL_TRY(clSetKernelArg, kernel, i, param.size, args[i]);
      continue;
    }
    const void *pointer = *static_cast<void *const *>(args[i]);
    if (opencl.hasUsm)
      OPENCL_TRY(clSetKernelArgMemPointerINTEL, kernel, i, pointer);
    else
      OPENCL_TRY(clSetKernelArgSVMPointer, kernel, i, pointer);
  }
  return ttSuccess;
}

ttError_t tilecc::rt::launchOnOpenCL(Kernel &kernel, ttDim3 grid, bool cooperative, void **args) {
  OpenCLKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  if (cooperative)
    return fail(ttErrorNotSupported, "kernel '%s': OpenCL has no cooperative launches", kernel.abi->display_name);
  uint32_t variant = chooseVariant(*kernel.abi, args);
  const tilecc_gpu_entry &entry = kernel.abi->variants[variant].gpu[loaded->image];
  size_t local[3] = {entry.threads, 1, 1}, global[3] = {size_t(grid.x) * entry.threads, grid.y, grid.z};
  {
    Lock lock(loaded->launching);
    if (ttError_t error = setArguments(*kernel.abi, loaded->variants[variant], args))
      return fail(error, "kernel '%s': %s", kernel.abi->display_name, ttGetLastErrorMessage());
    if (cl_int error = opencl.clEnqueueNDRangeKernel(opencl.queue, loaded->variants[variant], 3, nullptr, global, local,
                                                     0, nullptr, nullptr)) {
      ttError_t result = failOpenCL(error, "clEnqueueNDRangeKernel");
      return fail(result, "kernel '%s': %s", kernel.abi->display_name, ttGetLastErrorMessage());
    }
  }
  OPENCL_TRY(clFinish, opencl.queue);
  return ttSuccess;
}

ttError_t tilecc::rt::preloadOnOpenCL(Kernel &kernel) {
  OpenCLKernel *loaded;
  return load(kernel, &loaded);
}

ttError_t tilecc::rt::openclAttributes(Kernel &kernel, ttFuncAttributes &attributes) {
  OpenCLKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  const tilecc_gpu_entry &entry = kernel.abi->variants[kernel.abi->variant_count - 1].gpu[loaded->image];
  attributes = {};
  attributes.threads = entry.threads;
  attributes.shared_bytes = entry.shared_bytes;
  attributes.cluster = 1;
  return ttSuccess;
}

void tilecc::rt::unloadFromOpenCL(Module &module) {
  for (uint32_t i = 0; i < module.abi->kernel_count; ++i)
    if (auto *loaded = static_cast<OpenCLKernel *>(module.kernels[i].loaded[openclSlot].exchange(nullptr)))
      release(loaded, module.kernels[i].abi->variant_count);
  if (auto *loaded = static_cast<OpenCLModule *>(module.loaded[openclSlot])) {
    opencl.clReleaseProgram(loaded->program);
    free(loaded);
  }
  module.loaded[openclSlot] = nullptr;
}
