//===- AccelerateMatmul.cpp - assigns dots to the matrix unit of Intel's GPUs -------------------------------------===//
//
// Passes.td describes the pass.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DotWarps.h"
#include "targets/spirv/Passes.h"
#include "targets/spirv/SpirvTargets.h"

using namespace mlir;

namespace tilecc::spirv {

#define GEN_PASS_DEF_TRITONINTELGPUACCELERATEMATMUL
#include "targets/spirv/Passes.h.inc"

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

/// Returns the number of adjacent elements along the contracted axis that fill 16 bits, or nothing if the unit does not
/// multiply these types.
static std::optional<unsigned> findKWidth(tt::DotOp dot) {
  Type a = elementOf(dot.getA()), sum = elementOf(dot.getC());
  if (a != elementOf(dot.getB()))
    return std::nullopt;
  if (isa<Float16Type, BFloat16Type>(a) && sum.isF32())
    return 1;
  if (a.isInteger(8) && sum.isInteger(32))
    return 2;
  return std::nullopt;
}

static void accelerate(tt::DotOp dot) {
  std::optional<unsigned> kWidth = findKWidth(dot);
  ArrayRef<int64_t> shape = dot.getType().getShape();
  const int64_t rows = shape[shape.size() - 2], columns = shape.back(),
                depth = cast<RankedTensorType>(dot.getA().getType()).getShape().back();
  constexpr unsigned lanes = ttig::DpasEncodingAttr::lanes;
  if (!kWidth || columns < lanes || depth < int64_t(lanes * *kWidth))
    return;
  const unsigned repeatCount = std::min<int64_t>(rows, 8);
  auto encoding = ttig::DpasEncodingAttr::get(dot.getContext(), repeatCount,
                                              distributeWarpsOfDot(dot, ttg::getNumWarps(dot), repeatCount, lanes));
  OpBuilder builder(dot);
  auto convert = [&](Value value, Attribute to) -> Value {
    auto from = cast<RankedTensorType>(value.getType());
    return ttg::ConvertLayoutOp::create(builder, dot.getLoc(), from.cloneWithEncoding(to), value);
  };
  auto operand = [&](Value value, unsigned index) {
    return convert(value, ttg::DotOperandEncodingAttr::get(dot.getContext(), index, encoding, *kWidth));
  };
  Value a = operand(dot.getA(), 0), b = operand(dot.getB(), 1), c = convert(dot.getC(), encoding);
  auto newDot = cast<tt::DotOp>(builder.clone(*dot));
  newDot->setOperands({a, b, c});
  newDot.getResult().setType(cast<RankedTensorType>(c.getType()));
  dot.replaceAllUsesWith(convert(newDot, dot.getType().getEncoding()));
  dot.erase();
}

namespace {
struct AccelerateMatmul : impl::TritonIntelGPUAccelerateMatmulBase<AccelerateMatmul> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = module->getAttrOfType<StringAttr>(ttg::targetAttr);
    const Facts *facts = target ? parseTarget(target.getValue()) : nullptr;
    if (!facts) {
      module.emitError() << "needs " << ttg::targetAttr << ", which names a target of SPIR-V: spirv:intel";
      return signalPassFailure();
    }
    if (!facts->hasMatrixUnit)
      return;
    SmallVector<tt::DotOp> dots;
    module.walk([&](tt::DotOp dot) {
      if (isa<ttg::BlockedEncodingAttr>(dot.getType().getEncoding()))
        dots.push_back(dot);
    });
    for (tt::DotOp dot : dots)
      accelerate(dot);
  }
};
} // namespace

} // namespace tilecc::spirv
