//===-- EmulatorModule.cpp - loads and launches code on the emulator -------------------------------------------===//
//
// An object's slot holds its EmulatorModule. A kernel's slot holds its EmulatorKernel, which is set once.
// EmulatorDevice.cpp puts these functions in its table.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emu/EmulatorModule.h"
#include "emu/EmulatorLibrary.h"
#include "Error.h"
#include "Images.h"
#include "LaunchArguments.h"
#include "Profile.h"
#include "ThreadPool.h"
#include "Watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace tilecc::rt {

// An object's code.
struct EmulatorModule {
  tilecc_emu_module *module; // owned
  int image;                 // index of the loaded image
};

// A kernel. The object does not change once other threads can see it.
struct EmulatorKernel {
  int image;
  struct Variant {
    tilecc_emu_kernel *kernel; // owned by the module
    ProfileVariables profile; // where the code finds the buffer for its records, or null
  } variants[];
};

} // namespace tilecc::rt

using namespace tilecc::rt;

static ttError_t failNoImage(const Kernel &kernel) {
  const tilecc_module &object = *kernel.module->abi;
  char images[512];
  listImages(object, images, sizeof(images));
  if (emulator.isAmd)
    return fail(ttErrorNoKernelImageForDevice,
                "kernel '%s' (%s) has no code for gfx%x; it was compiled for: %s; compile it with "
                "--offload-arch=gfx%x as well",
                kernel.abi->display_name, object.source, emulator.arch, images, emulator.arch);
  if (!emulator.arch)
    return fail(ttErrorNoKernelImageForDevice,
                "kernel '%s' (%s) has no PTX, which the emulator runs; it was compiled for: %s; compile it with "
                "-gencode arch=compute_90,code=compute_90 as well",
                kernel.abi->display_name, object.source, images);
  return fail(ttErrorNoKernelImageForDevice,
              "kernel '%s' (%s) has no PTX that runs on sm_%u; it was compiled for: %s; compile it with "
              "-gencode arch=compute_%u,code=compute_%u as well",
              kernel.abi->display_name, object.source, emulator.arch, images, emulator.arch, emulator.arch);
}

// Records why the library did not load a kernel.
static ttError_t failLoad(const Kernel &kernel, tilecc_emu_error error) {
  return fail(errorOf(error), "kernel '%s' (%s) cannot be loaded: %s", kernel.abi->display_name,
              kernel.module->abi->source, emulator.error_message());
}

// Writes the name of an object's code for messages: "add.ptx" or "add.hsaco" for add.tt.cpp, which is the file that
// `tcc -ptx` or `tcc --emit=hsaco` writes.
static void nameCode(const tilecc_module &object, char *name, size_t size) {
  const char *slash = strrchr(object.source, '/'), *base = slash ? slash + 1 : object.source;
  const char *extension = strstr(base, ".tt.");
  snprintf(name, size, "%.*s.%s", static_cast<int>(extension ? extension - base : strlen(base)), base,
           emulator.isAmd ? "hsaco" : "ptx");
}

// Sets `result` to the code of the object that contains the kernel, and loads the code on first use. The caller holds
// the object's lock (Module::loading).
static ttError_t loadModule(const Kernel &kernel, const EmulatorModule **result) {
  Module &object = *kernel.module;
  if ((*result = static_cast<const EmulatorModule *>(object.loaded[emulatorSlot])))
    return ttSuccess;
  int index = emulator.isAmd ? chooseCodeObject(*object.abi, emulator.arch)
                             : chooseImage(*object.abi, emulator.arch, /*onlyPtx=*/true);
  if (index == noImage)
    return failNoImage(kernel);
  const tilecc_image &image = object.abi->images[index];
  tilecc_emu_module *module;
  char name[256];
  nameCode(*object.abi, name, sizeof(name));
  WatchedWork watched(&emulatorDevice, WatchedWork::onHost, "load", object.abi->source);
  if (tilecc_emu_error error =
          emulator.load(emulator.device, static_cast<const char *>(image.data), image.size, name, &module))
    return failLoad(kernel, error);
  auto *loaded = static_cast<EmulatorModule *>(malloc(sizeof(EmulatorModule)));
  if (!loaded) {
    emulator.unload(module);
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  }
  *loaded = {module, index};
  object.loaded[emulatorSlot] = loaded;
  *result = loaded;
  return ttSuccess;
}

// Returns the address of a variable of a module, or null.
static void *findVariable(void *module, const char *name) {
  void *address;
  size_t bytes;
  return emulator.get_global(static_cast<tilecc_emu_module *>(module), name, &address, &bytes) ? nullptr : address;
}

static constexpr ProfileMemory profileMemory = {
    .allocate = [](void **pointer,
                   size_t bytes) { return errorOf(emulator.allocate(emulator.device, bytes, pointer)); },
    .free = [](void *pointer) { return errorOf(emulator.free(emulator.device, pointer)); },
    .copy = [](void *to, const void *from,
               size_t bytes) { return errorOf(emulator.copy(emulator.device, to, from, bytes)); },
    .synchronize = [] { return ttSuccess; }, // launches have ended
};

// Returns the kernel; loads it if necessary.
static ttError_t load(Kernel &kernel, const EmulatorKernel **result) {
  std::atomic<void *> &slot = kernel.loaded[emulatorSlot];
  if ((*result = static_cast<const EmulatorKernel *>(slot.load(std::memory_order_acquire))))
    return ttSuccess;
  Lock lock(kernel.module->loading);
  if ((*result = static_cast<const EmulatorKernel *>(slot.load(std::memory_order_relaxed))))
    return ttSuccess;
  const EmulatorModule *module = nullptr;
  if (ttError_t error = loadModule(kernel, &module))
    return error;
  const tilecc_kernel &abi = *kernel.abi;
  auto *loaded = static_cast<EmulatorKernel *>(
      calloc(1, sizeof(EmulatorKernel) + abi.variant_count * sizeof(EmulatorKernel::Variant)));
  if (!loaded)
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", abi.display_name);
  loaded->image = module->image;
  for (uint32_t i = 0; i < abi.variant_count; ++i) {
    const char *symbol = abi.variants[i].symbol;
    if (tilecc_emu_error error =
            emulator.get_kernel(module->module, symbol, abi.display_name, &loaded->variants[i].kernel)) {
      free(loaded);
      return failLoad(kernel, error);
    }
    loaded->variants[i].profile = findProfile(symbol, findVariable, module->module);
  }
  slot.store(loaded, std::memory_order_release);
  *result = loaded;
  return ttSuccess;
}

namespace {
struct Work {
  void (*body)(void *context, uint64_t index);
  void *context; // not owned
};
} // namespace

static void runRange(const void *context, uint64_t begin, uint64_t end, void *) {
  const auto &work = *static_cast<const Work *>(context);
  for (uint64_t i = begin; i < end; ++i)
    work.body(work.context, i);
}

// tilecc_emu_parallel: runs the blocks of a grid on the CPU device's threads.
static void runParallel(uint64_t count, void (*body)(void *context, uint64_t index), void *context) {
  Work work = {body, context};
  runOnAllThreads(count, /*scratchBytes=*/0, runRange, &work);
}

// Returns true for an error that a GPU would report only after the launch, which itself succeeds.
static bool isWrongdoing(ttError_t error) {
  switch (error) {
  case ttErrorIllegalAddress:
  case ttErrorLaunchTimeout:
  case ttErrorAssert:
  case ttErrorHardwareStackError:
  case ttErrorIllegalInstruction:
  case ttErrorMisalignedAddress:
  case ttErrorInvalidAddressSpace:
  case ttErrorInvalidPc:
  case ttErrorLaunchFailure: return true;
  default: return false;
  }
}

// The largest number of programs that run at the same time, several per thread in turns.
enum : uint64_t { maxCooperativePrograms = 256 };

static const tilecc_gpu_entry &entryOf(const Kernel &kernel, const EmulatorKernel &loaded, uint32_t variant) {
  return kernel.abi->variants[variant].gpu[loaded.image];
}

// There is one multiprocessor per thread, which runs one block at a time, or several parts of programs in turns.
static auto countBlocksAtOnce(const Kernel &kernel, const EmulatorKernel &loaded) {
  constexpr uint64_t partsAtOnce = 4;
  return [&kernel, &loaded](uint32_t variant) {
    const bool runsParts = kernel.abi->variants[variant].demands & TILECC_EVEN_SHARES;
    return BlocksAtOnce{threadCount() * (runsParts ? partsAtOnce : 1), threadCount(), &entryOf(kernel, loaded, variant),
                        threadCount()};
  };
}

ttError_t tilecc::rt::emulatorVariant(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant) {
  const EmulatorKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  *variant = chooseVariant(*kernel.abi, args, grid, countBlocksAtOnce(kernel, *loaded));
  return ttSuccess;
}

static ttError_t launchVariant(Kernel &kernel, const EmulatorKernel &loaded, uint32_t variant, ttDim3 grid,
                               LaunchForm form, HostAttributes attributes, void **args) {
  const bool cooperative = attributes.cooperative;
  const tilecc_gpu_entry &entry = entryOf(kernel, loaded, variant);
  // Pair the blocks as for a GPU that has one multiprocessor per thread of the emulator.
  const uint32_t inPairs = form.isInPairs && !cooperative ? countBlocksInPairs(grid, threadCount()) : 0;
  if (inPairs)
    grid.x = inPairs;
  else if (entry.persistent && !cooperative)
    grid.x = countBlocks(grid, threadCount());
  // Unless its blocks are paired, a program is a cluster of blocks, adjacent along x.
  uint32_t cluster = inPairs ? 2 : entry.cluster;
  while (!entry.persistent && cluster < entry.max_blocks && cluster < form.maxBlocks &&
         (cluster + 1) * countAll(grid) <= threadCount() && !cooperative)
    ++cluster;
  uint64_t blocks = static_cast<uint64_t>(grid.x) * (inPairs ? 1 : cluster);
  if (blocks > INT32_MAX)
    return fail(ttErrorInvalidConfiguration,
                "kernel '%s': a grid of %u programs along x, in clusters of %u blocks, is beyond the limit of 2^31 - 1 "
                "blocks",
                kernel.abi->display_name, grid.x, cluster);
  uint64_t all = countAll(grid);
  if (cooperative && all > maxCooperativePrograms)
    return fail(ttErrorCooperativeLaunchTooLarge,
                "kernel '%s': %llu programs cannot run at the same time on the emulator; the limit is %llu",
                kernel.abi->display_name, static_cast<unsigned long long>(all),
                static_cast<unsigned long long>(maxCooperativePrograms));
  tilecc_emu_launch_config config = {{static_cast<uint32_t>(blocks), grid.y, grid.z},
                                     {entry.threads, 1, 1},
                                     {cluster, 1, 1},
                                     entry.shared_bytes,
                                     runParallel,
                                     cooperative,
                                     attributes.devicesAlongZ,
                                     /*counts_banks=*/0};
  ttDim3 allBlocks = {static_cast<uint32_t>(blocks), grid.y, grid.z};
  auto launchNow = [&] { return emulator.launch(loaded.variants[variant].kernel, &config, args, nullptr); };
  tilecc_emu_error error;
  if (ProfileVariables variables = loaded.variants[variant].profile; variables && wantsProfile(kernel)) {
    ProfileGuard guard;
    ProfiledLaunch profile(profileMemory, kernel, variables, countRecordingWarps(allBlocks, entry.threads));
    error = launchNow();
    profile.finish();
  } else {
    error = launchNow();
  }
  return isWrongdoing(errorOf(error)) ? ttSuccess : error ? failEmulator(error) : ttSuccess;
}

namespace {
// See LaunchArguments.h.
struct EmulatorMeans {
  const Kernel &kernel;
  const EmulatorKernel &loaded;
  bool isCooperative;

  bool exist() const { return !isCooperative; }
  uint32_t countClusters(uint32_t variant, uint64_t programs, uint32_t usefulBlocks) const {
    return tilecc::rt::countClusters(programs, entryOf(kernel, loaded, variant).max_blocks, usefulBlocks,
                                     [](uint32_t size) { return threadCount() / size; });
  }
  static void *allocate(uint64_t bytes, uint64_t zeros) {
    void *memory = nullptr, *zero = calloc(zeros, 1);
    if (zero && !profileMemory.allocate(&memory, bytes))
      profileMemory.copy(memory, zero, zeros);
    ::free(zero);
    return memory;
  }
  static void free(void *memory) { profileMemory.free(memory); }
};
} // namespace

ttError_t tilecc::rt::launchOnEmulator(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args) {
  const EmulatorKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  if (!threadCount())
    return ttPeekAtLastError();
  return withVariant(
      *kernel.abi, grid, args, {emulator.tensor_map_encode_tiled, emulator.tensor_map_encode_im2col},
      [&](uint32_t variant) -> const tilecc_gpu_entry & { return entryOf(kernel, *loaded, variant); },
      countBlocksAtOnce(kernel, *loaded), EmulatorMeans{kernel, *loaded, bool(attributes.cooperative)},
      [&](uint32_t variant, ttDim3 blocks, void **args, LaunchForm form) {
        return launchVariant(kernel, *loaded, variant, blocks, form, attributes, args);
      });
}

ttError_t tilecc::rt::preloadOnEmulator(Kernel &kernel) {
  const EmulatorKernel *loaded;
  return load(kernel, &loaded);
}

ttError_t tilecc::rt::emulatorAttributes(Kernel &kernel, ttFuncAttributes &attributes) {
  const EmulatorKernel *loaded;
  if (ttError_t error = load(kernel, &loaded))
    return error;
  describeEntry(*kernel.abi, loaded->image, attributes);
  attributes.binary_version = archNumber(kernel.module->abi->images[loaded->image]);
  return ttSuccess;
}

void tilecc::rt::unloadFromEmulator(Module &module) {
  if (auto *loaded = static_cast<EmulatorModule *>(module.loaded[emulatorSlot])) {
    emulator.unload(loaded->module);
    free(loaded);
  }
  module.loaded[emulatorSlot] = nullptr;
  for (uint32_t i = 0; i < module.abi->kernel_count; ++i)
    free(module.kernels[i].loaded[emulatorSlot].exchange(nullptr));
}
