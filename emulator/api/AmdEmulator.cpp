//===-- AmdEmulator.cpp - the C interface for code objects of AMD GPUs: libtilecc_emu_amd ----------------------===//
//
// A module is a code object (hsaco). The architecture of a device is 0, because each object names its own.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/amd/Machine.h"
#include "emulator/amd/Table.h"
#include "emulator/api/EmulatedDevice.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

struct tilecc_emu_kernel {
  tilecc_emu_module *module;
  const KernelObject *object;
  std::string displayName;
  std::unique_ptr<amd::Program> program;
};

struct tilecc_emu_module {
  tilecc_emu_device *device;
  std::unique_ptr<CodeObject> object;
  uint64_t image = 0; // its address in device memory
  std::mutex lock;    // guards the rest
  std::map<std::string, std::unique_ptr<tilecc_emu_kernel>> kernels;

  ~tilecc_emu_module() {
    if (image)
      device->memory.free(image);
  }
};

int tilecc::emu::recordException() {
  try {
    throw;
  } catch (const Fault &fault) {
    return fail(fault.error, fault.what());
  } catch (const Unsupported &error) {
    return fail(errorInvalidPtx, error.what());
  } catch (const std::bad_alloc &) {
    return fail(errorMemoryAllocation, "the emulator is out of memory");
  } catch (const std::exception &error) {
    return fail(errorUnknown, std::string("the emulator failed: ") + error.what());
  }
}

std::string tilecc::emu::findUnsupported(const tilecc_emu_options &options) {
  if (options.profile)
    return "the emulator of AMD GPUs makes no profiles";
  return options.arch ? "the emulator of AMD GPUs takes the architecture of each code object" : "";
}

// Returns the LDS per workgroup: 160 KiB on gfx950, and 64 KiB on all other processors.
static size_t sharedLimit(const Target &target) { return target.isGfx950() ? 160 * 1024 : 64 * 1024; }

TILECC_EMU_EXPORT size_t tilecc_emu_shared_limit(uint32_t arch) {
  Target target;
  target.major = arch >> 8, target.minor = arch >> 4 & 15, target.stepping = arch & 15;
  return sharedLimit(target);
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_tensor_map_encode_tiled(void *, int, uint32_t, void *, const uint64_t *,
                                                                      const uint64_t *, const uint32_t *,
                                                                      const uint32_t *, int, int, int, int) {
  return fail(errorNotSupported, "AMD GPUs have no tensor maps");
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_tensor_map_encode_im2col(void *, int, uint32_t, void *, const uint64_t *,
                                                                       const uint64_t *, const int *, const int *,
                                                                       uint32_t, uint32_t, const uint32_t *, int, int,
                                                                       int, int) {
  return fail(errorNotSupported, "AMD GPUs have no tensor maps");
}

//===-- Modules ------------------------------------------------------------------------------------------------===//

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_load(tilecc_emu_device *device, const char *bytes, size_t size,
                                                   const char *name, tilecc_emu_module **module) {
  return guarded([&]() -> int {
    auto made = std::make_unique<tilecc_emu_module>();
    made->device = device;
    made->object = CodeObject::read(bytes, size, name);
    std::vector<char> &image = made->object->image;
    DeviceMemory &memory = device->memory;
    if (!(made->image = memory.allocate(image.size())))
      return fail(errorMemoryAllocation, "the emulator is out of memory");
    for (const CodeObject::Relocation &relocation : made->object->relocations) {
      uint64_t value = made->image + relocation.to;
      if (relocation.at + sizeof(value) > image.size())
        return fail(errorInvalidPtx, std::string(name) + ": error: a relocation lies outside of the image");
      std::memcpy(image.data() + relocation.at, &value, sizeof(value));
    }
    std::memcpy(memory.backing(made->image, image.size()), image.data(), image.size());
    memory.markInitialized(made->image, image.size());
    *module = made.release();
    return success;
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_unload(tilecc_emu_module *module) {
  delete module;
  return success;
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_get_kernel(tilecc_emu_module *module, const char *symbol,
                                                         const char *displayName, tilecc_emu_kernel **kernel) {
  return guarded([&]() -> int {
    std::lock_guard guard(module->lock);
    std::unique_ptr<tilecc_emu_kernel> &entry = module->kernels[symbol];
    if (!entry) {
      const std::vector<KernelObject> &all = module->object->kernels;
      auto found = std::find_if(all.begin(), all.end(), [&](const KernelObject &k) { return k.name == symbol; });
      if (found == all.end())
        return fail(errorSymbolNotFound, "the module has no kernel '" + std::string(symbol) + "'");
      auto made = std::make_unique<tilecc_emu_kernel>();
      made->module = module;
      made->object = &*found;
      made->displayName = displayName ? displayName : symbol;
      made->program = amd::decode(*module->object, *found);
      made->program->imageAddress = module->image;
      entry = std::move(made);
    }
    *kernel = entry.get();
    return success;
  });
}

TILECC_EMU_EXPORT const char *tilecc_emu_kernel_name(const tilecc_emu_module *module, size_t index) {
  const std::vector<KernelObject> &all = module->object->kernels;
  return index < all.size() ? all[index].name.c_str() : nullptr;
}

// Returns the parameters that are not hidden.
static const KernelObject::Argument *parameter(const tilecc_emu_kernel *kernel, size_t index) {
  for (const KernelObject::Argument &argument : kernel->object->arguments)
    if (!argument.isHidden() && index-- == 0)
      return &argument;
  return nullptr;
}

TILECC_EMU_EXPORT size_t tilecc_emu_param_size(const tilecc_emu_kernel *kernel, size_t index) {
  const KernelObject::Argument *found = parameter(kernel, index);
  return found ? found->size : 0;
}

TILECC_EMU_EXPORT void tilecc_emu_get_attributes(const tilecc_emu_kernel *kernel,
                                                 tilecc_emu_kernel_attributes *attributes) {
  *attributes = {kernel->object->sharedBytes, kernel->object->scratchBytes, kernel->object->maxThreads, 0};
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_get_global(tilecc_emu_module *module, const char *symbol, void **address,
                                                         size_t *bytes) {
  return guarded([&]() -> int {
    for (const CodeObject::Symbol &variable : module->object->variables)
      if (variable.name == symbol) {
        *address = reinterpret_cast<void *>(module->image + variable.address);
        *bytes = variable.size;
        return success;
      }
    return fail(errorSymbolNotFound, "the module has no variable '" + std::string(symbol) + "'");
  });
}

//===-- Launches -----------------------------------------------------------------------------------------------===//

int tilecc::emu::completeConfiguration(const tilecc_emu_kernel &kernel, tilecc_emu_launch_config &config) {
  const KernelObject &object = *kernel.object;
  auto invalid = [&](const std::string &why) {
    return fail(errorInvalidConfiguration, "kernel '" + kernel.displayName + "': " + why);
  };
  uint64_t threads = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (threads == 0 || threads > 1024 || threads > object.maxThreads)
    return invalid("a workgroup of " + std::to_string(threads) + " work-items; it must have 1 to " +
                   std::to_string(std::min(object.maxThreads, 1024u)));
  for (int axis = 0; axis < 3; ++axis) {
    if (config.grid[axis] == 0)
      return invalid("an empty grid");
    if (config.cluster[axis] > 1)
      return invalid("AMD GPUs have no clusters");
    if (object.requiredBlock[axis] && object.requiredBlock[axis] != config.block[axis])
      return invalid("a workgroup of " + std::to_string(config.block[axis]) + " work-items along dimension " +
                     std::to_string(axis) + ", and the kernel requires " + std::to_string(object.requiredBlock[axis]));
  }
  size_t limit = sharedLimit(kernel.program->target), bytes = object.sharedBytes + size_t(config.shared_bytes);
  if (bytes > limit)
    return invalid(std::to_string(bytes) + " bytes of LDS, and a workgroup may have " + std::to_string(limit));
  if (config.cooperative)
    return fail(errorNotSupported, "the emulator of AMD GPUs has no cooperative launches");
  if (object.scratchBytes && kernel.program->target.isGfx9() && kernel.program->target.minor < 4)
    return fail(errorNotSupported, "the emulator has no scratch memory by buffers, which gfx90a uses");
  return success;
}

namespace {
// Device memory that is freed at the end of a launch.
class Temporary {
public:
  Temporary(DeviceMemory &memory, size_t bytes) : memory(memory), address(memory.allocate(bytes)) {
    if (!address)
      throw std::bad_alloc();
  }
  ~Temporary() { memory.free(address); }
  Temporary(const Temporary &) = delete;
  void write(size_t offset, const void *bytes, size_t size) {
    std::memcpy(memory.backing(address + offset, size), bytes, size);
    memory.markInitialized(address + offset, size);
  }
  DeviceMemory &memory;
  const uint64_t address;
};
} // namespace

// Argument segments are allocated in units of 16 bytes. Targets without a scalar load of three words load four.
static size_t segmentBytes(const KernelObject &object) { return std::max((object.argumentBytes + 15) / 16 * 16, 16u); }

static void writeArguments(Temporary &segment, const KernelObject &object, const tilecc_emu_launch_config &config,
                           void *const *args) {
  std::vector<char> zeros(segmentBytes(object)); // padding between arguments
  segment.write(0, zeros.data(), zeros.size());
  size_t next = 0;
  for (const KernelObject::Argument &argument : object.arguments) {
    if (!argument.isHidden()) {
      segment.write(argument.offset, args[next++], argument.size);
      continue;
    }
    // "hidden_block_count_x": the last letter is the axis.
    uint64_t value = 0;
    unsigned axis = static_cast<unsigned>(argument.kind.back() - 'x') % 3;
    if (argument.kind.rfind("hidden_block_count", 0) == 0)
      value = config.grid[axis];
    else if (argument.kind.rfind("hidden_group_size", 0) == 0)
      value = config.block[axis];
    else if (argument.kind == "hidden_grid_dims")
      value = 3;
    else if (argument.kind == "hidden_dynamic_lds_size")
      value = config.shared_bytes;
    segment.write(argument.offset, &value, std::min<size_t>(argument.size, sizeof(value)));
  }
}

// hsa_kernel_dispatch_packet_t
static void writeDispatch(Temporary &packet, const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config,
                          uint64_t arguments) {
  struct {
    uint16_t header, setup, block[3], reserved;
    uint32_t grid[3], scratchBytes, sharedBytes;
    uint64_t object, arguments, reserved2, completion;
  } fields = {};
  static_assert(sizeof(fields) == 64);
  fields.setup = 3;
  for (int axis = 0; axis < 3; ++axis) {
    fields.block[axis] = static_cast<uint16_t>(config.block[axis]);
    fields.grid[axis] = config.grid[axis] * config.block[axis];
  }
  fields.scratchBytes = kernel.object->scratchBytes;
  fields.sharedBytes = kernel.object->sharedBytes + config.shared_bytes;
  fields.arguments = arguments;
  packet.write(0, &fields, sizeof(fields));
}

static LaunchNames namesOf(const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config) {
  LaunchNames names = nameLaunch(kernel.displayName, config);
  const amd::Program *program = kernel.program.get();
  CodeObject *object = kernel.module->object.get();
  names.source = [program, object](uint32_t pc) -> std::string {
    static std::mutex lock; // LLVM's reader is not thread-safe
    std::lock_guard guard(lock);
    SourcePlace at = object->source(program->code[pc].address);
    return at.line ? at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) : "";
  };
  names.instruction = [program, object](uint32_t pc) {
    char address[32];
    snprintf(address, sizeof(address), "0x%llx", static_cast<unsigned long long>(program->code[pc].address));
    return program->code[pc].text + "   (" + object->name + ", " + address + ")";
  };
  return names;
}

tilecc_emu_device &tilecc::emu::getDevice(const tilecc_emu_kernel &kernel) { return *kernel.module->device; }

int tilecc::emu::runLaunch(tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config, void *const *args,
                           tilecc_emu_stats &stats) {
  tilecc_emu_device &device = *kernel.module->device;
  const tilecc_emu_options &options = device.options;
  Reporter reporter = makeReporter(options, namesOf(kernel, config));
  Temporary arguments(device.memory, segmentBytes(*kernel.object)), packet(device.memory, 64);
  writeArguments(arguments, *kernel.object, config, args);
  writeDispatch(packet, kernel, config, arguments.address);

  amd::Launch launch;
  launch.program = kernel.program.get();
  launch.memory = &device.memory;
  launch.reporter = &reporter;
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = config.grid[i];
    launch.block[i] = config.block[i];
  }
  launch.countsBanks = config.counts_banks;
  launch.sharedBytes = kernel.object->sharedBytes + config.shared_bytes;
  launch.arguments = arguments.address;
  launch.dispatch = packet.address;
  launch.instructionLimit = options.instruction_limit ? options.instruction_limit : defaultInstructionLimit;

  LaunchChecker::Options checks = getAccessChecks(options);
  checks.waveWarps = kernel.program->target.lanes() / warpLanes;
  std::unique_ptr<LaunchChecker> checker;
  if (options.checks)
    checker = std::make_unique<LaunchChecker>(checks, device.memory, reporter);
  launch.checker = checker.get();

  bool random = options.schedule == TILECC_EMU_SCHEDULE_RANDOM;
  int error = guarded([&] {
    amd::RunTotals totals = random ? amd::runRandom(launch, options.seed) : amd::runFast(launch, config.parallel);
    stats.warp_instructions = totals.waveInstructions;
    stats.thread_instructions = totals.laneInstructions;
    stats.bank_cycles = totals.banks.cycles;
    stats.bank_conflicts = totals.banks.conflicts;
    return success;
  });
  return countFindings(error, reporter, stats);
}

TILECC_EMU_EXPORT const char *tilecc_emu_instruction(size_t index) {
  return index < amd::rows().size() ? amd::rows()[index].names.data() : nullptr;
}
