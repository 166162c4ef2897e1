//===-- Device.cpp - finds and selects devices -----------------------------------------------------------------===//
//
// The most important rule: the CPU is the default only if there is no GPU, that is, if there is no GPU driver or the
// driver reports no device. A driver that is broken, busy or too old is an error. Otherwise, programs would silently
// run on the CPU, a hundred times slower.
//
// On a machine with GPUs of both vendors, the default is the vendor for which the program has code. HIP is not opened
// if the program has kernels but no code for AMD's GPUs.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "Fork.h"
#include "Peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

static constinit Mutex initLock;
static constinit std::atomic<bool> initialized{false};
// The first call writes these three, under initLock, before it sets `initialized`.
static constinit Devices found = {};
static constinit ttError_t initError = ttSuccess; // the error of every call
static char initMessage[1024];

enum : int { chosenNone = ttDeviceNone };
static_assert(int(ttCpuDeviceId) == int(deviceIsHost));
static thread_local int chosenDevice = chosenNone; // set by ttSetDevice and ttExchangeDevice

bool tilecc::rt::parseNumber(const char *text, const char *prefix, const char *suffixes, int *number) {
  size_t length = strlen(prefix);
  if (strncmp(text, prefix, length))
    return false;
  const char *digits = text + length, *end = digits + strspn(digits, "0123456789");
  if (end == digits || end - digits > 4)
    return false;
  *number = atoi(digits);
  return !*end || (strchr(suffixes, *end) && !end[1]);
}

static ttError_t open(const DeviceKind &kind, const char *variable, int number) {
  int count = 0;
  if (ttError_t error = kind.open(variable, &number, &count))
    return error;
  found = {count ? &kind : nullptr, count, count ? number : deviceIsHost};
  return ttSuccess;
}

// Opens the kind that TILECC_DEVICE names.
static ttError_t openNamed(const char *variable) {
  char names[256] = "";
  for (const DeviceKind *kind : deviceKinds) {
    int number = 0;
    if (kind->isNamed(variable, &number))
      return open(*kind, variable, number);
    size_t length = strlen(names);
    snprintf(names + length, sizeof(names) - length, "%s%s", length ? ", " : "", kind->variable);
  }
  return fail(ttErrorInvalidDevice, "TILECC_DEVICE=%s: the device must be %s", variable, names);
}

// Opens the first kind that has a GPU. `images` are those of the program's objects. A program without objects may
// compile its kernels at run time, for any kind.
static ttError_t openDefault(unsigned images) {
  for (bool hasCode : {true, false})
    for (const DeviceKind *kind : deviceKinds) {
      bool isConsidered = hasCode || kind->isDefault || (kind->images && !images);
      if (found.gpus || bool(kind->images & images) != hasCode || !isConsidered)
        continue;
      if (ttError_t error = open(*kind, /*variable=*/nullptr, 0))
        return error;
    }
  return ttSuccess;
}

const Devices *tilecc::rt::devices() {
  if (!initialized.load(std::memory_order_acquire)) {
    installForkHandlers();
    unsigned images = registeredImages(); // a fork takes the lock of the search first
    Lock lock(initLock);
    if (!initialized.load(std::memory_order_relaxed)) {
      const char *variable = secure_getenv("TILECC_DEVICE");
      found = {nullptr, 0, deviceIsHost};
      initError = variable && *variable ? openNamed(variable) : openDefault(images);
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
  if (chosenDevice == deviceIsHost)
    return hostDevice;
  const Devices *all = devices();
  if (!all)
    return nullptr;
  int device = chosenDevice == chosenNone ? all->defaultDevice : chosenDevice;
  if (device == deviceIsHost)
    return hostDevice;
  if (device < all->gpuCount)
    return all->gpus;
  fail(ttErrorInvalidDevice,
       "another copy of the runtime, in a library or the program, has chosen GPU %d, and this copy knows %d; "
       "TILECC_DEVICE must not be changed after the first call",
       device, all->gpuCount);
  return nullptr;
}

int tilecc::rt::chosenGpu() { return chosenDevice >= 0 ? chosenDevice : found.defaultDevice; }

int tilecc::rt::exchangeChosenDevice(int device) {
  int before = chosenDevice;
  chosenDevice = device;
  return before;
}

void tilecc::rt::lockDevicesForFork() { initLock.lock(); }
void tilecc::rt::unlockDevicesAfterFork() { initLock.unlock(); }

static ttError_t checkDevice(const Devices &all, int device) {
  if (device >= 0 && device <= all.gpuCount)
    return ttSuccess;
  if (all.gpuCount == 0)
    return fail(ttErrorInvalidDevice, "there is no device %d: the only one is 0, the CPU", device);
  return fail(ttErrorInvalidDevice, "there is no device %d: devices are 0 to %d, the last one the CPU", device,
              all.gpuCount);
}

ttError_t ttGetDeviceCount(int *count) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  *count = all->gpuCount + 1;
  return ttSuccess;
}

ttError_t ttSetDevice(int device) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  if (ttError_t error = checkDevice(*all, device))
    return error;
  if (device < all->gpuCount)
    if (ttError_t error = all->gpus->use(device))
      return error;
  chosenDevice = device < all->gpuCount ? device : deviceIsHost;
  return ttSuccess;
}

ttError_t ttExchangeDevice(int device, int *before) {
  if (device < ttDeviceNone)
    return fail(ttErrorInvalidDevice, "ttExchangeDevice: there is no device %d", device);
  int was = exchangeChosenDevice(device);
  if (before)
    *before = was;
  return ttSuccess;
}

ttError_t ttGetDevice(int *device) {
  const DeviceKind *kind = currentDevice();
  if (!kind)
    return ttPeekAtLastError();
  return kind->ordinal(device);
}

ttError_t ttGetDeviceProperties(ttDeviceProp *properties, int device) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  if (ttError_t error = checkDevice(*all, device))
    return error;
  memset(properties, 0, sizeof(*properties));
  return (device < all->gpuCount ? all->gpus : hostDevice)->properties(device, *properties);
}
