//===-- HipDriver.cpp --------------------------------------------------------------------------------------------===//
//
// Opens libamdhip64 on first use, and fills the driver's table with its functions.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "hip/HipDriver.h"
#include "Error.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

HipDriver tilecc::rt::hip = {};

// The versions that exist, newest first. HIP 5 is found in order to be reported as too old.
static const char *const libraryNames[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                           "libamdhip64.so"};

// Check that the table is complete: it has as many rows as there are functions, and no function twice.
#define ONE(...) +1
static_assert(0 TILECC_HIP_TABLE(ONE, ONE) == 0 TILECC_CUDA_DRIVER(ONE));
#undef ONE

// Sets *library to null if HIP is not installed.
static ttError_t openLibrary(void **library, const char **name, char *whyNone, size_t whyNoneSize) {
  for (const char *candidate : libraryNames) {
    *name = candidate;
    // Never closed: HIP has its own threads and exit handlers.
    if ((*library = dlopen(candidate, RTLD_NOW | RTLD_LOCAL)))
      return ttSuccess;
    const char *reason = dlerror();
    // dlopen reports a missing library by its bare name, and a damaged one by its path or by the library that it lacks.
    size_t length = strlen(candidate);
    if (strncmp(reason, candidate, length) || reason[length] != ':')
      return fail(ttErrorInitializationError, "HIP cannot be opened: %s", reason);
    snprintf(whyNone, whyNoneSize, "there is no HIP runtime (%s)", reason);
  }
  return ttSuccess;
}

static ttError_t failOld(const char *library, const char *symbol) {
  return fail(ttErrorInsufficientDriver, "HIP is too old: %s has no %s; HIP 6.0 or later is needed", library, symbol);
}

static ttError_t resolve(void *library, const char *name) {
  void *entry;
#define RESOLVE(result, function, parameters)                                                                          \
  if (!(entry = dlsym(library, #function)))                                                                            \
    return failOld(name, #function);                                                                                   \
  hip.function = reinterpret_cast<decltype(hip.function)>(entry);
  TILECC_HIP(RESOLVE)
#undef RESOLVE
  cuda = {};
  cuda.vendor = &amdDriver;
#define SAME(function, hipFunction)                                                                                    \
  if (!(entry = dlsym(library, #hipFunction)))                                                                         \
    return failOld(name, #hipFunction);                                                                                \
  cuda.function = reinterpret_cast<decltype(cuda.function)>(entry);
#define ADAPTED(function, hipFunction, adapter) cuda.function = hipAdapters::adapter;
  TILECC_HIP_TABLE(SAME, ADAPTED)
#undef SAME
#undef ADAPTED
  return ttSuccess;
}

ttError_t tilecc::rt::openHipDriver(int *count, char *whyNone, size_t whyNoneSize) {
  *count = 0;
  void *library;
  const char *name;
  if (ttError_t error = openLibrary(&library, &name, whyNone, whyNoneSize))
    return error;
  if (!library)
    return ttSuccess;
  if (ttError_t error = resolve(library, name))
    return error;
  if (ttError_t error = initializeDriver(count, whyNone, whyNoneSize))
    return error;
  // Handlers run in the opposite order, so this one runs before those that HIP has installed.
  atexit(endHip);
  return ttSuccess;
}
