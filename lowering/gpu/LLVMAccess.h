//===- LLVMAccess.h - accesses to memory that are LLVM's own instructions ----------------------------------*- C++ -*-//
//
// Shared by the back ends whose loads, stores and atomic accesses are LLVM's. These have no predicates: a predicate
// becomes a branch.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_GPU_LLVMACCESS_H
#define TILECC_LOWERING_GPU_LLVMACCESS_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilecc {

/// Returns what `body` creates where `predicate` (i1) holds, and `otherwise` where it does not. Without a predicate,
/// what `body` creates.
mlir::Value createIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value predicate, mlir::Value otherwise,
                     llvm::function_ref<mlir::Value()> body);

/// The order of an atomic access, and that of a compare and swap that fails, which writes nothing.
mlir::LLVM::AtomicOrdering getOrdering(tt::MemSemantic sem);
mlir::LLVM::AtomicOrdering getFailureOrdering(tt::MemSemantic sem);

mlir::LLVM::AtomicBinOp getAtomicOperation(tt::RMWOp op);

/// The bits of a number or a pointer.
unsigned getAtomicBits(mlir::Type type);
/// Numbers and pointers as integers of as many bits, and back.
mlir::Value toBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value bits, mlir::Type type);

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_LLVMACCESS_H
