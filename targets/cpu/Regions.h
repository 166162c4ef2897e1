//===- Regions.h - regions on elements ---------------------------------------------------------------------*- C++ -*-//
//
// The regions of reductions and scans (combiners) and of tt.map_elementwise compute on single elements. They are
// applied to vectors if they are formulas, and to scalars if they have control flow.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_REGIONS_H
#define TILECC_TARGETS_CPU_REGIONS_H

#include "targets/cpu/Elementwise.h"
#include "targets/cpu/Loops.h"

namespace tilecc::cpu {

/// Emits the operations of a block in order. Control flow and regions call it for the blocks inside them.
class BlockEmitter {
public:
  virtual void emitBlock(mlir::Block &block) = 0;

protected:
  ~BlockEmitter() = default;
};

class Regions {
public:
  Regions(EmitContext &ctx, Elementwise &elementwise, Loops &loops, BlockEmitter &blocks)
      : ctx(ctx), elementwise(elementwise), loops(loops), blocks(blocks) {}

  /// Applies a region to elements, lane by lane, and returns its results.
  Values apply(mlir::Region &region, llvm::ArrayRef<llvm::Value *> args);
  Values combine(mlir::Region &combiner, llvm::ArrayRef<llvm::Value *> lhs, llvm::ArrayRef<llvm::Value *> rhs);

private:
  EmitContext &ctx;
  Elementwise &elementwise;
  Loops &loops;
  BlockEmitter &blocks;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_REGIONS_H
