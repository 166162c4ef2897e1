//===-- Device.cpp - finding and choosing devices --------------------------------------------------------------===//
//
// The rule that matters most here: the CPU is the default only where there is no GPU to use, that is, where there is no
// libcuda or it says so itself. A driver that is broken, busy or too old is an error, because a program that silently
// runs on the CPU is a hundred times too slow for reasons nobody sees.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "CudaDriver.h"
#include "Error.h"
#include "Fork.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

static constinit Mutex initLock;
static constinit std::atomic<bool> initialized{false};
// Written once under the lock, before `initialized`.
static constinit Devices found = {};
static constinit ttError_t initError = ttSuccess; // every call fails with it
static char initMessage[1024];

enum : int { chosenNone = -2 };
static thread_local int chosenDevice = chosenNone; // by ttSetDevice

static ttError_t parseDeviceVariable(const char *text, int *device) {
  if (!strcmp(text, "cpu")) {
    *device = deviceIsCpu;
    return ttSuccess;
  }
  if (!strcmp(text, "emu"))
    return fail(ttErrorNotSupported, "TILECC_DEVICE=emu: the PTX emulator is not part of this build");
  const char *digits = text + strlen("cuda:");
  if (!strncmp(text, "cuda:", strlen("cuda:")) && *digits && strlen(digits) <= 4 &&
      strspn(digits, "0123456789") == strlen(digits)) {
    *device = atoi(digits);
    return ttSuccess;
  }
  return fail(ttErrorInvalidDevice, "TILECC_DEVICE=%s: the device must be 'cpu', 'cuda:N' or 'emu'", text);
}

static ttError_t findDevices() {
  const char *variable = getenv("TILECC_DEVICE");
  int wanted = 0;
  if (variable && !*variable)
    variable = nullptr;
  if (variable)
    if (ttError_t error = parseDeviceVariable(variable, &wanted))
      return error;
  if (wanted == deviceIsCpu) {
    found = {/*cudaCount=*/0, deviceIsCpu};
    return ttSuccess;
  }

  int count = 0;
  char whyNone[512] = "";
  if (ttError_t error = openCudaDriver(&count, whyNone, sizeof(whyNone)))
    return error;
  if (variable && count == 0)
    return fail(ttErrorNoDevice, "TILECC_DEVICE=%s: %s", variable, whyNone);
  if (variable && wanted >= count)
    return fail(ttErrorInvalidDevice, "TILECC_DEVICE=%s: the CUDA driver reports %d device%s", variable, count,
                count == 1 ? "" : "s");
  found = {count, count ? wanted : deviceIsCpu};
  return ttSuccess;
}

const Devices *tilecc::rt::devices() {
  if (!initialized.load(std::memory_order_acquire)) {
    installForkHandlers();
    Lock lock(initLock);
    if (!initialized.load(std::memory_order_relaxed)) {
      initError = findDevices();
      if (initError)
        snprintf(initMessage, sizeof(initMessage), "%s", ttGetLastErrorMessage());
      initialized.store(true, std::memory_order_release);
    }
  }
  if (initError) {
    fail(initError, "%s", initMessage);
    return nullptr;
  }
  return &found;
}

const DeviceKind *tilecc::rt::currentDevice() {
  const Devices *all = devices();
  if (!all)
    return nullptr;
  int device = chosenDevice == chosenNone ? all->defaultDevice : chosenDevice;
  if (device == deviceIsCpu)
    return &cpuDevice;
  if (device < all->cudaCount)
    return &cudaDevice;
  fail(ttErrorInvalidDevice,
       "another copy of the runtime, in a library or the program, has chosen CUDA device %d, and this copy knows %d; "
       "TILECC_DEVICE must not be changed after the first call",
       device, all->cudaCount);
  return nullptr;
}

int tilecc::rt::chosenCudaDevice() {
  return chosenDevice >= 0 ? chosenDevice : found.defaultDevice;
}

int tilecc::rt::exchangeChosenDevice(int device) {
  int before = chosenDevice;
  chosenDevice = device;
  return before;
}

void tilecc::rt::lockDevicesForFork() { initLock.lock(); }
void tilecc::rt::unlockDevicesAfterFork() { initLock.unlock(); }

static ttError_t checkDevice(const Devices &all, int device) {
  if (device >= 0 && device <= all.cudaCount)
    return ttSuccess;
  if (all.cudaCount == 0)
    return fail(ttErrorInvalidDevice, "there is no device %d: the only one is 0, the CPU", device);
  return fail(ttErrorInvalidDevice, "there is no device %d: devices are 0 to %d, the last one the CPU", device,
              all.cudaCount);
}

ttError_t ttGetDeviceCount(int *count) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  *count = all->cudaCount + 1;
  return ttSuccess;
}

ttError_t ttSetDevice(int device) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  if (ttError_t error = checkDevice(*all, device))
    return error;
  if (device < all->cudaCount)
    if (ttError_t error = makePrimaryContextCurrent(device))
      return error;
  chosenDevice = device < all->cudaCount ? device : deviceIsCpu;
  return ttSuccess;
}

ttError_t ttGetDevice(int *device) {
  const DeviceKind *kind = currentDevice();
  if (!kind)
    return ttPeekAtLastError();
  if (kind == &cudaDevice)
    return currentCudaDevice(device);
  *device = found.cudaCount;
  return ttSuccess;
}

ttError_t ttGetDeviceProperties(ttDeviceProp *properties, int device) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  if (ttError_t error = checkDevice(*all, device))
    return error;
  memset(properties, 0, sizeof(*properties));
  return (device < all->cudaCount ? cudaDevice : cpuDevice).properties(device, *properties);
}
