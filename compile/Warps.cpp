//===- Warps.cpp - chooses the number of warps if the source does not ---------------------------------------------===//
//
// Tiles are held in registers, which are few (GpuFacts::maxThreadRegisters). The live tiles of a kernel are roughly the
// accumulators of its dots, the values that its loops carry, and its largest tile, so the choice depends on these. The
// thresholds were derived from the spills of ptxas: 128x128 accumulators and those of attention spill with 4 warps but
// not with 8; with 16 warps, a thread has only 128 registers, and they spill again. These thresholds agree with those
// of nvcc's tile compiler.
//
// In addition, every operation on a tile is one instruction for each element that a thread holds. For example, a sort
// of 4096 elements has about 400 operations. With 4 warps, a thread then executes 15000 instructions, and the assembler
// must schedule as many.
//
// If a dot depends on the result of another dot (attention), rows are reduced in between, and each warp holds 16 rows.
// With more warps, rows would be split between warps, which would exchange partial results in every iteration. A tile
// of 64x128 scores runs at half the speed with 8 warps that it has with 4 (bench/gpu/NOTES.md).
//
// If each iteration of a loop reduces the tile that the previous one has computed (a triangular system, solved row by
// row), several warps wait for each other at barriers. With a tile of 32x32, one warp is seven times as fast as four.
//
// The back ends for GPUs use this file, and so does the driver for -Rtile=warps.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Warps.h"
#include "targets/Backend.h"
#include "lowering/analysis/DotChains.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilecc {

static int64_t elementsOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getNumElements() : 1;
}

/// Returns true if an operation costs almost nothing, because its values are computed from scalars or are
/// one-dimensional.
static bool isFree(Operation *op) {
  return isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp,
             LoopLikeOpInterface>(op);
}

/// Returns the largest number of rows of a dot on which another dot of the same iteration depends, or nothing if there
/// is no such dot.
static std::optional<int64_t> getRowsOfChainedDots(ModuleOp module) {
  std::optional<int64_t> most;
  for (DotChain chain : findDotChains(module))
    most = std::max(most.value_or(1), chain.first.getType().getShape().end()[-2]);
  return most;
}

/// Returns the numbers of the tiles that `loop` carries and from which `reduce` is computed in the same iteration.
static llvm::SmallDenseSet<unsigned> getCarriedSources(scf::ForOp loop, tt::ReduceOp reduce) {
  SmallVector<Value> worklist(reduce->getOperands());
  llvm::SmallDenseSet<Value> seen;
  llvm::SmallDenseSet<unsigned> carried;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      const bool isCarried = argument.getOwner() == loop.getBody() && argument != loop.getInductionVar();
      if (isCarried && isa<RankedTensorType>(value.getType()))
        carried.insert(argument.getArgNumber() - loop.getNumInductionVars());
    } else if (Operation *op = value.getDefiningOp(); op->getBlock() == loop.getBody()) {
      llvm::append_range(worklist, op->getOperands());
    }
  }
  return carried;
}

/// Returns true if a loop computes a tile from its former value through a reduction.
static bool isInRecurrence(tt::ReduceOp reduce) {
  auto loop = dyn_cast<scf::ForOp>(reduce->getParentOp());
  if (!loop)
    return false;
  const llvm::SmallDenseSet<unsigned> carried = getCarriedSources(loop, reduce);
  SmallVector<Value> worklist(reduce->getResults());
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isa<scf::YieldOp>(user) && user->getParentOp() == loop && carried.contains(use.getOperandNumber()))
        return true;
      if (user->getBlock() == loop.getBody())
        llvm::append_range(worklist, user->getResults());
    }
  }
  return false;
}

static bool hasRecurrence(ModuleOp module) {
  auto visit = [](tt::ReduceOp reduce) {
    return isInRecurrence(reduce) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return module.walk(visit).wasInterrupted();
}

int chooseWarpsForAccumulators(int64_t elements) { return elements >= 8192 ? 8 : 4; }

/// Chooses the number of warps by the tiles that are live at the same time. In a cluster, each thread block holds only
/// its part of these tiles.
static WarpChoice fitWarps(const Kernel &kernel) {
  // Accumulators of dots in the same iteration are live at the same time.
  llvm::SmallMapVector<Operation *, int64_t, 4> sums;
  int64_t largest = 1, operations = 0; // operations of the whole kernel, weighted by elements
  kernel.ttir.get().walk([&](Operation *op) {
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      Operation *loop = op->getParentOfType<LoopLikeOpInterface>();
      bool goesOn = dot.getC().getDefiningOp<tt::DotOp>() != nullptr; // reuses the registers of that dot
      sums[loop] += goesOn ? 0 : elementsOf(dot.getType());
    }
    int64_t carried = 0;
    for (Type type : op->getResultTypes()) {
      int64_t elements = elementsOf(type);
      largest = std::max(largest, elements);
      carried += elements > 1 ? elements : 0;
      operations += elements > 1 && !isFree(op) ? elements : 0;
    }
    if (isa<LoopLikeOpInterface>(op))
      largest = std::max(largest, carried);
  });

  WarpChoice choice;
  int maxWarps = 16;
  largest = std::max<int64_t>(largest / kernel.getNumCtas(), 1);
  operations /= kernel.getNumCtas();
  if (!sums.empty()) {
    int64_t most = llvm::max_element(sums, llvm::less_second())->second / kernel.getNumCtas();
    choice.warps = chooseWarpsForAccumulators(most);
    choice.reason = "the accumulators of its dots have " + std::to_string(most) + " elements at once";
    maxWarps = 8;
    constexpr int64_t rowsOfWarp = 16, maxOfFourWarps = 16384;
    std::optional<int64_t> rows = getRowsOfChainedDots(kernel.ttir.get());
    if (choice.warps == 8 && rows && *rows <= 4 * rowsOfWarp && most <= maxOfFourWarps) {
      choice.warps = 4;
      choice.reason = "rows of " + std::to_string(*rows) + " are reduced between its dots, 16 by each warp";
    }
  } else if (largest == 1) {
    choice.warps = 1;
    choice.reason = "it has no tile of several elements";
  } else {
    constexpr int64_t mostOfOneWarp = 1024; // 32 for each thread
    if (largest <= mostOfOneWarp && hasRecurrence(kernel.ttir.get()))
      return {1, "a loop computes a tile from its former value by a reduction, which one warp does without barriers"};
    choice.warps = largest <= 4096 ? 4 : largest <= 16384 ? 8 : 16;
    if (largest > 16 * 32 * 512) // a thread holds at most 1024 elements
      choice.warps = 32;
    choice.reason = "it holds " + std::to_string(largest) + " elements at once";
  }
  constexpr int64_t maxInstructions = 4096, leastElements = 4; // per thread
  auto isMuch = [&] {
    int64_t threads = choice.warps * 32;
    return operations > maxInstructions * threads && largest >= 2 * leastElements * threads;
  };
  for (; choice.warps < maxWarps && isMuch(); choice.warps *= 2)
    choice.reason = "it makes " + std::to_string(operations) + " operations on elements in a row";
  return choice;
}

/// Returns the number of threads that a called device function requires, or nothing if no function requires a number.
static std::optional<int> getThreadsOfCalls(ModuleOp module) {
  std::optional<int> threads;
  module.walk([&](tt::CallThreadsOp call) {
    if (std::optional<uint32_t> wanted = call.getThreads())
      threads = std::max<int>(threads.value_or(1), *wanted);
  });
  return threads;
}

WarpChoice chooseWarps(const Kernel &kernel, bool isAssembled) {
  if (std::optional<int> threads = getThreadsOfCalls(*kernel.ttir)) {
    constexpr int threadsPerWarp = 32;
    return {std::max(*threads / threadsPerWarp, 1), "it calls code for " + std::to_string(*threads) + " threads"};
  }
  WarpChoice choice = fitWarps(kernel);
  if (kernel.wantsMoreWarps && isAssembled) {
    choice.reason = "with " + std::to_string(choice.warps) + " its threads spill registers";
    choice.warps *= 2;
  }
  return choice;
}

bool hasElementsForMoreWarps(const Kernel &kernel, int warps) {
  int64_t before = 0, after = 0; // elements that a thread holds, summed over all results
  kernel.ttir.get().walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isa<RankedTensorType>(type) && !isFree(op)) {
        const int64_t threads = int64_t(warps) * 32 * kernel.getNumCtas(), elements = elementsOf(type);
        before += std::max<int64_t>(elements / threads, 1);
        after += std::max<int64_t>(elements / (2 * threads), 1);
      }
  });
  return 4 * after <= 3 * before;
}

std::optional<int> hintFor(const Kernel &kernel, const Target &target, TargetHint::Kind kind) {
  std::optional<int> forTarget, forAll;
  for (const TargetHint &hint : kernel.hints)
    if (hint.kind == kind && (hint.arch == target.backend->asGpu()->getHintedArch(target) || hint.arch == 0)) {
      std::optional<int> &value = hint.arch ? forTarget : forAll;
      value = std::max(value.value_or(0), hint.value);
    }
  return forTarget ? forTarget : forAll;
}

GpuOptions gpuOptions(const Kernel &kernel, const Target &target, GpuLibrary library) {
  constexpr int defaultStages = 3, maxWarps = 32;
  constexpr int maxHintedStages = 5; // more stages would take shared memory from other programs on the multiprocessor
  const GpuBackend &backend = *target.backend->asGpu();
  GpuOptions options;
  static_cast<KernelOptions &>(options) = kernel;
  options.target = backend.spell(target);
  options.library = std::move(library);
  options.tensorMaps = hintFor(kernel, target, TargetHint::TensorMaps).value_or(true);
  if (!options.numStages) {
    std::optional<int> latency = hintFor(kernel, target, TargetHint::Latency);
    options.numStages = latency ? std::min(*latency + 1, maxHintedStages) : defaultStages;
  }
  if (!options.numWarps)
    options.numWarps = hintFor(kernel, target, TargetHint::Warps);
  if (!options.numWarps)
    options.numWarps = chooseWarps(kernel, /*isAssembled=*/backend.getAssembler()).warps;
  options.callsThreads = tt::callsThreads(*kernel.ttir);
  // Without clusters, one block runs the whole program. Query this only if clusters are requested, so that targets can
  // share code.
  std::string error;
  const GpuFacts &facts = *backend.findFacts(options.target, error);
  options.numCtas = kernel.getNumCtas() > 1 && facts.hasClusters() ? kernel.getNumCtas() : 1;
  if (options.numCtas != kernel.getNumCtas())
    options.numWarps = std::min(*options.numWarps * kernel.getNumCtas(), maxWarps);
  // Sources count warps of 32 threads. If warps have more threads, fewer of them fit into a block.
  if (facts.warpSize > 32)
    options.numWarps = std::min<int>(*options.numWarps, facts.maxWarps);
  return options;
}

GpuOptions gpuOptions(const Kernel &kernel, const Variant &variant, const Target &target, GpuLibrary library) {
  GpuOptions options = gpuOptions(kernel, target, std::move(library));
  options.programsPerBlock = variant.programsPerBlock;
  if (variant.warps)
    options.numWarps = variant.warps;
  if (variant.stages)
    options.numStages = variant.stages;
  return options;
}

} // namespace tilecc
