//===- MatrixDot.cpp - matrix products on matrix units --------------------------------------------------------------===//
//
// Operands and result are encoded as the unit's instruction takes and leaves them, so that each instruction's registers
// only have to be found: those of the result by the coordinates of its 16 x 8 elements, those of a factor by the row (or
// column) and by a run of coordinates along the contracted axis. Which coordinates an instruction contracts together is of
// no interest, as long as both factors agree: the k-th element that a lane has along that axis meets the other factor's
// k-th. That is what lets an operand have a wider kWidth than the instruction (8-bit elements converted to 16 bits).
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/ampere/Mma.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include <map>

using namespace mlir;
using namespace tilecc;

namespace {

/// Coordinates of an element: batch (0 where there is none), row, column.
using Place = std::array<uint32_t, 3>;

/// What registers of a tile hold, relative to the lane's and warp's place.
class Registers {
public:
  Registers(Type type, ValueRange values) : values(values) {
    auto tile = cast<RankedTensorType>(type);
    LinearLayout layout = ttg::toLinearLayout(tile);
    unsigned unused = 3 - tile.getRank();
    for (unsigned d = 0; d < tile.getRank(); ++d)
      sizes[unused + d] = tile.getDimSize(d);
    for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg) {
      Place place = {0, 0, 0};
      for (auto [d, coordinate] : llvm::enumerate(layout.apply(LinearLayout::Index{{Dim::Register, reg}})))
        place[unused + d] = coordinate.second;
      registerAt[place] = reg;
      places.push_back(place);
    }
  }
  /// Tiles smaller than an instruction repeat in it.
  unsigned find(Place place) const {
    for (auto [coordinate, size] : llvm::zip_equal(place, sizes))
      coordinate %= size;
    return registerAt.at(place);
  }
  Value at(Place place) const { return values[find(place)]; }
  ArrayRef<Place> getPlaces() const { return places; }
  /// The coordinates that registers have along `d`, ascending.
  SmallVector<uint32_t> along(unsigned d) const {
    SmallVector<uint32_t> result;
    for (const Place &place : places)
      result.push_back(place[d]);
    llvm::sort(result);
    result.erase(llvm::unique(result), result.end());
    return result;
  }

private:
  ValueRange values;
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  std::map<Place, unsigned> registerAt;
  SmallVector<Place> places;
};

class MatrixProduct {
public:
  MatrixProduct(tt::DotOp op, const MatrixInstruction &instruction, ValueRange a, ValueRange b, ValueRange c,
                OpBuilder &builder, const nvidia::Facts &facts)
      : op(op), instruction(instruction), a(op.getA().getType(), a), b(op.getB().getType(), b),
        c(op.getC().getType(), c), sums(c), builder(builder), facts(facts), loc(op.getLoc()), alongK(this->a.along(2)) {
    assert(alongK == this->b.along(1) && "the factors' lanes must agree on the contracted axis");
  }

  SmallVector<Value> run() {
    unsigned perStep = instruction.depth / 4, imprecise = op.getMaxNumImpreciseAcc();
    bool isImprecise = instruction.getOperandBits() == 8 && isa<FloatType>(instruction.sum) && imprecise != 0 &&
                       int64_t(imprecise) <= cast<RankedTensorType>(op.getA().getType()).getShape().back();
    // 8-bit floats: sums of so many products begin anew, and are added to the rest in full precision.
    unsigned stepsPerSum = isImprecise ? std::max(1u, imprecise / instruction.depth) : ~0u;
    SmallVector<Value> partial(sums);
    for (unsigned first = 0, step = 0; first < alongK.size(); first += perStep, ++step) {
      if (isImprecise && step % stepsPerSum == 0) {
        if (step)
          flush(partial);
        Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(instruction.sum));
        partial.assign(sums.size(), zero);
      }
      SmallVector<Value> &into = isImprecise ? partial : sums;
      ArrayRef<uint32_t> ks = ArrayRef(alongK).drop_front(first).take_front(perStep);
      factors.clear();
      for (const Place &place : c.getPlaces())
        if (!(place[1] & 8) && !(place[2] & 1))
          addTile(into, place, ks);
    }
    if (isImprecise)
      flush(partial);
    return sums;
  }

private:
  /// Adds to the 16 x 8 elements from `place` on the product along `ks`.
  void addTile(SmallVector<Value> &into, Place place, ArrayRef<uint32_t> ks) {
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

  /// The words of a factor: both halves of the depth, and in each the given rows (columns of b).
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
          elements.push_back(factor.at(alongColumns ? Place{batch, line, k} : Place{batch, k, line}));
        known.push_back(packWord(elements, perWord));
      }
    return known;
  }

  Value packWord(SmallVector<Value> elements, unsigned perWord) {
    Type i32 = builder.getI32Type();
    if (elements.empty()) // a contracted axis shorter than the instruction's: nothing to add
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
    for (auto [sum, part] : llvm::zip_equal(sums, partial))
      sum = LLVM::FAddOp::create(builder, loc, sum, part);
  }

  tt::DotOp op;
  const MatrixInstruction &instruction;
  Registers a, b, c;
  SmallVector<Value> sums;
  OpBuilder &builder;
  const nvidia::Facts &facts;
  Location loc;
  SmallVector<uint32_t> alongK;
  /// Of the step along the contracted axis at hand: the words of a's and b's lines.
  std::map<std::pair<bool, std::pair<uint32_t, uint32_t>>, SmallVector<Value>> factors;
};

struct MatrixDotPattern : TilePattern<tt::DotOp> {
  MatrixDotPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering, const nvidia::Facts &facts)
      : TilePattern(types, context, lowering, /*benefit=*/2), facts(facts) {} // before the pattern of all other products
  LogicalResult matchAndRewrite(tt::DotOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<ttg::NvidiaMmaEncodingAttr>(cast<RankedTensorType>(op.getType()).getEncoding()))
      return failure();
    std::optional<MatrixInstruction> instruction = getMatrixInstruction(facts, op);
    if (!instruction)
      return op.emitOpError("is encoded for a matrix unit, which cannot compute it on this target");
    rewriter.replaceOpWithMultiple(op, {MatrixProduct(op, *instruction, adaptor.getA(), adaptor.getB(), adaptor.getC(),
                                                      rewriter, facts)
                                            .run()});
    return success();
  }
  const nvidia::Facts &facts;
};

} // namespace

void tilecc::populateMatrixDotPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering, const nvidia::Facts &facts) {
  patterns.add<MatrixDotPattern>(types, patterns.getContext(), lowering, facts);
}
