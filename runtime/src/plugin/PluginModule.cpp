//===-- PluginModule.cpp -----------------------------------------------------------------------------------------===//
//
// An object's slot holds the module that the plug-in has loaded, and a kernel's slot holds the functions of its
// variants. Both are set once, by the first launch.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "plugin/PluginModule.h"
#include "Device.h"
#include "Error.h"
#include "Images.h"
#include "Variant.h"
#include "Watch.h"

#include <stdlib.h>

namespace tilecc::rt {

struct PluginKernel {
  int image; // index of the image
  void *functions[]; // of each variant; owned by the module
};

} // namespace tilecc::rt

using namespace tilecc::rt;

// Programs have one image for each target of a back end; the device of a plug-in runs the first one of its kind.
static int findImageOfPlugin(const tilecc_module &object) {
  for (uint32_t i = 0; i < object.image_count; ++i)
    if (object.images[i].kind == devicePlugin->image_kind)
      return i;
  return noImage;
}

// Creates a kernel. The caller holds the module's lock.
static ttError_t create(Kernel &kernel, PluginKernel &loaded) {
  Module &module = *kernel.module;
  const tilecc_module &object = *module.abi;
  loaded.image = findImageOfPlugin(object);
  if (loaded.image == noImage) {
    char images[512];
    return fail(ttErrorNoKernelImageForDevice,
                "kernel '%s' (%s) has no code for the device '%s' of TILECC_DEVICE_PLUGINS; it was compiled for: %s",
                kernel.abi->display_name, object.source, devicePlugin->name,
                listImages(object, images, sizeof(images)));
  }
  const tilecc_image &image = object.images[loaded.image];
  void *&slot = module.loaded[pluginSlot];
  if (!slot) {
    WatchedWork watched(&pluginDevice, WatchedWork::onHost, "load", object.source);
    PLUGIN_TRY(ttErrorInvalidKernelImage, load, &slot, image.data, image.size);
  }
  for (uint32_t v = 0; v < kernel.abi->variant_count; ++v)
    PLUGIN_TRY(ttErrorInvalidKernelImage, find, &loaded.functions[v], slot, kernel.abi->variants[v].symbol);
  return ttSuccess;
}

static ttError_t load(Kernel &kernel, PluginKernel **result) {
  std::atomic<void *> &slot = kernel.loaded[pluginSlot];
  if ((*result = static_cast<PluginKernel *>(slot.load(std::memory_order_acquire))))
    return ttSuccess;
  Lock lock(kernel.module->loading);
  if ((*result = static_cast<PluginKernel *>(slot.load(std::memory_order_relaxed))))
    return ttSuccess;
  auto *loaded =
      static_cast<PluginKernel *>(calloc(1, sizeof(PluginKernel) + kernel.abi->variant_count * sizeof(void *)));
  if (!loaded)
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  if (ttError_t error = create(kernel, *loaded)) {
    free(loaded);
    return error;
  }
  slot.store(loaded, std::memory_order_release);
  *result = loaded;
  return ttSuccess;
}

ttError_t tilecc::rt::launchOnPlugin(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args) {
  PluginKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  if (attributes.cooperative)
    return fail(ttErrorNotSupported, "kernel '%s': devices of plug-ins have no cooperative launches",
                kernel.abi->display_name);
  uint32_t variant = chooseVariant(*kernel.abi, args);
  const tilecc_gpu_entry &entry = kernel.abi->variants[variant].gpu[loaded->image];
  tilecc_device_launch launch = {{grid.x, grid.y, grid.z}, entry.threads,      entry.shared_bytes,
                                 kernel.abi->param_count,  kernel.abi->params, args};
  if (const char *message = devicePlugin->launch(loaded->functions[variant], &launch))
    return fail(ttErrorLaunchFailure, "kernel '%s': device '%s': %s", kernel.abi->display_name, devicePlugin->name,
                message);
  return ttSuccess;
}

ttError_t tilecc::rt::preloadOnPlugin(Kernel &kernel) {
  PluginKernel *loaded;
  return load(kernel, &loaded);
}

ttError_t tilecc::rt::pluginAttributes(Kernel &kernel, ttFuncAttributes &attributes) {
  PluginKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  describeEntry(*kernel.abi, loaded->image, attributes);
  return ttSuccess;
}

void tilecc::rt::unloadFromPlugin(Module &module) {
  for (uint32_t i = 0; i < module.abi->kernel_count; ++i)
    free(module.kernels[i].loaded[pluginSlot].exchange(nullptr));
  if (void *&slot = module.loaded[pluginSlot]) {
    devicePlugin->unload(slot); // a failure can no longer be reported
    slot = nullptr;
  }
}
