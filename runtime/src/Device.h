//===-- Device.h - which device a call is for ------------------------------------------------------------------===//
//
// A kind of device is a table of functions; the public calls look up the current device's table and pass on.
// DeviceKinds.h lists the kinds.
//
// The devices of a process are those of one kind that has GPUs, real or not, if there are any, and then the host's.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICE_H
#define TILECC_RUNTIME_DEVICE_H

#include "DeviceKinds.h"
#include "DeviceGraphs.h"
#include "DeviceMemory.h"
#include "HostMemory.h"
#include "Registry.h"

namespace tilecc::rt {

// Times what is done in a stream after the call that asked for it, for the trace (Watch.h).
struct DeviceTimers {
  void *(*start)(ttStream_t stream); // null if that cannot be timed now, with nothing recorded
  void (*stop)(void *timer, ttStream_t stream, const char *category, const char *name, const char *details);
};

// What a kind of device does. Every function may be called from any thread, and records its failure.
struct DeviceKind {
  ttDeviceKind kind;
  const char *name;     // for messages: "the CPU device"
  const char *variable; // how TILECC_DEVICE names it, for messages: "'cuda:N'"
  bool isDefault;       // looked for if TILECC_DEVICE names no kind; one kind is

  // Whether that is what TILECC_DEVICE says, and with which number.
  bool (*isNamed)(const char *variable, int *number);
  // Opens the kind and counts its GPUs, of which `number` is the one to use. Called once, under the lock of devices().
  // With TILECC_DEVICE's text it fails if there is no such device; with null, which asks for any, there may be none.
  ttError_t (*open)(const char *variable, int *number, int *gpuCount);
  // Around a fork, in the thread that forks (Fork.h).
  void (*beforeFork)();
  void (*afterFork)(bool inChild);

  ttError_t (*properties)(int ordinal, ttDeviceProp &properties);
  ttError_t (*use)(int ordinal);         // on the calling thread
  ttError_t (*ordinal)(int *ordinal);    // of the one that the calling thread uses
  ttError_t (*synchronize)();

  const DeviceMemory *memory;
  const DeviceGraphs *graphs;
  const DeviceTimers *timers; // of kinds that work on after a call, else null
  const HostPrimitives *host; // of kinds that run on the host, else null

  ttError_t (*streamCreate)(ttStream_t *stream, unsigned flags);
  ttError_t (*streamDestroy)(ttStream_t stream);
  ttError_t (*streamSynchronize)(ttStream_t stream);
  ttError_t (*streamQuery)(ttStream_t stream);
  ttError_t (*streamWaitEvent)(ttStream_t stream, ttEvent_t event, unsigned flags);

  ttError_t (*eventCreate)(ttEvent_t *event, unsigned flags);
  ttError_t (*eventRecord)(ttEvent_t event, ttStream_t stream);
  ttError_t (*eventSynchronize)(ttEvent_t event);
  ttError_t (*eventQuery)(ttEvent_t event);
  ttError_t (*eventElapsedTime)(float *milliseconds, ttEvent_t start, ttEvent_t end);
  ttError_t (*eventDestroy)(ttEvent_t event);

  // The grid is within the limits and not empty, and the attributes are some that there are.
  ttError_t (*launch)(Kernel &kernel, const ttLaunchConfig &config, void **args);
  ttError_t (*activePrograms)(Kernel &kernel, int *programs);
  ttError_t (*preload)(Kernel &kernel);
  ttError_t (*function)(Kernel &kernel, ttFunction_t *function);
  ttError_t (*attributes)(Kernel &kernel, ttFuncAttributes &attributes);
  // Gives back what the slots of an object and its kernels hold. Under the registry's lock, when no thread uses them
  // any more.
  void (*unload)(Module &module);
};

// The host's device as a choice of device, whatever its number is. GPUs are their numbers.
enum : int { deviceIsHost = -1 };

// The devices of this process, found out at the first call that needs to know and the same ever after.
struct Devices {
  const DeviceKind *gpus; // what they are; null if there are none
  int gpuCount;           // they are 0 to gpuCount - 1, the host's is gpuCount
  int defaultDevice;      // of threads that chose none: deviceIsHost or a GPU
};

// Null after recording why the devices could not be found out.
const Devices *devices();

// The current device's functions; null after recording an error. The fast path is two loads.
const DeviceKind *currentDevice();

// Leaves the enclosing function with the error if there is no current device.
#define CURRENT_DEVICE(device)                                                                                         \
  const DeviceKind *device = currentDevice();                                                                          \
  if (!device)                                                                                                         \
  return ttPeekAtLastError()

// Fails if there is no such direction of a copy.
ttError_t checkKind(ttMemcpyKind kind);

// For DeviceKind::isNamed: whether `text` is `prefix` and a number of at most four digits, and one of `suffixes`
// perhaps.
bool parseNumber(const char *text, const char *prefix, const char *suffixes, int *number);

// The GPU that a thread uses, if it has no current context of its own making: the one it chose with ttSetDevice, else
// the default.
int chosenGpu();

// Replaces the calling thread's choice of device, unchecked; returns what it was.
int exchangeChosenDevice(int device);

} // namespace tilecc::rt
#endif
