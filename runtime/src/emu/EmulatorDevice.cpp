//===-- EmulatorDevice.cpp - the emulator as a device ----------------------------------------------------------===//
//
// All calls are synchronous. But errors in a kernel are reported like a GPU's, by a later call, where a program that is
// correct on a GPU checks for them. The first call that waits or copies reports the error, once. A GPU is unusable
// after most of these errors; the emulator continues, so that one wrong kernel does not fail a whole test suite.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emu/EmulatorLibrary.h"
#include "emu/EmulatorModule.h"
#include "Error.h"
#include "HostCapture.h"
#include "HostDevice.h"
#include "Images.h"
#include "ThreadPool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

static ttError_t properties(int, ttDeviceProp &properties) {
  size_t free;
  unsigned arch = emulator.arch || emulator.isAmd ? emulator.arch : newestPtxArch(), threads = threadCount();
  if (!threads)
    return ttPeekAtLastError();
  constexpr unsigned usualArch = 90; // tcc's default; used if the program has no PTX that would determine it
  if (emulator.isAmd)
    nameTarget(TILECC_IMAGE_HSACO, arch, properties.target, sizeof(properties.target));
  else
    nameTarget(TILECC_IMAGE_PTX, arch ? arch : usualArch, properties.target, sizeof(properties.target));
  if (emulator.isAmd)
    snprintf(properties.name, sizeof(properties.name), "AMD emulator, %s", properties.target);
  else if (arch)
    snprintf(properties.name, sizeof(properties.name), "PTX emulator, sm_%u", arch);
  else
    snprintf(properties.name, sizeof(properties.name), "PTX emulator");
  properties.kind = ttDeviceKindEmulator;
  properties.arch = emulator.isAmd ? 0 : arch; // programs compare it with NVIDIA's numbers
  properties.multiProcessorCount = threads;
  properties.sharedMemPerBlockOptin = emulator.shared_limit(arch);
  emulator.memory_info(emulator.device, &free, &properties.totalGlobalMem);
  return ttSuccess;
}

static ttError_t use(int) { return ttSuccess; }

static ttError_t ordinal(int *ordinal) {
  *ordinal = 0;
  return ttSuccess;
}

static ttError_t reportLate() {
  EMULATOR_TRY(synchronize, emulator.device);
  return ttSuccess;
}

static ttError_t synchronize() {
  ttError_t error = refuseWhileCapturing("ttDeviceSynchronize");
  return error ? error : reportLate();
}

static ttError_t allocate(void **pointer, size_t bytes) {
  EMULATOR_TRY(allocate, emulator.device, bytes, pointer);
  return ttSuccess;
}

static ttError_t allocateHost(void **pointer, size_t bytes) {
  EMULATOR_TRY(allocate_host, emulator.device, bytes, pointer);
  return ttSuccess;
}

static ttError_t release(void *pointer) {
  EMULATOR_TRY(free, emulator.device, pointer);
  return ttSuccess;
}

static ttError_t releaseHost(void *pointer) {
  EMULATOR_TRY(free_host, emulator.device, pointer);
  return ttSuccess;
}

static ttError_t memoryInfo(size_t *freeBytes, size_t *totalBytes) {
  emulator.memory_info(emulator.device, freeBytes, totalBytes);
  return ttSuccess;
}

static ttError_t copy(void *to, const void *from, size_t bytes) {
  EMULATOR_TRY(synchronize, emulator.device);
  EMULATOR_TRY(copy, emulator.device, to, from, bytes);
  return ttSuccess;
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  EMULATOR_TRY(synchronize, emulator.device);
  EMULATOR_TRY(set, emulator.device, pointer, byte, bytes);
  return ttSuccess;
}

// Implements both waits and queries, because there is nothing to wait for.
static ttError_t streamDone(ttStream_t stream) {
  ttError_t error = hostStreamDone(stream);
  return error ? error : reportLate();
}

static ttError_t eventDone(ttEvent_t event) {
  ttError_t error = hostEventDone(event);
  return error ? error : reportLate();
}

static ttError_t activePrograms(Kernel &, int *programs) {
  *programs = threadCount();
  return *programs ? ttSuccess : ttPeekAtLastError();
}

static ttError_t function(Kernel &kernel, ttFunction_t *) {
  return fail(ttErrorNotSupported, "kernel '%s': the current device is the emulator, which has no CUDA functions",
              kernel.abi->display_name);
}

static const char amdPrefix[] = "emu:gfx";
static bool namesAmd(const char *variable) { return !strncmp(variable, amdPrefix, strlen(amdPrefix)); }

// The last two digits of AMD architectures are hexadecimal: gfx90a.
static bool parseAmd(const char *variable, int *number) {
  if (!namesAmd(variable))
    return false;
  const char *digits = variable + strlen(amdPrefix);
  size_t length = strlen(digits);
  if (length < 3 || length > 4 || strspn(digits, "0123456789abcdef") != length)
    return false;
  *number = static_cast<int>(strtol(digits, nullptr, 16));
  return true;
}

// The number is the architecture: 90 for sm_90, 0x942 for gfx942, and 0 for the newest code of each object. A GPU of
// 9.0 runs code for both sm_90 and sm_90a, so both names select one device.
static bool isNamed(const char *variable, int *number) {
  return !strcmp(variable, "emu") || parseNumber(variable, "emu:sm_", "af", number) || parseAmd(variable, number);
}

static ttError_t open(const char *variable, int *number, int *gpuCount) {
  if (ttError_t error = openEmulator(*number, namesAmd(variable)))
    return fail(error, "TILECC_DEVICE=%s: %s", variable, ttGetLastErrorMessage());
  *number = 0;
  *gpuCount = 1;
  return ttSuccess;
}

static void beforeFork() {}
static void afterFork(bool) {}

static constinit const HostPrimitives primitives = {
    .allocate = allocate,
    .release = release,
    .allocateHost = allocateHost,
    .releaseHost = releaseHost,
    .info = memoryInfo,
    .copy = copy,
    .set = set,
    .launch = launchOnEmulator,
};

constinit const DeviceKind tilecc::rt::emulatorDevice = asHostDevice({
    .kind = ttDeviceKindEmulator,
    .name = "the emulator",
    .variable = "'emu', 'emu:sm_NN' or 'emu:gfxNNN'",
    .isNamed = isNamed,
    .open = open,
    .beforeFork = beforeFork,
    .afterFork = afterFork,
    .properties = properties,
    .use = use,
    .ordinal = ordinal,
    .synchronize = synchronize,
    .host = &primitives,
    .streamSynchronize = streamDone,
    .streamQuery = streamDone,
    .eventSynchronize = eventDone,
    .eventQuery = eventDone,
    .variant = emulatorVariant,
    .activePrograms = activePrograms,
    .preload = preloadOnEmulator,
    .function = function,
    .attributes = emulatorAttributes,
    .unload = unloadFromEmulator,
});
