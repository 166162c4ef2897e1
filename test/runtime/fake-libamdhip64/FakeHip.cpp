//===-- FakeHip.cpp - a libamdhip64.so without a GPU --------------------------------------------------------------===//
//
// Stands in for HIP where there is none. It keeps HIP's rules as far as the runtime depends on them, runs kernels in
// the emulator of AMD's GPUs, and runs the work of a stream as late as it may: when something waits for it. So a
// program that does not wait reads old values here. Mistakes that a GPU may forgive are errors: copies beyond a block,
// memory that was freed, handles that do not exist, kernels and streams of another device, memory of another device
// without peer access, calls that a capture forbids, and calls after HIP has ended.
//
//   FAKE_HIP_ARCHS     the devices' names, "gfx942:sramecc+:xnack-,gfx1100"; empty: no device; unset: one gfx942
//   FAKE_HIP_FAIL      calls that fail and how: "hipInit=999,hipMalloc=2"
//   FAKE_HIP_VERSION   of HIP; unset: 70100000
//   FAKE_HIP_LOG       the file that calls are appended to, one per line
//
//===----------------------------------------------------------------------------------------------------------===//
#include "FakeHip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace fake;

std::recursive_mutex fake::lock;
std::vector<std::string> fake::archs;
thread_local int fake::currentDevice = 0;
thread_local int fake::captureMode = 0;
int fake::capturing = 0;
// Never destroyed: what the runtime never frees, as it should not, is no leak.
std::set<std::pair<int, int>> &fake::peers = *new std::set<std::pair<int, int>>;

static pid_t initializedIn = 0;
static bool hasEnded = false;

static void writeLog(const char *format, va_list args) {
  const char *path = getenv("FAKE_HIP_LOG");
  if (!path)
    return;
  FILE *file = fopen(path, "a");
  vfprintf(file, format, args);
  fputc('\n', file);
  fclose(file);
}

void fake::logCall(const char *format, ...) {
  va_list args;
  va_start(args, format);
  writeLog(format, args);
  va_end(args);
}

hipError_t fake::wrong(hipError_t error, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  fputs("fake HIP: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  writeLog(format, again);
  va_end(again);
  va_end(args);
  return error;
}

//===-- Initialization --------------------------------------------------------------------------------------------===//

static void initialize() {
  if (initializedIn)
    return;
  initializedIn = getpid();
  const char *list = getenv("FAKE_HIP_ARCHS");
  for (const char *at = list ? list : "gfx942:sramecc+:xnack-"; *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ",");
    archs.emplace_back(at, length);
    at += length;
  }
  atexit([] {
    logCall("HIP ends");
    hasEnded = true;
  });
}

hipError_t fake::enter(const char *function) {
  if (hasEnded) {
    wrong(0, "%s is called after HIP has ended", function);
    _exit(66);
  }
  initialize();
  if (initializedIn != getpid())
    return wrong(notInitialized, "%s is called in a forked child", function);
  std::string failures = std::string(",") + (getenv("FAKE_HIP_FAIL") ? getenv("FAKE_HIP_FAIL") : "");
  size_t at = failures.find("," + std::string(function) + "=");
  if (at != std::string::npos)
    return atoi(failures.c_str() + at + strlen(function) + 2);
  return archs.empty() ? noDevice : success;
}

hipError_t fake::notWhileCapturing(const char *function) {
  if (!capturing || captureMode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return success;
  invalidateCaptures();
  return wrong(captureUnsupported, "%s is called during a capture", function);
}

FAKE(hipInit)(unsigned) {
  logCall("hipInit");
  ENTER("hipInit");
  return success;
}

extern "C" __attribute__((visibility("default"))) const char *hipGetErrorName(hipError_t error) {
  static const std::map<int, const char *> names = {
      {invalidValue, "hipErrorInvalidValue"},
      {outOfMemory, "hipErrorOutOfMemory"},
      {notInitialized, "hipErrorNotInitialized"},
      {noDevice, "hipErrorNoDevice"},
      {invalidDevice, "hipErrorInvalidDevice"},
      {invalidImage, "hipErrorInvalidImage"},
      {noBinaryForGpu, "hipErrorNoBinaryForGpu"},
      {invalidHandle, "hipErrorInvalidHandle"},
      {notFound, "hipErrorNotFound"},
      {illegalAddress, "hipErrorIllegalAddress"},
      {launchFailure, "hipErrorLaunchFailure"},
      {cooperativeTooLarge, "hipErrorCooperativeLaunchTooLarge"},
      {999, "hipErrorUnknown"},
      {captureUnsupported, "hipErrorStreamCaptureUnsupported"},
  };
  auto found = names.find(error);
  return found == names.end() ? "hipErrorUnknown" : found->second;
}
extern "C" __attribute__((visibility("default"))) const char *hipGetErrorString(hipError_t) {
  return "as the fake HIP was told";
}

int fake::version() { return getenv("FAKE_HIP_VERSION") ? atoi(getenv("FAKE_HIP_VERSION")) : 70100000; }

FAKE(hipRuntimeGetVersion)(int *version) {
  ENTER("hipRuntimeGetVersion");
  *version = fake::version();
  return success;
}

//===-- Devices ---------------------------------------------------------------------------------------------------===//

static hipError_t checkDevice(int device) {
  return device >= 0 && device < static_cast<int>(archs.size()) ? success
                                                                : wrong(invalidDevice, "there is no device %d", device);
}

FAKE(hipGetDeviceCount)(int *count) {
  ENTER("hipGetDeviceCount");
  *count = static_cast<int>(archs.size());
  return success;
}
FAKE(hipDeviceGet)(CUdevice *device, int ordinal) {
  ENTER("hipDeviceGet");
  *device = ordinal;
  return checkDevice(ordinal);
}
FAKE(hipDeviceGetName)(char *name, int length, CUdevice device) {
  ENTER("hipDeviceGetName");
  snprintf(name, length, "Fake AMD GPU %d", device);
  return checkDevice(device);
}
FAKE(hipDeviceTotalMem)(size_t *bytes, CUdevice device) {
  ENTER("hipDeviceTotalMem");
  *bytes = size_t(192) << 30;
  return checkDevice(device);
}
FAKE(hipGetDevicePropertiesR0600)(hipDeviceProp_tR0600 *properties, int device) {
  ENTER("hipGetDevicePropertiesR0600");
  TRY(checkDevice(device));
  memset(properties, 0x5a, sizeof(*properties)); // what the runtime does not know has values, too
  snprintf(properties->name, sizeof(properties->name), "Fake AMD GPU %d", device);
  snprintf(properties->gcnArchName, sizeof(properties->gcnArchName), "%s", archs[device].c_str());
  properties->totalGlobalMem = size_t(192) << 30;
  properties->sharedMemPerBlock = ldsBytes;
  properties->multiProcessorCount = processors;
  properties->l2CacheSize = 4096;
  return success;
}
FAKE(hipGetDevice)(int *device) {
  ENTER("hipGetDevice");
  *device = currentDevice;
  return success;
}
FAKE(hipSetDevice)(int device) {
  logCall("hipSetDevice %d", device);
  ENTER("hipSetDevice");
  TRY(checkDevice(device));
  currentDevice = device;
  return success;
}
FAKE(hipDeviceSynchronize)() {
  logCall("hipDeviceSynchronize");
  ENTER("hipDeviceSynchronize");
  NOT_WHILE_CAPTURING("hipDeviceSynchronize");
  return finishDevice(currentDevice);
}
FAKE(hipDeviceCanAccessPeer)(int *can, int device, int peer) {
  ENTER("hipDeviceCanAccessPeer");
  TRY(checkDevice(device));
  TRY(checkDevice(peer));
  *can = device != peer;
  return success;
}
FAKE(hipDeviceEnablePeerAccess)(int peer, unsigned) {
  logCall("hipDeviceEnablePeerAccess of %d to %d", currentDevice, peer);
  ENTER("hipDeviceEnablePeerAccess");
  TRY(checkDevice(peer));
  return peers.emplace(currentDevice, peer).second ? success : peerEnabled;
}
FAKE(hipDeviceDisablePeerAccess)(int peer) {
  logCall("hipDeviceDisablePeerAccess of %d to %d", currentDevice, peer);
  ENTER("hipDeviceDisablePeerAccess");
  TRY(checkDevice(peer));
  return peers.erase({currentDevice, peer}) ? success : peerNotEnabled;
}
FAKE(hipThreadExchangeStreamCaptureMode)(int *mode) {
  ENTER("hipThreadExchangeStreamCaptureMode");
  std::swap(captureMode, *mode);
  return success;
}
