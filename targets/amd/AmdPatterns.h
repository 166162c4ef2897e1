//===- AmdPatterns.h - what code for AMD's GPUs is made of -------------------------------------------------*- C++ -*-//
//
// Shared by the files of this folder that write the LLVM dialect.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_AMDPATTERNS_H
#define TILECC_TARGETS_AMD_AMDPATTERNS_H

#include "lowering/gpu/Lowering.h"
#include "targets/amd/Architectures.h"

namespace tilecc::amd {

/// Calls an intrinsic of LLVM's, "llvm.amdgcn.workitem.id.x". Returns null if it has no result.
mlir::Value callIntrinsic(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange operands = {});

/// Products whose result is encoded for a matrix unit.
void populateMatrixDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering, const Facts &facts);

std::unique_ptr<TargetInfo> createTargetInfo(const Facts &facts, FloatOptions floats);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_AMDPATTERNS_H
