//===- MissingTypes.h - replaces types that OpenCL devices lack -----------------------------------------*- C++ -*-===//
//
// Few OpenCL devices support bf16 (SPV_KHR_bfloat16), so the back end removes it before SPIR-V is written.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_MISSINGTYPES_H
#define TILECC_TARGETS_SPIRV_MISSINGTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilecc::spirv {

/// Rewrites a module of the LLVM dialect so that it has no bf16. Values of type bf16 become i16, as they are in memory;
/// arithmetic on them is done in f32 and rounded to nearest even, by instructions if the target of the module
/// (ttg.target) has them. Parameters of kernels get types that the OpenCL API
/// can set.
void useOpenCLTypes(mlir::ModuleOp module);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_MISSINGTYPES_H
