//===- GlobalAddresses.cpp - addresses of a thread's elements in global memory ------------------------------------===//
//
// A tile of pointers has an address for each register of a thread. If a thread makes many accesses, for example because
// the alignment is unknown, address computations are most of its code, and the addresses that a loop carries occupy
// most of its registers:
//
//     p0 = a + row * lda; p1 = a + (row + 2) * lda; ...
//     for ... { load(p0); load(p1); ...; p0 += 64; p1 += 64; ... }
//
// But the addresses differ by strides. So a single address suffices, plus the distance between registers, which is
// loop-invariant:
//
//     p = a + row * lda; s = 2 * lda;
//     for ... { load(p); load(p + s); ...; p += 64; }
//
// Each bit of a register's number has a step. The address for a register is the address for the number without its
// lowest 1 bit, plus the step of that bit. Constant steps become displacements of the memory instruction. The original
// addresses are then unused, and LLVM removes them.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/gpu/Lowering.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

/// If a thread makes at most this many accesses, each has its own address.
static constexpr int64_t fewAccesses = 8;

/// Returns the pointers of an access and its mask, or nulls for other operations.
static std::pair<Value, Value> getPointers(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return {load.getPtr(), load.getMask()};
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return {store.getPtr(), store.getMask()};
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op))
    return {copy.getSrc(), copy.getMask()};
  return {};
}

PointerStrides tilecc::findStrides(ModuleOp module, const AxisInfoAnalysis &axisInfo) {
  PointerStrides known;
  module.walk([&](Operation *op) {
    auto [pointers, mask] = getPointers(op);
    auto type = pointers ? dyn_cast<RankedTensorType>(pointers.getType()) : nullptr;
    if (!type || ttg::getElementsPerThread(type) / getAccessWidth(axisInfo, pointers, mask) <= fewAccesses ||
        !registersAreDisjoint(ttg::toLinearLayout(type)))
      return;
    std::optional<SmallVector<Stride>> strides = getStrides(pointers);
    if (strides && llvm::none_of(*strides, [](const Stride &stride) { return stride.value && stride.isUnsigned; }))
      known[pointers] = *strides;
  });
  return known;
}

GlobalAddresses::GlobalAddresses(ConversionPatternRewriter &rewriter, Location loc, Value pointers,
                                 ValueRange registers, const TileTypeConverter &types, const LoweringContext &lowering)
    : rewriter(rewriter), loc(loc), registers(registers) {
  auto known = lowering.strides.find(pointers);
  if (known == lowering.strides.end())
    return;
  strides = known->second;
  auto type = cast<RankedTensorType>(pointers.getType());
  element = getMemoryType(types.convertElement(tt::getPointeeType(type.getElementType())));
  layout = ttg::toLinearLayout(type);
  steps.resize(layout.getInBits(Dim::Register));
  for (unsigned bit = 0; bit < steps.size(); ++bit)
    if (llvm::all_of(llvm::enumerate(strides), [&](auto stride) {
          return !stride.value().value || !layout.getBasis(Dim::Register, bit, axis(stride.index()));
        }))
      constantBits |= 1 << bit;
  addresses[0] = registers[0];
}

/// Returns the number of elements (i64) that `bit` of a register's number adds to the address.
Value GlobalAddresses::getStep(unsigned bit) {
  Value &step = steps[bit];
  if (step)
    return step;
  for (auto [number, stride] : llvm::enumerate(strides)) {
    int64_t factor = layout.getBasis(Dim::Register, bit, axis(number)) * stride.factor;
    if (!factor)
      continue;
    Value part = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(factor));
    if (stride.value) {
      Value value = rewriter.getRemappedValue(stride.value);
      if (!value.getType().isInteger(64))
        value = arith::ExtSIOp::create(rewriter, loc, rewriter.getI64Type(), value);
      part = arith::MulIOp::create(rewriter, loc, value, part);
    }
    step = step ? arith::AddIOp::create(rewriter, loc, step, part).getResult() : part;
  }
  return step;
}

Value GlobalAddresses::get(unsigned reg) {
  if (strides.empty())
    return registers[reg];
  auto move = [&](Value from, LLVM::GEPArg by) -> Value {
    return LLVM::GEPOp::create(rewriter, loc, from.getType(), element, from, ArrayRef<LLVM::GEPArg>{by});
  };
  Value &address = addresses[reg];
  if (address)
    return address;
  if (unsigned bits = reg & constantBits) {
    int64_t distance = 0;
    for (unsigned bit = 0; bit < steps.size(); ++bit)
      for (auto [number, stride] : llvm::enumerate(strides))
        if (bits >> bit & 1)
          distance += layout.getBasis(Dim::Register, bit, axis(number)) * stride.factor;
    Value from = get(reg & ~constantBits);
    return addresses[reg] = distance ? move(from, int32_t(distance)) : from;
  }
  unsigned bit = llvm::countr_zero(reg);
  Value from = get(reg & (reg - 1));
  return addresses[reg] = move(from, getStep(bit));
}
