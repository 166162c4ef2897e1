//===-- Device.h - the device of a call ------------------------------------------------------------------------===//
//
// A kind of device (CPU, CUDA, emulator, ...) is a table of functions. Public calls look up the table of the current
// device and forward to it. DeviceKinds.h lists the kinds.
//
// The devices of a process are its GPUs, real or emulated, which are of at most one kind, followed by the host device.
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

// Measures when the work of a call runs in its stream, for the trace (Watch.h).
struct DeviceTimers {
  void *(*start)(ttStream_t stream); // returns null, without an error, if the work cannot be timed now
  void (*stop)(void *timer, ttStream_t stream, const char *category, const char *name, const char *details);
};

// The functions of one kind of device. Every function is thread-safe, and records its own failures.
struct DeviceKind {
  ttDeviceKind kind;
  const char *name;     // for messages: "the CPU device"
  const char *variable; // the form of TILECC_DEVICE that selects this kind, for messages: "'cuda:N'"
  // The kinds of images that this kind can run, as bits 1 << TILECC_IMAGE_*. If TILECC_DEVICE is not set, the kind is
  // tried only if the program has such images.
  unsigned images = 0;
  // If true, the kind is tried without TILECC_DEVICE even if the program has no code for it. True for exactly one kind.
  bool isDefault = false;

  // Returns true if TILECC_DEVICE names this kind, and parses the number of the device.
  bool (*isNamed)(const char *variable, int *number);
  // Opens this kind of device, counts its GPUs, and selects GPU `number`. Called once, under the lock of devices(). If
  // `variable` is not null, it is the text of TILECC_DEVICE, and there must be such a device. If it is null, any device
  // will do, and having no device is not an error.
  ttError_t (*open)(const char *variable, int *number, int *gpuCount);
  // Called by the thread that forks, before and after the fork (Fork.h).
  void (*beforeFork)() = nullptr;
  void (*afterFork)(bool inChild) = nullptr;

  ttError_t (*properties)(int ordinal, ttDeviceProp &properties) = nullptr;
  ttError_t (*use)(int ordinal) = nullptr; // for the calling thread
  ttError_t (*ordinal)(int *ordinal) = nullptr; // of the calling thread's device
  ttError_t (*synchronize)() = nullptr;

  // The functions that all kinds of the same sort have in common. asHostDevice() and asDriverDevice() set them.
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

  // Launches a kernel. The caller has checked that the grid is valid and not empty, and that all attributes are known.
  ttError_t (*launch)(Kernel &kernel, const ttLaunchConfig &config, void **args) = nullptr;
  // Sets the variant that a launch would use, provided that its tensor maps can be encoded. Null if the variant depends
  // only on the arguments.
  ttError_t (*variant)(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant) = nullptr;
  ttError_t (*activePrograms)(Kernel &kernel, int *programs) = nullptr;
  ttError_t (*preload)(Kernel &kernel) = nullptr;
  ttError_t (*function)(Kernel &kernel, ttFunction_t *function) = nullptr;
  ttError_t (*attributes)(Kernel &kernel, ttFuncAttributes &attributes) = nullptr;
  // Releases what the slots of an object and of its kernels contain. Called under the registry's lock, when no thread
  // uses them any more.
  void (*unload)(Module &module) = nullptr;
};

// Stands for the host device, whatever its number is. GPUs are selected by number.
enum : int { deviceIsHost = -1 };

// The devices of this process. They are determined when they are first needed, and do not change afterwards.
struct Devices {
  const DeviceKind *gpus; // the kind of all GPUs; null if there are none
  int gpuCount; // GPUs are 0 to gpuCount - 1; the host is gpuCount
  int defaultDevice; // for threads that have not chosen a device: deviceIsHost or a GPU
};

// Returns the devices, or null after recording the reason if they could not be determined.
const Devices *devices();

// Returns the functions of the current device, or null after recording an error. In the usual case, this takes two
// loads.
const DeviceKind *currentDevice();

// Sets `device` to the current device; if there is none, returns the error from the enclosing function.
#define CURRENT_DEVICE(device)                                                                                         \
  const DeviceKind *device = currentDevice();                                                                          \
  if (!device)                                                                                                         \
  return ttPeekAtLastError()

// Fails if `kind` is not a valid copy direction.
ttError_t checkKind(ttMemcpyKind kind);

// Implements DeviceKind::isNamed: returns true if `text` consists of `prefix`, a number of at most four digits, and
// optionally one of `suffixes`.
bool parseNumber(const char *text, const char *prefix, const char *suffixes, int *number);

// Returns the GPU that a thread uses if it has no current context of its own: the one that it chose with ttSetDevice,
// or else the default.
int chosenGpu();

// Replaces the device of the calling thread, without checks, and returns the previous one.
int exchangeChosenDevice(int device);

} // namespace tilecc::rt
#endif
