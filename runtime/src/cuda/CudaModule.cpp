//===-- CudaModule.cpp - loads and launches code through the CUDA driver or HIP ---------------------------------===//
//
// A kernel's slot holds its CudaKernels, a list that grows only at its head. The tables of devices contain these
// functions.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaModule.h"
#include "cuda/CudaDriver.h"
#include "cuda/CudaImages.h"
#include "cuda/CudaProfile.h"
#include "cuda/LaunchMemory.h"
#include "Device.h"
#include "Error.h"
#include "LaunchArguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace tilecc::rt {

// Clusters up to this size work on every GPU that has clusters.
enum : unsigned { portableCluster = 8 };

// A kernel in one context. The object does not change once it is on the list.
struct CudaKernel {
  CudaKernel *next;
  unsigned long long contextId;
  struct Variant {
    CUfunction function; // owned by the module
    unsigned threads, sharedBytes, cluster;
    unsigned
        active; // number of blocks (or clusters) that run at the same time; only known where a launch depends on it
    // If a launch may choose the size of clusters, the number of clusters of 2 to 8 blocks that run at the same time;
    // otherwise 0.
    unsigned clusters[portableCluster - 1];
    uint64_t maxPrograms; // the largest number of programs for which a variant with demands on the grid is intended
    unsigned processors; // multiprocessors of the device; only known with maxPrograms
    const tilecc_gpu_entry *entry;
    ProfileVariables profile; // null unless the trace has profiles and the code records
  } variants[];
};

} // namespace tilecc::rt

using namespace tilecc::rt;

// A kernel may use this much dynamic shared memory without opting in.
enum : unsigned { sharedBytesWithoutOptIn = 48 * 1024 };

static ttError_t countProcessors(unsigned *count) {
  CUdevice device;
  int processors;
  CUDA_TRY(cuCtxGetDevice, &device);
  CUDA_TRY(cuDeviceGetAttribute, &processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  *count = static_cast<unsigned>(processors);
  return ttSuccess;
}

// Returns the number of clusters of `size` blocks that run at the same time on the current device.
static ttError_t countClusters(const CudaKernel::Variant &variant, unsigned size, unsigned *count) {
  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim = {size, 1, 1};
  CUlaunchConfig config = {size, 1, 1, variant.threads, 1, 1, variant.sharedBytes, nullptr, &cluster, 1};
  int clusters;
  CUDA_TRY(cuOccupancyMaxActiveClusters, &clusters, variant.function, &config);
  *count = static_cast<unsigned>(clusters);
  return ttSuccess;
}

// Returns the number of programs of a kernel that run at the same time on the current device: blocks or clusters.
static ttError_t countActive(const CudaKernel::Variant &variant, unsigned *count) {
  if (variant.cluster > 1)
    return countClusters(variant, variant.cluster, count);
  int blocks;
  unsigned processors;
  CUDA_TRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, variant.function, static_cast<int>(variant.threads),
           variant.sharedBytes);
  if (ttError_t error = countProcessors(&processors))
    return error;
  *count = static_cast<unsigned>(blocks) * processors;
  return ttSuccess;
}

// Sets the largest number of programs for which a variant with demands on the grid is intended: those that run at the
// same time. A variant for few blocks uses all shared memory, unless that has room for more stages than its loop needs.
static ttError_t countMostPrograms(const tilecc_gpu_entry &entry, CudaKernel::Variant &variant) {
  unsigned blocks = 0;
  if (ttError_t error = countActive(variant, &blocks))
    return error;
  variant.maxPrograms = uint64_t(blocks) * (entry.programs > 1 ? entry.programs : 1);
  return countProcessors(&variant.processors);
}

static ttError_t allowShared(const Kernel &kernel, const tilecc_gpu_entry &entry, CUfunction function) {
  if (entry.shared_bytes <= sharedBytesWithoutOptIn)
    return ttSuccess;
  CUdevice device;
  int most;
  CUDA_TRY(cuCtxGetDevice, &device);
  CUDA_TRY(cuDeviceGetAttribute, &most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  if (entry.shared_bytes > static_cast<unsigned>(most))
    return fail(ttErrorLaunchOutOfResources,
                "kernel '%s' needs %u bytes of shared memory, this GPU has %d for a block; use smaller tiles or fewer "
                "stages",
                kernel.abi->display_name, entry.shared_bytes, most);
  CUDA_TRY(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
           static_cast<int>(entry.shared_bytes));
  return ttSuccess;
}

// Returns the address of a variable of a module, or null.
static void *findVariable(void *module, const char *name) {
  CUdeviceptr address;
  size_t bytes;
  if (!cuda.cuModuleGetGlobal || cuda.cuModuleGetGlobal(&address, &bytes, static_cast<CUmodule>(module), name))
    return nullptr;
  return reinterpret_cast<void *>(address);
}

static ttError_t prepareVariant(const Kernel &kernel, uint32_t number, const CudaModule &module,
                                CudaKernel::Variant &variant) {
  const tilecc_variant &abi = kernel.abi->variants[number];
  const tilecc_gpu_entry &entry = abi.gpu[module.image];
  CUresult result = cuda.cuModuleGetFunction(&variant.function, module.module, abi.symbol);
  if (result) {
    ttError_t error = failCuda(result, "cuModuleGetFunction");
    return fail(error, "kernel '%s': %s (symbol %s)", kernel.abi->display_name, ttGetLastErrorMessage(), abi.symbol);
  }
  variant.threads = entry.threads;
  variant.sharedBytes = entry.shared_bytes;
  variant.cluster = entry.cluster;
  variant.entry = &entry;
  variant.profile = findProfile(abi.symbol, findVariable, module.module);
  if (entry.map_count && !(cuda.cuTensorMapEncodeTiled && cuda.cuTensorMapEncodeIm2col))
    return fail(ttErrorNotSupported, "kernel '%s' needs a driver of CUDA 12.0 or later for its tensor maps",
                kernel.abi->display_name);
  if (entry.cluster > portableCluster)
    CUDA_TRY(cuFuncSetAttribute, variant.function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  if (ttError_t error = allowShared(kernel, entry, variant.function))
    return error;
  for (unsigned size = 2; size <= entry.max_blocks && size <= portableCluster; ++size)
    if (ttError_t error = countClusters(variant, size, &variant.clusters[size - 2]))
      return error;
  if (abi.demands & (TILECC_FEW_BLOCKS | TILECC_ONE_WAVE | TILECC_EVEN_SHARES))
    if (ttError_t error = countMostPrograms(entry, variant))
      return error;
  const bool isCompared =
      abi.demands & TILECC_SHORTER_ROUNDS || (number > 0 && (&abi)[-1].demands & TILECC_SHORTER_ROUNDS);
  return entry.persistent || entry.numbered || isCompared ? countActive(variant, &variant.active) : ttSuccess;
}

static const CudaKernel *findLoaded(const Kernel &kernel, unsigned long long contextId) {
  auto *loaded = static_cast<const CudaKernel *>(kernel.loaded[cudaSlot].load(std::memory_order_acquire));
  while (loaded && loaded->contextId != contextId)
    loaded = loaded->next;
  return loaded;
}

// Returns the kernel in the current context; loads it if necessary.
static ttError_t load(Kernel &kernel, unsigned long long contextId, const CudaKernel **result) {
  Lock lock(kernel.module->loading);
  if ((*result = findLoaded(kernel, contextId)))
    return ttSuccess;
  const CudaModule *module = nullptr;
  if (ttError_t error = loadCudaImage(kernel, contextId, &module))
    return error;
  uint32_t count = kernel.abi->variant_count;
  auto *loaded = static_cast<CudaKernel *>(calloc(1, sizeof(CudaKernel) + count * sizeof(CudaKernel::Variant)));
  if (!loaded)
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  loaded->contextId = contextId;
  for (uint32_t i = 0; i < count; ++i)
    if (ttError_t error = prepareVariant(kernel, i, *module, loaded->variants[i])) {
      free(loaded);
      return error;
    }
  std::atomic<void *> &first = kernel.loaded[cudaSlot];
  loaded->next = static_cast<CudaKernel *>(first.load(std::memory_order_relaxed));
  first.store(loaded, std::memory_order_release);
  *result = loaded;
  return ttSuccess;
}

// Returns the kernel in this thread's current context, which becomes the primary context if there is none.
static ttError_t inCurrentContext(Kernel &kernel, const CudaKernel **result) {
  unsigned long long contextId;
  if (ttError_t error = ensureContext(&contextId))
    return error;
  *result = findLoaded(kernel, contextId);
  return *result ? ttSuccess : load(kernel, contextId, result);
}

static ttError_t failLaunch(const Kernel &kernel, CUresult result, const char *function) {
  ttError_t error = failCuda(result, function);
  return fail(error, "kernel '%s': %s", kernel.abi->display_name, ttGetLastErrorMessage());
}

// Collects the attributes of a launch, the kernel's and the caller's. Returns their number.
static unsigned collectAttributes(unsigned clusterSize, bool overlaps, const ttLaunchConfig &config,
                                  CUlaunchAttribute (&attributes)[5]) {
  unsigned count = 0;
  if (overlaps) {
    CUlaunchAttribute &overlap = attributes[count++] = {};
    overlap.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    overlap.value.number = 1;
  }
  if (clusterSize > 1) {
    CUlaunchAttribute &cluster = attributes[count++] = {};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {clusterSize, 1, 1};
  }
  static_assert(int(CU_LAUNCH_ATTRIBUTE_COOPERATIVE) == ttLaunchAttributeCooperative);
  static_assert(int(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) ==
                ttLaunchAttributeProgrammaticStreamSerialization);
  static_assert(int(CU_LAUNCH_ATTRIBUTE_PRIORITY) == ttLaunchAttributePriority);
  for (unsigned i = 0; i < config.attributeCount; ++i) {
    if (config.attributes[i].id == ttLaunchAttributeDevicesAlongZ)
      continue; // for the emulator
    CUlaunchAttribute &attribute = attributes[count++] = {};
    attribute.id = config.attributes[i].id;
    attribute.value.number = config.attributes[i].value;
  }
  return count;
}

static bool hasAttribute(const ttLaunchConfig &config, ttLaunchAttributeID id) {
  for (unsigned i = 0; i < config.attributeCount; ++i)
    if (config.attributes[i].id == id && config.attributes[i].value)
      return true;
  return false;
}

static bool isCooperative(const ttLaunchConfig &config) { return hasAttribute(config, ttLaunchAttributeCooperative); }

static bool isCapturing(ttStream_t stream) {
  int capturing;
  return cuda.cuStreamIsCapturing(stream, &capturing) || capturing;
}

// Returns true if a launch of code that waits for the previous launch may begin before that has ended. A captured
// launch becomes a node with ordinary dependencies, which can be read and fused.
static bool mayBeginEarly(const ttLaunchConfig &config) {
  for (unsigned i = 0; i < config.attributeCount; ++i)
    if (config.attributes[i].id == ttLaunchAttributeProgrammaticStreamSerialization)
      return false; // the caller decides
  return !isCooperative(config) && !isCapturing(config.stream);
}

// Returns the number of blocks that run each program of a launch. If it is not fixed, it is the largest number with
// which all programs still run at the same time, but at most `maxBlocks`.
static unsigned chooseCluster(const CudaKernel::Variant &variant, const ttLaunchConfig &config, uint64_t programs,
                              uint32_t maxBlocks) {
  unsigned size = variant.cluster;
  if (variant.clusters[0] && !variant.entry->persistent && !isCooperative(config))
    for (unsigned more = 2; more <= portableCluster && more <= maxBlocks; ++more)
      if (programs <= variant.clusters[more - 2])
        size = more;
  return size;
}

static ttError_t failTooManyThreads(const Kernel &kernel, unsigned programs, unsigned threads) {
  return fail(
      ttErrorInvalidConfiguration,
      "kernel '%s': a grid of %u programs along x, of %u threads each, is beyond the limit of this GPU, which is "
      "%llu threads",
      kernel.abi->display_name, programs, threads, static_cast<unsigned long long>(cuda.vendor->maxThreads));
}

static auto countBlocksAtOnce(const CudaKernel &loaded) {
  return [&loaded](uint32_t number) {
    const CudaKernel::Variant &variant = loaded.variants[number];
    return BlocksAtOnce{variant.maxPrograms, variant.active, variant.entry, variant.processors};
  };
}

// Calls use(launch, args) with the launch parameters of a variant for a grid of blocks. A launch that overlaps may
// begin before the previous launch in its stream has ended.
template <class Use>
static inline ttError_t launchVariant(const Kernel &kernel, const CudaKernel::Variant &variant, ttDim3 grid,
                                      LaunchForm form, const ttLaunchConfig &config, void **args, Use use) {
  const unsigned inPairs =
      form.isInPairs && !isCooperative(config) ? countBlocksInPairs(grid, 2 * variant.clusters[0]) : 0;
  if (inPairs)
    grid.x = inPairs;
  else if (variant.entry->persistent && !isCooperative(config))
    grid.x = countBlocks(grid, variant.active);
  if (static_cast<uint64_t>(grid.x) * variant.threads > cuda.vendor->maxThreads)
    return failTooManyThreads(kernel, grid.x, variant.threads);
  CudaLaunch launch = {variant.function, grid, variant.threads, variant.sharedBytes, nullptr, 0, variant.profile};
  const unsigned cluster = inPairs ? 2 : chooseCluster(variant, config, countAll(grid), form.maxBlocks);
  if (__builtin_expect(cluster <= 1 && config.attributeCount == 0 && !form.overlaps, true))
    return use(launch, args);
  // Unless its blocks are paired, a program is a cluster of blocks, adjacent along x.
  uint64_t blocks = static_cast<uint64_t>(grid.x) * (cluster && !inPairs ? cluster : 1);
  if (blocks > INT32_MAX)
    return fail(ttErrorInvalidConfiguration,
                "kernel '%s': a grid of %u programs along x, in clusters of %u blocks, is beyond the limit of 2^31 - 1 "
                "blocks",
                kernel.abi->display_name, grid.x, cluster);
  CUlaunchAttribute attributes[5];
  launch.grid.x = static_cast<unsigned>(blocks);
  launch.attributes = attributes;
  launch.attributeCount = collectAttributes(cluster, form.overlaps, config, attributes);
  return use(launch, args);
}

namespace {
// See LaunchArguments.h.
struct CudaMeans {
  const ttLaunchConfig &config;
  const CudaKernel &loaded;
  bool isNode; // the launch is a node of a graph

  bool exist() const {
    // Graphs of drivers before CUDA 12.3 have no launches that overlap.
    return !isNode && !isCooperative(config) &&
           !hasAttribute(config, ttLaunchAttributeProgrammaticStreamSerialization) && !isCapturing(config.stream);
  }
  uint32_t countClusters(uint32_t number, uint64_t programs, uint32_t usefulBlocks) const {
    const CudaKernel::Variant &variant = loaded.variants[number];
    const uint32_t maxBlocks =
        variant.entry->max_blocks < portableCluster ? variant.entry->max_blocks : portableCluster;
    return tilecc::rt::countClusters(programs, maxBlocks, usefulBlocks, [&](uint32_t size) -> uint64_t {
      return size == 1 ? variant.maxPrograms : variant.clusters[size - 2];
    });
  }
  void *allocate(uint64_t bytes, uint64_t zeros) const { return allocateForLaunch(bytes, zeros, config.stream); }
  void free(void *memory) const { freeAfterLaunch(memory, config.stream); }
};
} // namespace

// Calls use(launch, args) with the launch parameters; twice if the launch has a tail. (A node of a graph has none.)
// Tensor maps follow the caller's arguments.
template <class Use>
static inline ttError_t withLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args, bool isNode, Use use) {
  const CudaKernel *loaded;
  if (ttError_t error = inCurrentContext(kernel, &loaded))
    return error;
  return withVariant(
      *kernel.abi, config.grid, args, {cuda.cuTensorMapEncodeTiled, cuda.cuTensorMapEncodeIm2col},
      [&](uint32_t number) -> const tilecc_gpu_entry & { return *loaded->variants[number].entry; },
      countBlocksAtOnce(*loaded), CudaMeans{config, *loaded, isNode},
      [&](uint32_t number, ttDim3 blocks, void **args, LaunchForm form) {
        form.isInPairs &= !isNode; // the clusters of a node cannot be changed later
        form.overlaps |= loaded->variants[number].entry->waits && !form.isOrdered && !isNode && mayBeginEarly(config);
        return launchVariant(kernel, loaded->variants[number], blocks, form, config, args, use);
      });
}

ttError_t tilecc::rt::withCudaLaunch(Kernel &kernel, const ttLaunchConfig &config, void **args,
                                     ttError_t (*use)(void *context, const CudaLaunch &launch, void **args),
                                     void *context) {
  return withLaunch(kernel, config, args, /*isNode=*/true, [&](const CudaLaunch &launch, void **args) {
    if (launch.profile)
      noteGraphedKernel(kernel, launch);
    return use(context, launch, args);
  });
}

static ttError_t launchWithAttributes(const Kernel &kernel, const CudaLaunch &launch, void **args, ttStream_t stream) {
  CUlaunchConfig config = {launch.grid.x,
                           launch.grid.y,
                           launch.grid.z,
                           launch.threads,
                           1,
                           1,
                           launch.sharedBytes,
                           stream,
                           const_cast<CUlaunchAttribute *>(launch.attributes),
                           launch.attributeCount};
  CUresult result = cuda.cuLaunchKernelEx(&config, launch.function, args, nullptr);
  return result ? failLaunch(kernel, result, "cuLaunchKernelEx") : ttSuccess;
}

static ttError_t launchNow(const Kernel &kernel, const CudaLaunch &launch, void **args, ttStream_t stream) {
  if (launch.attributeCount)
    return launchWithAttributes(kernel, launch, args, stream);
  CUresult result = cuda.cuLaunchKernel(launch.function, launch.grid.x, launch.grid.y, launch.grid.z, launch.threads, 1,
                                        1, launch.sharedBytes, stream, args, nullptr);
  return result ? failLaunch(kernel, result, "cuLaunchKernel") : ttSuccess;
}

ttError_t tilecc::rt::launchOnCuda(Kernel &kernel, const ttLaunchConfig &config, void **args) {
  if (ttError_t error = checkCudaHandle(config.stream))
    return error;
  return withLaunch(kernel, config, args, /*isNode=*/false, [&](const CudaLaunch &launch, void **args) {
    auto launchIt = [&] { return launchNow(kernel, launch, args, config.stream); };
    return __builtin_expect(static_cast<bool>(launch.profile), false)
               ? launchProfiled(kernel, launch, config.stream, launchIt)
               : launchIt();
  });
}

Kernel *tilecc::rt::findCudaKernel(ttFunction_t function, unsigned *parts) {
  struct Search {
    ttFunction_t function;
    unsigned long long contextId;
    unsigned parts;
  } search = {function, 0, 1};
  if (ensureContext(&search.contextId))
    return nullptr;
  auto is = [](Kernel &kernel, void *data) {
    auto &search = *static_cast<Search *>(data);
    const CudaKernel *loaded = findLoaded(kernel, search.contextId);
    for (uint32_t i = 0; loaded && i < kernel.abi->variant_count; ++i)
      if (loaded->variants[i].function == search.function) {
        search.parts = countParts(kernel.abi->variants[i]);
        return true;
      }
    return false;
  };
  Kernel *kernel = findKernelThat(is, &search);
  *parts = search.parts;
  return kernel;
}

ttError_t tilecc::rt::variantOnCuda(Kernel &kernel, ttDim3 grid, void *const *args, uint32_t *variant) {
  const CudaKernel *loaded;
  if (ttError_t error = inCurrentContext(kernel, &loaded))
    return error;
  *variant = chooseVariant(*kernel.abi, args, grid, countBlocksAtOnce(*loaded));
  return ttSuccess;
}

ttError_t tilecc::rt::activeOnCuda(Kernel &kernel, int *programs) {
  const CudaKernel *loaded;
  if (ttError_t error = inCurrentContext(kernel, &loaded))
    return error;
  const CudaKernel::Variant &variant = loaded->variants[kernel.abi->variant_count - 1];
  unsigned count = 0;
  ttError_t error = countActive(variant, &count);
  *programs = static_cast<int>(count);
  return error;
}

ttError_t tilecc::rt::preloadOnCuda(Kernel &kernel) {
  const CudaKernel *loaded;
  if (ttError_t error = inCurrentContext(kernel, &loaded))
    return error;
  // With CUDA_MODULE_LOADING=LAZY, the default, the driver may delay loading a function until it runs.
  for (uint32_t i = 0; cuda.cuFuncLoad && i < kernel.abi->variant_count; ++i)
    CUDA_TRY(cuFuncLoad, loaded->variants[i].function);
  return ttSuccess;
}

ttError_t tilecc::rt::cudaFunction(Kernel &kernel, ttFunction_t *function) {
  const CudaKernel *loaded;
  if (ttError_t error = inCurrentContext(kernel, &loaded))
    return error;
  *function = loaded->variants[kernel.abi->variant_count - 1].function;
  return ttSuccess;
}

ttError_t tilecc::rt::cudaAttributes(Kernel &kernel, ttFuncAttributes &attributes) {
  const CudaKernel *loaded;
  if (ttError_t error = inCurrentContext(kernel, &loaded))
    return error;
  const CudaKernel::Variant &variant = loaded->variants[kernel.abi->variant_count - 1];
  int localBytes;
  CUDA_TRY(cuFuncGetAttribute, &attributes.num_regs, CU_FUNC_ATTRIBUTE_NUM_REGS, variant.function);
  CUDA_TRY(cuFuncGetAttribute, &attributes.binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION, variant.function);
  CUDA_TRY(cuFuncGetAttribute, &localBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, variant.function);
  attributes.threads = variant.threads;
  attributes.shared_bytes = variant.sharedBytes;
  attributes.cluster = variant.cluster ? variant.cluster : 1;
  attributes.local_bytes = localBytes;
  return ttSuccess;
}

void tilecc::rt::unloadFromCuda(Module &module) {
  forgetGraphedKernels(module);
  unloadCudaImages(module);
  for (uint32_t i = 0; i < module.abi->kernel_count; ++i)
    for (auto *kernel = static_cast<CudaKernel *>(module.kernels[i].loaded[cudaSlot].exchange(nullptr)); kernel;) {
      CudaKernel *next = kernel->next;
      free(kernel);
      kernel = next;
    }
}
