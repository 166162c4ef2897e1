//===- Variants.cpp - a kernel under different assumptions about its arguments --------------------------------------===//
//
// Called by compile() for kernels of sources.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "compile/Variants.h"
#include "lowering/dialects/tt/TT.h"
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

} // namespace tilecc
