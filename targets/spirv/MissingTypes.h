//===- MissingTypes.h - replaces types that OpenCL devices lack -----------------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_SPIRV_MISSINGTYPES_H
#define TILECC_TARGETS_SPIRV_MISSINGTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilecc::spirv {

/// Rewrites a module of the LLVM dialect so that it has no bf16, which few devices support (SPV_KHR_bfloat16). Values
/// become the i16 that is in memory, and arithmetic is done in f32 and rounded to nearest even. Kernels get parameters
/// that OpenCL can set.
void useOpenCLTypes(mlir::ModuleOp module);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_MISSINGTYPES_H
