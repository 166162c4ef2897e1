//===- Dot.cpp - matrix products by multiply and add ----------------------------------------------------------------===//
//
// The form for types and targets without matrix units. Operands arrive with the contracted axis in registers, so a
// thread has all it needs for its part of the product.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// The registers of a tile by the coordinates of their elements, relative to those of register 0.
class RegisterMap {
public:
  RegisterMap(RankedTensorType type, ValueRange registers) : layout(ttg::toLinearLayout(type)), registers(registers) {
    for (unsigned reg = 0; reg < registers.size(); ++reg)
      registerAt[layout.apply(uint64_t(reg))] = reg;
  }
  Value at(ArrayRef<uint32_t> coordinates) const {
    uint64_t packed = 0;
    unsigned shift = 0;
    for (auto [extent, value] : llvm::zip_equal(layout.getOuts(), coordinates)) {
      packed |= uint64_t(value) << shift;
      shift += extent.bits;
    }
    auto it = registerAt.find(packed);
    assert(it != registerAt.end() && "an operand of a dot holds all that its thread needs");
    return registers[it->second];
  }

private:
  LinearLayout layout;
  ValueRange registers;
  DenseMap<uint64_t, unsigned> registerAt;
};

/// Exact: products are summed in the accumulator's type.
Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return LLVM::FPExtOp::create(builder, loc, type, value);
  return LLVM::SExtOp::create(builder, loc, type, value);
}

struct DotPattern : TilePattern<tt::DotOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto aType = cast<RankedTensorType>(op.getA().getType()), bType = cast<RankedTensorType>(op.getB().getType());
    auto dType = cast<RankedTensorType>(op.getType());
    Type sum = types.convertElement(dType.getElementType());
    bool isFloat = isa<FloatType>(sum);
    for (RankedTensorType type : {aType, bType})
      if (isa<FloatType>(type.getElementType()) != isFloat ||
          type.getElementType().getIntOrFloatBitWidth() > sum.getIntOrFloatBitWidth() ||
          (isFloat && type.getElementType() != sum && !sum.isF32() && !sum.isF64()))
        return op.emitOpError() << "cannot sum products of " << aType.getElementType() << " and "
                                << bType.getElementType() << " as " << sum;
    auto extendAll = [&](ValueRange values) {
      SmallVector<Value> extended;
      for (Value value : values)
        extended.push_back(extend(rewriter, loc, value, sum));
      return extended;
    };
    SmallVector<Value> a = extendAll(adaptor.getA()), b = extendAll(adaptor.getB());
    RegisterMap aAt(aType, a), bAt(bType, b);
    LinearLayout result = ttg::toLinearLayout(dType);
    SmallVector<Value> sums(adaptor.getC());
    SmallVector<SmallVector<uint32_t>> places;
    for (unsigned reg = 0; reg < sums.size(); ++reg) {
      auto &place = places.emplace_back();
      for (auto [dim, value] : result.apply(LinearLayout::Index{{Dim::Register, reg}}))
        place.push_back(value);
    }
    // The contracted axis outside: each step's operands are used at once and then dead.
    unsigned rank = dType.getRank();
    for (uint32_t k = 0; k < aType.getDimSize(rank - 1); ++k)
      for (auto [place, acc] : llvm::zip_equal(places, sums)) {
        SmallVector<uint32_t> aPlace(place), bPlace(place);
        aPlace[rank - 1] = k;
        bPlace[rank - 2] = k;
        Value x = aAt.at(aPlace), y = bAt.at(bPlace);
        if (isFloat)
          acc = LLVM::FMAOp::create(rewriter, loc, x, y, acc);
        else
          acc = arith::AddIOp::create(rewriter, loc, arith::MulIOp::create(rewriter, loc, x, y), acc);
      }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }
};

} // namespace

void tilecc::populateDotPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                 const LoweringContext &lowering) {
  patterns.add<DotPattern>(types, patterns.getContext(), lowering);
}
