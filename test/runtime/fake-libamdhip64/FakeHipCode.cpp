//===-- FakeHipCode.cpp - the fake HIP's modules and launches ----------------------------------------------------===//
#include "FakeHip.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>

using namespace fake;

// Never destroyed.
static auto &modules = *new std::set<CUmodule>;
static auto &functions = *new std::set<const void *>;

const Emulator &fake::emulator() {
  static Emulator &opened = *new Emulator{};
  if (opened.device)
    return opened;
  void *library = dlopen(FAKE_HIP_EMULATOR, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "fake HIP: %s\n", dlerror());
    _exit(66);
  }
#define RESOLVE(name) opened.name = reinterpret_cast<decltype(opened.name)>(dlsym(library, "tilecc_emu_" #name));
  FAKE_EMULATOR(RESOLVE)
#undef RESOLVE
  tilecc_emu_options options = {};
  options.version = TILECC_EMULATOR_VERSION;
  options.checks = TILECC_EMU_CHECK_ALL;
  if (opened.create(&options, &opened.device)) {
    fprintf(stderr, "fake HIP: %s\n", opened.error_message());
    _exit(66);
  }
  return opened;
}

//===-- Code ------------------------------------------------------------------------------------------------------===//

// The processor that a code object is for, from its flags.
static const char *processorOf(const Elf64_Ehdr &header) {
  switch (header.e_flags & 0xff) {
  case 0x3f:
    return "gfx90a";
  case 0x4c:
    return "gfx942";
  case 0x4f:
    return "gfx950";
  case 0x41:
    return "gfx1100";
  case 0x4e:
    return "gfx1201";
  default:
    return "unknown";
  }
}

// An image is a code object or, in tests without a compiler, text that begins with "fake"; its first line is its name.
FAKE(hipModuleLoadData)(CUmodule *module, const void *image) {
  ENTER("hipModuleLoadData");
  NOT_WHILE_CAPTURING("hipModuleLoadData");
  auto made = std::make_unique<CUmod_st>();
  made->device = currentDevice;
  auto *text = static_cast<const char *>(image);
  if (!strncmp(text, "fake", 4)) {
    made->name = std::string(text, strcspn(text, "\n"));
    logCall("hipModuleLoadData '%s' on device %d", made->name.c_str(), currentDevice);
  } else {
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof(header));
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_machine != 224) // EM_AMDGPU
      return wrong(invalidImage, "hipModuleLoadData: the image is no code object");
    std::string processor = processorOf(header), arch = archs[currentDevice].substr(0, archs[currentDevice].find(':'));
    logCall("hipModuleLoadData of %s on device %d", processor.c_str(), currentDevice);
    if (processor != arch)
      return wrong(noBinaryForGpu, "hipModuleLoadData: code for %s on %s", processor.c_str(), arch.c_str());
    size_t size = header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
    if (hipError_t error = emulator().load(emulator().device, text, size, "code object", &made->code))
      return wrong(error, "hipModuleLoadData: %s", emulator().error_message());
  }
  modules.insert(*module = made.release());
  return success;
}
FAKE(hipModuleUnload)(CUmodule module) {
  ENTER("hipModuleUnload");
  if (!modules.erase(module))
    return wrong(invalidHandle, "hipModuleUnload: there is no module %p", static_cast<void *>(module));
  logCall("hipModuleUnload '%s' on device %d", module->name.c_str(), module->device);
  if (module->device != currentDevice)
    return wrong(invalidHandle, "hipModuleUnload: the module is of device %d", module->device);
  TRY(finishDevice(module->device));
  for (auto &function : module->functions)
    functions.erase(function.get());
  if (module->code)
    emulator().unload(module->code);
  delete module;
  return success;
}
FAKE(hipModuleGetFunction)(CUfunction *function, CUmodule module, const char *name) {
  logCall("hipModuleGetFunction %s", name);
  ENTER("hipModuleGetFunction");
  if (!modules.count(module))
    return wrong(invalidHandle, "hipModuleGetFunction: there is no module %p", static_cast<void *>(module));
  tilecc_emu_kernel *code = nullptr;
  if (module->code && emulator().get_kernel(module->code, name, name, &code))
    return notFound;
  auto made = std::make_unique<CUfunc_st>(CUfunc_st{name, module, code});
  functions.insert(*function = made.get());
  module->functions.push_back(std::move(made));
  return success;
}
FAKE(hipFuncGetAttribute)(int *value, int attribute, CUfunction function) {
  ENTER("hipFuncGetAttribute");
  if (!isFunction(function))
    return wrong(invalidHandle, "hipFuncGetAttribute: there is no function %p", static_cast<void *>(function));
  *value = attribute == CU_FUNC_ATTRIBUTE_BINARY_VERSION ? 94 : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 0;
  return success;
}
FAKE(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, CUfunction function, int, size_t) {
  ENTER("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
  *blocks = blocksPerProcessor;
  return isFunction(function) ? success
                              : wrong(invalidHandle, "there is no function %p", static_cast<void *>(function));
}

bool fake::isFunction(const void *function) { return functions.count(function); }

KernelLaunch &KernelLaunch::operator=(const KernelLaunch &other) {
  function = other.function, grid = other.grid, block = other.block;
  sharedBytes = other.sharedBytes, values = other.values, isCooperative = other.isCooperative;
  pointers.clear();
  for (std::vector<char> &value : values)
    pointers.push_back(value.data());
  return *this;
}

std::string KernelLaunch::describe() const {
  auto list = [](const hipDim3 &dim) {
    return std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z);
  };
  return "kernel " + function->name + " grid " + list(grid) + " block " + list(block) + " shared " +
         std::to_string(sharedBytes) + (isCooperative ? " cooperative" : "");
}

hipError_t fake::makeLaunch(int device, const hipKernelNodeParams &params, bool isCooperative, KernelLaunch &launch) {
  if (!isFunction(params.func))
    return wrong(invalidHandle, "there is no function %p", params.func);
  launch.function = static_cast<CUfunction>(params.func);
  launch.grid = params.gridDim, launch.block = params.blockDim;
  launch.sharedBytes = params.sharedMemBytes;
  launch.isCooperative = isCooperative;
  const char *name = launch.function->name.c_str();
  if (launch.function->module->device != device)
    return wrong(invalidHandle, "%s is of device %d, and the launch on device %d", name,
                 launch.function->module->device, device);
  uint64_t blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  if (!blocks || !threads || threads > 1024 || launch.sharedBytes > ldsBytes ||
      uint64_t(launch.grid.x) * launch.block.x > UINT32_MAX || launch.grid.y > 65536 || launch.grid.z > 65536)
    return wrong(invalidValue, "%s: the configuration is invalid", launch.describe().c_str());
  if (isCooperative && blocks > processors * blocksPerProcessor)
    return cooperativeTooLarge;
  tilecc_emu_kernel *code = launch.function->code;
  if (!code)
    return success;
  tilecc_emu_kernel_attributes attributes;
  emulator().get_attributes(code, &attributes);
  if (threads > attributes.max_threads)
    return wrong(launchFailure, "%s: the kernel takes at most %u threads", launch.describe().c_str(),
                 attributes.max_threads);
  launch.values.clear();
  for (size_t i = 0, size; (size = emulator().param_size(code, i)); ++i) {
    if (!params.kernelParams || !params.kernelParams[i])
      return wrong(invalidValue, "%s: argument %zu is missing", name, i);
    auto *value = static_cast<const char *>(params.kernelParams[i]);
    launch.values.emplace_back(value, value + size);
    if (size != sizeof(void *))
      continue;
    void *pointer;
    memcpy(&pointer, value, sizeof(pointer));
    TRY(checkAccess(device, pointer));
  }
  launch = KernelLaunch(launch); // for pointers to the values
  return success;
}

// tilecc_emu_parallel: runs all blocks at the same time, so that they can wait for each other.
static void runAtOnce(uint64_t count, void (*body)(void *context, uint64_t index), void *context) {
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < count; ++i)
    threads.emplace_back(body, context, i);
  for (std::thread &thread : threads)
    thread.join();
}

hipError_t fake::runKernel(const KernelLaunch &launch) {
  logCall("runs %s", launch.describe().c_str());
  if (!launch.function->code)
    return success;
  tilecc_emu_launch_config config = {};
  const hipDim3 &grid = launch.grid, &block = launch.block;
  config.grid[0] = grid.x, config.grid[1] = grid.y, config.grid[2] = grid.z;
  config.block[0] = block.x, config.block[1] = block.y, config.block[2] = block.z;
  config.cluster[0] = config.cluster[1] = config.cluster[2] = 1;
  config.shared_bytes = launch.sharedBytes;
  config.parallel = launch.isCooperative ? runAtOnce : nullptr;
  int error = emulator().launch(launch.function->code, &config, launch.pointers.data(), nullptr);
  return error ? wrong(error, "%s: %s", launch.function->name.c_str(), emulator().error_message()) : success;
}

static hipError_t launchKernel(const char *name, const hipKernelNodeParams &params, CUstream stream,
                               bool isCooperative) {
  if (!isStream(stream))
    return wrong(invalidHandle, "%s: there is no stream %p", name, static_cast<void *>(stream));
  KernelLaunch launch;
  TRY(makeLaunch(deviceOf(stream), params, isCooperative, launch));
  return enqueue(
      name, stream, [=] { return runKernel(launch); },
      [&](CUgraph graph, CUgraphNode *node) { addKernelNode(graph, node, launch); });
}

FAKE(hipModuleLaunchKernel)
(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
 unsigned sharedBytes, CUstream stream, void **args, void **extra) {
  ENTER("hipModuleLaunchKernel");
  logCall("hipModuleLaunchKernel %s grid %u,%u,%u block %u,%u,%u shared %u stream %p device %d",
          isFunction(function) ? function->name.c_str() : "?", gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
          static_cast<void *>(stream), currentDevice);
  if (extra)
    return wrong(invalidValue, "hipModuleLaunchKernel has extra parameters");
  return launchKernel("hipModuleLaunchKernel",
                      {{blockX, blockY, blockZ}, nullptr, function, {gridX, gridY, gridZ}, args, sharedBytes}, stream,
                      /*isCooperative=*/false);
}
FAKE(hipModuleLaunchCooperativeKernel)
(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
 unsigned sharedBytes, CUstream stream, void **args) {
  ENTER("hipModuleLaunchCooperativeKernel");
  logCall("hipModuleLaunchCooperativeKernel %s grid %u,%u,%u", isFunction(function) ? function->name.c_str() : "?",
          gridX, gridY, gridZ);
  if (version() < 70000000 && isCaptured(stream))
    return wrong(captureUnsupported, "hipModuleLaunchCooperativeKernel is not captured by HIP 6");
  return launchKernel("hipModuleLaunchCooperativeKernel",
                      {{blockX, blockY, blockZ}, nullptr, function, {gridX, gridY, gridZ}, args, sharedBytes}, stream,
                      /*isCooperative=*/true);
}
