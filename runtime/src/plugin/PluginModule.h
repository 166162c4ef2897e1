//===-- PluginModule.h - loads and launches code on the device of a plug-in ---------------------------------------===//
//
// A plug-in is a shared library that adds a kind of device (tilecc/device_plugin.h).
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_PLUGIN_PLUGINMODULE_H
#define TILECC_RUNTIME_PLUGIN_PLUGINMODULE_H

#include "HostMemory.h"
#include "KernelRegistry.h"
#include "tilecc/device_plugin.h"

namespace tilecc::rt {

// The plug-in whose device the process uses. It is null until a plug-in has been opened, and does not change
// afterwards.
extern const tilecc_device_plugin *devicePlugin;

// Calls a function of the plug-in. If it returns a message, returns an error with this message from the enclosing
// function.
#define PLUGIN_TRY(code, function, ...)                                                                                \
  if (const char *message = devicePlugin->function(__VA_ARGS__))                                                       \
  return fail(code, "device '%s': %s", devicePlugin->name, message)

// These functions implement the functions of DeviceKind and HostPrimitives with these names.
ttError_t launchOnPlugin(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args);
ttError_t preloadOnPlugin(Kernel &kernel);
ttError_t pluginAttributes(Kernel &kernel, ttFuncAttributes &attributes);
void unloadFromPlugin(Module &module);

} // namespace tilecc::rt
#endif
