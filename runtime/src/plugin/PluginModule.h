//===-- PluginModule.h - loads and launches code on the device of a plug-in ---------------------------------------===//
#ifndef TILECC_RUNTIME_PLUGIN_PLUGINMODULE_H
#define TILECC_RUNTIME_PLUGIN_PLUGINMODULE_H

#include "HostMemory.h"
#include "KernelRegistry.h"
#include "tilecc/device_plugin.h"

namespace tilecc::rt {

// The plug-in whose device the process uses; null until one is opened, constant afterwards.
extern const tilecc_device_plugin *devicePlugin;

// Calls a function of the plug-in. Its message becomes the error from the enclosing function.
#define PLUGIN_TRY(code, function, ...)                                                                                \
  if (const char *message = devicePlugin->function(__VA_ARGS__))                                                       \
  return fail(code, "device '%s': %s", devicePlugin->name, message)

// DeviceKind's and HostPrimitives' functions of these names.
ttError_t launchOnPlugin(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args);
ttError_t preloadOnPlugin(Kernel &kernel);
ttError_t pluginAttributes(Kernel &kernel, ttFuncAttributes &attributes);
void unloadFromPlugin(Module &module);

} // namespace tilecc::rt
#endif
