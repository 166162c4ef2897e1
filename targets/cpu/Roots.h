//===- Roots.h - operations that make code -----------------------------------------------------------------*- C++ -*-//
//
// A root evaluates the formulas behind its operands in loops of its own. There is a function for each kind of root, in
// the file of its name; its tile results are in buffers and its scalar ones known to the context after it. A root that
// has no code on the CPU is rejected (EmitContext::reject).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_ROOTS_H
#define TILECC_TARGETS_CPU_ROOTS_H

#include "targets/cpu/Nests.h"
#include "targets/cpu/Regions.h"

namespace tilecc::cpu {

/// What roots are emitted with, each part using those before it; the base of what emits one kind of root.
struct RootParts {
  EmitContext &ctx;
  llvm::IRBuilder<> &b;
  Elementwise &elementwise;
  Buffers &buffers;
  Evaluator &evaluator;
  Loops &loops;
  Nests &nests;
  Regions &regions;

  llvm::Value *vec(mlir::Value v, const Chunk &c) const { return evaluator.vec(v, c); }
  Values vec(mlir::ValueRange values, const Chunk &c) const {
    return llvm::map_to_vector<4>(values, [&](mlir::Value v) { return evaluator.vec(v, c); });
  }
};

/// Has the runtime check the addresses of the next access.
void emitAccessCheck(const RootParts &parts, mlir::Operation *op, const tt::GlobalAccess &access);
void emitStore(const RootParts &parts, tt::StoreOp op);
void emitReduce(const RootParts &parts, tt::ReduceOp op);
void emitScan(const RootParts &parts, tt::ScanOp op);
void emitDot(const RootParts &parts, tt::DotOp op);
/// A compare-and-swap or another atomic access.
void emitAtomic(const RootParts &parts, mlir::Operation *op);
void emitHistogram(const RootParts &parts, tt::HistogramOp op);
/// A reshape, a join or a concatenation: elements get other places.
void emitMovement(const RootParts &parts, mlir::Operation *op);
void emitMap(const RootParts &parts, tt::MapElementwiseOp op);
void emitPrint(const RootParts &parts, tt::PrintOp op);
void emitAssert(const RootParts &parts, tt::AssertOp op);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ROOTS_H
