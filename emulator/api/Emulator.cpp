//===-- Emulator.cpp - the C interface for PTX: libtilecc_emu ---------------------------------------------------===//
#include "emulator/api/EmulatedDevice.h"
#include "emulator/exec/Program.h"
#include "emulator/exec/Scheduler.h"
#include "emulator/isa/Table.h"
#include "emulator/memory/GridWorkspace.h"
#include "emulator/memory/TensorMap.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

using namespace tilecc::emu;

namespace {

// With this limit, a program that polls memory to which no thread writes is reported within seconds. Few launches
// compute this much without a store.
constexpr uint64_t defaultIdleLimit = uint64_t(1) << 26;

} // namespace

struct tilecc_emu_kernel {
  tilecc_emu_module *module;
  const ptx::Function *function;
  std::string displayName;
  std::unique_ptr<Program> program;
  KernelProfile *profile = nullptr; // of the device's profile, once launched, if there is one
};

struct tilecc_emu_module {
  tilecc_emu_device *device;
  std::unique_ptr<ptx::Module> ptx;
  std::string text; // of the PTX, whose lines findings quote
  std::vector<size_t> lineStarts;
  GlobalAddresses globals;
  std::map<std::string, size_t> globalSizes;
  std::mutex lock;
  std::map<std::string, std::unique_ptr<tilecc_emu_kernel>> kernels;

  std::string line(uint32_t number) const {
    if (number == 0 || number > lineStarts.size())
      return {};
    size_t begin = lineStarts[number - 1];
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string found = text.substr(begin, end - begin);
    size_t first = found.find_first_not_of(" \t"), last = found.find_last_not_of(" \t\r");
    return first == std::string::npos ? std::string() : found.substr(first, last - first + 1);
  }
};

int tilecc::emu::recordException() {
  try {
    throw;
  } catch (const Fault &fault) {
    return fail(fault.error, fault.what());
  } catch (const ptx::Error &error) {
    return fail(errorInvalidPtx, error.what());
  } catch (const std::bad_alloc &) {
    return fail(errorMemoryAllocation, "the emulator is out of memory");
  } catch (const std::exception &error) {
    return fail(errorUnknown, std::string("the emulator failed: ") + error.what());
  }
}

std::string tilecc::emu::findUnsupported(const tilecc_emu_options &options) {
  uint32_t arch = options.arch;
  return !arch || tilecc_emu_shared_limit(arch) ? "" : "the emulator does not know sm_" + std::to_string(arch);
}

//===-- Devices ------------------------------------------------------------------------------------------------===//

// The maximum shared memory of a block, by architecture (CUDA C++ Programming Guide, technical specifications).
TILECC_EMU_EXPORT size_t tilecc_emu_shared_limit(uint32_t arch) {
  switch (arch) {
  case 75: return 64 * 1024;
  case 80:
  case 87: return 163 * 1024;
  case 86:
  case 89:
  case 120:
  case 121: return 99 * 1024;
  case 90:
  case 100:
  case 101:
  case 103:
  case 110: return 227 * 1024;
  default: return 0;
  }
}

static tilecc_emu_error invalidMap(const std::string &why) { return fail(errorInvalidValue, "tensor map: " + why); }

// Sets the fields common to both kinds of maps, all except `box`.
static tilecc_emu_error describeTensor(TensorMap &made, const void *map, int type, uint32_t rank, void *address,
                                       const uint64_t *dims, const uint64_t *strides, const uint32_t *elementStrides,
                                       int interleave, int swizzle, int l2Promotion, int fill) {
  if (!map || reinterpret_cast<uintptr_t>(map) % TensorMap::alignment)
    return invalidMap("its 128 bytes must be aligned to 64");
  if (type < 0 || type >= TensorMap::typeCount)
    return invalidMap("there is no type " + std::to_string(type));
  if (rank == 0 || rank > TensorMap::maxDimensions)
    return invalidMap(std::to_string(rank) + " dimensions; a tensor has 1 to 5");
  if (!dims || !elementStrides || (rank > 1 && !strides))
    return invalidMap("an argument is null");
  if (interleave < 0 || interleave > 2 || swizzle < 0 || swizzle > 6 || l2Promotion < 0 || l2Promotion > 3 ||
      fill < 0 || fill > 1)
    return invalidMap("an argument is not a number of its enumeration");
  if (interleave || swizzle >= TensorMap::swizzleCount)
    return fail(errorNotSupported,
                "tensor map: interleaved layouts and swizzles of larger atoms are not supported by the emulator");
  if (type == TensorMap::u4Align8)
    return fail(errorNotSupported,
                "tensor map: numbers of 4 bits without gaps (16U4_ALIGN8B) are not supported by the emulator");
  made.address = reinterpret_cast<uint64_t>(address);
  made.rank = rank;
  made.type = TensorMap::Type(type);
  made.swizzle = TensorMap::Swizzle(swizzle);
  made.fillsWithNaN = fill;
  for (uint32_t d = 0; d < rank; ++d) {
    made.dims[d] = dims[d];
    made.strides[d] = d ? strides[d - 1] : made.elementBytes();
    made.elementStrides[d] = elementStrides[d];
  }
  return success;
}

static tilecc_emu_error storeMap(const TensorMap &made, void *map) {
  if (std::string why = made.check(); !why.empty())
    return invalidMap(why);
  made.store(*static_cast<std::byte(*)[TensorMap::bytes]>(map));
  return success;
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_tensor_map_encode_tiled(void *map, int type, uint32_t rank, void *address,
                                                                      const uint64_t *dims, const uint64_t *strides,
                                                                      const uint32_t *box,
                                                                      const uint32_t *elementStrides, int interleave,
                                                                      int swizzle, int l2Promotion, int fill) {
  TensorMap made;
  if (tilecc_emu_error error = describeTensor(made, map, type, rank, address, dims, strides, elementStrides, interleave,
                                              swizzle, l2Promotion, fill))
    return error;
  if (!box)
    return invalidMap("an argument is null");
  std::copy_n(box, rank, made.box);
  return storeMap(made, map);
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_tensor_map_encode_im2col(
    void *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides,
    const int *lowerCorner, const int *upperCorner, uint32_t channels, uint32_t pixels, const uint32_t *elementStrides,
    int interleave, int swizzle, int l2Promotion, int fill) {
  TensorMap made;
  if (tilecc_emu_error error = describeTensor(made, map, type, rank, address, dims, strides, elementStrides, interleave,
                                              swizzle, l2Promotion, fill))
    return error;
  if (!lowerCorner || !upperCorner)
    return invalidMap("an argument is null");
  made.isImage = true;
  made.box[0] = channels;
  made.box[1] = pixels;
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    made.lower[d] = lowerCorner[d];
    made.upper[d] = upperCorner[d];
  }
  return storeMap(made, map);
}

//===-- Modules ------------------------------------------------------------------------------------------------===//

// Allocates and initializes global and constant variables.
static void placeVariables(tilecc_emu_module &module) {
  DeviceMemory &memory = module.device->memory;
  for (const ptx::Variable &variable : module.ptx->variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant)
      continue;
    if (variable.isExtern)
      throw ptx::Error(module.ptx->name, variable.where, "'" + variable.name + "' is defined in no module");
    size_t size = std::max<uint64_t>(variable.size, 1);
    uint64_t address =
        variable.isManaged ? reinterpret_cast<uint64_t>(memory.allocateHost(size)) : memory.allocate(size);
    if (!address)
      throw std::bad_alloc();
    module.globals[variable.name] = address;
    module.globalSizes[variable.name] = variable.size;
    std::byte *at = memory.backing(address, variable.size);
    std::memset(at, 0, variable.size);
    std::memcpy(at, variable.bytes.data(), std::min<size_t>(variable.bytes.size(), variable.size));
    memory.markInitialized(address, variable.size);
  }
  for (const ptx::Variable &variable : module.ptx->variables) {
    for (const ptx::Variable::Relocation &relocation : variable.relocations) {
      auto target = module.globals.find(relocation.symbol);
      if (target == module.globals.end())
        throw ptx::Error(module.ptx->name, variable.where,
                         "the address of '" + relocation.symbol + "' is not supported by the emulator here");
      uint64_t value = target->second + relocation.addend;
      std::memcpy(memory.backing(module.globals[variable.name] + relocation.offset, 8), &value, 8);
    }
    if (variable.space == ptx::Space::constant)
      memory.protect(module.globals[variable.name], variable.size);
  }
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_load(tilecc_emu_device *device, const char *ptx, size_t size,
                                                   const char *name, tilecc_emu_module **module) {
  return guarded([&] {
    auto made = std::make_unique<tilecc_emu_module>();
    made->device = device;
    made->text.assign(ptx, size);
    made->lineStarts.push_back(0);
    for (size_t i = 0; i < made->text.size(); ++i)
      if (made->text[i] == '\n')
        made->lineStarts.push_back(i + 1);
    made->ptx = ptx::parse(made->text, name);
    placeVariables(*made);
    *module = made.release();
    return success;
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_unload(tilecc_emu_module *module) {
  return guarded([&] {
    DeviceMemory &memory = module->device->memory;
    for (const auto &[name, address] : module->globals)
      memory.owns(address) ? memory.free(address) : memory.freeHost(reinterpret_cast<void *>(address));
    delete module;
    return success;
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_get_kernel(tilecc_emu_module *module, const char *symbol,
                                                         const char *displayName, tilecc_emu_kernel **kernel) {
  return guarded([&]() -> int {
    std::lock_guard guard(module->lock);
    std::unique_ptr<tilecc_emu_kernel> &entry = module->kernels[symbol];
    if (!entry) {
      const ptx::Function *function = module->ptx->function(symbol);
      if (!function || !function->isEntry)
        return fail(errorSymbolNotFound, "the module has no kernel '" + std::string(symbol) + "'");
      auto made = std::make_unique<tilecc_emu_kernel>();
      made->module = module;
      made->function = function;
      made->displayName = displayName ? displayName : symbol;
      made->program = decode(*module->ptx, *function, module->globals);
      entry = std::move(made);
    }
    *kernel = entry.get();
    return success;
  });
}

TILECC_EMU_EXPORT const char *tilecc_emu_kernel_name(const tilecc_emu_module *module, size_t index) {
  for (const ptx::Function &function : module->ptx->functions)
    if (function.isEntry && index-- == 0)
      return function.name.c_str();
  return nullptr;
}

TILECC_EMU_EXPORT size_t tilecc_emu_param_size(const tilecc_emu_kernel *kernel, size_t index) {
  return index < kernel->program->params.size() ? kernel->program->params[index].size : 0;
}

TILECC_EMU_EXPORT void tilecc_emu_get_attributes(const tilecc_emu_kernel *kernel,
                                                 tilecc_emu_kernel_attributes *attributes) {
  const Program &program = *kernel->program;
  uint32_t most = 1;
  for (int i = 0; i < 3; ++i)
    most *= std::max({1u, program.function->maxThreads[i], program.function->requiredThreads[i]});
  bool isLimited = program.function->maxThreads[0] || program.function->requiredThreads[0];
  *attributes = {program.sharedBytes, program.localBytes, isLimited ? most : 1024,
                 static_cast<uint32_t>(std::atoi(kernel->module->ptx->target.c_str() + 3))};
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_get_global(tilecc_emu_module *module, const char *symbol, void **address,
                                                         size_t *bytes) {
  return guarded([&]() -> int {
    auto found = module->globals.find(symbol);
    if (found == module->globals.end())
      return fail(errorSymbolNotFound, "the module has no variable '" + std::string(symbol) + "'");
    *address = reinterpret_cast<void *>(found->second);
    *bytes = module->globalSizes[symbol];
    return success;
  });
}

//===-- Launches -----------------------------------------------------------------------------------------------===//

// Returns the number of blocks per cluster along an axis that the launch or the kernel specifies.
static uint32_t clusterSize(const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config, int axis) {
  return std::max(config.cluster[axis], kernel.program->function->requiredCluster[axis]);
}

// Returns an error in the cluster configuration of a launch, if any.
static std::string checkCluster(const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config) {
  enum : uint64_t { maxBlocks = 16 }; // more than 8 are non-portable, but allowed
  const ptx::Function &function = *kernel.program->function;
  uint64_t blocks = 1;
  bool given = false;
  for (int axis = 0; axis < 3; ++axis) {
    if (config.cluster[axis] == 0)
      return "an empty cluster";
    given |= config.cluster[axis] != 1;
    blocks *= clusterSize(kernel, config, axis);
  }
  for (int axis = 0; axis < 3; ++axis) {
    std::string along = " along dimension " + std::to_string(axis);
    if (uint32_t required = function.requiredCluster[axis]; given && required && required != config.cluster[axis])
      return "clusters of " + std::to_string(config.cluster[axis]) + " blocks" + along + ", and the kernel requires " +
             std::to_string(required) + " (.reqnctapercluster)";
    if (config.grid[axis] % clusterSize(kernel, config, axis))
      return "a grid of " + std::to_string(config.grid[axis]) + " blocks" + along +
             ", which is not a multiple of the " + std::to_string(clusterSize(kernel, config, axis)) + " of a cluster";
  }
  if (function.explicitCluster && !given && !function.requiredCluster[0])
    return "its launch must specify the size of clusters (.explicitcluster)";
  if (blocks > maxBlocks)
    return "clusters of " + std::to_string(blocks) + " blocks; a cluster has " + std::to_string(maxBlocks) + " at most";
  uint32_t arch = kernel.module->device->options.arch;
  if (blocks > 1 && arch && arch < 90)
    return "it needs clusters, which sm_" + std::to_string(arch) + " does not have";
  return {};
}

int tilecc::emu::completeConfiguration(const tilecc_emu_kernel &kernel, tilecc_emu_launch_config &config) {
  const Program &program = *kernel.program;
  // CUDA's driver takes a block of one thread for the block that the kernel requires. Front ends for CUDA Tile launch
  // kernels in this way (measured with driver 580).
  const uint32_t *required = program.function->requiredThreads;
  if (required[0] && config.block[0] == 1 && config.block[1] == 1 && config.block[2] == 1)
    for (int axis = 0; axis < 3; ++axis)
      config.block[axis] = std::max(1u, required[axis]);
  auto invalid = [&](const std::string &why) {
    return fail(errorInvalidConfiguration, "kernel '" + kernel.displayName + "': " + why);
  };
  uint64_t threads = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (threads == 0 || threads > 1024)
    return invalid("a block of " + std::to_string(threads) + " threads; it must have 1 to 1024");
  for (int i = 0; i < 3; ++i) {
    if (config.grid[i] == 0)
      return invalid("an empty grid");
    if (uint32_t required = program.function->requiredThreads[i]; required && required != config.block[i])
      return invalid("a block of " + std::to_string(config.block[i]) + " threads along dimension " + std::to_string(i) +
                     ", and the kernel requires " + std::to_string(required) + " (.reqntid)");
  }
  if (std::string why = checkCluster(kernel, config); !why.empty())
    return invalid(why);
  uint64_t most = 1;
  for (int i = 0; i < 3; ++i)
    most *= std::max(1u, program.function->maxThreads[i]);
  if (program.function->maxThreads[0] && threads > most)
    return invalid("a block of " + std::to_string(threads) + " threads, and the kernel takes " + std::to_string(most) +
                   " (.maxntid)");
  size_t limit = tilecc_emu_shared_limit(kernel.module->device->options.arch);
  if (!limit)
    limit = 227 * 1024;
  if (program.sharedBytes + uint64_t(config.shared_bytes) > limit)
    return invalid(std::to_string(program.sharedBytes + uint64_t(config.shared_bytes)) +
                   " bytes of shared memory, and a block may have " + std::to_string(limit));
  return success;
}

static LaunchNames namesOf(const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config) {
  LaunchNames names = nameLaunch(kernel.displayName, config);
  const Program *program = kernel.program.get();
  const tilecc_emu_module *module = kernel.module;
  names.source = [program, module](uint32_t pc) -> std::string {
    const ptx::SourceLocation &at = program->origins[pc].source;
    if (!at.line || at.file >= module->ptx->files.size())
      return {};
    return module->ptx->files[at.file] + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  names.instruction = [program, module](uint32_t pc) {
    uint32_t line = program->origins[pc].where.line;
    return module->line(line) + "   (" + module->ptx->name + ":" + std::to_string(line) + ")";
  };
  return names;
}

// Counts the launch in the device's profile.
static KernelProfile &profileLaunch(tilecc_emu_kernel &kernel, Profile &profile, const Launch &launch,
                                    const LaunchNames &names) {
  std::lock_guard guard(kernel.module->lock);
  if (!kernel.profile) {
    std::vector<KernelProfile::Instruction> instructions;
    uint32_t lastLine = kernel.function->body.empty() ? 0 : kernel.function->body.back().where.line;
    for (uint32_t pc = 0; pc < kernel.program->code.size(); ++pc) {
      uint32_t line = kernel.program->origins[pc].where.line;
      bool isOwn = line >= kernel.function->where.line && line <= lastLine;
      instructions.push_back({line, kernel.module->line(line), names.source(pc), !isOwn});
    }
    const ptx::Module &ptx = *kernel.module->ptx;
    kernel.profile = &profile.add(std::make_unique<KernelProfile>(kernel.function->name, kernel.displayName, ptx.name,
                                                                  ptx.target, std::move(instructions)));
  }
  kernel.profile->begin(launch.grid, launch.block, launch.cluster);
  return *kernel.profile;
}

tilecc_emu_device &tilecc::emu::getDevice(const tilecc_emu_kernel &kernel) { return *kernel.module->device; }

int tilecc::emu::runLaunch(tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config, void *const *args,
                           tilecc_emu_stats &stats) {
  tilecc_emu_device &device = *kernel.module->device;
  const tilecc_emu_options &options = device.options;
  LaunchNames names = namesOf(kernel, config);
  Launch launch;
  launch.program = kernel.program.get();
  launch.memory = &device.memory;
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = config.grid[i];
    launch.block[i] = config.block[i];
    launch.cluster[i] = clusterSize(kernel, config, i);
    launch.isExplicitCluster |= config.cluster[i] != 1 || kernel.function->requiredCluster[i] > 0;
  }
  if (device.profile) {
    launch.profile = &profileLaunch(kernel, *device.profile, launch, names);
    names.found = [profile = launch.profile](const Place &place, const std::string &text) {
      profile->addFinding(place, text);
    };
  }
  Reporter reporter = makeReporter(options, std::move(names));
  launch.reporter = &reporter;
  launch.dynamicShared = config.shared_bytes;
  std::optional<GridWorkspace> workspace;
  if (config.cooperative)
    launch.gridWorkspace = workspace.emplace(device.memory).address;
  launch.params.resize(kernel.program->paramBytes);
  for (size_t i = 0; i < kernel.program->params.size(); ++i)
    std::memcpy(launch.params.data() + kernel.program->params[i].offset, args[i], kernel.program->params[i].size);
  launch.instructionLimit = options.instruction_limit ? options.instruction_limit : defaultInstructionLimit;
  launch.idleLimit = options.instruction_limit ? options.instruction_limit : defaultIdleLimit;
  launch.print = options.print ? options.print : &printToStdout;

  LaunchChecker::Options checks = getAccessChecks(options);
  checks.copyFences = options.checks & TILECC_EMU_CHECK_COPY_FENCES;
  checks.tensorFences = options.checks & TILECC_EMU_CHECK_TENSOR_FENCES;
  if (launch.clusterBlocks() > 1)
    checks.cluster = [&launch](uint64_t block) {
      uint64_t x = block % launch.grid[0], y = block / launch.grid[0] % launch.grid[1],
               z = block / launch.grid[0] / launch.grid[1];
      return x / launch.cluster[0] +
             uint64_t(launch.grid[0]) * (y / launch.cluster[1] + uint64_t(launch.grid[1]) * (z / launch.cluster[2]));
    };
  if (config.devices_along_z && config.grid[2] > 1)
    checks.device = [&launch](uint64_t block) { return block / launch.grid[0] / launch.grid[1]; };
  checks.signals = launch.program->awaitsSignals;
  std::unique_ptr<LaunchChecker> checker;
  if (options.checks)
    checker = std::make_unique<LaunchChecker>(checks, device.memory, reporter);
  launch.checker = checker.get();
  launch.checksInitialized = checks.initialized;
  launch.checksReplicas = options.checks & TILECC_EMU_CHECK_REPLICAS;

  bool random = options.schedule == TILECC_EMU_SCHEDULE_RANDOM;
  int error = guarded([&] {
    RunTotals totals = random ? runRandom(launch, options.seed) : runFast(launch, config.parallel);
    stats.warp_instructions = totals.warpInstructions;
    stats.thread_instructions = totals.threadInstructions;
    return success;
  });
  return countFindings(error, reporter, stats);
}

TILECC_EMU_EXPORT const char *tilecc_emu_instruction(size_t index) {
  return index < rowCount() ? rowNumber(index).syntax.data() : nullptr; // rows are string literals
}
