//===- SpirvPatterns.h - helpers that generate code for OpenCL devices ----------------------------------*- C++ -*-===//
//
// The files of this directory that create LLVM dialect operations share these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVPATTERNS_H
#define TILECC_TARGETS_SPIRV_SPIRVPATTERNS_H

#include "lowering/gpu/LLVMAccess.h"
#include "lowering/gpu/Lowering.h"
#include "targets/spirv/SpirvTargets.h"

namespace tilecc::spirv {

/// Calls a built-in function of OpenCL C by its mangled name, which LLVM's back end replaces by an instruction. All
/// lanes of a sub-group execute a convergent one together.
mlir::Value callBuiltin(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Type result,
                        mlir::ValueRange operands, bool isConvergent = false);

mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, int64_t value);

// Implement TargetInfo's functions of these names.
mlir::Value atomicRMW(mlir::OpBuilder &builder, mlir::Location loc, tt::RMWOp op, mlir::Value ptr, mlir::Value value,
                      mlir::Value predicate, tt::MemSemantic sem, tt::MemSyncScope scope);
mlir::Value atomicCAS(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ptr, mlir::Value compare,
                      mlir::Value value, mlir::Value predicate, tt::MemSemantic sem, tt::MemSyncScope scope);

std::unique_ptr<TargetInfo> createTargetInfo(const Facts &facts, FloatOptions floats);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVPATTERNS_H
