//===- DecomposeScaledDot.cpp - turns scaled dots into dots of bf16 or f16 ----------------------------------------===//
//
// Each operand is extended to bf16 or f16 and multiplied by its scales. In bf16 this is exact unless a product
// overflows.
//
// A target may keep the dots that its matrix unit can compute directly. In these dots, an operand without scales gets
// scales of 1. If one operand has 4-bit floats and the other has 8-bit floats, the 4-bit floats are extended to 8 bits,
// because matrix units expect padding in such operands.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONDECOMPOSESCALEDDOT
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

class Decomposition {
public:
  explicit Decomposition(tt::DotScaledOp op) : op(op), b(op), loc(op.getLoc()) {
    bool isHalf = llvm::is_contained({op.getAElemType(), op.getBElemType()}, tt::ScaleDotElemType::FP16);
    element = isHalf ? FloatType(b.getF16Type()) : FloatType(b.getBF16Type());
  }

  /// Rewrites the dot as a tt.dot whose operands have the element type `element`.
  LogicalResult run() {
    Value left = makeOperand(op.getA(), op.getAElemType(), op.getAScale(), op.getLhsKPack() ? 1 : 0, /*isRight=*/false);
    Value right = makeOperand(op.getB(), op.getBElemType(), op.getBScale(), op.getRhsKPack() ? 0 : 1, /*isRight=*/true);
    if (!left || !right)
      return failure();
    Value product = tt::DotOp::create(b, loc, op.getType(), left, right, op.getC());
    op.replaceAllUsesWith(product);
    op.erase();
    return success();
  }

  /// Rewrites a dot that the target's matrix unit can compute directly.
  void keep() {
    using enum tt::ScaleDotElemType;
    if ((op.getAElemType() == E2M1) != (op.getBElemType() == E2M1)) {
      element = Float8E4M3FNType::get(b.getContext());
      bool isLeft = op.getAElemType() == E2M1;
      OpOperand &packed = isLeft ? op.getAMutable() : op.getBMutable();
      packed.set(unpack(packed.get(), isLeft ? 1 : 0));
      isLeft ? op.setAElemType(E4M3) : op.setBElemType(E4M3);
    }
    Value known = op.getAScale() ? op.getAScale() : op.getBScale();
    int64_t count = typeOf(known).getDimSize(1);
    for (auto [scale, rows] : {std::pair(op.getAScaleMutable(), op.getType().getDimSize(0)),
                               {op.getBScaleMutable(), op.getType().getDimSize(1)}})
      if (scale.empty())
        scale.assign(makeOnes(typeOf(known).clone({rows, count})));
  }

private:
  Value makeOnes(RankedTensorType type) {
    constexpr int64_t powerOfZero = 127; // e8m0
    if (type.getElementType().isInteger())
      return constant(type, powerOfZero);
    auto one = APFloat(cast<FloatType>(type.getElementType()).getFloatSemantics(), "1");
    return create<arith::ConstantOp>(DenseElementsAttr::get(type, one));
  }

  template <typename Op, typename... Args> Value create(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  static RankedTensorType typeOf(Value tile) { return cast<RankedTensorType>(tile.getType()); }
  RankedTensorType withElement(Value tile, Type type) {
    return cast<RankedTensorType>(tt::withElementType(tile.getType(), type));
  }
  Value constant(RankedTensorType type, int64_t value) {
    return create<arith::ConstantOp>(
        DenseElementsAttr::get(type, APInt(type.getElementTypeBitWidth(), value, /*isSigned=*/true)));
  }
  Value trans(Value tile, ArrayRef<int32_t> order) {
    SmallVector<int64_t> shape;
    for (int32_t axis : order)
      shape.push_back(typeOf(tile).getDimSize(axis));
    return create<tt::TransOp>(typeOf(tile).clone(shape), tile, b.getDenseI32ArrayAttr(order));
  }
  Value reshape(Value tile, ArrayRef<int64_t> shape) {
    return create<tt::ReshapeOp>(typeOf(tile).clone(shape), tile, /*allow_reorder=*/false, /*efficient_layout=*/false);
  }

  Value makeOperand(Value tile, tt::ScaleDotElemType kind, Value scale, unsigned packedAxis, bool isRight) {
    Value wide = extend(tile, kind, packedAxis);
    if (!wide || !scale)
      return wide;
    bool isFloat8 = isa<FloatType>(typeOf(scale).getElementType());
    Value scales = isFloat8 ? create<tt::FpToFpOp>(withElement(scale, element), scale, tt::RoundingModeAttr())
                            : extendScales(scale);
    const int64_t perScale = tt::DotScaledOp::getNumbersPerScale(typeOf(scale));
    Value product = create<arith::MulFOp>(wide, spreadScales(scales, perScale, isRight));
    if (op.getFastMath() || isFloat8)
      return product;
    Value isNaN = create<arith::CmpIOp>(arith::CmpIPredicate::eq, scale, constant(typeOf(scale), -1));
    auto nan = DenseElementsAttr::get(typeOf(product), APFloat::getNaN(element.getFloatSemantics()));
    return create<arith::SelectOp>(spreadScales(isNaN, perScale, isRight), create<arith::ConstantOp>(nan), product);
  }

  Value extend(Value tile, tt::ScaleDotElemType kind, unsigned packedAxis) {
    using enum tt::ScaleDotElemType;
    switch (kind) {
    case BF16:
    case FP16: {
      if (typeOf(tile).getElementType() == element)
        return tile;
      Value wide = create<arith::ExtFOp>(withElement(tile, b.getF32Type()), tile);
      return create<arith::TruncFOp>(withElement(tile, element), wide);
    }
    case E4M3:
    case E5M2: {
      Type float8 =
          kind == E4M3 ? Type(Float8E4M3FNType::get(b.getContext())) : Type(Float8E5M2Type::get(b.getContext()));
      if (typeOf(tile).getElementType() != float8)
        tile = create<tt::BitcastOp>(withElement(tile, float8), tile);
      return create<tt::FpToFpOp>(withElement(tile, element), tile, tt::RoundingModeAttr());
    }
    case E2M1: return unpack(tile, packedAxis);
    case E2M3:
    case E3M2: break;
    }
    op.emitOpError("has numbers of type ") << tt::stringifyEnum(kind) << ", which is not supported";
    return {};
  }

  /// Unpacks the two numbers in each byte to adjacent elements along `axis`.
  Value unpack(Value bytes, unsigned axis) {
    Value low = create<arith::AndIOp>(bytes, constant(typeOf(bytes), 15));
    Value high = create<arith::ShRUIOp>(bytes, constant(typeOf(bytes), 4));
    Value pairs = create<tt::JoinOp>(extendFloat4(low), extendFloat4(high));
    SmallVector<int64_t> shape(typeOf(bytes).getShape());
    shape[axis] *= 2;
    return reshape(axis == 0 ? trans(pairs, {0, 2, 1}) : pairs, shape);
  }

  /// Extends e2m1 numbers, which are in the low bits of `nibble`, to `element`. For numbers from 1 on, exponent and
  /// mantissa are shifted into place. The only values below 1 are 0 and 0.5.
  Value extendFloat4(Value nibble) {
    constexpr unsigned nibbleBits = 4;
    RankedTensorType bitsType = withElement(nibble, b.getIntegerType(element.getWidth()));
    Value bits = bitsType == typeOf(nibble) ? nibble : create<arith::ExtUIOp>(bitsType, nibble);
    unsigned mantissaBits = element.getFPMantissaWidth() - 1;
    APInt half = APFloat(element.getFloatSemantics(), "0.5").bitcastToAPInt();
    Value number = create<arith::AndIOp>(bits, constant(bitsType, 7));
    Value sign = create<arith::ShLIOp>(create<arith::AndIOp>(bits, constant(bitsType, 8)),
                                       constant(bitsType, element.getWidth() - nibbleBits));
    Value base = constant(bitsType, half.getSExtValue());
    Value normal = create<arith::AddIOp>(create<arith::ShLIOp>(number, constant(bitsType, mantissaBits - 1)), base);
    Value isSmall = create<arith::CmpIOp>(arith::CmpIPredicate::ult, number, constant(bitsType, 2));
    Value magnitude = create<arith::SelectOp>(isSmall, create<arith::MulIOp>(number, base), normal);
    return create<tt::BitcastOp>(withElement(nibble, element), create<arith::OrIOp>(magnitude, sign));
  }

  /// Extends e8m0 scales to an f32 or bf16 that has their bits as its exponent. The smallest scale, 2^-127, is
  /// subnormal in these types.
  Value extendScales(Value scale) {
    FloatType type = element.isBF16() ? element : FloatType(b.getF32Type());
    RankedTensorType bitsType = withElement(scale, b.getIntegerType(type.getWidth()));
    unsigned mantissaBits = type.getFPMantissaWidth() - 1;
    Value bits = create<arith::ExtUIOp>(bitsType, scale);
    Value isSmallest = create<arith::CmpIOp>(arith::CmpIPredicate::eq, bits, constant(bitsType, 0));
    bits = create<arith::ShLIOp>(bits, constant(bitsType, mantissaBits));
    bits = create<arith::SelectOp>(isSmallest, constant(bitsType, int64_t(1) << (mantissaBits - 1)), bits);
    Value result = create<tt::BitcastOp>(withElement(scale, type), bits);
    return type == element ? result : create<arith::TruncFOp>(withElement(scale, element), result);
  }

  /// Repeats each scale for all numbers that it applies to. An RxS tile becomes R x (S * perScale), or the transpose of
  /// that for the right operand.
  Value spreadScales(Value scales, int64_t perScale, bool isRight) {
    int64_t rows = typeOf(scales).getDimSize(0), count = typeOf(scales).getDimSize(1);
    Value single = create<tt::ExpandDimsOp>(typeOf(scales).clone({rows, count, 1}), scales, b.getI32IntegerAttr(2));
    Value all = create<tt::BroadcastOp>(typeOf(scales).clone({rows, count, perScale}), single);
    all = reshape(all, {rows, count * perScale});
    return isRight ? trans(all, {1, 0}) : all;
  }

  tt::DotScaledOp op;
  OpBuilder b;
  Location loc;
  FloatType element; ///< the element type of the decomposed dot's operands
};

struct DecomposeScaledDot : tilecc::impl::TritonDecomposeScaledDotBase<DecomposeScaledDot> {
  explicit DecomposeScaledDot(KeepsScaledDot keeps = {}) : keeps(std::move(keeps)) {}

  void runOnOperation() override {
    SmallVector<tt::DotScaledOp> products;
    getOperation().walk([&](tt::DotScaledOp op) { products.push_back(op); });
    for (tt::DotScaledOp op : products)
      if (keeps && keeps(op))
        Decomposition(op).keep();
      else if (failed(Decomposition(op).run()))
        return signalPassFailure();
  }

private:
  KeepsScaledDot keeps;
};

} // namespace

std::unique_ptr<Pass> tilecc::createTritonDecomposeScaledDot(KeepsScaledDot keeps) {
  return std::make_unique<DecomposeScaledDot>(std::move(keeps));
}
