//===- LaunchVariants.cpp - twins of variants for some launches ---------------------------------------------------===//
//
// No single tile size and arrangement of blocks suits all launches of a kernel: some launches have few programs or few
// rows, some have many programs, and some cannot encode tensor maps of images. For such launches, a kernel has
// differently compiled copies of its variants, called twins here. The runtime selects one by the grid and the arguments
// of the launch.
//
// compile() calls these functions for kernels from sources, after makeVariants() (Variants.cpp).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Variants.h"
#include "compile/Warps.h"
#include "lowering/analysis/DotChains.h"
#include "lowering/analysis/LaunchCode.h"
#include "lowering/analysis/ProgramWork.h"
#include "lowering/clusters/DivideTiles.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/RunPasses.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilecc {

/// Returns true if `func` has exactly one dot, and that dot is in a loop.
static bool hasOneDotInLoop(tt::FuncOp func) {
  unsigned dots = 0, inLoops = 0;
  func.walk([&](tt::DotOp dot) {
    ++dots;
    inLoops += dot->getParentOfType<LoopLikeOpInterface>() != nullptr;
  });
  return dots == 1 && inLoops == 1;
}

/// Returns true if `func` computes several tiles one after the other, which means that its dot is in a loop inside of a
/// loop.
static bool computesSeveralTiles(tt::FuncOp func) {
  auto isNested = [](tt::DotOp dot) {
    auto loop = dot->getParentOfType<LoopLikeOpInterface>();
    return loop && loop->getParentOfType<LoopLikeOpInterface>() ? WalkResult::interrupt() : WalkResult::advance();
  };
  return func.walk(isNested).wasInterrupted();
}

/// Returns a copy of `variant` with one more demand. Its kernel gets the attribute `attr`, unless `attr` is empty. Its
/// names end with `suffix`.
static Variant makeTwin(const Variant &variant, StringRef suffix, uint32_t demand, StringRef attr = {}) {
  Variant twin = variant.copy();
  twin.name += suffix;
  twin.symbol += suffix;
  twin.demands |= demand;
  tt::FuncOp func = getKernel(*twin.module);
  func.setName(twin.symbol);
  if (!attr.empty())
    func->setAttr(attr, UnitAttr::get(func.getContext()));
  return twin;
}

/// Returns a copy of `variant` whose tiles can be divided: calls are inlined, and common subexpressions are eliminated.
/// Returns nothing if a pass fails.
static std::optional<Variant> simplify(const Variant &variant) {
  Variant simplified = variant.copy();
  PassManager pm(simplified.module->getContext());
  buildTTIRPipeline(pm);
  return succeeded(runPasses(pm, *simplified.module)) ? std::optional(std::move(simplified)) : std::nullopt;
}

/// Allows a launch to run the last programs of a grid with another variant.
static void allowTail(Variant &variant) {
  tt::FuncOp func = getKernel(*variant.module);
  func->setAttr(tt::numberedAttr, UnitAttr::get(func.getContext()));
}

/// The length of the loop in which a kernel accumulates its dot.
struct LoopLength {
  LaunchCode iterations;
  int64_t bytesOfRow; ///< of the left operand, in each iteration
};

/// Returns nothing if the number of iterations depends on more than the arguments of a launch.
static std::optional<LoopLength> findLoopLength(tt::FuncOp func) {
  std::optional<LoopLength> length;
  func.walk([&](tt::DotOp dot) {
    auto loop = dot->getParentOfType<scf::ForOp>();
    auto left = dot.getA().getType();
    if (!loop || loop->getParentOfType<LoopLikeOpInterface>())
      return;
    std::optional<LaunchCode> begin = LaunchCode::get(loop.getLowerBound()),
                              end = LaunchCode::get(loop.getUpperBound()), step = LaunchCode::get(loop.getStep());
    if (begin && end && step)
      length = {(*end - *begin + *step - LaunchCode(1)) / *step,
                left.getShape().back() * tt::getElementBits(left.getElementType()) / 8};
  });
  return length;
}

/// Lets a launch compute the number of iterations.
static void describeIterations(Variant &variant, const LoopLength &length) {
  ArrayRef<int64_t> words = length.iterations.getWords();
  variant.iterations.assign(words.begin(), words.end());
}

/// The names of variants that compute a part of each tile, by the logarithm of the number of parts.
static constexpr StringLiteral suffixesOfParts[] = {"", "_halves", "_quarters", "_eighths"};

/// A launch of few programs can compute parts of tiles, or it can split the iterations of whole tiles over several
/// blocks (SplitIterations.cpp). Whole tiles read less memory for each product, but their blocks must add up their
/// accumulators. Parts are faster if a row of the left operand has at most this many bytes for each block that runs the
/// program (bench/gpu/NOTES.md).
static constexpr int64_t maxBytesOfRow = 4096;

/// Restricts a variant to launches with short loops.
static void demandShortLoops(Variant &variant, const LoopLength &length) {
  variant.demands |= TILECC_SHORT_LOOPS;
  variant.maxIterations = std::max<int64_t>(1, maxBytesOfRow / length.bytesOfRow);
  describeIterations(variant, length);
}

static bool hasHint(const Kernel &kernel, TargetHint::Kind kind) {
  return llvm::any_of(kernel.hints, [&](const TargetHint &hint) { return hint.kind == kind; });
}

/// Returns the number of elements of the result of the only dot of `func`.
static int64_t countElementsOfDot(tt::FuncOp func) {
  int64_t elements = 0;
  func.walk([&](tt::DotOp dot) { elements = dot.getType().getNumElements(); });
  return elements;
}

/// Returns the logarithm of the number of parts that have `elements` elements each, or 0 if there is no variant with so
/// many parts.
static unsigned countBitsOfParts(tt::FuncOp func, int64_t elements) {
  const unsigned bits = llvm::Log2_64(std::max<int64_t>(countElementsOfDot(func) / elements, 1));
  return bits < std::size(suffixesOfParts) ? bits : 0;
}

/// Returns the number of warps for a part of a tile, or nothing if it is that of the kernel, because the source or a
/// hint specifies it, or because the threads of fewer warps spilled registers.
static std::optional<int> chooseWarpsOfPart(const Kernel &kernel, tt::FuncOp part) {
  if (kernel.numWarps || kernel.wantsMoreWarps || hasHint(kernel, TargetHint::Warps))
    return std::nullopt;
  return chooseWarpsForAccumulators(countElementsOfDot(part));
}

static std::optional<Variant> makeTwinOfParts(const Kernel &kernel, const Variant &simplified, unsigned bits) {
  Variant twin = makeTwin(simplified, suffixesOfParts[bits], TILECC_FEW_BLOCKS, tt::fewBlocksAttr);
  if (!dividePrograms(getKernel(*twin.module), bits))
    return std::nullopt;
  twin.parts = 1u << bits;
  twin.warps = chooseWarpsOfPart(kernel, getKernel(*twin.module));
  allowTail(twin);
  if (std::optional<LoopLength> length = findLoopLength(getKernel(*simplified.module)))
    demandShortLoops(twin, *length);
  return twin;
}

/// Launches of few programs with short loops compute parts of the smallest size. Such a part has one warp group and
/// runs on one block, and its code is short: such a launch waits for memory and for instructions most of the time.
static std::optional<Variant> makeTwinOfSmallParts(const Kernel &kernel, const Variant &simplified) {
  const unsigned bits = countBitsOfParts(getKernel(*simplified.module), leastElementsOfSmallPart);
  std::optional<LoopLength> length = findLoopLength(getKernel(*simplified.module));
  if (bits == 0 || !length)
    return std::nullopt;
  Variant twin = makeTwin(simplified, suffixesOfParts[bits], TILECC_FEW_BLOCKS, tt::fewBlocksAttr);
  tt::FuncOp func = getKernel(*twin.module);
  if (!dividePrograms(func, bits, leastElementsOfSmallPart))
    return std::nullopt;
  func->setAttr(tt::oneBlockAttr, UnitAttr::get(func.getContext()));
  twin.parts = 1u << bits;
  twin.warps = chooseWarpsOfPart(kernel, func);
  demandShortLoops(twin, *length);
  return twin;
}

/// Launches that give some multiprocessors one program more than others compute parts of the usual smallest size, of
/// which several run on a multiprocessor.
static std::optional<Variant> makeTwinOfShares(const Kernel &kernel, const Variant &simplified) {
  constexpr uint32_t percentOfWhole = 125; // 120 to 128 on an H200 (bench/gpu/NOTES.md)
  const unsigned bits = countBitsOfParts(getKernel(*simplified.module), leastElementsOfPart);
  if (bits == 0)
    return std::nullopt;
  Variant twin = makeTwin(simplified, "_shares", TILECC_EVEN_SHARES);
  if (!dividePrograms(getKernel(*twin.module), bits))
    return std::nullopt;
  twin.parts = 1u << bits;
  twin.warps = chooseWarpsOfPart(kernel, getKernel(*twin.module));
  twin.roundPercent = percentOfWhole;
  return twin;
}

/// Launches whose rows do not begin with cache lines run pairs of blocks that share copies. Larger tiles need no
/// variant for this, since they are persistent anyway. A persistent kernel stores by tensor copies, which may not begin
/// before a tensor, as blocks of descriptors may.
static std::optional<Variant> makeTwinOfPairs(const Variant &variant) {
  constexpr int64_t largeTile = 128 * 256;
  tt::FuncOp func = getKernel(*variant.module);
  const int64_t elements = countElementsOfDot(func);
  const bool storesBlocks = func.walk([](tt::DescriptorStoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
  const bool isSuited = elements >= tt::smallestTileInPairs && elements < largeTile && !storesBlocks;
  return isSuited ? std::optional(makeTwin(variant, "_pairs", TILECC_PAIRS, tt::crossesLinesAttr)) : std::nullopt;
}

static std::optional<Variant> makeTwinOfFewRows(const Kernel &kernel, const Variant &simplified, int64_t most) {
  Variant twin = makeTwin(simplified, "_rows" + std::to_string(most), TILECC_FEW_ROWS);
  auto isNonNegative = [&](BlockArgument argument) { // TILECC_FEW_ROWS guarantees it for such parameters
    const KernelParam &param = kernel.params[argument.getArgNumber()];
    return param.kind == KernelParam::Integer && !param.noSpecialize;
  };
  std::optional<FirstRows> rows = keepFirstRows(getKernel(*twin.module), most, isNonNegative);
  if (!rows)
    return std::nullopt;
  twin.rows = rows->argument;
  twin.maxRows = rows->most;
  twin.parts = 1u << rows->bits;
  return twin;
}

/// `simplified` is the same variant after simplification, or null.
static Variant makeTwinOfFewBlocks(const Variant &variant, const Variant *simplified) {
  Variant twin = makeTwin(variant, "_few", TILECC_FEW_BLOCKS, tt::fewBlocksAttr);
  if (simplified)
    if (std::optional<LoopLength> length = findLoopLength(getKernel(*simplified->module)))
      describeIterations(twin, *length);
  return twin;
}

/// Returns true if `load` may read pixels of images: its pointers depend on an index that is split by division and
/// remainder.
static bool mayBeImage(tt::LoadOp load) {
  llvm::SetVector<Operation *> sources;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  (void)getBackwardSlice(load.getPtr(), &sources, options); // an index that comes through branches is not recognized
  auto isOfTiles = [](Operation *op) { return isa<RankedTensorType>(op->getResult(0).getType()); };
  return llvm::any_of(sources,
                      [&](Operation *op) { return isa<arith::RemSIOp, arith::RemUIOp>(op) && isOfTiles(op); }) &&
         llvm::any_of(sources, [&](Operation *op) { return isa<arith::DivSIOp, arith::DivUIOp>(op) && isOfTiles(op); });
}

static bool mayMultiplyImages(tt::FuncOp func) {
  bool found = false;
  func.walk([&](tt::DotOp dot) {
    for (Value operand : {dot.getA(), dot.getB()}) {
      if (auto trans = operand.getDefiningOp<tt::TransOp>())
        operand = trans.getSrc();
      auto load = operand.getDefiningOp<tt::LoadOp>();
      found |= load && mayBeImage(load);
    }
  });
  return found;
}

void addVariantsOfSmallLaunches(const Kernel &kernel, std::vector<Variant> &variants) {
  static constexpr StringLiteral bases[] = {"u16", "u8", "u16_2", "u8_2", "u16_3", "u8_3", "a16", "a8"};
  if (!hasOneDotInLoop(getKernel(*variants.front().module)))
    return;
  bool saysBlocks = kernel.saysWhatBlocksRun();
  // A number of stages that a source requests suits launches of many blocks, which share multiprocessors. It is kept if
  // the source also decides what a block runs. The value 1 disables pipelining.
  bool decidesAll = kernel.numStages && (saysBlocks || computesSeveralTiles(getKernel(*variants.front().module)));
  bool saysStages = kernel.numStages == 1 || decidesAll || hasHint(kernel, TargetHint::Latency);
  std::vector<Variant> result;
  auto add = [&](std::optional<Variant> twin) {
    if (twin)
      result.push_back(std::move(*twin));
  };
  for (Variant &variant : variants) {
    bool isBase = llvm::is_contained(bases, variant.name), hasParts = false;
    std::optional<Variant> simplified = isBase && !saysBlocks ? simplify(variant) : std::nullopt;
    if (simplified) {
      for (int64_t most : fewRows) {
        std::optional<Variant> rows = makeTwinOfFewRows(kernel, *simplified, most);
        if (rows && !saysStages)
          add(makeTwinOfFewBlocks(*rows, &*simplified));
        add(std::move(rows));
      }
      if (!saysStages)
        add(makeTwinOfSmallParts(kernel, *simplified));
      if (!saysStages)
        for (unsigned bits : {2, 1})
          if (std::optional<Variant> parts = makeTwinOfParts(kernel, *simplified, bits)) {
            add(std::move(parts));
            hasParts = true;
          }
      if (!saysStages && !mayMultiplyImages(getKernel(*simplified->module)))
        add(makeTwinOfShares(kernel, *simplified));
    }
    if (isBase && !saysStages)
      add(makeTwinOfFewBlocks(variant, simplified ? &*simplified : nullptr));
    if (hasParts)
      allowTail(variant);
    if (isBase && !saysBlocks && !saysStages)
      add(makeTwinOfPairs(variant));
    result.push_back(std::move(variant));
  }
  variants = std::move(result);
}

static unsigned countDots(ModuleOp module) {
  unsigned dots = 0;
  module.walk([&](tt::DotOp) { ++dots; });
  return dots;
}

/// If blocks of three programs of 64 rows each are faster for launches of many programs, returns the number of rows of
/// the kernel's tile. Otherwise returns nothing.
static std::optional<int64_t> getRowsToShare(ModuleOp simplified) {
  constexpr int64_t maxContracted = 128; // for each exponential: the two dots of attention with heads of 64
  SmallVector<DotChain> chains = findDotChains(simplified);
  if (chains.empty() || countDots(simplified) != 2 * chains.size() || findProgramWork(getKernel(simplified)).isUneven)
    return std::nullopt;
  int64_t rows = chains[0].first.getType().getDimSize(0);
  auto isSuited = [&](DotChain chain) {
    auto [first, second] = chain;
    return first.getType().getRank() == 2 && first.getType().getDimSize(0) == rows &&
           second.getType().getDimSize(0) == rows &&
           first.getA().getType().getDimSize(1) + second.getType().getDimSize(1) <= maxContracted;
  };
  return (rows == 64 || rows == 128) && llvm::all_of(chains, isSuited) ? std::optional(rows) : std::nullopt;
}

void addVariantsOfSharedBlocks(const Kernel &kernel, std::vector<Variant> &variants) {
  constexpr int programs = 3, warps = 4, rowsOfWarp = 16, rowsOfProgram = warps * rowsOfWarp;
  if (kernel.saysWhatBlocksRun() || countDots(*variants.front().module) < 2)
    return;
  std::optional<Variant> front = simplify(variants.front());
  std::optional<int64_t> rows = front ? getRowsToShare(*front->module) : std::nullopt;
  if (!rows || kernel.numWarps.value_or(*rows / rowsOfWarp) != *rows / rowsOfWarp)
    return;
  const unsigned bits = llvm::Log2_64(*rows / rowsOfProgram);
  std::vector<Variant> result;
  for (Variant &variant : variants) {
    if (std::optional<Variant> simplified = variant.demands ? simplify(variant) : std::nullopt) {
      Variant twin = makeTwin(*simplified, "_shared", TILECC_SHORTER_ROUNDS);
      if (bits == 0 || divideRows(getKernel(*twin.module), bits)) {
        twin.parts = 1u << bits;
        twin.programsPerBlock = programs;
        twin.warps = warps;
        twin.roundPercent = bits ? 127 : 132; // on an H200 (bench/gpu/NOTES.md)
        result.push_back(std::move(twin));
      }
    }
    result.push_back(std::move(variant));
  }
  variants = std::move(result);
}

void addVariantsOfDenseBlocks(const Kernel &kernel, std::vector<Variant> &variants) {
  constexpr int64_t mostRows = 16;
  constexpr int stages = 2;
  constexpr uint32_t percentOfRound = 140; // on an H200 (bench/gpu/NOTES.md)
  if (kernel.numStages || kernel.saysWhatBlocksRun() || hasHint(kernel, TargetHint::Latency) ||
      countDots(*variants.front().module) < 2)
    return;
  std::optional<Variant> front = simplify(variants.front());
  const SmallVector<DotChain> chains = front ? findDotChains(*front->module) : SmallVector<DotChain>();
  auto hasFewRows = [](DotChain chain) { return chain.first.getType().getShape().end()[-2] <= mostRows; };
  if (chains.empty() || !llvm::all_of(chains, hasFewRows))
    return;
  std::vector<Variant> result;
  for (Variant &variant : variants) {
    if (variant.demands) {
      Variant twin = makeTwin(variant, "_dense", TILECC_SHORTER_ROUNDS);
      twin.stages = stages;
      twin.roundPercent = percentOfRound;
      result.push_back(std::move(twin));
    }
    result.push_back(std::move(variant));
  }
  variants = std::move(result);
}

void addVariantsWithoutImages(std::vector<Variant> &variants) {
  static constexpr StringLiteral bases[] = {"u16", "u8", "u16_2", "u8_2", "u16_3", "u8_3", "a16", "a8", "p16"};
  if (!mayMultiplyImages(getKernel(*variants.front().module)))
    return;
  std::vector<Variant> result;
  for (Variant &variant : variants) {
    const bool isForSmallLaunches = variant.demands & (TILECC_FEW_BLOCKS | TILECC_FEW_ROWS);
    if (!isForSmallLaunches && !llvm::is_contained(bases, variant.name)) {
      result.push_back(std::move(variant));
      continue;
    }
    Variant plain = makeTwin(variant, "_plain", /*demand=*/0, tt::noImagesAttr);
    variant.demands |= TILECC_IMAGES;
    if (!isForSmallLaunches)
      result.push_back(makeTwin(variant, "_wave", TILECC_ONE_WAVE, tt::oneWaveAttr));
    result.push_back(std::move(variant));
    result.push_back(std::move(plain));
  }
  variants = std::move(result);
}

} // namespace tilecc
