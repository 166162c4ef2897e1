//===- F32DotTC.cpp - computes dots of f32 from dots of shorter types ---------------------------------------------===//
//
// A matrix unit multiplies tf32 (11 significant bits) or bf16 (8 bits), not f32 (24 bits). But an f32 can be split into
// a sum of shorter numbers, x = x0 + x1 + ..., where each part approximates what the previous ones leave over. A dot of
// f32 tiles is then a sum of dots of the parts. The later terms are small: with two parts, x1 * y1 is omitted, and with
// three parts, all terms after the sixth. The smallest terms are added first.
//
// An infinity or NaN leaves a remainder of NaN. So NaNs in the sum of the small terms are replaced by zero. The leading
// term still produces the NaNs of the exact result.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUF32DOTTC
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

class Decomposition {
public:
  explicit Decomposition(tt::DotOp dot) : dot(dot), builder(dot), loc(dot.getLoc()) {}

  void run() {
    switch (dot.getInputPrecision()) {
    case tt::InputPrecision::TF32x3: return decompose(2, 3, /*isTF32=*/true);
    case tt::InputPrecision::BF16x3: return decompose(2, 3, /*isTF32=*/false);
    case tt::InputPrecision::BF16x6: return decompose(3, 6, /*isTF32=*/false);
    case tt::InputPrecision::TF32:
    case tt::InputPrecision::IEEE: return;
    }
  }

private:
  void decompose(unsigned numParts, unsigned numProducts, bool isTF32) {
    SmallVector<Value> a = split(dot.getA(), numParts, isTF32), b = split(dot.getB(), numParts, isTF32);
    // Order the terms by the sum of their part numbers, and accumulate from the smallest terms to the largest.
    SmallVector<std::pair<unsigned, unsigned>> products;
    for (unsigned sum = 0; products.size() < numProducts; ++sum)
      for (unsigned i = 0; i <= sum && products.size() < numProducts; ++i)
        if (i < numParts && sum - i < numParts)
          products.push_back({i, sum - i});
    auto type = cast<RankedTensorType>(dot.getType());
    Value zero = constant(type, 0);
    Value sum = zero;
    for (auto [i, j] : llvm::reverse(products)) {
      if (i == 0 && j == 0) {
        Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, sum, sum);
        sum = arith::SelectOp::create(builder, loc, isNaN, zero, sum);
      }
      auto product = cast<tt::DotOp>(builder.clone(*dot));
      product->setOperands({a[i], b[j], sum});
      product.setInputPrecision(isTF32 ? tt::InputPrecision::TF32 : tt::InputPrecision::IEEE);
      sum = product;
    }
    dot.replaceAllUsesWith(arith::AddFOp::create(builder, loc, sum, dot.getC()).getResult());
    dot.erase();
  }

  SmallVector<Value> split(Value x, unsigned numParts, bool isTF32) {
    SmallVector<Value> parts;
    for (unsigned i = 0; i < numParts; ++i) {
      Value part = isTF32 ? truncateToTF32(x) : Value();
      Value narrow = part;
      if (!isTF32) {
        narrow = arith::TruncFOp::create(builder, loc, tt::withElementType(x.getType(), builder.getBF16Type()), x);
        part = arith::ExtFOp::create(builder, loc, x.getType(), narrow);
      }
      parts.push_back(narrow);
      if (i + 1 < numParts)
        x = arith::SubFOp::create(builder, loc, x, part);
    }
    return parts;
  }

  /// Clears all but the upper 11 significant bits of an f32, which are the bits that a matrix unit reads.
  Value truncateToTF32(Value x) {
    Type bits = tt::withElementType(x.getType(), builder.getI32Type());
    Value word = tt::BitcastOp::create(builder, loc, bits, x);
    Value high = arith::AndIOp::create(builder, loc, word, constant(cast<RankedTensorType>(bits), ~0x1fff));
    return tt::BitcastOp::create(builder, loc, x.getType(), high);
  }

  Value constant(RankedTensorType type, int64_t value) {
    Attribute element = isa<FloatType>(type.getElementType())
                            ? Attribute(builder.getFloatAttr(type.getElementType(), value))
                            : builder.getIntegerAttr(type.getElementType(), value);
    return arith::ConstantOp::create(builder, loc, SplatElementsAttr::get(type, element));
  }

  tt::DotOp dot;
  OpBuilder builder;
  Location loc;
};

struct F32DotTC : tilecc::impl::TritonGPUF32DotTCBase<F32DotTC> {
  using TritonGPUF32DotTCBase::TritonGPUF32DotTCBase;
  void runOnOperation() override {
    SmallVector<tt::DotOp> dots;
    getOperation().walk([&](tt::DotOp dot) {
      if (getElementTypeOrSelf(dot.getA().getType()).isF32() && getElementTypeOrSelf(dot.getB().getType()).isF32() &&
          getElementTypeOrSelf(dot.getC().getType()).isF32())
        dots.push_back(dot);
    });
    for (tt::DotOp dot : dots)
      if (emuTF32 || dot.getInputPrecision() != tt::InputPrecision::TF32x3)
        Decomposition(dot).run();
  }
};

} // namespace
