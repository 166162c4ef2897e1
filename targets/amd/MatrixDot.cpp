//===- MatrixDot.cpp - lowers dots to matrix instructions ---------------------------------------------------------===//
//
// Operands and results have the layouts of the instruction, so each lane already holds its part of every instruction's
// operands. The k-th element that a lane holds of a row of the left operand is multiplied by the k-th element of a
// column of the right operand. Their coordinates along the contracted axis do not matter, as long as both operands
// agree. So an operand can have more or fewer adjacent elements per lane (kWidth) than the instruction takes.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/MatrixRegisters.h"
#include "lowering/layouts/Encodings.h"
#include "targets/amd/AmdPatterns.h"
#include "targets/amd/MatrixInstructions.h"

using namespace mlir;

namespace tilecc::amd {

namespace {

class MatrixDot {
public:
  MatrixDot(tt::DotOp op, const MatrixInstruction &instruction, const AmdMatrixTile &tile, unsigned elementsPerLane,
            OpBuilder &builder)
      : op(op), instruction(instruction), tile(tile), elementsPerLane(elementsPerLane), builder(builder),
        loc(op.getLoc()) {}

  SmallVector<Value> run(ValueRange a, ValueRange b, ValueRange c) {
    MatrixLines rows = getMatrixLines(op.getA(), a, 2), columns = getMatrixLines(op.getB(), b, 1);
    SmallVector<Square> squares = getSquares(getMatrixRegisters(op.getC()));
    SmallVector<Value> accumulators;
    for (const Square &square : squares)
      accumulators.push_back(
          packVector(builder, loc, llvm::map_to_vector(square.registers, [&](unsigned reg) { return c[reg]; })));
    // Issue step k of all squares before the next step, because an instruction waits for the instruction that produces
    // its accumulator.
    unsigned count = rows.begin()->second.size();
    for (unsigned k = 0; k < count; k += elementsPerLane)
      for (auto [square, sum] : llvm::zip_equal(squares, accumulators)) {
        auto [batch, row, column] = square.place;
        sum = multiply(getStep(rows.at({batch, row}), k), getStep(columns.at({batch, column}), k), sum);
      }
    SmallVector<Value> result(c.size());
    for (auto [square, sum] : llvm::zip_equal(squares, accumulators))
      for (auto [reg, value] : llvm::zip_equal(square.registers, unpackVector(builder, loc, sum)))
        result[reg] = value;
    return result;
  }

private:
  /// The part of the result that one instruction computes: the position of its first element, and the lane's registers.
  struct Square {
    MatrixCoordinates place;
    SmallVector<unsigned> registers;
  };

  SmallVector<Square> getSquares(const std::map<MatrixCoordinates, unsigned> &registerAt) {
    LinearLayout layout = tile.getResult();
    MatrixCoordinates sizes = {1, 1, 1};
    ArrayRef<int64_t> shape = op.getType().getShape();
    llvm::copy(shape, sizes.begin() + (3 - shape.size()));
    SmallVector<Square> squares;
    for (auto [place, first] : registerAt) {
      if (place[1] % tile.size || place[2] % tile.size)
        continue;
      Square &square = squares.emplace_back(Square{place, {}});
      for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg) {
        LinearLayout::Index offset = layout.apply(LinearLayout::Index{{Dim::Register, reg}});
        // If the tile is smaller than the instruction, it repeats within the instruction.
        MatrixCoordinates element = {place[0], (place[1] + offset[0].second) % sizes[1],
                                     (place[2] + offset[1].second) % sizes[2]};
        square.registers.push_back(registerAt.at(element));
      }
    }
    return squares;
  }

  /// Returns the elements of a row or column that one instruction takes. If the contracted axis is shorter than the
  /// depth of the instruction, the elements are padded with zeros.
  SmallVector<Value> getStep(ArrayRef<Value> line, unsigned first) {
    SmallVector<Value> step(line.drop_front(first).take_front(elementsPerLane));
    if (step.size() < elementsPerLane)
      step.resize(elementsPerLane, LLVM::ZeroOp::create(builder, loc, step[0].getType()));
    return step;
  }

  Value multiply(ArrayRef<Value> a, ArrayRef<Value> b, Value sum) {
    Type aType = getElementTypeOrSelf(op.getA().getType()), bType = getElementTypeOrSelf(op.getB().getType());
    if (tile.isTransposed)
      return multiplyMatrices(builder, loc, instruction, bType, b, aType, a, sum);
    return multiplyMatrices(builder, loc, instruction, aType, a, bType, b, sum);
  }

  tt::DotOp op;
  const MatrixInstruction &instruction;
  const AmdMatrixTile &tile;
  unsigned elementsPerLane;
  OpBuilder &builder;
  Location loc;
};

struct MatrixDotPattern : TilePattern<tt::DotOp> {
  /// Has a higher benefit than the pattern of all other dots.
  MatrixDotPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering,
                   const Facts &facts)
      : TilePattern(types, context, lowering, /*benefit=*/2), facts(facts) {}

  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Attribute encoding = op.getType().getEncoding();
    auto mfma = dyn_cast<ttg::AmdMfmaEncodingAttr>(encoding);
    auto wmma = dyn_cast<ttg::AmdWmmaEncodingAttr>(encoding);
    if (!mfma && !wmma)
      return failure();
    bool isOfTarget = facts.isCdna() ? mfma && mfma.getVersion() == facts.getMatrixVersion()
                                     : wmma && wmma.getVersion() == facts.getMatrixVersion();
    AmdMatrixTile tile = mfma ? mfma.getTile() : wmma.getTile();
    auto a = cast<RankedTensorType>(op.getA().getType()), b = cast<RankedTensorType>(op.getB().getType());
    const MatrixInstruction *instruction =
        isOfTarget ? findMatrixInstruction(facts, a.getElementType(), b.getElementType(), op.getType().getElementType(),
                                           tile.size, mfma ? mfma.getInstrShape()[2] : 16)
                   : nullptr;
    if (!instruction)
      return op.emitOpError("is encoded for a matrix unit, which cannot compute it on this target");
    unsigned kWidth = cast<ttg::DotOperandEncodingAttr>(a.getEncoding()).getKWidth();
    if (a.getShape().back() < tile.getLanesAlongK() * kWidth)
      return op.emitOpError("contracts fewer elements than the lanes of the matrix unit hold");
    MatrixDot lowering(op, *instruction, tile, instruction->getElementsPerLane(facts), rewriter);
    rewriter.replaceOpWithMultiple(op, {lowering.run(adaptor.getA(), adaptor.getB(), adaptor.getC())});
    return success();
  }

  const Facts &facts;
};

} // namespace

void populateMatrixDotPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering, const Facts &facts) {
  patterns.add<MatrixDotPattern>(types, patterns.getContext(), lowering, facts);
}

} // namespace tilecc::amd
