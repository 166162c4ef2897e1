//===- OpenCLTypes.h - types that OpenCL devices have ------------------------------------------------------*- C++ -*-//

#ifndef TILECC_TARGETS_SPIRV_OPENCLTYPES_H
#define TILECC_TARGETS_SPIRV_OPENCLTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilecc::spirv {

/// Rewrites a module of the LLVM dialect so that it has no bf16, which few devices know (SPV_KHR_bfloat16): values are
/// the i16 that memory holds, and arithmetic is f32's, rounded to nearest even. Kernels get parameters that
/// OpenCL can set.
void useOpenCLTypes(mlir::ModuleOp module);

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_OPENCLTYPES_H
