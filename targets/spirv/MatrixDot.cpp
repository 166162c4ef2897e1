//===- MatrixDot.cpp - lowers dots to the matrix unit of Intel's GPUs ---------------------------------------------===//
//
// Operands and results have the layouts of the unit (TTIG.td), so each lane already holds its part of every
// instruction's operands. An instruction multiplies `repeatCount` rows by 16 columns. Per step along the contracted
// axis, a lane passes 16 bits of each row of the left operand, and 8 words of its column of the right operand.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/MatrixRegisters.h"
#include "targets/spirv/SpirvPatterns.h"
#include "targets/spirv/TTIG.h"

using namespace mlir;

namespace tilecc::spirv {

namespace {

/// The operands of OpSubgroupMatrixMultiplyAccumulateINTEL that say how to interpret the bits of matrices.
enum : int32_t {
  signedA = 0x1,
  signedB = 0x2,
  packedInt8A = 0x10,
  packedInt8B = 0x20,
  packedFloat16A = 0x400,
  packedFloat16B = 0x800,
  packedBFloat16A = 0x1000,
  packedBFloat16B = 0x2000,
};

int32_t getInterpretation(Type element) {
  if (element.isInteger(8))
    return signedA | signedB | packedInt8A | packedInt8B;
  return element.isF16() ? packedFloat16A | packedFloat16B : packedBFloat16A | packedBFloat16B;
}

class MatrixDot {
public:
  MatrixDot(tt::DotOp op, ttig::DpasEncodingAttr encoding, unsigned kWidth, OpBuilder &builder)
      : op(op), rowsAtOnce(encoding.getRepeatCount()), kWidth(kWidth), depth(encoding.getOperandDepth(kWidth)),
        builder(builder), loc(op.getLoc()) {}

  SmallVector<Value> run(ValueRange a, ValueRange b, ValueRange c) {
    MatrixLines rows = getMatrixLines(op.getA(), a, 2), columns = getMatrixLines(op.getB(), b, 1);
    std::map<MatrixCoordinates, unsigned> registers = getMatrixRegisters(op.getC());
    // The elements of the result by instruction: those of the same column in adjacent rows.
    SmallVector<std::pair<MatrixCoordinates, Value>> sums;
    for (auto [place, reg] : registers)
      if (place[1] % rowsAtOnce == 0)
        sums.push_back({place, pack(llvm::map_to_vector(llvm::seq(rowsAtOnce), [&](unsigned row) {
                          return c[registers.at({place[0], place[1] + row, place[2]})];
                        }))});
    // Issue step k of all instructions before the next step, because an instruction waits for the one that computes its
    // accumulator.
    const unsigned steps = columns.begin()->second.size() / depth;
    for (unsigned step = 0; step < steps; ++step)
      for (auto &[place, sum] : sums) {
        auto [batch, first, column] = place;
        SmallVector<Value> left;
        for (unsigned row = first; row < first + rowsAtOnce; ++row)
          left.push_back(asInteger(ArrayRef(rows.at({batch, row})).slice(step * kWidth, kWidth)));
        sum = multiply(left, ArrayRef(columns.at({batch, column})).slice(step * depth, depth), sum);
      }
    SmallVector<Value> result(c.size());
    for (auto &[place, sum] : sums) {
      SmallVector<Value> elements = rowsAtOnce == 1 ? SmallVector<Value>{sum} : unpackVector(builder, loc, sum);
      for (auto [row, element] : llvm::enumerate(elements))
        result[registers.at({place[0], place[1] + unsigned(row), place[2]})] = element;
    }
    return result;
  }

private:
  /// Returns a vector of the values. SPIR-V has no vectors of one element.
  Value pack(ArrayRef<Value> values) { return values.size() == 1 ? values[0] : packVector(builder, loc, values); }

  /// Returns the bits of the elements as one integer, the first element in the low bits.
  Value asInteger(ArrayRef<Value> elements) {
    unsigned bits = elements.size() * elements[0].getType().getIntOrFloatBitWidth();
    return LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(bits), pack(elements));
  }

  Value multiply(ArrayRef<Value> left, ArrayRef<Value> column, Value sum) {
    constexpr unsigned words = 8;
    const unsigned perWord = depth / words;
    SmallVector<Value> right;
    for (unsigned word = 0; word < words; ++word)
      right.push_back(asInteger(column.slice(word * perWord, perWord)));
    const std::string vector = rowsAtOnce == 1 ? "" : "Dv" + std::to_string(rowsAtOnce) + "_";
    const std::string sums = isa<FloatType>(getElementTypeOrSelf(sum.getType())) ? vector + "f"
                             : rowsAtOnce == words                               ? "S0_" // the type of `right` again
                                                                                 : vector + "i";
    const std::string name = "_Z45__spirv_SubgroupMatrixMultiplyAccumulateINTELi" + vector + "sDv8_i" + sums + "i";
    Type i32 = builder.getI32Type();
    return callBuiltin(
        builder, loc, name, sum.getType(),
        {createConstant(builder, loc, i32, depth), pack(left), pack(right), sum,
         createConstant(builder, loc, i32, getInterpretation(getElementTypeOrSelf(op.getA().getType())))},
        /*isConvergent=*/true);
  }

  tt::DotOp op;
  unsigned rowsAtOnce, kWidth, depth;
  OpBuilder &builder;
  Location loc;
};

struct MatrixDotPattern : TilePattern<tt::DotOp> {
  /// Has a higher benefit than the pattern of all other dots.
  MatrixDotPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering)
      : TilePattern(types, context, lowering, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto encoding = dyn_cast<ttig::DpasEncodingAttr>(op.getType().getEncoding());
    if (!encoding)
      return failure();
    auto a = cast<RankedTensorType>(op.getA().getType());
    const unsigned kWidth = cast<ttg::DotOperandEncodingAttr>(a.getEncoding()).getKWidth();
    Type element = a.getElementType(), sum = op.getType().getElementType();
    const bool multiplies =
        element == getElementTypeOrSelf(op.getB().getType()) &&
        (element.isInteger(8) ? kWidth == 2 && sum.isInteger(32)
                              : isa<Float16Type, BFloat16Type>(element) && kWidth == 1 && sum.isF32());
    if (!multiplies)
      return op.emitOpError("is encoded for a matrix unit, which cannot compute it on this target");
    if (a.getShape().back() < encoding.getOperandDepth(kWidth))
      return op.emitOpError("contracts fewer elements than an instruction of the matrix unit");
    MatrixDot lowering(op, encoding, kWidth, rewriter);
    rewriter.replaceOpWithMultiple(op, {lowering.run(adaptor.getA(), adaptor.getB(), adaptor.getC())});
    return success();
  }
};

} // namespace

void populateMatrixDotPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering) {
  patterns.add<MatrixDotPattern>(types, patterns.getContext(), lowering);
}

} // namespace tilecc::spirv
