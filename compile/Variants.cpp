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
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilecc {

namespace {
/// The attribute of an argument that is a unit.
constexpr StringLiteral unitAttr = "tt.unit";

/// The arguments a variant can assume something of.
struct Specializable {
  SmallVector<unsigned> pointers, integers, units;
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
    } else if (isa<IntegerType>(type) && !type.isInteger(1)) {
      (func.getArgAttr(i, unitAttr) ? result.units : result.integers).push_back(i);
    }
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

/// Replaces an argument by 1 where it is used; returns what it is replaced by.
static Value assumeOne(tt::FuncOp func, unsigned i) {
  OpBuilder builder(func.getContext());
  builder.setInsertionPointToStart(&func.getBody().front());
  Value argument = func.getArgument(i);
  Value one = arith::ConstantOp::create(builder, func.getLoc(), builder.getIntegerAttr(argument.getType(), 1));
  argument.replaceAllUsesWith(one);
  return one;
}

/// Whether no access of `after` is narrower than in `before`, and one is wider.
static bool isWider(const Accesses &after, const Accesses &before) {
  bool isAny = false;
  for (auto [widthAfter, widthBefore] : llvm::zip_equal(after.widths, before.widths)) {
    if (widthAfter < widthBefore)
      return false;
    isAny |= widthAfter > widthBefore;
  }
  return isAny;
}

void chooseAssumptions(Kernel &kernel) {
  tt::FuncOp func = getKernel(*kernel.ttir);
  auto mark = [&](unsigned i, StringRef attribute) { func.setArgAttr(i, attribute, UnitAttr::get(func.getContext())); };
  auto leaveOut = [&](unsigned i) {
    kernel.params[i].noSpecialize = true;
    mark(i, noSpecializeAttr);
  };
  for (auto [param, argument] : llvm::zip_equal(kernel.params, func.getArguments()))
    if (param.kind != KernelParam::Other && !param.noSpecialize && !decidesAccesses(argument))
      leaveOut(argument.getArgNumber());

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
  if (!widest)
    return;

  for (unsigned i : llvm::reverse(arguments.integers)) {
    if (!llvm::is_contained(widest->widths, 1))
      break;
    Value one = assumeOne(lowered, i);
    std::optional<Accesses> accesses = measureAccesses(*module);
    if (isWider(*accesses, *widest)) {
      widest = std::move(accesses);
      kernel.params[i].isUnit = true;
      mark(i, unitAttr);
    } else {
      one.replaceAllUsesWith(lowered.getArgument(i));
      one.getDefiningOp()->erase();
    }
  }

  // An argument that is part of an address need not make accesses wider: a row's number, or the extent of an outer axis.
  for (unsigned i : arguments.integers) {
    if (kernel.params[i].isUnit)
      continue;
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
  auto add = [&](StringRef name, uint32_t demands) {
    std::string suffix = demands ? "$" + name.str() : "";
    Variant variant{name, demands, toAscii(func.getName()) + suffix, cast<ModuleOp>(module->clone())};
    for (auto f : variant.module->getOps<tt::FuncOp>()) {
      if (f.getName() != func.getName())
        continue;
      f.setName(variant.symbol);
      for (unsigned i = 0; i < f.getNumArguments(); ++i)
        for (StringRef attribute : {StringRef(noSpecializeAttr), StringRef(unitAttr)})
          f.removeArgAttr(i, StringAttr::get(f.getContext(), attribute));
      if (demands & TILECC_POINTERS_DIVISIBLE_BY_16)
        assumeDivisible(f, arguments.pointers, 16);
      if (unsigned divisor = getIntegersDivisor(demands); divisor > 1)
        assumeDivisible(f, arguments.integers, divisor);
      if (demands & TILECC_UNITS_ARE_ONE)
        for (unsigned i : arguments.units)
          assumeOne(f, i);
    }
    // Analyses look for unit strides, not for products with 1.
    if (demands & TILECC_UNITS_ARE_ONE) {
      PassManager pm(module->getContext());
      pm.addPass(createCanonicalizerPass());
      pm.addPass(createCSEPass());
      if (failed(runPasses(pm, *variant.module)))
        llvm_unreachable("canonicalization does not fail");
    }
    variants.push_back(std::move(variant));
  };
  constexpr uint32_t pointers = TILECC_POINTERS_DIVISIBLE_BY_16;
  bool mayNeed8 = !arguments.pointers.empty() && !arguments.hasBytes;
  if (!arguments.units.empty()) {
    add("u16", pointers | TILECC_INTEGERS_DIVISIBLE_BY_16 | TILECC_UNITS_ARE_ONE);
    if (mayNeed8 && !arguments.integers.empty())
      add("u8", pointers | TILECC_INTEGERS_DIVISIBLE_BY_8 | TILECC_UNITS_ARE_ONE);
  }
  if (!arguments.integers.empty()) {
    add("a16", pointers | TILECC_INTEGERS_DIVISIBLE_BY_16);
    if (mayNeed8)
      add("a8", pointers | TILECC_INTEGERS_DIVISIBLE_BY_8);
  }
  if (!arguments.pointers.empty())
    add("p16", pointers);
  add("generic", 0);
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
  // a8 takes the place of a16, or there is none: two multiples of integers are no reason for two variants. So it is with u8.
  auto withoutIntegers = [](const Variant &variant) {
    return variant.demands & ~(TILECC_INTEGERS_DIVISIBLE_BY_16 | TILECC_INTEGERS_DIVISIBLE_BY_8);
  };
  for (size_t v = 0; v + 1 < variants.size(); ++v)
    if (getIntegersDivisor(variants[v + 1].demands) > 1 && withoutIntegers(variants[v]) == withoutIntegers(variants[v + 1]))
      drop(accesses[v] && accesses[v + 1] && accesses[v]->widths == accesses[v + 1]->widths ? v : v + 1);
  for (size_t v = variants.size() - 1; v-- > 0;)
    if (accesses[v] && accesses[v + 1] && *accesses[v] == *accesses[v + 1])
      drop(v);
}

} // namespace tilecc
