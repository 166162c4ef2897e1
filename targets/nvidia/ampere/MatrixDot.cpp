//===- MatrixDot.cpp - lowers dots to mma.sync --------------------------------------------------------------------===//
//
// Operands and results have the encodings of the instruction, so the lowering only looks up the registers of each
// instruction. The registers of the result are found by the coordinates of its 16 x 8 elements, and those of an operand
// by the row (or column) and by a range of coordinates along the contracted axis. It does not matter which coordinates
// an instruction contracts together, as long as both operands agree: the k-th element that a lane has along that axis
// is multiplied by the k-th element of the other operand. So an operand may have a wider kWidth than the instruction
// (8-bit elements that are converted to 16 bits).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/ampere/Mma.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include <map>

using namespace mlir;
using namespace tilecc;

namespace {

/// The coordinates of an element: batch (0 if there is none), row, column.
using Coordinates = std::array<uint32_t, 3>;

/// Finds the registers of a tile by coordinates, relative to the position of the lane and warp.
class Registers {
public:
  Registers(Type type, ValueRange values) : values(values) {
    auto tile = cast<RankedTensorType>(type);
    LinearLayout layout = ttg::toLinearLayout(tile);
    unsigned unused = 3 - tile.getRank();
    for (unsigned d = 0; d < tile.getRank(); ++d)
      sizes[unused + d] = tile.getDimSize(d);
    for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg) {
      Coordinates place = {0, 0, 0};
      for (auto [d, coordinate] : llvm::enumerate(layout.apply(LinearLayout::Index{{Dim::Register, reg}})))
        place[unused + d] = coordinate.second;
      registerAt[place] = reg;
      places.push_back(place);
    }
  }
  /// If the tile is smaller than an instruction, it is repeated.
  unsigned find(Coordinates place) const {
    for (auto [coordinate, size] : llvm::zip_equal(place, sizes))
      coordinate %= size;
    return registerAt.at(place);
  }
  Value at(Coordinates place) const { return values[find(place)]; }
  ArrayRef<Coordinates> getCoordinates() const { return places; }
  /// Returns the coordinates that registers have along `d`, in ascending order.
  SmallVector<uint32_t> along(unsigned d) const {
    SmallVector<uint32_t> result;
    for (const Coordinates &place : places)
      result.push_back(place[d]);
    llvm::sort(result);
    result.erase(llvm::unique(result), result.end());
    return result;
  }

private:
  ValueRange values;
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  std::map<Coordinates, unsigned> registerAt;
  SmallVector<Coordinates> places;
};

class MatrixDot {
public:
  MatrixDot(tt::DotOp op, const MatrixInstruction &instruction, ValueRange a, ValueRange b, ValueRange c,
            OpBuilder &builder, const nvidia::Facts &facts)
      : op(op), instruction(instruction), a(op.getA().getType(), a), b(op.getB().getType(), b),
        c(op.getC().getType(), c), accumulators(c), builder(builder), facts(facts), loc(op.getLoc()),
        alongK(this->a.along(2)) {
    assert(alongK == this->b.along(1) && "the factors' lanes must agree on the contracted axis");
  }

  SmallVector<Value> run() {
    unsigned perStep = instruction.depth / 4, imprecise = op.getMaxNumImpreciseAcc();
    bool isImprecise = instruction.getOperandBits() == 8 && isa<FloatType>(instruction.sum) && imprecise != 0 &&
                       int64_t(imprecise) <= cast<RankedTensorType>(op.getA().getType()).getShape().back();
    // For 8-bit floats, a partial sum covers only this many steps. Then it is added to the accumulator in full
    // precision.
    unsigned stepsPerSum = isImprecise ? std::max(1u, imprecise / instruction.depth) : ~0u;
    SmallVector<Value> partial(accumulators);
    for (unsigned first = 0, step = 0; first < alongK.size(); first += perStep, ++step) {
      if (isImprecise && step % stepsPerSum == 0) {
        if (step)
          flush(partial);
        Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(instruction.sum));
        partial.assign(accumulators.size(), zero);
      }
      SmallVector<Value> &into = isImprecise ? partial : accumulators;
      ArrayRef<uint32_t> ks = ArrayRef(alongK).drop_front(first).take_front(perStep);
      factors.clear();
      for (const Coordinates &place : c.getCoordinates())
        if (!(place[1] & 8) && !(place[2] & 1))
          addTile(into, place, ks);
    }
    if (isImprecise)
      flush(partial);
    return accumulators;
  }

private:
  /// Accumulates the product along `ks` into the 16 x 8 elements from `place` on.
  void addTile(SmallVector<Value> &into, Coordinates place, ArrayRef<uint32_t> ks) {
    auto [batch, row, column] = place;
    SmallVector<Value> aWords = words(a, batch, {row, row + 8}, ks, /*alongColumns=*/true);
    SmallVector<Value> bWords = words(b, batch, {column}, ks, /*alongColumns=*/false);
    SmallVector<unsigned> registers;
    SmallVector<Value> before;
    for (uint32_t r : {row, row + 8})
      for (uint32_t n : {column, column + 1}) {
        registers.push_back(c.find({batch, r, n}));
        before.push_back(into[registers.back()]);
      }
    SmallVector<Value> after = multiplyMatrices(builder, loc, facts, instruction, aWords, bWords, before);
    for (auto [reg, value] : llvm::zip_equal(registers, after))
      into[reg] = value;
  }

  /// Returns the words of an operand's rows (columns for b) `lines`, for both halves of the instruction's extent along
  /// K.
  SmallVector<Value> words(const Registers &factor, uint32_t batch, ArrayRef<uint32_t> lines, ArrayRef<uint32_t> ks,
                           bool alongColumns) {
    SmallVector<Value> &known = factors[{alongColumns, {batch, lines[0]}}];
    if (!known.empty())
      return known;
    unsigned perWord = instruction.depth / 8;
    for (unsigned half : {0u, 1u})
      for (uint32_t line : lines) {
        SmallVector<Value> elements;
        for (uint32_t k : ks.drop_front(std::min<size_t>(ks.size(), half * perWord)).take_front(perWord))
          elements.push_back(factor.at(alongColumns ? Coordinates{batch, line, k} : Coordinates{batch, k, line}));
        known.push_back(packWord(elements, perWord));
      }
    return known;
  }

  Value packWord(SmallVector<Value> elements, unsigned perWord) {
    Type i32 = builder.getI32Type();
    if (elements.empty()) // the contracted axis is shorter than the instruction's: pad with zeros
      return arith::ConstantOp::create(builder, loc,
                                       instruction.a == MatrixInstruction::OperandType::F64
                                           ? TypedAttr(builder.getF64FloatAttr(0))
                                           : builder.getI32IntegerAttr(0));
    assert(elements.size() == perWord && "a lane has whole words");
    if (perWord == 1)
      return elements[0].getType().isF64() ? elements[0] : bitcast(elements[0], i32);
    return bitcast(packVector(builder, loc, elements), i32);
  }

  Value bitcast(Value value, Type type) {
    if (auto before = value.getDefiningOp<LLVM::BitcastOp>(); before && before.getArg().getType() == type)
      return before.getArg();
    return LLVM::BitcastOp::create(builder, loc, type, value);
  }

  void flush(ArrayRef<Value> partial) {
    for (auto [sum, part] : llvm::zip_equal(accumulators, partial))
      sum = LLVM::FAddOp::create(builder, loc, sum, part);
  }

  tt::DotOp op;
  const MatrixInstruction &instruction;
  Registers a, b, c;
  SmallVector<Value> accumulators;
  OpBuilder &builder;
  const nvidia::Facts &facts;
  Location loc;
  SmallVector<uint32_t> alongK;
  /// The words of the rows of a and the columns of b for the current step along the contracted axis.
  std::map<std::pair<bool, std::pair<uint32_t, uint32_t>>, SmallVector<Value>> factors;
};

struct MatrixDotPattern : TilePattern<tt::DotOp> {
  MatrixDotPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering,
                   const nvidia::Facts &facts)
      : TilePattern(types, context, lowering, /*benefit=*/2), facts(facts) {} // takes precedence over DotPattern
  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<ttg::NvidiaMmaEncodingAttr>(cast<RankedTensorType>(op.getType()).getEncoding()))
      return failure();
    std::optional<MatrixInstruction> instruction = getMatrixInstruction(facts, op);
    if (!instruction)
      return op.emitOpError("is encoded for a matrix unit, which cannot compute it on this target");
    rewriter.replaceOpWithMultiple(
        op, {MatrixDot(op, *instruction, adaptor.getA(), adaptor.getB(), adaptor.getC(), rewriter, facts).run()});
    return success();
  }
  const nvidia::Facts &facts;
};

} // namespace

void tilecc::populateMatrixDotPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering, const nvidia::Facts &facts) {
  patterns.add<MatrixDotPattern>(types, patterns.getContext(), lowering, facts);
}
