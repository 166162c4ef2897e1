//===-- OpenCLModule.cpp -----------------------------------------------------------------------------------------===//
//
// A kernel's slot holds its OpenCLKernel, which is set once. Each variant is built at its first launch.
// OpenCLDevice.cpp puts these functions in its table.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "opencl/OpenCLModule.h"
#include "Device.h"
#include "Error.h"
#include "Images.h"
#include "Variant.h"
#include "Watch.h"
#include "opencl/OpenCLPrograms.h"
#include "opencl/OpenCLQueues.h"
#include "opencl/SpirvModules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace tilecc::rt {

struct OpenCLKernel {
  int image;       // index of the image from which variants are built
  Mutex launching; // guards the rest; OpenCL stores a kernel's arguments in the kernel
  struct Variant {
    cl_program program; // owned; null until the first launch
    cl_kernel kernel;   // owned
  } variants[];
};

} // namespace tilecc::rt

using namespace tilecc::rt;

static ttError_t failNoImage(const Kernel &kernel) {
  char images[512], targets[128] = "";
  for (const SpirvTarget *target : opencl.targets)
    if (target) {
      size_t length = strlen(targets);
      snprintf(targets + length, sizeof(targets) - length, "%s%s", length ? ", " : "", target->name);
    }
  const tilecc_module &object = *kernel.module->abi;
  return fail(ttErrorNoKernelImageForDevice,
              "kernel '%s' (%s) has no SPIR-V for this device, which runs code for %s; it was compiled for: %s; "
              "compile it with "
              "-arch=%s as well",
              kernel.abi->display_name, object.source, targets, listImages(object, images, sizeof(images)),
              opencl.targets[0]->name);
}

// Builds one variant of a kernel.
static ttError_t build(const Kernel &kernel, const tilecc_image &image, const char *symbol, cl_program *program) {
  const tilecc_module &object = *kernel.module->abi;
  size_t count = 0;
  const uint32_t *words = findSpirvModule(static_cast<const uint32_t *>(image.data), image.size / 4, symbol, &count);
  if (!words)
    return fail(ttErrorInvalidKernelImage, "kernel '%s' (%s) cannot be loaded: its SPIR-V has no kernel %s",
                kernel.abi->display_name, object.source, symbol);
  WatchedWork watched(&openclDevice, WatchedWork::onHost, "load", object.source);
  return buildOpenCLProgram(words, count, kernel.abi->display_name, object.source, program);
}

static void release(OpenCLKernel::Variant &variant) {
  if (variant.kernel)
    opencl.clReleaseKernel(variant.kernel);
  if (variant.program)
    opencl.clReleaseProgram(variant.program);
  variant = {};
}

static ttError_t createVariant(const Kernel &kernel, int image, const tilecc_variant &abi,
                               OpenCLKernel::Variant &variant) {
  const tilecc_gpu_entry &entry = abi.gpu[image];
  if (entry.shared_bytes > opencl.localBytes || entry.threads > opencl.maxThreads)
    return fail(ttErrorLaunchOutOfResources,
                "kernel '%s' needs %u bytes of local memory and work-groups of %u, this device has %zu and %zu; use "
                "smaller tiles or fewer warps",
                kernel.abi->display_name, entry.shared_bytes, entry.threads, opencl.localBytes, opencl.maxThreads);
  if (ttError_t error = build(kernel, kernel.module->abi->images[image], abi.symbol, &variant.program))
    return error;
  cl_int error;
  variant.kernel = opencl.clCreateKernel(variant.program, abi.symbol, &error);
  if (error)
    return failOpenCL(error, "clCreateKernel");
  // Kernels also load pointers from memory.
  cl_bool yes = 1;
  if (opencl.hasUsm)
    for (cl_uint what :
         {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
          CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
      OPENCL_TRY(clSetKernelExecInfo, variant.kernel, what, sizeof(yes), &yes);
  return ttSuccess;
}

// Returns the kernel, with its image selected.
static ttError_t load(Kernel &kernel, OpenCLKernel **result) {
  if (ttError_t error = refuseOpenCLAfterFork())
    return error;
  std::atomic<void *> &slot = kernel.loaded[openclSlot];
  if ((*result = static_cast<OpenCLKernel *>(slot.load(std::memory_order_acquire))))
    return ttSuccess;
  Lock lock(kernel.module->loading);
  if ((*result = static_cast<OpenCLKernel *>(slot.load(std::memory_order_relaxed))))
    return ttSuccess;
  int image = noImage;
  for (const SpirvTarget *target : opencl.targets)
    if (target && image == noImage)
      image = findImage(*kernel.module->abi, TILECC_IMAGE_SPIRV, target->arch);
  if (image == noImage)
    return failNoImage(kernel);
  auto *loaded = static_cast<OpenCLKernel *>(
      calloc(1, sizeof(OpenCLKernel) + kernel.abi->variant_count * sizeof(OpenCLKernel::Variant)));
  if (!loaded)
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  loaded->launching = Mutex();
  loaded->image = image;
  slot.store(loaded, std::memory_order_release);
  *result = loaded;
  return ttSuccess;
}

// Builds a variant if necessary. A variant that failed to build is built again at the next launch, which fails with the
// same message. The caller holds the kernel's lock.
static ttError_t prepare(const Kernel &kernel, OpenCLKernel &loaded, uint32_t number) {
  OpenCLKernel::Variant &variant = loaded.variants[number];
  if (variant.kernel)
    return ttSuccess;
  ttError_t error = createVariant(kernel, loaded.image, kernel.abi->variants[number], variant);
  if (error)
    release(variant);
  return error;
}

static ttError_t setArguments(const tilecc_kernel &abi, cl_kernel kernel, void **args) {
  for (uint32_t i = 0; i < abi.param_count; ++i) {
    const tilecc_param &param = abi.params[i];
    if (param.type != TILECC_TYPE_POINTER) {
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

ttError_t tilecc::rt::launchOnOpenCL(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args) {
  OpenCLKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  if (attributes.cooperative)
    return fail(ttErrorNotSupported, "kernel '%s': OpenCL has no cooperative launches", kernel.abi->display_name);
  uint32_t variant = chooseVariant(*kernel.abi, args);
  const tilecc_gpu_entry &entry = kernel.abi->variants[variant].gpu[loaded->image];
  size_t local[3] = {entry.threads, 1, 1}, global[3] = {size_t(grid.x) * entry.threads, grid.y, grid.z};
  Lock lock(loaded->launching);
  if (ttError_t error = prepare(kernel, *loaded, variant))
    return error;
  cl_kernel function = loaded->variants[variant].kernel;
  ttError_t error = setArguments(*kernel.abi, function, args);
  if (!error)
    error = enqueueOpenCL("clEnqueueNDRangeKernel", /*waits=*/false,
                          [&](cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *event) {
                            return opencl.clEnqueueNDRangeKernel(queue, function, 3, nullptr, global, local, count,
                                                                 before, event);
                          });
  return error ? fail(error, "kernel '%s': %s", kernel.abi->display_name, ttGetLastErrorMessage()) : ttSuccess;
}

ttError_t tilecc::rt::preloadOnOpenCL(Kernel &kernel) {
  OpenCLKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  Lock lock(loaded->launching);
  for (uint32_t i = 0; i < kernel.abi->variant_count; ++i)
    if (ttError_t error = prepare(kernel, *loaded, i))
      return error;
  return ttSuccess;
}

ttError_t tilecc::rt::openclAttributes(Kernel &kernel, ttFuncAttributes &attributes) {
  OpenCLKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  describeEntry(*kernel.abi, loaded->image, attributes);
  return ttSuccess;
}

void tilecc::rt::unloadFromOpenCL(Module &module) {
  for (uint32_t i = 0; i < module.abi->kernel_count; ++i) {
    Kernel &kernel = module.kernels[i];
    auto *loaded = static_cast<OpenCLKernel *>(kernel.loaded[openclSlot].exchange(nullptr));
    for (uint32_t v = 0; loaded && v < kernel.abi->variant_count; ++v)
      release(loaded->variants[v]);
    free(loaded);
  }
}
