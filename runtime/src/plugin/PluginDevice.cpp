//===-- PluginDevice.cpp - the device of a shared library that the environment names ------------------------------===//
//
// TILECC_DEVICE_PLUGINS names shared libraries, separated by colons, each of which has a device (device_plugin.h). They
// are opened if TILECC_DEVICE does not name one of the runtime's own devices. A device of a plug-in is never the
// default.
//
// Its calls are synchronous, so streams, events, graphs and pools are those of the host, as for OpenCL devices.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Error.h"
#include "HostCapture.h"
#include "HostDevice.h"
#include "plugin/PluginModule.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

const tilecc_device_plugin *tilecc::rt::devicePlugin = nullptr;

static const char *pluginFiles() {
  const char *files = secure_getenv("TILECC_DEVICE_PLUGINS");
  return files && *files ? files : nullptr;
}

// Opens the library `file`. It is never closed: memory of its device may be in use until the end.
static ttError_t openLibrary(const char *file, const tilecc_device_plugin **plugin) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(ttErrorInitializationError, "TILECC_DEVICE_PLUGINS: %s cannot be opened: %s", file, dlerror());
  auto *get = reinterpret_cast<const tilecc_device_plugin *(*)(void)>(dlsym(library, "tilecc_get_device_plugin"));
  if (!get)
    return fail(ttErrorInitializationError,
                "TILECC_DEVICE_PLUGINS: %s has no device: it does not define tilecc_get_device_plugin()", file);
  *plugin = get();
  if ((*plugin)->version != TILECC_DEVICE_PLUGIN_VERSION)
    return fail(ttErrorInitializationError,
                "TILECC_DEVICE_PLUGINS: %s is built for version %u of the interface for devices, and this program's "
                "runtime has version %u",
                file, (*plugin)->version, TILECC_DEVICE_PLUGIN_VERSION);
  return ttSuccess;
}

// Finds the plug-in whose device is called `name`. All libraries are opened until it is found.
static ttError_t findPlugin(const char *name) {
  char names[256] = "";
  for (const char *files = pluginFiles(); files && *files;) {
    char file[PATH_MAX];
    size_t length = strcspn(files, ":");
    if (length >= sizeof(file))
      return fail(ttErrorInitializationError, "TILECC_DEVICE_PLUGINS: the name of a file is too long");
    snprintf(file, sizeof(file), "%.*s", static_cast<int>(length), files);
    files += length + (files[length] == ':');
    if (!length)
      continue;
    const tilecc_device_plugin *plugin;
    if (ttError_t error = openLibrary(file, &plugin))
      return error;
    if (!strcmp(plugin->name, name)) {
      devicePlugin = plugin;
      return ttSuccess;
    }
    length = strlen(names);
    snprintf(names + length, sizeof(names) - length, "%s'%s'", length ? ", " : "", plugin->name);
  }
  return fail(ttErrorInvalidDevice,
              "TILECC_DEVICE=%s: neither the runtime nor TILECC_DEVICE_PLUGINS has such a device; the plug-ins have %s",
              name, names);
}

static ttError_t open(const char *variable, int *number, int *gpuCount) {
  if (ttError_t error = findPlugin(variable))
    return error;
  PLUGIN_TRY(ttErrorInitializationError, open);
  *number = 0;
  *gpuCount = 1;
  return ttSuccess;
}

// This kind is asked last, because any name may be a plug-in's.
static bool isNamed(const char *, int *) { return pluginFiles() != nullptr; }

static ttError_t properties(int, ttDeviceProp &properties) {
  tilecc_device_description description = {};
  PLUGIN_TRY(ttErrorUnknown, describe, &description);
  snprintf(properties.name, sizeof(properties.name), "%s", description.name);
  properties.kind = ttDeviceKindPlugin;
  properties.multiProcessorCount = description.multiprocessors;
  properties.totalGlobalMem = description.memory_bytes;
  return ttSuccess;
}

static ttError_t use(int) { return ttSuccess; }

static ttError_t ordinal(int *ordinal) {
  *ordinal = 0;
  return ttSuccess;
}

static ttError_t synchronize() { return refuseWhileCapturing("ttDeviceSynchronize"); }

static ttError_t allocate(void **pointer, size_t bytes) {
  *pointer = nullptr;
  PLUGIN_TRY(ttErrorMemoryAllocation, allocate, pointer, bytes ? bytes : 1);
  return ttSuccess;
}

static ttError_t allocateHost(void **, size_t) {
  return fail(ttErrorNotSupported, "devices of plug-ins cannot access host memory");
}

static ttError_t release(void *pointer) {
  PLUGIN_TRY(ttErrorInvalidValue, release, pointer);
  return ttSuccess;
}

// Plug-ins do not report free memory.
static ttError_t memoryInfo(size_t *freeBytes, size_t *totalBytes) {
  tilecc_device_description description = {};
  PLUGIN_TRY(ttErrorUnknown, describe, &description);
  *freeBytes = *totalBytes = description.memory_bytes;
  return ttSuccess;
}

static ttError_t copy(void *to, const void *from, size_t bytes) {
  if (!to || !from)
    return fail(ttErrorInvalidValue, "ttMemcpy of %zu bytes %s a null pointer", bytes, to ? "from" : "to");
  if (bytes)
    PLUGIN_TRY(ttErrorInvalidValue, copy, to, from, bytes);
  return ttSuccess;
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  if (!pointer)
    return fail(ttErrorInvalidValue, "ttMemset of %zu bytes at a null pointer", bytes);
  if (bytes)
    PLUGIN_TRY(ttErrorInvalidValue, set, pointer, byte, bytes);
  return ttSuccess;
}

static ttError_t activePrograms(Kernel &, int *programs) {
  tilecc_device_description description = {};
  PLUGIN_TRY(ttErrorUnknown, describe, &description);
  *programs = description.multiprocessors;
  return ttSuccess;
}

static ttError_t function(Kernel &kernel, ttFunction_t *) {
  return fail(ttErrorNotSupported, "kernel '%s': the current device is a plug-in's, which has no CUDA functions",
              kernel.abi->display_name);
}

static void beforeFork() {}
static void afterFork(bool) {} // a plug-in that cannot be used in a child reports that itself

static constinit const HostPrimitives primitives = {
    .allocate = allocate,
    .release = release,
    .allocateHost = allocateHost,
    .releaseHost = release,
    .info = memoryInfo,
    .copy = copy,
    .set = set,
    .launch = launchOnPlugin,
};

constinit const DeviceKind tilecc::rt::pluginDevice = asHostDevice({
    .kind = ttDeviceKindPlugin,
    .name = "the device of a plug-in",
    .variable = "one of TILECC_DEVICE_PLUGINS",
    .isNamed = isNamed,
    .open = open,
    .beforeFork = beforeFork,
    .afterFork = afterFork,
    .properties = properties,
    .use = use,
    .ordinal = ordinal,
    .synchronize = synchronize,
    .host = &primitives,
    .activePrograms = activePrograms,
    .preload = preloadOnPlugin,
    .function = function,
    .attributes = pluginAttributes,
    .unload = unloadFromPlugin,
});
