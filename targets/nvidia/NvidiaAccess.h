//===- NvidiaAccess.h - loads and stores as PTX ---------------------------------------------------------*- C++ -*-===//
#ifndef TILECC_TARGETS_NVIDIA_NVIDIAACCESS_H
#define TILECC_TARGETS_NVIDIA_NVIDIAACCESS_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/gpu/TargetInfo.h"

namespace tilecc {

/// Creates inline assembly with LLVM's constraints, by default volatile.
mlir::LLVM::InlineAsmOp assembly(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange results,
                                 mlir::ValueRange operands, llvm::StringRef text, llvm::StringRef constraints,
                                 bool isVolatile = true);
/// The prefix of assembly for the emulator, which is a comment to ptxas.
inline constexpr llvm::StringLiteral emulatorMark = "//@";
/// Returns the register constraint for integers of this type.
char constraintOf(mlir::Type word);

/// Returns true if threads must store masked elements themselves, because the copy can only write zeros there.
bool storesOther(ttg::AsyncCopyGlobalToLocalOp copy);

// Implement TargetInfo's functions of these names.
mlir::Value loadPTX(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, mlir::Value ptr,
                    mlir::Value predicate, mlir::Value other, const AccessModifiers &modifiers);
void storePTX(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value ptr, mlir::Value predicate,
              const AccessModifiers &modifiers);
mlir::Value createPolicyPTX(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef eviction);

} // namespace tilecc

#endif
