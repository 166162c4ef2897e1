//===- OperationFeatures.h - checks that the GPU has the instructions of operations ---------------------*- C++ -*-===//
//
// Our passes query a feature before they create an operation that needs it. But TTGIR that a user passes to tcc may
// have been created for another GPU, so it is checked. So are operations that the language has for some GPUs only.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H
#define TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H

#include "mlir/IR/BuiltinOps.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc::nvidia {

/// Reports the first operation, of `root` and those that it contains, that needs an instruction that the architecture
/// does not have.
mlir::LogicalResult checkOperationFeatures(mlir::Operation *root, const Facts &facts);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H
