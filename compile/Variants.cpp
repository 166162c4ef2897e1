//===- Variants.cpp - a kernel under different assumptions about its arguments ------------------------------------===//
//
// compile() calls these functions for kernels from sources.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Variants.h"
#include "compile/ArgumentUse.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/RunPasses.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/PositiveScalars.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace mlir;

namespace tilecc {

namespace {
/// An attribute of a kernel: the sets of arguments that variants assume to be 1 at the same time. Each set is an
/// integer with a bit for each argument.
constexpr StringLiteral unitsAttr = "tt.units";
/// An attribute of a kernel: for each of these sets, and for the empty set, the integers whose divisibility does not
/// affect the width of accesses.
constexpr StringLiteral freeAttr = "tt.free";
/// An attribute of an argument that has tt.positive in variants.
constexpr StringLiteral mayBePositiveAttr = "tt.may_be_positive";

/// The arguments about which a variant can make assumptions.
struct Specializable {
  SmallVector<unsigned> pointers, integers;
  bool hasBytes = false; ///< a pointer has 8-bit elements, of which 16 make a wide access
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
      result.integers.push_back(i);
    }
  }
  return result;
}

tt::FuncOp getKernel(ModuleOp module) {
  for (auto func : module.getOps<tt::FuncOp>())
    if (func.isKernel())
      return func;
  llvm_unreachable("a module without a kernel has no variants");
}

namespace {
/// The properties of accesses by which the code of variants is compared.
struct Accesses {
  SmallVector<int64_t> widths; ///< for each access, the number of adjacent elements that one instruction can access
  /// The same widths without regard to masks. Operands of dots may be loaded through tensor maps, which need aligned
  /// rows and convert masks to bounds.
  SmallVector<int64_t> rows;
  /// For each access to single elements, the number of adjacent pointers that point to the same element, as in x[i /
  /// n]: a thread computes and loads such an element once. The number is 1 for other accesses.
  SmallVector<int64_t> repetitions;
  SmallVector<bool> areLoads;
  bool hasDots = false;

  bool operator==(const Accesses &other) const {
    return widths == other.widths && repetitions == other.repetitions && (!hasDots || rows == other.rows);
  }
};
} // namespace

/// Returns a copy of `module` in which accesses through descriptors are lowered to accesses through pointers; null if a
/// pass fails.
static OwningOpRef<ModuleOp> lowerToPointers(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  PassManager pm(module->getContext());
  buildPointerPipeline(pm);
  if (failed(runPasses(pm, *copy)))
    return {};
  return copy;
}

/// Returns the number of adjacent elements of a tile of pointers that are equal. The result is at most the number of
/// elements that a thread may hold.
static int64_t countRepetitions(AxisInfoAnalysis &axisInfo, Value pointers) {
  constexpr int64_t maxOfThread = 16;
  const AxisInfo &info = axisInfo.get(pointers);
  int64_t most = 1;
  for (int64_t axis = 0, rank = cast<RankedTensorType>(pointers.getType()).getRank();
       axis < rank && !info.isUninitialized(); ++axis)
    most = std::max(most, std::min(maxOfThread, info.getConstancy(axis)));
  return most;
}

/// Returns the accesses of a module that lowerToPointers() has returned. Returns nothing if other code also depends on
/// the assumptions.
static std::optional<Accesses> measureAccesses(ModuleOp module) {
  AxisInfoAnalysis axisInfo(module);
  Accesses accesses;
  bool isComplete = true;
  module->walk([&](Operation *op) {
    auto access = tt::getGlobalAccess(op);
    bool isPlain = isMemoryEffectFree(op) || op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>();
    accesses.hasDots |= isa<tt::DotOp>(op);
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
    accesses.repetitions.push_back(accesses.widths.back() == 1 ? countRepetitions(axisInfo, access->pointers) : 1);
    accesses.areLoads.push_back(access->isRead && !access->isWrite);
  });
  return isComplete ? std::optional(std::move(accesses)) : std::nullopt;
}

static void assumeDivisible(tt::FuncOp func, ArrayRef<unsigned> arguments, int divisor) {
  auto value = IntegerAttr::get(IntegerType::get(func.getContext(), 32), divisor);
  for (unsigned i : arguments)
    func.setArgAttr(i, tt::divisibilityAttr, value);
}

/// Replaces all uses of an argument by 1, and returns the replacement.
static Value assumeOne(tt::FuncOp func, unsigned i) {
  OpBuilder builder(func.getContext());
  builder.setInsertionPointToStart(&func.getBody().front());
  Value argument = func.getArgument(i);
  Value one = arith::ConstantOp::create(builder, func.getLoc(), builder.getIntegerAttr(argument.getType(), 1));
  argument.replaceAllUsesWith(one);
  return one;
}

/// Returns true if no access of `after` is narrower than in `before`.
static bool isAsWide(const Accesses &after, const Accesses &before) {
  return llvm::all_of(llvm::zip_equal(after.widths, before.widths),
                      [](const auto &pair) { return std::get<0>(pair) >= std::get<1>(pair); });
}

static bool contains(uint32_t units, unsigned i) { return i < TILECC_UNIT_PARAMETERS && units >> i & 1; }

/// Returns true if a value is multiplied by `integer`, as an index is by a stride.
static bool isFactor(Value integer) {
  return llvm::any_of(integer.getUsers(), [](Operation *user) {
    return isa<arith::MulIOp>(user) ||
           (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
                user) &&
            isFactor(user->getResult(0)));
  });
}

namespace {
/// Tries assumptions on a copy of a kernel whose accesses are through pointers.
class Assumptions {
public:
  Assumptions(tt::FuncOp func, ModuleOp module) : func(func), module(module), arguments(findSpecializable(func)) {
    assumeDivisible(func, arguments.pointers, 16);
    assumeDivisible(func, arguments.integers, 16);
  }

  std::optional<Accesses> measure() const { return measureAccesses(module); }

  /// Returns the accesses under the assumptions that all arguments in `units` are 1 and that nothing is known about
  /// `unknown`.
  Accesses measure(uint32_t units, std::optional<unsigned> unknown = std::nullopt) {
    SmallVector<std::pair<BlockArgument, Value>> replaced;
    for (unsigned i : arguments.integers)
      if (contains(units, i))
        replaced.emplace_back(func.getArgument(i), assumeOne(func, i));
    if (unknown)
      func.removeArgAttr(*unknown, StringAttr::get(func.getContext(), tt::divisibilityAttr));
    Accesses accesses = *measure();
    if (unknown)
      assumeDivisible(func, *unknown, 16);
    for (auto [argument, one] : replaced) {
      one.replaceAllUsesWith(argument);
      one.getDefiningOp()->erase();
    }
    return accesses;
  }

  ArrayRef<unsigned> getIntegers() const { return arguments.integers; }
  bool isFactor(unsigned integer) { return tilecc::isFactor(func.getArgument(integer)); }

private:
  tt::FuncOp func;
  ModuleOp module;
  Specializable arguments;
};
} // namespace

/// Returns the sets of units that variants assume, with the most common set first. Returns no sets if no access becomes
/// wider when an integer is 1.
static SmallVector<uint32_t> chooseUnits(Assumptions &assumptions, const Accesses &divisible) {
  if (!llvm::is_contained(divisible.widths, 1))
    return {};
  uint32_t usual = 0;
  Accesses widest = divisible;
  // For each argument that makes an access wider if it is 1, measure the accesses if only this argument is 1.
  std::map<unsigned, Accesses> alone;
  for (unsigned i : llvm::reverse(assumptions.getIntegers())) {
    if (i >= TILECC_UNIT_PARAMETERS || !assumptions.isFactor(i))
      continue;
    Accesses accesses = assumptions.measure(1u << i);
    if (!isAsWide(accesses, divisible) || accesses.widths == divisible.widths)
      continue;
    alone.try_emplace(i, std::move(accesses));
    Accesses together = assumptions.measure(usual | 1u << i);
    if (isAsWide(together, widest) && together.widths != widest.widths) {
      widest = std::move(together);
      usual |= 1u << i;
    }
  }
  if (!usual)
    return {};

  // For each loaded tensor, collect the candidates for its unit stride: the last such argument and the one before it.
  std::set<std::pair<unsigned, unsigned>> others;
  for (size_t a = 0; a < divisible.widths.size(); ++a) {
    SmallVector<unsigned> candidates;
    for (const auto &[i, accesses] : alone)
      if (divisible.areLoads[a] && accesses.widths[a] > divisible.widths[a])
        candidates.push_back(i);
    if (candidates.size() >= 2)
      others.emplace(candidates.back(), candidates[candidates.size() - 2]);
  }
  SmallVector<uint32_t> sets = {usual};
  if (others.size() <= 2)
    for (auto [last, other] : others)
      if (uint32_t units = (usual & ~(1u << last)) | 1u << other; isAsWide(assumptions.measure(units), widest))
        sets.push_back(units);
  return sets;
}

/// Marks arguments that scale the operand of a maximum, such as the scale of a softmax. Variants assume that they are
/// positive, so that the factor can be moved out of the maximum (HoistScales.cpp).
static void assumePositive(Kernel &kernel, tt::FuncOp func) {
  auto mayBe = [&](BlockArgument argument) {
    const KernelParam &param = kernel.params[argument.getArgNumber()];
    return argument.getOwner() == &func.getBody().front() && param.isFloat && param.size >= sizeof(float) &&
           !param.noSpecialize;
  };
  func.walk([&](arith::MulFOp product) {
    auto scaled = getScaledTile(product.getResult());
    if (!scaled || !isPositive(scaled->scale, mayBe))
      return;
    // There may still be a mask between the product and the maximum.
    SetVector<Value> tiles;
    tiles.insert(product.getResult());
    for (size_t i = 0; i < tiles.size(); ++i)
      for (Operation *user : tiles[i].getUsers()) {
        if (isa<arith::SelectOp>(user))
          tiles.insert(user->getResult(0));
        if (auto reduce = dyn_cast<tt::ReduceOp>(user); reduce && isMaximum(reduce))
          isPositive(scaled->scale, [&](BlockArgument argument) {
            kernel.params[argument.getArgNumber()].assumedPositive = true;
            func.setArgAttr(argument.getArgNumber(), mayBePositiveAttr, UnitAttr::get(func.getContext()));
            return true;
          });
      }
  });
}

void chooseAssumptions(Kernel &kernel) {
  tt::FuncOp func = getKernel(*kernel.ttir);
  assumePositive(kernel, func);
  auto leaveOut = [&](unsigned i) {
    kernel.params[i].noSpecialize = true;
    func.setArgAttr(i, noSpecializeAttr, UnitAttr::get(func.getContext()));
  };
  for (auto [param, argument] : llvm::zip_equal(kernel.params, func.getArguments()))
    if (param.kind != KernelParam::Other && !param.noSpecialize && !decidesAccesses(argument))
      leaveOut(argument.getArgNumber());

  if (findSpecializable(func).integers.empty())
    return;
  OwningOpRef<ModuleOp> module = lowerToPointers(*kernel.ttir);
  if (!module)
    return;
  Assumptions assumptions(getKernel(*module), *module);
  std::optional<Accesses> divisible = assumptions.measure();
  if (!divisible)
    return;
  SmallVector<uint32_t> sets = chooseUnits(assumptions, *divisible);
  auto setSets = [&](StringRef name, ArrayRef<uint32_t> sets) {
    func->setAttr(name, DenseI32ArrayAttr::get(func.getContext(), llvm::to_vector_of<int32_t>(sets)));
  };
  if (!sets.empty())
    setSets(unitsAttr, sets);
  sets.push_back(0);

  // An integer that is part of an address, such as a row number or the extent of an outer axis, does not necessarily
  // affect the width of accesses.
  SmallVector<uint32_t> free;
  for (uint32_t units : sets) {
    Accesses widest = assumptions.measure(units);
    free.push_back(0);
    for (unsigned i : assumptions.getIntegers())
      if (i < TILECC_UNIT_PARAMETERS && !contains(units, i) && assumptions.measure(units, i) == widest)
        free.back() |= 1u << i;
  }
  // The variants without units are considered only if there are no others, because their accesses are narrow anyway.
  ArrayRef<uint32_t> decisive = sets.size() > 1 ? ArrayRef(free).drop_back() : ArrayRef(free);
  for (unsigned i : assumptions.getIntegers())
    if (llvm::all_of(decisive, [&](uint32_t set) { return contains(set, i); }))
      leaveOut(i);
  setSets(freeAttr, free);
}

/// Returns the name of the kernel in code. PTX allows only ASCII characters in names.
static std::string toAscii(StringRef symbol) {
  std::string name;
  for (unsigned char c : symbol)
    name += c < 0x80 ? std::string(1, static_cast<char>(c)) : "_" + llvm::utohexstr(c);
  return name;
}

std::vector<Variant> makeVariants(ModuleOp module) {
  tt::FuncOp func = getKernel(module);
  Specializable arguments = findSpecializable(func);
  auto getSets = [&](StringRef name) {
    auto attribute = func->getAttrOfType<DenseI32ArrayAttr>(name);
    return attribute ? llvm::to_vector_of<uint32_t>(attribute.asArrayRef()) : SmallVector<uint32_t>();
  };
  SmallVector<uint32_t> sets = getSets(unitsAttr), frees = getSets(freeAttr);
  frees.resize(sets.size() + 1);
  for (uint32_t &free : frees)
    for (unsigned i = 0; i < TILECC_UNIT_PARAMETERS; ++i)
      if (!llvm::is_contained(arguments.integers, i))
        free &= ~(1u << i); // no variant makes assumptions about it
  bool hasPositive = llvm::any_of(llvm::seq(func.getNumArguments()),
                                  [&](unsigned i) { return func.getArgAttr(i, mayBePositiveAttr); });
  std::vector<Variant> variants;
  auto add = [&](StringRef name, uint32_t demands, uint32_t units = 0, uint32_t free = 0) {
    if (demands && hasPositive)
      demands |= TILECC_FLOATS_POSITIVE;
    std::string suffix = demands ? "$" + name.str() : "";
    Variant variant{
        {demands, units, free}, name.str(), toAscii(func.getName()) + suffix, cast<ModuleOp>(module->clone())};
    for (auto f : variant.module->getOps<tt::FuncOp>()) {
      if (f.getName() != func.getName())
        continue;
      f.setName(variant.symbol);
      f->removeAttr(unitsAttr);
      f->removeAttr(freeAttr);
      for (unsigned i = 0; i < f.getNumArguments(); ++i) {
        f.removeArgAttr(i, StringAttr::get(f.getContext(), noSpecializeAttr));
        if (f.removeArgAttr(i, StringAttr::get(f.getContext(), mayBePositiveAttr)) && demands)
          f.setArgAttr(i, tt::positiveAttr, UnitAttr::get(f.getContext()));
      }
      if (demands & TILECC_POINTERS_DIVISIBLE_BY_16)
        assumeDivisible(f, arguments.pointers, 16);
      for (unsigned i : arguments.integers)
        if (contains(units, i))
          assumeOne(f, i);
        else if (unsigned divisor = getIntegersDivisor(demands); divisor > 1 && !contains(free, i))
          assumeDivisible(f, i, divisor);
    }
    // Analyses look for unit strides, not for multiplications by 1.
    if (units) {
      PassManager pm(module->getContext());
      pm.addPass(createCanonicalizerPass());
      pm.addPass(createCSEPass());
      if (failed(runPasses(pm, *variant.module)))
        llvm_unreachable("canonicalization does not fail");
    }
    variants.push_back(std::move(variant));
  };
  constexpr uint32_t pointers = TILECC_POINTERS_DIVISIBLE_BY_16;
  constexpr uint32_t by16 = pointers | TILECC_INTEGERS_DIVISIBLE_BY_16, by8 = pointers | TILECC_INTEGERS_DIVISIBLE_BY_8;
  bool mayNeed8 = !arguments.pointers.empty() && !arguments.hasBytes;
  for (auto [number, units] : llvm::enumerate(sets)) {
    add(variantNames[2 * number], by16, units, frees[number]);
    bool areAllUnits = llvm::all_of(arguments.integers, [&](unsigned i) { return contains(units | frees[number], i); });
    if (mayNeed8 && !areAllUnits)
      add(variantNames[2 * number + 1], by8, units, frees[number]);
  }
  if (!arguments.integers.empty()) {
    add("a16", by16, 0, frees.back());
    if (mayNeed8)
      add("a8", by8, 0, frees.back());
  }
  if (!arguments.pointers.empty())
    add("p16", pointers);
  add("generic", 0);
  return variants;
}

/// Returns the arguments, as bits, by which the index along an axis of a tile of pointers is multiplied.
static uint32_t findStrideArguments(ModuleOp module) {
  uint32_t arguments = 0;
  module->walk([&](Operation *op) {
    auto access = tt::getGlobalAccess(op);
    std::optional<SmallVector<Stride>> strides =
        access && access->isOfTile() ? getStrides(access->pointers) : std::nullopt;
    if (!strides)
      return;
    for (const Stride &stride : *strides)
      if (auto argument = dyn_cast_or_null<BlockArgument>(stride.value);
          argument && !stride.isZero() && argument.getArgNumber() < TILECC_UNIT_PARAMETERS)
        arguments |= 1u << argument.getArgNumber();
  });
  return arguments;
}

void assumeSmallStrides(const Kernel &kernel, std::vector<Variant> &variants) {
  for (Variant &variant : variants) {
    OwningOpRef<ModuleOp> module = variant.demands ? lowerToPointers(*variant.module) : nullptr;
    if (!module)
      continue;
    tt::FuncOp func = getKernel(*variant.module);
    uint32_t strides = findStrideArguments(*module);
    for (auto [i, param] : llvm::enumerate(kernel.params)) {
      // Launches do not examine the other parameters.
      if (i >= TILECC_UNIT_PARAMETERS || !(strides >> i & 1) || param.kind != KernelParam::Integer ||
          param.noSpecialize)
        continue;
      variant.strides |= 1u << i;
      func.setArgAttr(i, tt::atMostAttr, IntegerAttr::get(IntegerType::get(func.getContext(), 32), TILECC_MAX_STRIDE));
    }
  }
}

/// Returns true if all arguments that satisfy the demands of `other` on integers also satisfy those of `variant`.
static bool isWeaker(const Variant &variant, const Variant &other) {
  uint32_t exempt = variant.units | variant.free;
  return !(variant.units & ~other.units) && (getIntegersDivisor(variant.demands) == 1 || !(other.free & ~exempt));
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
  // Keep only one of a8 and a16, because another divisor of integers does not justify a variant. The same holds for u8
  // and u16.
  for (size_t v = 0; v + 1 < variants.size(); ++v)
    if (getIntegersDivisor(variants[v + 1].demands) > 1 && variants[v].units == variants[v + 1].units)
      drop(accesses[v] && accesses[v + 1] && accesses[v]->widths == accesses[v + 1]->widths ? v : v + 1);
  for (size_t v = variants.size() - 1; v-- > 0;) {
    // Find the next variant with weaker demands than those of this variant. (Of two sets of units, neither is weaker.)
    size_t next = v + 1;
    while (!isWeaker(variants[next], variants[v]))
      ++next;
    if (accesses[v] && accesses[next] && *accesses[v] == *accesses[next])
      drop(v);
  }
}

} // namespace tilecc
