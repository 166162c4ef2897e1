//===-- HipDevice.cpp - AMD's GPUs as devices --------------------------------------------------------------------===//
//
// The properties that AMD's GPUs do not share with NVIDIA's: names, architectures and the selection of code.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaDevice.h"
#include "Error.h"
#include "hip/HipDriver.h"
#include "Images.h"

#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

// The last two digits of a name are hexadecimal: gfx90a. After a colon follow modes of the device, such as "sramecc+";
// code objects of tcc run in all modes.
static ttError_t amdArch(CUdevice device, unsigned *arch) {
  hipDeviceProp_tR0600 properties;
  if (hipError_t error = hip.hipGetDevicePropertiesR0600(&properties, device))
    return failCuda(error, "cuDeviceGetAttribute");
  static const char prefix[] = "gfx";
  char *end = properties.gcnArchName;
  if (!strncmp(properties.gcnArchName, prefix, strlen(prefix)))
    *arch = static_cast<unsigned>(strtoul(properties.gcnArchName + strlen(prefix), &end, 16));
  if (end == properties.gcnArchName || (*end && *end != ':'))
    return fail(ttErrorInvalidDevice, "HIP's device %d (%s) has the architecture '%s', which is not a gfx number",
                device, properties.name, properties.gcnArchName);
  return ttSuccess;
}

static ttError_t chooseAmdImage(const Kernel &kernel, CUdevice device, int *image) {
  unsigned arch;
  if (ttError_t error = amdArch(device, &arch))
    return error;
  const tilecc_module &object = *kernel.module->abi;
  if ((*image = chooseCodeObject(object, arch)) != noImage)
    return ttSuccess;
  char name[256] = "?", images[512];
  cuda.cuDeviceGetName(name, sizeof(name), device);
  return fail(ttErrorNoKernelImageForDevice,
              "kernel '%s' (%s) has no code for %s (gfx%x); it was compiled for: %s; compile it with "
              "--offload-arch=gfx%x as well",
              kernel.abi->display_name, object.source, name, arch, listImages(object, images, sizeof(images)), arch);
}

static const char *functionName(const char *function) {
  static constexpr const char *names[][2] = {
#define SAME(name, hipName) {#name, #hipName},
#define ADAPTED(name, hipName, adapter) {#name, #hipName},
      TILECC_HIP_TABLE(SAME, ADAPTED)
#undef SAME
#undef ADAPTED
  };
  for (auto &name : names)
    if (!strcmp(name[0], function))
      return name[1];
  return function;
}

constinit const DriverVendor tilecc::rt::amdDriver = {
    .kind = &hipDevice,
    .name = "HIP",
    .driver = "HIP",
    .functionName = functionName,
    .code = TILECC_IMAGE_HSACO,
    .arch = amdArch,
    .chooseImage = chooseAmdImage,
    .maxThreads = UINT32_MAX, // of hipModuleLaunchKernel
};

static bool isNamed(const char *variable, int *number) {
  return !strcmp(variable, "hip") || parseNumber(variable, "hip:", "", number);
}

static ttError_t open(const char *variable, int *number, int *gpuCount) {
  return openDriver(openHipDriver, variable, number, gpuCount);
}

constinit const DeviceKind tilecc::rt::hipDevice = asDriverDevice({
    .kind = ttDeviceKindHip,
    .name = "an AMD GPU",
    .variable = "'hip' or 'hip:N'",
    .images = 1u << TILECC_IMAGE_HSACO,
    .isNamed = isNamed,
    .open = open,
});
