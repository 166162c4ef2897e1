//===- Roots.h - operations that emit code -----------------------------------------------------------------*- C++ -*-//
//
// A root evaluates the formulas of its operands in loops of its own. Each kind of root has a function, in the file of
// that name. Afterwards, the root's tile results are in buffers, and its scalar results are in the EmitContext. A root
// that the CPU target does not support is rejected (EmitContext::reject).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_ROOTS_H
#define TILECC_TARGETS_CPU_ROOTS_H

#include "targets/cpu/Nests.h"
#include "targets/cpu/Regions.h"

namespace tilecc::cpu {

/// The objects with which roots are emitted; each uses those before it. The classes that emit roots derive from this
/// one.
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

/// Emits a call of the runtime that checks the addresses of the next access.
void emitAccessCheck(const RootParts &parts, mlir::Operation *op, const tt::GlobalAccess &access);
void emitStore(const RootParts &parts, tt::StoreOp op);
void emitReduce(const RootParts &parts, tt::ReduceOp op);
void emitScan(const RootParts &parts, tt::ScanOp op);
void emitDot(const RootParts &parts, tt::DotOp op);
/// Emits a compare-and-swap or another atomic operation.
void emitAtomic(const RootParts &parts, mlir::Operation *op);
void emitHistogram(const RootParts &parts, tt::HistogramOp op);
/// Emits a reshape, a join or a concatenation.
void emitMovement(const RootParts &parts, mlir::Operation *op);
void emitMap(const RootParts &parts, tt::MapElementwiseOp op);
void emitPrint(const RootParts &parts, tt::PrintOp op);
void emitAssert(const RootParts &parts, tt::AssertOp op);
void emitRecord(const RootParts &parts, tt::RecordOp op);

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ROOTS_H
