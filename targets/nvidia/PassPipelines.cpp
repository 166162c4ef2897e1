//===- PassPipelines.cpp - the passes of each stage, in order -----------------------------------------------------===//
//
// The NVIDIA back end builds the pipelines for each variant of a kernel. In tcc-opt, each pipeline is an option.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/PassPipelines.h"
#include "targets/GpuPipeline.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/NamedBarriers.h"
#include "targets/nvidia/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilecc {

/// Returns true if each program of a block has a named barrier, for any permitted value of the attribute.
static constexpr bool haveBarriers() {
  for (const KernelAttribute &attribute : kernelAttributes)
    if (attribute.member == &KernelOptions::numConsumers)
      return attribute.most <= int(nvidia::maxSharingPrograms);
  return false;
}
static_assert(haveBarriers());

void buildTTGIRPipeline(OpPassManager &pm, const GpuOptions &options) {
  ConvertTritonToTritonGPUOptions convert;
  convert.target = options.target;
  convert.numWarps = *options.numWarps;
  convert.numCTAs = *options.numCtas;
  if (options.tensorMaps)
    pm.addPass(createTritonUnwrapIndices());
  if (options.getNumCtas() > 1) {
    pm.addPass(createTritonGPUPlanCTA({.numCTAs = *options.numCtas}));
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(createConvertTritonToTritonGPU(convert));
  // From here on, every tile has a layout.
  pm.addPass(createTritonGPUCoalesce());
  // Memory accesses have their final layouts now. The following passes remove the conversions around them, or move
  // these to where they are cheap.
  pm.addPass(createTritonGPUF32DotTC());
  pm.addPass(createTritonGPURemoveLayoutConversions());
  pm.addPass(createTritonGPUOptimizeThreadLocality());
  pm.addPass(createTritonGPUAccelerateMatmul());
  // Dots have their final layouts now.
  pm.addPass(createTritonGPURemoveLayoutConversions());
  pm.addPass(createTritonGPUSplitRunningSums());
  pm.addPass(createTritonGPUOptimizeDotOperands());
  pm.addPass(createCSEPass());
  pm.addPass(createTritonGPUCombineTensorSelectAndIf());
  pm.addPass(createTritonNvidiaGPULimitProducts());
  pm.addPass(createTritonNvidiaOptimizeDescriptorEncoding());
  if (options.tensorMaps)
    pm.addPass(createTritonNvidiaGPUUseTensorMaps());
  if (options.isPersistent() || options.choosesBlocks()) {
    pm.addPass(
        createTritonGPUPersistentPrograms({.chosen = !options.isPersistent(), .pipelined = *options.numStages > 1}));
    if (options.tensorMaps) // code that was outside of all loops is now inside one
      pm.addPass(createTritonNvidiaGPUUseTensorMaps());
  }
  if (options.choosesBlocks()) {
    pm.addPass(createTritonNvidiaGPUNumberPrograms());
    pm.addPass(createTritonNvidiaGPUSplitIterations());
  }
  if (options.choosesOrder())
    pm.addPass(createTritonGPUOrderPrograms());
  pm.addPass(createTritonGPUKeepStoresInWarps());
  if (int programs = options.programsPerBlock.value_or(options.getNumConsumers());
      programs > 1 && !options.callsThreads)
    pm.addPass(createTritonGPUShareBlocks({.numPrograms = programs, .chosen = options.programsPerBlock.has_value()}));
  pm.addPass(createTritonGPUFitStages({.numStages = *options.numStages}));
  pm.addPass(createTritonNvidiaGPUFenceInsertion());
  pm.addPass(createCSEPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createCanonicalizerPass());
}

void buildNvidiaLoopPasses(OpPassManager &pm, const LoopStages &stages) {
  pm.addPass(createTritonGPUSpecializeLoops(
      {.numStages = stages.wanted, .maxStages = stages.most, .slotsAround = stages.hasMoreSlots ? 2 : 1}));
  pm.addPass(createTritonGPURotateLoops());
  pm.addPass(createTritonGPUAssignLatencies({.numStages = stages.wanted, .maxStages = stages.most}));
  pm.addPass(createTritonGPUScheduleLoops());
  pm.addPass(createTritonGPUPipeline());
  pm.addPass(createTritonNvidiaGPUAdvanceProducts());
  pm.addPass(createTritonNvidiaTMALowering());
  pm.addPass(createTritonNvidiaGPUOverlapProducts({.keepComputed = stages.hasMoreSlots}));
  pm.addPass(createTritonNvidiaGPUAccumulateInTensorMemory());
  pm.addPass(createTritonNvidiaGPUStoreByColumns());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createTritonNvidiaGPUPartitionDots());
  pm.addPass(createLoopInvariantCodeMotionPass());
  // From here on, the loads of loops are issued some iterations before their use.
  pm.addPass(createTritonGPUReduceDataDuplication());
  pm.addPass(createTritonGPUReorderInstructions());
  pm.addPass(createTritonGPUReduceRegisterPressure());
  // If two loops share a tile in shared memory, its life includes both, so it counts for the choice of stages.
  pm.addPass(createCSEPass());
}

namespace {
struct GpuPipelineOptions : PassPipelineOptions<GpuPipelineOptions> {
  Option<std::string> arch{*this, "arch", llvm::cl::desc("the GPU: 90 for sm_90, compute_90 for portable PTX"),
                           llvm::cl::init("80")};
  Option<int> numWarps{*this, "num-warps", llvm::cl::desc("warps of a program"), llvm::cl::init(4)};
  Option<int> numStages{*this, "num-stages", llvm::cl::desc("stages of pipelined loops"), llvm::cl::init(3)};

  Option<int> numCtas{*this, "num-ctas", llvm::cl::desc("thread blocks of a program"), llvm::cl::init(1)};

  Option<int> numConsumers{*this, "num-consumers", llvm::cl::desc("programs that may share a block"),
                           llvm::cl::init(1)};

  Option<bool> tensorMaps{*this, "tensor-maps", llvm::cl::desc("kernels may take tensor maps behind their arguments"),
                          llvm::cl::init(false)};

  Option<bool> persistent{*this, "persistent",
                          llvm::cl::desc("blocks of kernels with tensor maps run several programs"),
                          llvm::cl::init(false)};

  GpuOptions get() const {
    GpuOptions options;
    std::string error;
    auto target = nvidia::parseTarget("cuda:" + arch, error);
    if (!target)
      llvm::reportFatalUsageError(llvm::StringRef(error));
    options.target = nvidia::spellTarget(*target);
    options.numWarps = int(numWarps);
    options.numStages = int(numStages);
    options.numCtas = int(numCtas);
    options.numConsumers = int(numConsumers);
    options.tensorMaps = tensorMaps;
    if (persistent)
      options.persistent = 1;
    return options;
  }
};
} // namespace

void registerNvidiaPipelines() {
  PassPipelineRegistration<GpuPipelineOptions>(
      "tcc-ttgir", "TTIR to TTGIR, as tcc does it",
      [](OpPassManager &pm, const GpuPipelineOptions &options) { buildTTGIRPipeline(pm, options.get()); });
  PassPipelineRegistration<GpuPipelineOptions>(
      "tcc-gpu-to-llvm", "TTGIR to the LLVM dialect, as tcc does it",
      [](OpPassManager &pm, const GpuPipelineOptions &options) { buildGPUToLLVMPipeline(pm, options.get()); });
}

} // namespace tilecc
