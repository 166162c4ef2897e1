//===-- Device.h - the device of a call ------------------------------------------------------------------------===//
//
// A kind of device is a table of functions. Public calls look up the current device's table and forward to it.
// DeviceKinds.h lists the kinds.
//
// The devices of a process are the GPUs, real or emulated, of at most one kind, followed by the host device.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICE_H
#define TILECC_RUNTIME_DEVICE_H

#include "DeviceKinds.h"
#include "DeviceGraphs.h"
#include "MemoryFunctions.h"
#include "HostMemory.h"
#include "KernelRegistry.h"

namespace tilecc::rt {

// Measures, for the trace (Watch.h), when the work of a call runs in its stream.
struct DeviceTimers {
  void *(*start)(ttStream_t stream); // null, without an error, if it cannot be timed now
  void (*stop)(void *timer, ttStream_t stream, const char *category, const char *name, const char *details);
};

// The functions of a kind of device. Every function is thread-safe and records its failures.
struct DeviceKind {
  ttDeviceKind kind;
  const char *name;     // for messages: "the CPU device"
  const char *variable; // the value of TILECC_DEVICE, for messages: "'cuda:N'"
  // The images that it runs, as bits 1 << TILECC_IMAGE_*, if it is considered without TILECC_DEVICE.
  unsigned images = 0;
  // Considered without TILECC_DEVICE even if the program has no code for it; true for one kind.
  bool isDefault = false;

  // Returns true if TILECC_DEVICE names this kind, and parses the device number.
  bool (*isNamed)(const char *variable, int *number);
  // Opens the kind, counts its GPUs, and selects GPU `number`. Called once, under the lock of devices(). If `variable`
  // is the text of TILECC_DEVICE, fails if there is no such device. If it is null, any device will do, and having none
  // is not an error.
  ttError_t (*open)(const char *variable, int *number, int *gpuCount);
  // Called before and after a fork by the forking thread (Fork.h).
  void (*beforeFork)() = nullptr;
  void (*afterFork)(bool inChild) = nullptr;

  ttError_t (*properties)(int ordinal, ttDeviceProp &properties) = nullptr;
  ttError_t (*use)(int ordinal) = nullptr; // for the calling thread
  ttError_t (*ordinal)(int *ordinal) = nullptr; // of the calling thread's device
  ttError_t (*synchronize)() = nullptr;

  // asHostDevice() and asDriverDevice() fill in what kinds have in common.
  const DeviceMemory *memory = nullptr;
  const DeviceGraphs *graphs = nullptr;
  const DeviceTimers *timers = nullptr; // for kinds that work asynchronously, else null
  const HostPrimitives *host = nullptr; // for kinds that run on the host, else null

  ttError_t (*streamCreate)(ttStream_t *stream, unsigned flags) = nullptr;
  ttError_t (*streamDestroy)(ttStream_t stream) = nullptr;
  ttError_t (*streamSynchronize)(ttStream_t stream) = nullptr;
  ttError_t (*streamQuery)(ttStream_t stream) = nullptr;
  ttError_t (*streamWaitEvent)(ttStream_t stream, ttEvent_t event, unsigned flags) = nullptr;

  ttError_t (*eventCreate)(ttEvent_t *event, unsigned flags) = nullptr;
  ttError_t (*eventRecord)(ttEvent_t event, ttStream_t stream) = nullptr;
  ttError_t (*eventSynchronize)(ttEvent_t event) = nullptr;
  ttError_t (*eventQuery)(ttEvent_t event) = nullptr;
  ttError_t (*eventElapsedTime)(float *milliseconds, ttEvent_t start, ttEvent_t end) = nullptr;
  ttError_t (*eventDestroy)(ttEvent_t event) = nullptr;

  // The grid is valid and not empty, and the attributes are known.
  ttError_t (*launch)(Kernel &kernel, const ttLaunchConfig &config, void **args) = nullptr;
  // Sets the variant that a launch uses if its tensor maps can be encoded. Null if it depends only on the arguments.
  ttError_t (*variant)(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant) = nullptr;
  ttError_t (*activePrograms)(Kernel &kernel, int *programs) = nullptr;
  ttError_t (*preload)(Kernel &kernel) = nullptr;
  ttError_t (*function)(Kernel &kernel, ttFunction_t *function) = nullptr;
  ttError_t (*attributes)(Kernel &kernel, ttFuncAttributes &attributes) = nullptr;
  // Releases what the slots of an object and its kernels hold. Called under the registry's lock when no thread uses
  // them any more.
  void (*unload)(Module &module) = nullptr;
};

// Selects the host device, whatever its number. GPUs are selected by number.
enum : int { deviceIsHost = -1 };

// The devices of this process. Determined on first use; constant afterwards.
struct Devices {
  const DeviceKind *gpus; // the kind of the GPUs; null if there are none
  int gpuCount; // GPUs are 0 to gpuCount - 1; the host is gpuCount
  int defaultDevice; // for threads that have chosen none: deviceIsHost or a GPU
};

// Returns null, after recording the reason, if the devices could not be determined.
const Devices *devices();

// Returns the current device's functions, or null after recording an error. The fast path is two loads.
const DeviceKind *currentDevice();

// Returns the error from the enclosing function if there is no current device.
#define CURRENT_DEVICE(device)                                                                                         \
  const DeviceKind *device = currentDevice();                                                                          \
  if (!device)                                                                                                         \
  return ttPeekAtLastError()

// Fails if `kind` is not a valid copy direction.
ttError_t checkKind(ttMemcpyKind kind);

// For DeviceKind::isNamed: returns true if `text` is `prefix`, a number of at most four digits, and optionally one of
// `suffixes`.
bool parseNumber(const char *text, const char *prefix, const char *suffixes, int *number);

// The GPU of a thread without its own current context: the one it chose with ttSetDevice, or else the default.
int chosenGpu();

// Replaces the calling thread's device, without checks, and returns the previous one.
int exchangeChosenDevice(int device);

} // namespace tilecc::rt
#endif
