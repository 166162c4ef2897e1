//===-- HostLaunch.cpp - launches on devices that run on the host, or as nodes of a graph ------------------------===//
//
// Implements DeviceKind's launch for these devices, and the work of HostGraph.cpp's kernel nodes.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "HostCapture.h"
#include "HostMemory.h"

using namespace tilecc::rt;

namespace {
// The arguments follow, at offsets from the kernel's parameter table.
struct KernelWork {
  const DeviceKind *device;
  Kernel *kernel;
  ttDim3 grid;
  HostAttributes attributes;
};
} // namespace

static ttError_t runKernel(const void *data) {
  auto &work = *static_cast<const KernelWork *>(data);
  const tilecc_kernel &abi = *work.kernel->abi;
  auto *values = static_cast<char *>(const_cast<void *>(data)) + sizeof(KernelWork);
  auto **args = static_cast<void **>(__builtin_alloca((abi.param_count + 1) * sizeof(void *)));
  for (uint32_t i = 0; i < abi.param_count; ++i)
    args[i] = values + abi.params[i].offset;
  return work.device->host->launch(*work.kernel, work.grid, work.attributes, args);
}

bool tilecc::rt::isKernelWork(const HostWork &work) { return work.run == runKernel; }

bool tilecc::rt::describeKernelWork(const HostWork &work, NodeKernel &result, void **args) {
  if (work.run != runKernel)
    return false;
  auto &launch = *reinterpret_cast<const KernelWork *>(work.data);
  const tilecc_kernel &abi = *launch.kernel->abi;
  for (uint32_t i = 0; args && i < abi.param_count; ++i)
    args[i] = const_cast<char *>(work.data) + sizeof(KernelWork) + abi.params[i].offset;
  result = {launch.kernel, launch.grid, unsigned(launch.attributes.cooperative) + launch.attributes.devicesAlongZ};
  return true;
}

static HostAttributes attributesOf(const ttLaunchConfig &config) {
  HostAttributes attributes;
  for (unsigned i = 0; i < config.attributeCount; ++i) {
    if (config.attributes[i].id == ttLaunchAttributeCooperative)
      attributes.cooperative = config.attributes[i].value;
    else if (config.attributes[i].id == ttLaunchAttributeDevicesAlongZ)
      attributes.devicesAlongZ = config.attributes[i].value;
  }
  return attributes;
}

ttError_t tilecc::rt::withKernelWork(Kernel &kernel, const ttLaunchConfig &config, void **args, UseWork *use,
                                     void *context) {
  const DeviceKind &device = *currentDevice();
  if (ttError_t error = device.preload(kernel))
    return error;
  const tilecc_kernel &abi = *kernel.abi;
  size_t bytes = sizeof(KernelWork);
  for (uint32_t i = 0; i < abi.param_count; ++i)
    if (size_t end = sizeof(KernelWork) + abi.params[i].offset + abi.params[i].size; end > bytes)
      bytes = end;
  auto *data = static_cast<char *>(calloc(1, bytes));
  if (!data)
    return fail(ttErrorMemoryAllocation, "kernel '%s': not enough memory for a node of a graph", abi.display_name);
  KernelWork work = {&device, &kernel, config.grid, attributesOf(config)};
  memcpy(data, &work, sizeof(work));
  for (uint32_t i = 0; i < abi.param_count; ++i)
    memcpy(data + sizeof(KernelWork) + abi.params[i].offset, args[i], abi.params[i].size);
  ttError_t error = use(context, runKernel, data, bytes);
  free(data);
  return error;
}

ttError_t tilecc::rt::hostLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args) {
  if (ttError_t error = checkHostStreamForWork(config.stream))
    return error;
  if (__builtin_expect(!isCapturing(config.stream), true)) {
    InStream in(config.stream);
    return currentDevice()->host->launch(kernel, config.grid, attributesOf(config), args);
  }
  return withKernelWork(
      kernel, config, args,
      [](void *stream, ttError_t (*run)(const void *), const void *data, size_t bytes) {
        return captureWork(static_cast<ttStream_t>(stream), run, data, bytes);
      },
      config.stream);
}
