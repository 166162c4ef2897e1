//===- NvidiaAccess.h - loads and stores as PTX -------------------------------------------------------------*- C++ -*-//
#ifndef TILECC_TARGETS_NVIDIA_NVIDIAACCESS_H
#define TILECC_TARGETS_NVIDIA_NVIDIAACCESS_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/gpu/TargetInfo.h"

namespace tilecc {

/// Assembly, volatile unless said otherwise, with LLVM's constraints.
mlir::LLVM::InlineAsmOp assembly(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange results,
                                 mlir::ValueRange operands, llvm::StringRef text, llvm::StringRef constraints,
                                 bool isVolatile = true);
/// How assembly begins that is for the emulator, and a comment to ptxas.
inline constexpr llvm::StringLiteral emulatorMark = "//@";
/// The constraint of a register for integers of the type.
char constraintOf(mlir::Type word);

/// Whether threads store what the copy's mask leaves out themselves: the copy can only write zeros there.
bool storesOther(ttg::AsyncCopyGlobalToLocalOp copy);

// See TargetInfo's functions of these names.
mlir::Value loadPTX(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, mlir::Value ptr,
                    mlir::Value predicate, mlir::Value other, const AccessModifiers &modifiers);
void storePTX(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value ptr, mlir::Value predicate,
              const AccessModifiers &modifiers);
mlir::Value createPolicyPTX(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef eviction);

} // namespace tilecc

#endif
