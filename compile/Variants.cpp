//===- Variants.cpp - a kernel under different assumptions about its arguments --------------------------------------===//
//
// Called by compile() for kernels of sources.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "compile/Variants.h"
#include "compile/PassPipelines.h"
#include "compile/RunPasses.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilecc {

namespace {
/// The arguments a variant can assume something of.
struct Specializable {
  SmallVector<unsigned> pointers, integers;
};
} // namespace

static Specializable findSpecializable(tt::FuncOp func) {
  Specializable result;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (func.getArgAttr(i, tt::divisibilityAttr) || func.getArgAttr(i, noSpecializeAttr))
      continue;
    if (isa<tt::PointerType>(type))
      result.pointers.push_back(i);
    else if (isa<IntegerType>(type) && !type.isInteger(1))
      result.integers.push_back(i);
  }
  return result;
}

/// What code calls a kernel: PTX has no letters beyond ASCII in names.
static std::string toAscii(StringRef symbol) {
  std::string name;
  for (unsigned char c : symbol)
    name += c < 0x80 ? std::string(1, static_cast<char>(c)) : "_" + llvm::utohexstr(c);
  return name;
}

std::vector<Variant> makeVariants(ModuleOp module) {
  tt::FuncOp func;
  for (auto f : module.getOps<tt::FuncOp>())
    if (f.isKernel())
      func = f;
  Specializable arguments = findSpecializable(func);
  std::vector<Variant> variants;
  auto add = [&](StringRef name, uint32_t demands, StringRef suffix, ArrayRef<SmallVector<unsigned>> divisible) {
    Variant variant{name, demands, toAscii(func.getName()) + suffix.str(), cast<ModuleOp>(module->clone())};
    for (auto f : variant.module->getOps<tt::FuncOp>()) {
      if (f.getName() != func.getName())
        continue;
      f.setName(variant.symbol);
      for (unsigned i = 0; i < f.getNumArguments(); ++i)
        f.removeArgAttr(i, StringAttr::get(f.getContext(), noSpecializeAttr));
      for (const auto &indices : divisible)
        for (unsigned i : indices)
          f.setArgAttr(i, tt::divisibilityAttr, IntegerAttr::get(IntegerType::get(f.getContext(), 32), 16));
    }
    variants.push_back(std::move(variant));
  };
  constexpr uint32_t pointers = TILECC_POINTERS_DIVISIBLE_BY_16, integers = TILECC_INTEGERS_DIVISIBLE_BY_16;
  if (!arguments.integers.empty())
    add("a16", pointers | integers, "$a16", {arguments.pointers, arguments.integers});
  if (!arguments.pointers.empty())
    add("p16", pointers, "$p16", {arguments.pointers});
  add("generic", 0, "", {});
  return variants;
}

/// Of each access, how many neighbours one instruction can take; nothing, if more than that depends on what is assumed: products
/// may get their operands by tensor maps, which want aligned rows.
static std::optional<SmallVector<int64_t>> accessesOf(const Variant &variant) {
  OwningOpRef<ModuleOp> module = cast<ModuleOp>((*variant.module)->clone());
  PassManager pm(module->getContext());
  buildTTIRPipeline(pm);
  if (failed(runPasses(pm, *module)))
    return std::nullopt;
  AxisInfoAnalysis axisInfo(*module);
  SmallVector<int64_t> widths;
  bool isComplete = true;
  module->walk([&](Operation *op) {
    auto access = tt::getGlobalAccess(op);
    bool isPlain = isMemoryEffectFree(op) || op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>();
    isComplete &= !isa<tt::DotOp>(op) && (access || isPlain);
    if (!access || !access->isOfTile())
      return;
    unsigned bits = std::max(8u, tt::getElementBits(getElementTypeOrSelf(tt::getPointeeType(access->pointers.getType()))));
    widths.push_back(std::min<int64_t>(getAccessibleNeighbours(axisInfo, access->pointers, access->mask),
                                       std::max(1u, widestAccessBits / bits)));
  });
  return isComplete ? std::optional(widths) : std::nullopt;
}

void dropVariantsOfSameAccesses(std::vector<Variant> &variants) {
  if (variants.size() < 2)
    return;
  std::optional<SmallVector<int64_t>> next = accessesOf(variants.back());
  for (size_t v = variants.size() - 1; next && v-- > 0;) {
    std::optional<SmallVector<int64_t>> accesses = accessesOf(variants[v]);
    if (accesses == next)
      variants.erase(variants.begin() + v);
    next = std::move(accesses);
  }
}

} // namespace tilecc
