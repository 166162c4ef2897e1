//===- NvidiaAccess.h - loads and stores as PTX ---------------------------------------------------------*- C++ -*-===//
//
// Loads, stores and atomic operations that LLVM cannot express become inline PTX. The patterns of this folder share
// these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_NVIDIAACCESS_H
#define TILECC_TARGETS_NVIDIA_NVIDIAACCESS_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/gpu/TargetInfo.h"

namespace tilecc {

/// Creates inline assembly. `constraints` are those of LLVM. By default, the assembly is volatile.
mlir::LLVM::InlineAsmOp assembly(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange results,
                                 mlir::ValueRange operands, llvm::StringRef text, llvm::StringRef constraints,
                                 bool isVolatile = true);
/// The prefix of inline assembly that only the emulator executes. To ptxas it is a comment.
inline constexpr llvm::StringLiteral emulatorMark = "//@";
/// Returns the constraint letter for a register that holds integers of this type.
char constraintOf(mlir::Type word);

/// Returns true if threads must store the masked elements of `copy` themselves, because the copy instruction can write
/// only zeros there.
bool storesOther(ttg::AsyncCopyGlobalToLocalOp copy);

// These functions implement the TargetInfo functions of the same names.
mlir::Value loadPTX(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, mlir::Value ptr,
                    mlir::Value predicate, mlir::Value other, const AccessModifiers &modifiers);
void storePTX(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value ptr, mlir::Value predicate,
              const AccessModifiers &modifiers);
mlir::Value createPolicyPTX(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef eviction);

} // namespace tilecc

#endif
