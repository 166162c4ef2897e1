//===- CombinerRegion.h - applies the region of a reduction or scan -------------------------------------*- C++ -*-===//
//
// A reduction or a scan combines elements by its region, first those in one thread's registers, then those of different
// lanes, then those of different warps. Elements that cross warps go through scratch space. Each operand has its own
// part of the scratch space; the elements that are combined together have the same position in all parts.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_COMBINE_H
#define TILECC_LOWERING_GPU_COMBINE_H

#include "lowering/gpu/Lowering.h"

namespace tilecc {

/// One element of each operand.
using Elements = llvm::SmallVector<mlir::Value>;

class Combiner {
protected:
  /// `scratchOffsets` are the offsets at which each operand's part of the scratch space of `op` begins.
  Combiner(mlir::Operation *op, mlir::Region &region, mlir::OpBuilder &builder, const TargetInfo &target,
           llvm::ArrayRef<unsigned> scratchOffsets)
      : op(op), region(region), builder(builder), target(target), loc(op->getLoc()), scratchOffsets(scratchOffsets) {}

  /// Clones the region for `lhs` and `rhs`; the elements `lhs` come first. With `roundsEach`, a product is rounded
  /// before it is added, even if other code is contracted to FMAs. Otherwise two lanes that exchange values and combine
  /// them would each contract their own product, and their copies of the result could differ.
  Elements combine(const Elements &lhs, const Elements &rhs, bool roundsEach = false);
  /// Fetches the elements of another lane. `shuffle` fetches one i32.
  Elements shuffle(const Elements &elements, llvm::function_ref<mlir::Value(mlir::Value)> shuffle);
  Elements select(mlir::Value condition, const Elements &yes, const Elements &no);

  void storeScratch(const Elements &elements, mlir::Value position, mlir::Value predicate);
  /// Loads `count` adjacent elements of each operand. `count` is a power of two, and `position` is a multiple of it.
  /// `like` provides the types of the elements.
  llvm::SmallVector<Elements> loadScratch(mlir::Value position, unsigned count, const Elements &like);

  mlir::Value constant(int32_t value) { return constantI32(builder, loc, value); }
  /// Returns an i1 that is true if the bits of `index` in `mask` equal those of `value`.
  mlir::Value hasBits(mlir::Value index, uint32_t mask, uint32_t value);

  mlir::Operation *op;
  mlir::Region &region;
  mlir::OpBuilder &builder;
  const TargetInfo &target;
  mlir::Location loc;

private:
  mlir::Value addressOf(unsigned operand, mlir::Type inMemory, mlir::Value position);
  llvm::SmallVector<unsigned> scratchOffsets;
};

/// Returns the map from the inputs of `source` (registers, lanes, ...) to the row-major position of their element in
/// the result, which lacks the axis `axisIndex`.
LinearLayout sliceCoordinates(const LinearLayout &source, unsigned axisIndex);

/// Lowers `Op`. `Lowering`, a Combiner, computes the registers of the results from those of the operands, according to
/// `Plan`.
template <class Op, class Plan, class Lowering> struct CombinePattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  mlir::LogicalResult matchAndRewrite(Op op, typename TilePattern<Op>::OneToNOpAdaptor adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    Plan plan(op);
    rewriter.replaceOpWithMultiple(op, Lowering(op, plan, rewriter, this->target).run(adaptor.getSrcs()));
    return mlir::success();
  }
};

} // namespace tilecc

#endif
