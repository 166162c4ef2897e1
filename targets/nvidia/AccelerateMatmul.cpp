//===- AccelerateMatmul.cpp - chooses the instructions of dots ----------------------------------------------------===//
//
// A dot uses the target's matrix unit if the unit has an instruction for the types and the requested precision.
// Otherwise threads compute the dot by multiply and add in the accumulator's type.
//
// For the matrix unit, the program's warps are distributed over the result so that each warp computes about as many
// rows of instructions as columns. For every step along the contracted axis, a warp loads its rows of a and its columns
// of b, and such a balanced shape minimizes these loads. If a result becomes the left operand of another dot, it is
// distributed only by rows. The warp that accumulates a row is then the warp that needs it, and the row stays in
// registers. Dots whose results are added have the same distribution, because accumulators are the largest tiles and
// should not change their layout between two dots.
//
// On sm_90, warp groups compute dots with enough rows, and read operands from shared memory. A loaded tile keeps its
// order of elements there, so operands are never transposed. A left operand that is computed stays in registers; if it
// is transposed, it is stored to shared memory and read by columns. In two cases the pass computes the transposed
// product. First, if a 256x128 accumulator is only stored: each warp group then has 64 columns and all rows, and wgmma
// reads a sixth less shared memory. Second, if the right operand has 32-bit or 8-bit elements and is loaded by rows, as
// in most sources: wgmma reads such an operand only by columns. In the transposed product it is the left operand, which
// goes through registers.
//
// On sm_100a and similar targets, the matrix unit reads operands from shared memory, as wgmma does, but accumulates in
// tensor memory, from which each thread loads whole rows. A left operand that is computed is stored to tensor memory,
// too. If a product has fewer rows than the unit, and is only stored, the pass computes the transposed product. If
// tensor memory has no columns left, single warps compute the dot. Scaled dots that triton-decompose-scaled-dot has kept
// also accumulate in tensor memory (blackwell/ScaledDots.cpp).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DotWarps.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/ampere/Mma.h"
#include "targets/nvidia/Architectures.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/SharedOperands.h"
#include "targets/nvidia/blackwell/ScaledDots.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUACCELERATEMATMUL
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

class Acceleration {
public:
  Acceleration(tt::DotOp dot, const nvidia::Facts &facts) : dot(dot), facts(facts), builder(dot), shared(dot) {}

  void run() {
    seeThroughExtensions();
    if (isBetterTransposed() || mustBeTransposed() || fillsUnitTransposed())
      transpose();
    if (useWarpGroups() || useTensorMemory())
      return;
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

  /// Finds an instruction for the dot, either with its accumulator type or with a wider one.
  std::optional<MatrixInstruction> findInstruction() {
    Type sum = elementOf(dot.getC());
    std::optional<MatrixInstruction> instruction = getMatrixInstruction(facts, dot);
    if (!instruction && (sum.isF16() || sum.isBF16()) && elementOf(dot.getA()) == elementOf(dot.getB()))
      instruction = getMatrixInstruction(facts, elementOf(dot.getA()), elementOf(dot.getB()), builder.getF32Type());
    // The lanes of an instruction hold different elements along the contracted axis.
    if (instruction && cast<RankedTensorType>(dot.getA().getType()).getShape().back() < instruction->depth / 2)
      return std::nullopt;
    return instruction;
  }

  /// If operands are extended to 16 bits from signed or unsigned bytes, uses the bytes, for which the unit may have
  /// instructions.
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
    if (!getMatrixInstruction(facts, element, element, elementOf(dot.getC())))
      return;
    for (unsigned i : {0, 1}) {
      auto wanted = cast<RankedTensorType>(tt::withElementType(dot->getOperand(i).getType(), element));
      dot->setOperand(i, builder.createOrFold<ttg::ConvertLayoutOp>(dot.getLoc(), wanted, bytes[i]));
    }
    dot->setAttr(unsignedOperandsAttr, builder.getDenseBoolArrayAttr(isUnsigned));
  }

  /// Extends 8-bit floats to f16, which represents all of them, if the unit cannot multiply them.
  void extendFloat8() {
    for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
      if (isa<FloatType>(elementOf(operand->get())) && tt::getElementBits(elementOf(operand->get())) == 8) {
        Type half = tt::withElementType(operand->get().getType(), builder.getF16Type());
        operand->set(tt::FpToFpOp::create(builder, dot.getLoc(), half, operand->get(), tt::RoundingModeAttr()));
      }
  }

  /// Extends operands to the accumulator's type. Returns false if they already have this type.
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

  //===--- warpgroups ---------------------------------------------------------------------------------------------===//

  /// Returns the size of a warp-group instruction along the contracted axis, or 0 if there is none for the types.
  unsigned getWarpGroupDepth() {
    Type a = elementOf(dot.getA()), b = elementOf(dot.getB()), sum = elementOf(dot.getC());
    auto isUnsigned = dot->getAttrOfType<DenseBoolArrayAttr>(unsignedOperandsAttr);
    bool isFloat8 = isa<FloatType>(a) && isa<FloatType>(b) && tt::getElementBits(a) == 8 && tt::getElementBits(b) == 8;
    bool isHalf = a == b && (a.isF16() || a.isBF16());
    bool isTF32 = a.isF32() && b.isF32() && dot.getInputPrecision() == tt::InputPrecision::TF32;
    bool isByte = a.isInteger(8) && b.isInteger(8) && !(isUnsigned && (isUnsigned[0] || isUnsigned[1]));
    bool accumulatesFloats = sum.isF32() || (isHalf && sum == a);
    if (isByte ? !sum.isInteger(32) : !(isFloat8 || isHalf || isTF32) || !accumulatesFloats)
      return 0;
    return 256 / a.getIntOrFloatBitWidth();
  }

  /// Returns true for a left operand that would not stay in registers. This is an operand that is only loaded, possibly
  /// before the loop, or the transpose of a computed tile (the rows of such a transpose are in other warps).
  bool passesMemory(Value operand, unsigned contracted) {
    return isa_and_nonnull<tt::LoadOp, tt::DescriptorLoadOp>(shared.find(operand, contracted).tile.getDefiningOp()) ||
           SharedOperands::getSource(operand).getDefiningOp<tt::TransOp>();
  }

  /// The numbers of warp groups along the rows and along the columns of a result, and the columns of an instruction.
  struct WarpGroups {
    unsigned ofRows, ofColumns, columns;
  };
  /// Returns the distribution of a result with `rows` and `columns`, or nothing if the result is too small.
  std::optional<WarpGroups> distributeWarpGroups(int64_t rows, int64_t columns) {
    int64_t numWarps = ttg::getNumWarps(dot);
    if (numWarps % 4 != 0 || rows < 64)
      return std::nullopt;
    int64_t ofRows = std::min(numWarps / 4, rows / 64), ofColumns = numWarps / 4 / ofRows;
    if (columns < (ofColumns > 1 ? 16 : 8) * ofColumns)
      return std::nullopt;
    return WarpGroups{unsigned(ofRows), unsigned(ofColumns), unsigned(std::min<int64_t>(256, columns / ofColumns))};
  }

  /// Returns true if instructions of the transposed product (B^T A^T) have 256 columns, and instructions of the product
  /// itself have fewer. For each 64 rows of its left operand, an instruction reads all its columns of the right
  /// operand, so instructions of 256 columns read a sixth less in total than those of 128. This applies only to
  /// accumulators that are stored unchanged, for which the transposition costs nothing. (Narrower accumulators belong
  /// to small multiplications, which are bound by latency: 1024^3 in tiles of 128x64 became 9 % faster in one form, and
  /// 6 % slower in another.)
  bool isBetterTransposed() {
    if (!multipliesFromShared())
      return false;
    auto asItIs = distributeWarpGroups(getAccumulatorShape()[0], getAccumulatorShape()[1]),
         transposed = distributeWarpGroups(getAccumulatorShape()[1], getAccumulatorShape()[0]);
    return asItIs && transposed && asItIs->columns < 256 && transposed->columns == 256 && canBeTransposed() &&
           nvidia::hasFeature(dot, nvidia::Feature::Wgmma);
  }

  /// Returns true if warp groups can only compute the transposed product. This is so if the unit cannot read the loaded
  /// right operand from shared memory, because elements of other than 16 bits must be adjacent along the contracted
  /// axis. In the transposed product, this operand is the left operand, which threads load to registers.
  bool mustBeTransposed() {
    return getWarpGroupDepth() && isDeepEnough() && !shared.canHold(dot.getB(), /*contracted=*/0) &&
           distributeWarpGroups(getAccumulatorShape()[1], getAccumulatorShape()[0]) && canBeTransposed() &&
           nvidia::hasFeature(dot, nvidia::Feature::Wgmma);
  }

  /// Returns true if the product has too few rows for tensor memory, but the transposed product has enough.
  bool fillsUnitTransposed() {
    ArrayRef<int64_t> shape = getAccumulatorShape();
    return multipliesFromShared() && !canBeInTensorMemory(shape[0], shape[1]) &&
           canBeInTensorMemory(shape[1], shape[0]) && canBeTransposed() &&
           nvidia::hasFeature(dot, nvidia::Feature::TensorMemory);
  }

  /// Returns true if a loop accumulates the product, and the product is only stored after the loop.
  bool isOnlyStored() {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto sum = dyn_cast<BlockArgument>(dot.getC());
    return loop && sum && sum.getOwner() == loop.getBody() && sum != loop.getInductionVar() && sum.hasOneUse() &&
           dot->hasOneUse() && loop.getTiedLoopYieldedValue(sum)->get() == dot.getD() &&
           goesToMemory(loop.getTiedLoopResult(sum));
  }

  /// Returns true if the product is only stored, and the left operand is loaded in such a way that it can become the
  /// right operand.
  bool canBeTransposed() {
    return isOnlyStored() && passesMemory(dot.getA(), /*contracted=*/1) && shared.canHold(dot.getA(), /*contracted=*/1);
  }

  /// Returns true if `value` is only stored, after elementwise operations.
  static bool goesToMemory(Value value) {
    llvm::SetVector<Value> values;
    values.insert(value);
    for (unsigned i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses()) {
        Operation *user = use.getOwner();
        if (auto store = dyn_cast<tt::StoreOp>(user); store && use.get() == store.getValue())
          continue;
        if (!isa<ttg::ConvertLayoutOp>(user) && !user->hasTrait<OpTrait::Elementwise>())
          return false;
        values.insert(user->getResult(0));
      }
    return true;
  }

  /// Makes the loop accumulate the transposed product, and transposes the result after the loop.
  void transpose() {
    auto loop = cast<scf::ForOp>(dot->getParentOp());
    auto sum = cast<BlockArgument>(dot.getC());
    OpBuilder::InsertionGuard guard(builder);
    auto transpose = [&](Value value) -> Value {
      auto type = cast<RankedTensorType>(value.getType());
      if (auto trans = value.getDefiningOp<tt::TransOp>())
        return trans.getSrc();
      auto transposed =
          RankedTensorType::get({type.getShape()[1], type.getShape()[0]}, type.getElementType(), type.getEncoding());
      return builder.createOrFold<tt::TransOp>(dot.getLoc(), transposed, value, ArrayRef<int32_t>{1, 0});
    };
    Value a = transpose(SharedOperands::getSource(dot.getB())), b = transpose(SharedOperands::getSource(dot.getA()));
    builder.setInsertionPoint(loop);
    OpOperand *init = loop.getTiedLoopInit(sum);
    init->set(transpose(init->get()));
    Type back = sum.getType(), type = init->get().getType();
    sum.setType(type);
    builder.setInsertionPoint(dot);
    dot->setOperands({a, b, sum});
    dot.getD().setType(cast<RankedTensorType>(type));
    OpResult result = loop.getTiedLoopResult(sum);
    result.setType(type);
    builder.setInsertionPointAfter(loop);
    auto trans = tt::TransOp::create(builder, dot.getLoc(), back, result, ArrayRef<int32_t>{1, 0});
    result.replaceAllUsesExcept(trans, trans);
  }

  bool useWarpGroups() {
    std::optional<WarpGroups> groups;
    if (multipliesFromShared())
      groups = distributeWarpGroups(getAccumulatorShape()[0], getAccumulatorShape()[1]);
    // Query this feature last, because the query makes the code specific to this architecture.
    if (!groups || !nvidia::hasFeature(dot, nvidia::Feature::Wgmma))
      return false;
    MLIRContext *context = dot.getContext();
    unsigned depth = getWarpGroupDepth();
    auto mma = ttg::NvidiaMmaEncodingAttr::get(context, 3, 0, {4 * groups->ofRows, groups->ofColumns},
                                               {16, groups->columns, depth});
    multiplyFromShared(mma, ttg::DotOperandEncodingAttr::get(context, 0, mma, depth / 8));
    return true;
  }

  /// Returns true if a unit that reads its right operand from shared memory multiplies these types, and can read the
  /// operand there without transposing it first.
  bool multipliesFromShared() {
    return getWarpGroupDepth() && isDeepEnough() && shared.canHold(dot.getB(), /*contracted=*/0);
  }
  /// Returns true for a dot of matrices whose contracted axis is at least as long as that of an instruction.
  bool isDeepEnough() {
    return cast<RankedTensorType>(dot.getType()).getRank() == 2 &&
           cast<RankedTensorType>(dot.getA().getType()).getShape().back() >= getWarpGroupDepth();
  }
  ArrayRef<int64_t> getAccumulatorShape() { return cast<RankedTensorType>(dot.getType()).getShape(); }

  /// Replaces the dot by a dot for a unit that reads its right operand from shared memory. The result of the new dot
  /// has the encoding `accumulator`. The unit also reads the left operand from shared memory if that operand is loaded,
  /// or if `left` is null. Otherwise the left operand is converted to the encoding `left`.
  void multiplyFromShared(Attribute accumulator, Attribute left) {
    Location loc = dot.getLoc();
    Value b = shared.store(dot.getB(), /*contracted=*/0);
    bool isLoaded = passesMemory(dot.getA(), /*contracted=*/1) && shared.canHold(dot.getA(), /*contracted=*/1);
    Value a = isLoaded || !left ? shared.store(dot.getA(), /*contracted=*/1) : convert(dot.getA(), left);
    Type sum = elementOf(dot);
    Value c = getSum(accumulator, sum.isInteger() ? sum : builder.getF32Type());
    // The instruction can ignore an initial accumulator of zero, so that no registers need to be zeroed.
    Value useC;
    if (matchPattern(dot.getC(), m_AnyZeroFloat()) || matchPattern(dot.getC(), m_Zero()))
      useC = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    replaceBy(ttng::WarpGroupDotOp::create(builder, loc, c.getType(), a, b, c, useC, dot.getInputPrecision(),
                                           dot.getMaxNumImpreciseAcc()));
  }

  //===--- tensor memory ------------------------------------------------------------------------------------------===//

  /// Returns true if the warps can share an accumulator of `rows` x `columns` in tensor memory.
  bool canBeInTensorMemory(int64_t rows, int64_t columns) {
    constexpr int64_t fewestRows = 64, fewestColumns = 16;
    int64_t numWarps = ttg::getNumWarps(dot);
    return numWarps % 4 == 0 && rows >= fewestRows && columns >= std::max(fewestColumns, numWarps);
  }

  /// Accumulates in tensor memory, if enough columns are left.
  bool useTensorMemory() {
    // If each thread holds a row, the threads store the whole accumulator through shared memory at once, unless it is
    // stored by columns. That limits the size of the accumulator.
    constexpr int64_t threadsRows = 128;
    const int64_t maxAccumulatorElements = isOnlyStored() ? 1 << 16 : 1 << 15;
    unsigned numWarps = ttg::getNumWarps(dot);
    if (!multipliesFromShared() || !canBeInTensorMemory(getAccumulatorShape()[0], getAccumulatorShape()[1]) ||
        llvm::product_of(getAccumulatorShape()) > maxAccumulatorElements ||
        !dot->getParentOfType<tt::FuncOp>().isPublic())
      return false;
    auto a = cast<RankedTensorType>(dot.getA().getType());
    bool canShareLeft = shared.canHold(dot.getA(), /*contracted=*/1);
    bool isInShared = canShareLeft && passesMemory(dot.getA(), /*contracted=*/1);
    // Left operands in tensor memory have the same 128 rows as accumulators. A thread holds at least one word of a row.
    bool canHoldLeft = getAccumulatorShape()[0] >= threadsRows && a.getShape()[1] >= int64_t(numWarps);
    if (!canShareLeft && !canHoldLeft)
      return false;
    MLIRContext *context = dot.getContext();
    Type sum = elementOf(dot).isInteger() ? builder.getI32Type() : Type(builder.getF32Type());
    Attribute accumulator = ttng::getRowEncoding(context, getAccumulatorShape(), numWarps), left;
    auto count = [&](ArrayRef<int64_t> shape, Type element, Attribute encoding) {
      return ttng::getTensorMemoryColumns(ttng::getTensorMemoryType(RankedTensorType::get(shape, element, encoding)));
    };
    auto fits = [&](unsigned columns) {
      Region &kernel = dot->getParentOfType<tt::FuncOp>().getBody();
      return ttng::countTensorMemoryColumns(kernel, dot->getBlock(), columns) <= TensorMemoryAccess::numColumns;
    };
    // A dot that accumulates onto the result of another dot uses the same columns.
    bool goesOn = SharedOperands::getSource(dot.getC()).getDefiningOp<ttng::WarpGroupDotOp>() != nullptr;
    unsigned columns = goesOn ? 0 : count(getAccumulatorShape(), sum, accumulator);
    if (!isInShared && canHoldLeft) {
      left = ttng::getRowEncoding(context, a.getShape(), numWarps);
      unsigned both = columns + count(a.getShape(), a.getElementType(), left);
      if (!fits(both) && canShareLeft)
        left = {};
      else
        columns = both;
    }
    if (!fits(columns) || !nvidia::hasFeature(dot, nvidia::Feature::TensorMemory) ||
        (sum.isInteger() && !nvidia::hasFeature(dot, nvidia::Feature::TensorMemoryBytes)))
      return false;
    multiplyFromShared(accumulator, left);
    return true;
  }

  //===--- single warps -------------------------------------------------------------------------------------------===//

  Value convert(Value value, Attribute encoding) {
    auto from = cast<RankedTensorType>(value.getType());
    return ttg::ConvertLayoutOp::create(builder, dot.getLoc(), from.cloneWithEncoding(encoding), value);
  }

  void useMatrixUnit(const MatrixInstruction &instruction) {
    MLIRContext *context = dot.getContext();
    auto type = cast<RankedTensorType>(dot.getType());
    SmallVector<unsigned> shape = {16, 8};
    if (type.getRank() == 3)
      shape.insert(shape.begin(), 1);
    auto mma = ttg::NvidiaMmaEncodingAttr::get(
        context, 2, 0, distributeWarpsOfDot(dot, ttg::getNumWarps(dot), /*rows=*/16, /*columns=*/8), shape);
    unsigned kWidth = instruction.depth / 8;
    Value a = convert(dot.getA(), ttg::DotOperandEncodingAttr::get(context, 0, mma, kWidth));
    Value b = convert(dot.getB(), ttg::DotOperandEncodingAttr::get(context, 1, mma, kWidth));
    Value c = getSum(mma, instruction.sum);
    auto newDot = cast<tt::DotOp>(builder.clone(*dot));
    newDot->setOperands({a, b, c});
    newDot->getResult(0).setType(cast<RankedTensorType>(c.getType()));
    replaceBy(newDot);
  }

  //===--- accumulator --------------------------------------------------------------------------------------------===//

  /// Returns the accumulator operand in the encoding of the unit, with elements of type `element`.
  Value getSum(Attribute encoding, Type element) {
    Value c = convert(dot.getC(), encoding);
    return element == elementOf(c)
               ? c
               : arith::ExtFOp::create(builder, dot.getLoc(), tt::withElementType(c.getType(), element), c).getResult();
  }

  /// Replaces the dot by `result`, converted to its element type and layout.
  void replaceBy(Value result) {
    auto type = cast<RankedTensorType>(dot.getType());
    if (elementOf(result) != type.getElementType())
      result = arith::TruncFOp::create(builder, dot.getLoc(),
                                       tt::withElementType(result.getType(), type.getElementType()), result);
    dot.replaceAllUsesWith(convert(result, type.getEncoding()));
    dot.erase();
  }

  tt::DotOp dot;
  const nvidia::Facts &facts;
  OpBuilder builder;
  SharedOperands shared;
};

struct AccelerateMatmul : tilecc::impl::TritonGPUAccelerateMatmulBase<AccelerateMatmul> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto targetName = module->getAttrOfType<StringAttr>(ttg::targetAttr);
    std::string error = targetName ? "" : "needs " + ttg::targetAttr.str();
    auto arch = targetName ? nvidia::parseTarget(targetName, error) : std::nullopt;
    if (!arch) {
      module.emitError() << error;
      return signalPassFailure();
    }
    SmallVector<tt::DotOp> dots;
    module.walk([&](tt::DotOp dot) {
      if (isa<ttg::BlockedEncodingAttr>(cast<RankedTensorType>(dot.getType()).getEncoding()))
        dots.push_back(dot);
    });
    // Process scaled dots first, because only they require tensor memory.
    SmallVector<tt::DotScaledOp> scaled;
    module.walk([&](tt::DotScaledOp dot) { scaled.push_back(dot); });
    llvm::for_each(scaled, blackwell::accelerate);
    for (tt::DotOp dot : dots)
      Acceleration(dot, *nvidia::findFacts(*arch)).run();
  }
};

} // namespace
