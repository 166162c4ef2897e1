//===- Variants.cpp - a kernel under different assumptions about its arguments --------------------------------------===//
//
// Called by compile() for kernels of sources.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "compile/Variants.h"
#include "compile/ArgumentUse.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/RunPasses.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilecc {

namespace {
/// The arguments a variant can assume something of.
struct Specializable {
  SmallVector<unsigned> pointers, integers;
  bool hasBytes = false; ///< a pointer's elements are of 8 bits, of which 16 make a wide access
};
} // namespace

static Specializable findSpecializable(tt::FuncOp func) {
  Specializable result;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (func.getArgAttr(i, tt::divisibilityAttr) || func.getArgAttr(i, noSpecializeAttr))
      continue;
    if (auto pointer = dyn_cast<tt::PointerType>(type)) {
      result.pointers.push_back(i);
      result.hasBytes |= tt::getElementBits(pointer.getPointeeType()) <= 8;
    } else if (isa<IntegerType>(type) && !type.isInteger(1))
      result.integers.push_back(i);
  }
  return result;
}

static tt::FuncOp getKernel(ModuleOp module) {
  for (auto func : module.getOps<tt::FuncOp>())
    if (func.isKernel())
      return func;
  llvm_unreachable("a module without a kernel has no variants");
}

namespace {
/// What tells the code of two variants apart.
struct Accesses {
  SmallVector<int64_t> widths; ///< of each access, how many neighbours one instruction can take
  /// The same were there no masks: products may get their operands by tensor maps, which want aligned rows and make
  /// masks their limits.
  SmallVector<int64_t> rows;
  bool hasProducts = false;

  bool operator==(const Accesses &other) const {
    return widths == other.widths && (!hasProducts || rows == other.rows);
  }
};
} // namespace

/// A copy of `module` whose accesses are all through pointers, as descriptors' are in the end; null if a pass fails.
static OwningOpRef<ModuleOp> lowerToPointers(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  PassManager pm(module->getContext());
  buildPointerPipeline(pm);
  if (failed(runPasses(pm, *copy)))
    return {};
  return copy;
}

/// The accesses of what lowerToPointers() returned; nothing, if more than accesses depends on what is assumed.
static std::optional<Accesses> measureAccesses(ModuleOp module) {
  AxisInfoAnalysis axisInfo(module);
  Accesses accesses;
  bool isComplete = true;
  module->walk([&](Operation *op) {
    auto access = tt::getGlobalAccess(op);
    bool isPlain = isMemoryEffectFree(op) || op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>();
    accesses.hasProducts |= isa<tt::DotOp>(op);
    isComplete &= access || isPlain || isa<tt::DotOp>(op);
    if (!access || !access->isOfTile())
      return;
    unsigned bits =
        std::max(8u, tt::getElementBits(getElementTypeOrSelf(tt::getPointeeType(access->pointers.getType()))));
    auto neighbours = [&](Value mask) {
      return std::min<int64_t>(getAccessibleNeighbours(axisInfo, access->pointers, mask),
                               std::max(1u, widestAccessBits / bits));
    };
    accesses.widths.push_back(neighbours(access->mask));
    accesses.rows.push_back(neighbours({}));
  });
  return isComplete ? std::optional(std::move(accesses)) : std::nullopt;
}

static void assumeDivisible(tt::FuncOp func, ArrayRef<unsigned> arguments, int divisor) {
  auto value = IntegerAttr::get(IntegerType::get(func.getContext(), 32), divisor);
  for (unsigned i : arguments)
    func.setArgAttr(i, tt::divisibilityAttr, value);
}

void leaveOutArguments(Kernel &kernel) {
  tt::FuncOp func = getKernel(*kernel.ttir);
  auto leaveOut = [&](unsigned i) {
    kernel.params[i].noSpecialize = true;
    func.setArgAttr(i, noSpecializeAttr, UnitAttr::get(func.getContext()));
  };
  for (auto [param, argument] : llvm::zip_equal(kernel.params, func.getArguments()))
    if (param.kind != KernelParam::Other && !param.noSpecialize && !decidesAccesses(argument))
      leaveOut(argument.getArgNumber());

  // An argument that is part of an address need not make accesses wider: a row's number, or the extent of an outer axis.
  Specializable arguments = findSpecializable(func);
  if (arguments.integers.empty())
    return;
  OwningOpRef<ModuleOp> module = lowerToPointers(*kernel.ttir);
  if (!module)
    return;
  tt::FuncOp lowered = getKernel(*module);
  assumeDivisible(lowered, arguments.pointers, 16);
  assumeDivisible(lowered, arguments.integers, 16);
  std::optional<Accesses> widest = measureAccesses(*module);
  for (unsigned i : widest ? ArrayRef(arguments.integers) : ArrayRef<unsigned>()) {
    lowered.removeArgAttr(i, StringAttr::get(func.getContext(), tt::divisibilityAttr));
    if (*measureAccesses(*module) == *widest)
      leaveOut(i);
    else
      assumeDivisible(lowered, i, 16);
  }
}

/// What code calls a kernel: PTX has no letters beyond ASCII in names.
static std::string toAscii(StringRef symbol) {
  std::string name;
  for (unsigned char c : symbol)
    name += c < 0x80 ? std::string(1, static_cast<char>(c)) : "_" + llvm::utohexstr(c);
  return name;
}

std::vector<Variant> makeVariants(ModuleOp module) {
  tt::FuncOp func = getKernel(module);
  Specializable arguments = findSpecializable(func);
  std::vector<Variant> variants;
  auto add = [&](StringRef name, uint32_t demands, StringRef suffix) {
    Variant variant{name, demands, toAscii(func.getName()) + suffix.str(), cast<ModuleOp>(module->clone())};
    for (auto f : variant.module->getOps<tt::FuncOp>()) {
      if (f.getName() != func.getName())
        continue;
      f.setName(variant.symbol);
      for (unsigned i = 0; i < f.getNumArguments(); ++i)
        f.removeArgAttr(i, StringAttr::get(f.getContext(), noSpecializeAttr));
      if (demands & TILECC_POINTERS_DIVISIBLE_BY_16)
        assumeDivisible(f, arguments.pointers, 16);
      if (unsigned divisor = getIntegersDivisor(demands); divisor > 1)
        assumeDivisible(f, arguments.integers, divisor);
    }
    variants.push_back(std::move(variant));
  };
  constexpr uint32_t pointers = TILECC_POINTERS_DIVISIBLE_BY_16;
  if (!arguments.integers.empty()) {
    add("a16", pointers | TILECC_INTEGERS_DIVISIBLE_BY_16, "$a16");
    if (!arguments.pointers.empty() && !arguments.hasBytes)
      add("a8", pointers | TILECC_INTEGERS_DIVISIBLE_BY_8, "$a8");
  }
  if (!arguments.pointers.empty())
    add("p16", pointers, "$p16");
  add("generic", 0, "");
  return variants;
}

void dropVariantsOfSameAccesses(std::vector<Variant> &variants) {
  std::vector<std::optional<Accesses>> accesses;
  for (const Variant &variant : variants) {
    OwningOpRef<ModuleOp> module = lowerToPointers(*variant.module);
    accesses.push_back(module ? measureAccesses(*module) : std::nullopt);
  }
  auto drop = [&](size_t v) {
    variants.erase(variants.begin() + v);
    accesses.erase(accesses.begin() + v);
  };
  // a8 takes the place of a16, or there is none: two multiples of integers are no reason for two variants.
  if (variants.size() > 1 && getIntegersDivisor(variants[1].demands) > 1)
    drop(accesses[0] && accesses[1] && accesses[0]->widths == accesses[1]->widths ? 0 : 1);
  for (size_t v = variants.size() - 1; v-- > 0;)
    if (accesses[v] && accesses[v + 1] && *accesses[v] == *accesses[v + 1])
      drop(v);
}

} // namespace tilecc
