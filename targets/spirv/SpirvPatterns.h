//===- SpirvPatterns.h - helpers that generate code for OpenCL devices ----------------------------------*- C++ -*-===//
//
// The files of this folder that generate operations of the LLVM dialect share these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_SPIRVPATTERNS_H
#define TILECC_TARGETS_SPIRV_SPIRVPATTERNS_H

#include "lowering/gpu/LLVMAccess.h"
#include "lowering/gpu/Lowering.h"
#include "targets/spirv/SpirvTargets.h"

namespace tilecc::spirv {

/// Creates a call of a built-in function of OpenCL C, given by its mangled name. LLVM's back end replaces the call by
/// an instruction. If `isConvergent` is true, all lanes of a sub-group execute the call together.
mlir::Value callBuiltin(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Type result,
                        mlir::ValueRange operands, bool isConvergent = false);

mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, int64_t value);

// These functions implement the TargetInfo functions of the same names.
mlir::Value atomicRMW(mlir::OpBuilder &builder, mlir::Location loc, tt::RMWOp op, mlir::Value ptr, mlir::Value value,
                      mlir::Value predicate, tt::MemSemantic sem, tt::MemSyncScope scope);
mlir::Value atomicCAS(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ptr, mlir::Value compare,
                      mlir::Value value, mlir::Value predicate, tt::MemSemantic sem, tt::MemSyncScope scope);

/// Adds the pattern for dots whose result has the encoding of the matrix unit.
void populateMatrixDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

std::unique_ptr<TargetInfo> createTargetInfo(const Facts &facts, FloatOptions floats);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_SPIRVPATTERNS_H
