//===- AccelerateMatmul.cpp - chooses how products are computed -----------------------------------------------------===//
//
// On the target's matrix unit where it has an instruction for the types (and the precision that is asked for), and by
// multiplying and adding in the accumulator's type otherwise.
//
// On the matrix unit, the program's warps are dealt over the result so that each has about as many rows as columns of
// instructions: a warp loads its rows of a and its columns of b for every step along the contracted axis, and that is
// least per product when they balance. A result that is in turn the left factor of another product is dealt by rows alone:
// then the warp that has a row's sums is the one that needs them, and they never leave registers.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUACCELERATEMATMUL
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The products of which the result of `dot` becomes the left factor, by any computation in the same block.
bool becomesLeftFactor(tt::DotOp dot) {
  SmallVector<Operation *> queue = {dot};
  DenseSet<Operation *> seen;
  while (!queue.empty())
    for (OpOperand &use : queue.pop_back_val()->getUses()) {
      Operation *user = use.getOwner();
      if (isa<tt::DotOp>(user)) {
        if (use.getOperandNumber() == 0)
          return true;
      } else if (user->getBlock() == dot->getBlock() && seen.insert(user).second) {
        queue.push_back(user);
      }
    }
  return false;
}

/// True if the left factor of `dot` comes from the result of another product in the same block.
bool hasProductAsLeftFactor(tt::DotOp dot) {
  SmallVector<Value> queue = {dot.getA()};
  DenseSet<Operation *> seen;
  while (!queue.empty()) {
    Operation *source = queue.pop_back_val().getDefiningOp();
    if (!source || source->getBlock() != dot->getBlock() || !seen.insert(source).second)
      continue;
    if (isa<tt::DotOp>(source))
      return true;
    llvm::append_range(queue, source->getOperands());
  }
  return false;
}

SmallVector<unsigned> chooseWarps(tt::DotOp dot, unsigned numWarps) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(dot.getType()).getShape();
  unsigned rank = shape.size();
  SmallVector<unsigned> warps(rank, 1);
  if (rank == 3)
    warps[0] = std::min<int64_t>(shape[0], numWarps);
  unsigned &rows = warps[rank - 2], &columns = warps[rank - 1], left = numWarps / warps[0];
  int64_t rowReps = llvm::divideCeil(shape[rank - 2], 16), columnReps = llvm::divideCeil(shape[rank - 1], 8);
  bool byRows = rank == 2 && (becomesLeftFactor(dot) || hasProductAsLeftFactor(dot));
  for (; left > 1; left /= 2) {
    bool splitRows = byRows ? rowReps > 1 || columnReps == 1 : rowReps >= columnReps;
    unsigned &split = splitRows ? rows : columns;
    int64_t &reps = splitRows ? rowReps : columnReps;
    split *= 2;
    reps = std::max<int64_t>(1, reps / 2);
  }
  return warps;
}

class Acceleration {
public:
  Acceleration(tt::DotOp dot, const TargetInfo &target) : dot(dot), target(target), builder(dot) {}

  void run() {
    seeThroughExtensions();
    if (!findInstruction())
      extendFloat8();
    for (bool widened : {false, true}) {
      if (widened && !widenOperands())
        return;
      if (auto instruction = findInstruction())
        return useMatrixUnit(*instruction);
    }
  }

private:
  Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

  /// An instruction for the product as it is, or with a wider accumulator.
  std::optional<MatrixInstruction> findInstruction() {
    Type sum = elementOf(dot.getC());
    std::optional<MatrixInstruction> instruction = getMatrixInstruction(dot, target);
    if (!instruction && (sum.isF16() || sum.isBF16()) && elementOf(dot.getA()) == elementOf(dot.getB()))
      instruction = target.getMatrixInstruction(elementOf(dot.getA()), elementOf(dot.getB()), builder.getF32Type());
    // The lanes of an instruction all contract different elements.
    if (instruction && cast<RankedTensorType>(dot.getA().getType()).getShape().back() < instruction->depth / 2)
      return std::nullopt;
    return instruction;
  }

  /// Bytes that are extended to 16 bits are signed or unsigned bytes, which the unit may have products of.
  void seeThroughExtensions() {
    Value bytes[2];
    SmallVector<bool> isUnsigned(2, false);
    for (unsigned i : {0, 1}) {
      Operation *source = dot->getOperand(i).getDefiningOp();
      while (auto convert = dyn_cast_or_null<ttg::ConvertLayoutOp>(source))
        source = convert.getSrc().getDefiningOp();
      if (!isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp>(source) || !elementOf(source->getOperand(0)).isInteger(8) ||
          !elementOf(source->getResult(0)).isInteger(16))
        return;
      bytes[i] = source->getOperand(0);
      isUnsigned[i] = isa<arith::ExtUIOp>(source);
    }
    Type element = builder.getI8Type();
    if (!target.getMatrixInstruction(element, element, elementOf(dot.getC())))
      return;
    for (unsigned i : {0, 1}) {
      auto wanted = cast<RankedTensorType>(tt::withElementType(dot->getOperand(i).getType(), element));
      dot->setOperand(i, builder.createOrFold<ttg::ConvertLayoutOp>(dot.getLoc(), wanted, bytes[i]));
    }
    dot->setAttr(unsignedOperandsAttr, builder.getDenseBoolArrayAttr(isUnsigned));
  }

  /// 8-bit floats become f16, which has all their numbers, where the unit has no products of them.
  void extendFloat8() {
    for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
      if (isa<FloatType>(elementOf(operand->get())) && tt::getElementBits(elementOf(operand->get())) == 8) {
        Type half = tt::withElementType(operand->get().getType(), builder.getF16Type());
        operand->set(tt::FpToFpOp::create(builder, dot.getLoc(), half, operand->get(), tt::RoundingModeAttr()));
      }
  }

  /// Extends operands to the accumulator's type; false if there is nothing to extend.
  bool widenOperands() {
    Type sum = elementOf(dot.getC());
    auto isUnsigned = dot->getAttrOfType<DenseBoolArrayAttr>(unsignedOperandsAttr);
    bool changed = false;
    for (unsigned i : {0, 1}) {
      Value operand = dot->getOperand(i);
      Type element = elementOf(operand), wide = tt::withElementType(operand.getType(), sum);
      if (tt::getElementBits(element) >= tt::getElementBits(sum))
        continue;
      if (isa<FloatType>(element) && isa<FloatType>(sum))
        dot->setOperand(i, arith::ExtFOp::create(builder, dot.getLoc(), wide, operand));
      else if (isa<IntegerType>(element) && isa<IntegerType>(sum))
        dot->setOperand(i, isUnsigned && isUnsigned[i]
                               ? arith::ExtUIOp::create(builder, dot.getLoc(), wide, operand).getResult()
                               : arith::ExtSIOp::create(builder, dot.getLoc(), wide, operand).getResult());
      else
        continue;
      changed = true;
    }
    if (changed)
      dot->removeAttr(unsignedOperandsAttr);
    return changed;
  }

  void useMatrixUnit(const MatrixInstruction &instruction) {
    MLIRContext *context = dot.getContext();
    auto type = cast<RankedTensorType>(dot.getType());
    SmallVector<unsigned> shape = {16, 8};
    if (type.getRank() == 3)
      shape.insert(shape.begin(), 1);
    auto mma = ttg::NvidiaMmaEncodingAttr::get(context, 2, 0, chooseWarps(dot, ttg::getNumWarps(dot)), shape);
    Location loc = dot.getLoc();
    auto convert = [&](Value value, Attribute encoding) -> Value {
      auto from = cast<RankedTensorType>(value.getType());
      return ttg::ConvertLayoutOp::create(builder, loc,
                                          RankedTensorType::get(from.getShape(), from.getElementType(), encoding), value);
    };
    unsigned kWidth = instruction.depth / 8;
    Value a = convert(dot.getA(), ttg::DotOperandEncodingAttr::get(context, 0, mma, kWidth));
    Value b = convert(dot.getB(), ttg::DotOperandEncodingAttr::get(context, 1, mma, kWidth));
    Value c = convert(dot.getC(), mma);
    Type sum = type.getElementType();
    if (sum != instruction.sum)
      c = arith::ExtFOp::create(builder, loc, tt::withElementType(c.getType(), instruction.sum), c);
    auto product = cast<tt::DotOp>(builder.clone(*dot));
    product->setOperands({a, b, c});
    product->getResult(0).setType(cast<RankedTensorType>(c.getType()));
    Value result = product;
    if (sum != instruction.sum)
      result = arith::TruncFOp::create(builder, loc, tt::withElementType(result.getType(), sum), result);
    dot.replaceAllUsesWith(convert(result, type.getEncoding()));
    dot.erase();
  }

  tt::DotOp dot;
  const TargetInfo &target;
  OpBuilder builder;
};

struct AccelerateMatmul : tilecc::impl::TritonGPUAccelerateMatmulBase<AccelerateMatmul> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto targetName = module->getAttrOfType<StringAttr>(ttg::targetAttr);
    std::string error = targetName ? "" : "needs " + ttg::targetAttr.str();
    std::unique_ptr<TargetInfo> target = targetName ? createTargetInfo(targetName, error) : nullptr;
    if (!target) {
      module.emitError() << error;
      return signalPassFailure();
    }
    SmallVector<tt::DotOp> dots;
    module.walk([&](tt::DotOp dot) {
      if (isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding()))
        dots.push_back(dot);
    });
    for (tt::DotOp dot : dots)
      Acceleration(dot, *target).run();
  }
};

} // namespace
