//===- AmdPatterns.h - helpers and patterns for AMD GPUs ---------------------------------------------------*- C++ -*-//
//
// The files of this folder that generate operations of the LLVM dialect share these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_AMDPATTERNS_H
#define TILECC_TARGETS_AMD_AMDPATTERNS_H

#include "lowering/gpu/Lowering.h"
#include "targets/amd/Architectures.h"

namespace tilecc::amd {

/// Creates a call of an LLVM intrinsic, such as "llvm.amdgcn.workitem.id.x". Returns null if the intrinsic has no
/// result.
mlir::Value callIntrinsic(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange operands = {});

/// Adds the patterns for dots whose result has the encoding of a matrix unit.
void populateMatrixDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering, const Facts &facts);

std::unique_ptr<TargetInfo> createTargetInfo(const Facts &facts, FloatOptions floats);

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_AMDPATTERNS_H
