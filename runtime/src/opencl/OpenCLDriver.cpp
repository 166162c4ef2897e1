//===-- OpenCLDriver.cpp -----------------------------------------------------------------------------------------===//
//
// Opens libOpenCL when a program selects it, finds the device, and converts its errors.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "opencl/OpenCLDriver.h"
#include "Error.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

OpenCLDriver tilecc::rt::opencl = {};

static const char libraryName[] = "libOpenCL.so.1";
static constinit std::atomic<bool> isUsed{false}, isLost{false};

static ttError_t toError(cl_int error) {
  switch (error) {
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_HOST_MEMORY: return ttErrorMemoryAllocation;
  case CL_OUT_OF_RESOURCES:
  case CL_INVALID_WORK_GROUP_SIZE: return ttErrorLaunchOutOfResources;
  case CL_DEVICE_NOT_AVAILABLE: return ttErrorDevicesUnavailable;
  case CL_BUILD_PROGRAM_FAILURE: return ttErrorInvalidKernelImage;
  case CL_INVALID_VALUE: return ttErrorInvalidValue;
  default: return ttErrorLaunchFailure;
  }
}

ttError_t tilecc::rt::failOpenCL(cl_int error, const char *function) {
  return fail(toError(error), "%s failed with OpenCL's error %d", function, error);
}

ttError_t tilecc::rt::refuseOpenCLAfterFork() {
  if (!isLost.load(std::memory_order_relaxed))
    return ttSuccess;
  return fail(
      ttErrorInitializationError,
      "this process was forked after its parent had used OpenCL, which does not survive a fork; fork before the "
      "first use, or use the CPU device");
}

void tilecc::rt::loseOpenCLToFork(bool inChild) {
  if (inChild && isUsed)
    isLost = true;
}

//===-- Device properties ---------------------------------------------------------------------------------------===//

// Queries a text about a device into `text`; empty if unavailable.
template <size_t size> static const char *ask(cl_device_id device, cl_uint what, char (&text)[size]) {
  text[0] = text[size - 1] = 0;
  if (opencl.clGetDeviceInfo(device, what, size - 1, text, nullptr))
    text[0] = 0;
  return text;
}

template <class Value> static Value askNumber(cl_device_id device, cl_uint what) {
  Value value = 0;
  return opencl.clGetDeviceInfo(device, what, sizeof(value), &value, nullptr) ? Value(0) : value;
}

// Returns true if a list of words contains `word`.
static bool hasWord(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

// Returns true for "SPIR-V_1.3" or a later version.
static bool readsSpirv(const char *versions) {
  static const char prefix[] = "SPIR-V_1.";
  for (const char *at = versions; (at = strstr(at, prefix)); at += strlen(prefix))
    if (atoi(at + strlen(prefix)) >= 3)
      return true;
  return false;
}

// Returns true if `list` contains each word of `words`.
static bool hasWords(const char *list, const char *words) {
  char word[64];
  for (int length = 0; sscanf(words, " %63s%n", word, &length) == 1; words += length)
    if (!hasWord(list, word))
      return false;
  return true;
}

// Finds the targets whose code the device can run, in the format of OpenCLDriver::targets. `extensions` are those of
// the device.
static void findTargets(cl_device_id device, const char *extensions, const SpirvTarget *(&targets)[spirvTargetCount]) {
  size_t sizes[16] = {}, bytes = 0;
  unsigned count = 0;
  for (const SpirvTarget *&target : targets)
    target = nullptr;
  if (opencl.clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes, &bytes))
    return;
  for (const SpirvTarget &target : spirvTargets) {
    bool hasLanes = false;
    for (size_t i = 0; i < bytes / sizeof(size_t) && i < 16; ++i)
      hasLanes |= sizes[i] == target.lanes;
    if (hasLanes && hasWords(extensions, target.extensions))
      targets[count++] = &target;
  }
}

// Returns the reason why a device cannot run kernels, or null if it can.
static const char *whyUnusable(cl_device_id device, bool hasUsm) {
  static char text[16384]; // under the lock of devices()
  const SpirvTarget *targets[spirvTargetCount];
  if (!askNumber<cl_bool>(device, CL_DEVICE_AVAILABLE))
    return "it is not available";
  if (!readsSpirv(ask(device, CL_DEVICE_IL_VERSION, text)))
    return "it does not read SPIR-V 1.3";
  findTargets(device, ask(device, CL_DEVICE_EXTENSIONS, text), targets);
  if (!targets[0])
    return "it has no sub-groups of 16, 32 or 64 lanes";
  if (!hasWord(text, "cl_khr_subgroup_shuffle") && !hasWord(text, "cl_intel_subgroups"))
    return "its sub-groups cannot shuffle (cl_khr_subgroup_shuffle)";
  if (!hasUsm && !askNumber<cl_bitfield>(device, CL_DEVICE_SVM_CAPABILITIES))
    return "its memory has no addresses (neither cl_intel_unified_shared_memory nor shared virtual memory)";
  return nullptr;
}

//===-- Opening -------------------------------------------------------------------------------------------------===//

static ttError_t openLibrary() {
  // Never closed: implementations have their own threads.
  void *library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(ttErrorInitializationError, "OpenCL cannot be opened: %s", dlerror());
#define RESOLVE(result, name, parameters)                                                                              \
  if (!(opencl.name = reinterpret_cast<decltype(opencl.name)>(dlsym(library, #name))))                                 \
    return fail(ttErrorInsufficientDriver, "OpenCL is too old: %s has no " #name "; OpenCL 2.1 or later is needed",    \
                libraryName);
  TILECC_OPENCL(RESOLVE)
#undef RESOLVE
  return ttSuccess;
}

static void findUsm(cl_platform_id platform) {
  opencl.hasUsm = true;
#define RESOLVE(result, name, parameters)                                                                              \
  opencl.name =                                                                                                        \
      reinterpret_cast<decltype(opencl.name)>(opencl.clGetExtensionFunctionAddressForPlatform(platform, #name));       \
  opencl.hasUsm &= opencl.name != nullptr;
  TILECC_OPENCL_USM(RESOLVE)
#undef RESOLVE
}

static ttError_t openDevice(cl_device_id device) {
  cl_int error;
  opencl.device = device;
  opencl.context = opencl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  if (error)
    return failOpenCL(error, "clCreateContext");
  static char extensions[16384]; // under the lock of devices()
  findTargets(device, ask(device, CL_DEVICE_EXTENSIONS, extensions), opencl.targets);
  cl_bitfield memory = askNumber<cl_bitfield>(device, CL_DEVICE_SVM_CAPABILITIES);
  opencl.isFineGrained = memory & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  opencl.roundsDivisions =
      askNumber<cl_bitfield>(device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  opencl.localBytes = askNumber<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  opencl.maxThreads = askNumber<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  return ttSuccess;
}

ttError_t tilecc::rt::openOpenCL(int wantedPlatform, int wantedDevice) {
  if (ttError_t error = openLibrary())
    return error;
  isUsed = true;
  enum : cl_uint { maxPlatforms = 32, maxDevices = 64 };
  cl_platform_id platforms[maxPlatforms];
  cl_uint platformCount = 0;
  if (opencl.clGetPlatformIDs(maxPlatforms, platforms, &platformCount))
    platformCount = 0;
  char reasons[2048] = "";
  for (cl_uint p = 0; p < platformCount && p < maxPlatforms; ++p) {
    cl_device_id devices[maxDevices];
    cl_uint deviceCount = 0;
    if (opencl.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, maxDevices, devices, &deviceCount))
      deviceCount = 0;
    findUsm(platforms[p]);
    for (cl_uint d = 0; d < deviceCount && d < maxDevices; ++d) {
      if (wantedPlatform >= 0 && (int(p) != wantedPlatform || int(d) != wantedDevice))
        continue;
      const char *reason = whyUnusable(devices[d], opencl.hasUsm);
      if (!reason)
        return openDevice(devices[d]);
      char name[128];
      size_t length = strlen(reasons);
      snprintf(reasons + length, sizeof(reasons) - length, "; opencl:%u.%u (%s): %s", p, d,
               ask(devices[d], CL_DEVICE_NAME, name), reason);
    }
  }
  if (wantedPlatform >= 0 && !*reasons)
    return fail(ttErrorInvalidDevice, "there is no device %d of platform %d", wantedDevice, wantedPlatform);
  return fail(ttErrorNoDevice, "no OpenCL device can run kernels%s", *reasons ? reasons : ": there is none");
}
