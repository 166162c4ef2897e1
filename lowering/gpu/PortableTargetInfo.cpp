//===- PortableTargetInfo.cpp - the TargetInfo of back ends without vendor-specific units -------------------------===//
//
// See the header. The TargetInfo of AMD's GPUs and that of SPIR-V derive from this class.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/PortableTargetInfo.h"

using namespace mlir;

namespace tilecc {

namespace {
/// Erases grid dependencies. On these targets launches do not overlap: each launch begins when the previous one has
/// ended.
template <class Op> struct EraseGridDependency : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename TilePattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void PortableTargetInfo::populatePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                          const LoweringContext &lowering) const {
  patterns.add<EraseGridDependency<tt::GridDependencyWaitOp>, EraseGridDependency<tt::GridDependencyLaunchOp>>(
      types, patterns.getContext(), lowering);
}

Value PortableTargetInfo::extendFloat8(OpBuilder &builder, Location loc, Type type, Value pair) const {
  if (!isa<Float8E5M2Type>(type))
    return {};
  // Each byte is the upper byte of an f16.
  auto masked = [&](Value word, int32_t mask) -> Value {
    return LLVM::AndOp::create(builder, loc, word, constantI32(builder, loc, mask));
  };
  auto shifted = [&](Value word, int32_t by) -> Value {
    return LLVM::ShlOp::create(builder, loc, word, constantI32(builder, loc, by));
  };
  Value word = LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), pair);
  Value both = LLVM::OrOp::create(builder, loc, shifted(masked(word, 0xff), 8), shifted(masked(word, 0xff00), 16));
  return LLVM::BitcastOp::create(builder, loc, VectorType::get(2, builder.getF16Type()), both);
}

} // namespace tilecc
