//===- OperationFeatures.h - checks that the GPU has the instructions of operations ---------------------*- C++ -*-===//
//
// Our passes query a feature before they create an operation that needs it. But TTGIR that a user passes to tcc may
// have been created for another GPU, so it is checked.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H
#define TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H

#include "mlir/IR/BuiltinOps.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc::nvidia {

/// Reports the first operation that needs an instruction that the architecture does not have.
mlir::LogicalResult checkOperationFeatures(mlir::ModuleOp module, const Facts &facts);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H
