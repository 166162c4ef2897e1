//===- ControlFlow.h - loops and branches of the kernel ----------------------------------------------------*- C++ -*-//
//
// Emits loops and branches whose operands and results may be tiles: nested scf operations, and cf branches between the
// blocks of a function.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_CONTROLFLOW_H
#define TILECC_TARGETS_CPU_CONTROLFLOW_H

#include "targets/cpu/Nests.h"
#include "targets/cpu/Regions.h"

namespace tilecc::cpu {

class ControlFlow {
public:
  ControlFlow(EmitContext &ctx, Buffers &buffers, Loops &loops, Nests &nests, BlockEmitter &blocks)
      : ctx(ctx), b(ctx.b), buffers(buffers), loops(loops), nests(nests), blockEmitter(blocks) {}

  /// Creates the LLVM block that corresponds to `block`.
  void createBlock(mlir::Block *block) { blocks[block] = ctx.newBlock("bb"); }
  /// Continues the emission of code in that LLVM block.
  void enterBlock(mlir::Block *block) { b.SetInsertPoint(blocks[block]); }
  /// Creates phis, or buffers for tiles, for the arguments of `block`.
  void declareArguments(mlir::Block *block);

  void emitFor(mlir::scf::ForOp op);
  void emitIf(mlir::scf::IfOp op);
  void emitWhile(mlir::scf::WhileOp op);
  llvm::Value *callWait(mlir::scf::WhileOp op, llvm::Value *iteration);
  /// Emits a cf branch.
  void emitBranch(mlir::Operation *op);

private:
  void enterEdge(mlir::Block *target, mlir::ValueRange args);
  void yieldTo(mlir::Operation *root, mlir::Value v, llvm::Value *target);

  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Buffers &buffers;
  Loops &loops;
  Nests &nests;
  BlockEmitter &blockEmitter;
  llvm::DenseMap<mlir::Block *, llvm::BasicBlock *> blocks;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_CONTROLFLOW_H
