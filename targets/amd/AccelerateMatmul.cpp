//===- AccelerateMatmul.cpp - chooses matrix instructions for dots ------------------------------------------------===//
//
// Passes.td describes the pass. Results are transposed (the instruction computes B^T A^T), so that each lane has
// adjacent elements of a row, which it loads and stores together. On all architectures except RDNA 3, a lane also has
// the elements that it needs if the result becomes the left operand of another dot, so the accumulator stays in
// registers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DotWarps.h"
#include "lowering/layouts/Encodings.h"
#include "targets/amd/MatrixInstructions.h"
#include "targets/amd/Passes.h"

using namespace mlir;

namespace tilecc::amd {

#define GEN_PASS_DEF_TRITONAMDGPUACCELERATEMATMUL
#include "targets/amd/Passes.h.inc"

namespace {

Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

class Acceleration {
public:
  Acceleration(tt::DotOp dot, const Facts &facts)
      : dot(dot), facts(facts), builder(dot), shape(dot.getType().getShape()), rank(shape.size()),
        depth(cast<RankedTensorType>(dot.getA().getType()).getShape().back()), numWarps(ttg::getNumWarps(dot)) {}

  void run() {
    SmallVector<Value> operands = {dot.getA(), dot.getB()};
    if (auto bytes = findFloat8Operands(); bytes && findInstruction(*bytes))
      operands = *bytes;
    const MatrixInstruction *instruction = findInstruction(operands);
    if (!instruction || wastesUnit(*instruction))
      return;
    SmallVector<unsigned> warps = distributeWarpsOfDot(dot, numWarps, instruction->size, instruction->size);
    Attribute encoding = getEncoding(*instruction, warps);
    unsigned kWidth = chooseKWidth(*instruction, tt::getElementBits(elementOf(operands[0])) / 8);
    for (auto [i, operand] : llvm::enumerate(operands))
      operand = convert(operand, ttg::DotOperandEncodingAttr::get(dot.getContext(), i, encoding, kWidth));
    Value c = convert(dot.getC(), encoding);
    auto newDot = cast<tt::DotOp>(builder.clone(*dot));
    newDot->setOperands({operands[0], operands[1], c});
    newDot.getResult().setType(cast<RankedTensorType>(c.getType()));
    dot.replaceAllUsesWith(convert(newDot, dot.getType().getEncoding()));
    dot.erase();
  }

private:
  /// If both operands are extended from tiles of 8-bit floats, returns these tiles; otherwise returns nothing. (f16
  /// represents all 8-bit floats exactly.)
  std::optional<SmallVector<Value>> findFloat8Operands() {
    SmallVector<Value> found;
    for (Value operand : {dot.getA(), dot.getB()}) {
      while (auto convert = operand.getDefiningOp<ttg::ConvertLayoutOp>())
        operand = convert.getSrc();
      auto extension = operand.getDefiningOp<tt::FpToFpOp>();
      if (!extension || !isa<FloatType>(elementOf(extension.getSrc())) ||
          tt::getElementBits(elementOf(extension.getSrc())) != 8)
        return std::nullopt;
      found.push_back(extension.getSrc());
    }
    return found;
  }

  /// Returns the best instruction. An instruction with 32 rows reads half as many operands per multiplication as one
  /// with 16 rows, and is as fast. It is chosen if every warp gets at least one such instruction (for results
  /// distributed by rows, one with rows of its own).
  const MatrixInstruction *findInstruction(ArrayRef<Value> operands) {
    int64_t rows = shape[rank - 2], columns = shape[rank - 1], batch = rank == 3 ? shape[0] : 1;
    auto find = [&](unsigned size) {
      return findMatrixInstruction(facts, elementOf(operands[0]), elementOf(operands[1]), elementOf(dot.getC()), size,
                                   depth);
    };
    int64_t parts = batch * (rows / 32) * (isDistributedByRows(dot) ? 1 : columns / 32);
    if (parts >= numWarps && columns >= 32)
      if (const MatrixInstruction *large = find(32); large && depth >= large->depth)
        return large;
    return find(16);
  }

  /// Returns true if the tile is too small for the instruction. In a tile that is smaller than the instruction, rows
  /// and columns are computed repeatedly. But the matrix unit is at least four times as fast as multiply-add for 16-bit
  /// elements, and twice as fast for wider elements. Each lane along the contracted axis needs at least one element.
  bool wastesUnit(const MatrixInstruction &instruction) {
    constexpr int64_t size = 16;
    int64_t used = std::min(shape[rank - 2], size) * std::min(shape[rank - 1], size);
    bool isShort = tt::getElementBits(elementOf(dot.getA())) <= 16;
    return used < (isShort ? size * size / 4 : size * size) || depth < getTile(instruction).getLanesAlongK();
  }

  /// Returns the number of adjacent elements along the contracted axis that a lane holds. If the axis is long enough,
  /// these are 16 bytes, which are loaded at once. If the left operand is computed from another dot, the number is that
  /// of the adjacent elements that the lane holds in that dot's result.
  unsigned chooseKWidth(const MatrixInstruction &instruction, unsigned elementBytes) {
    AmdMatrixTile tile = getTile(instruction);
    unsigned wanted = hasDotAsLeftOperand(dot) && !tile.copiesOperands ? tile.rowRun : 16 / elementBytes;
    return std::min<int64_t>(wanted, depth / tile.getLanesAlongK());
  }

  Attribute getEncoding(const MatrixInstruction &instruction, ArrayRef<unsigned> warps) {
    MLIRContext *context = dot.getContext();
    constexpr bool isTransposed = true;
    if (!facts.isCdna())
      return ttg::AmdWmmaEncodingAttr::get(context, facts.getMatrixVersion(), isTransposed, warps);
    return ttg::AmdMfmaEncodingAttr::get(context, facts.getMatrixVersion(), warps,
                                         {instruction.size, instruction.size, instruction.depth}, isTransposed,
                                         elementOf(dot.getC()).isF64() ? 64 : 32);
  }
  AmdMatrixTile getTile(const MatrixInstruction &instruction) {
    SmallVector<unsigned> warps(rank, 1);
    Attribute encoding = getEncoding(instruction, warps);
    if (auto wmma = dyn_cast<ttg::AmdWmmaEncodingAttr>(encoding))
      return wmma.getTile();
    return cast<ttg::AmdMfmaEncodingAttr>(encoding).getTile();
  }

  Value convert(Value value, Attribute encoding) {
    auto from = cast<RankedTensorType>(value.getType());
    return ttg::ConvertLayoutOp::create(builder, dot.getLoc(), from.cloneWithEncoding(encoding), value);
  }

  tt::DotOp dot;
  const Facts &facts;
  OpBuilder builder;
  ArrayRef<int64_t> shape;
  unsigned rank;
  int64_t depth, numWarps;
};

struct AccelerateMatmul : impl::TritonAMDGPUAccelerateMatmulBase<AccelerateMatmul> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = module->getAttrOfType<StringAttr>(ttg::targetAttr);
    const Facts *facts = target ? parseTarget(target.getValue()) : nullptr;
    if (!facts) {
      module.emitError() << "needs " << ttg::targetAttr << ", which names one of AMD's GPUs: hip:gfx942";
      return signalPassFailure();
    }
    SmallVector<tt::DotOp> dots;
    module.walk([&](tt::DotOp dot) {
      if (isa<ttg::BlockedEncodingAttr>(dot.getType().getEncoding()))
        dots.push_back(dot);
    });
    for (tt::DotOp dot : dots)
      Acceleration(dot, *facts).run();
  }
};

} // namespace

} // namespace tilecc::amd
