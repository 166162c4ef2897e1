//===- LLVMAccess.h - memory accesses by LLVM instructions ----------------------------------------------*- C++ -*-===//
//
// Some back ends access memory by LLVM's load, store and atomic instructions, which have no predicates. They share
// these functions, which turn a predicate into a branch.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_GPU_LLVMACCESS_H
#define TILECC_LOWERING_GPU_LLVMACCESS_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilecc {

/// If `predicate` (i1) holds, executes the code that `body` creates and returns its result; otherwise returns
/// `otherwise`. A null predicate always holds.
mlir::Value createIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value predicate, mlir::Value otherwise,
                     llvm::function_ref<mlir::Value()> body);

/// Return the memory ordering of an atomic access, and the ordering of a compare-and-swap that fails and therefore
/// writes nothing.
mlir::LLVM::AtomicOrdering getOrdering(tt::MemSemantic sem);
mlir::LLVM::AtomicOrdering getFailureOrdering(tt::MemSemantic sem);

mlir::LLVM::AtomicBinOp getAtomicOperation(tt::RMWOp op);

/// Returns the size of a number or a pointer in bits.
unsigned getAtomicBits(mlir::Type type);
/// Convert numbers and pointers to integers of the same size, and back.
mlir::Value toBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value bits, mlir::Type type);

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_LLVMACCESS_H
