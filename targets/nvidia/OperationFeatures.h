//===- OperationFeatures.h - which architectures have the instructions of an operation ---------------------*- C++ -*-//
//
// Asked of TTGIR that tcc has not made itself. The passes ask for a feature before they make an operation that needs
// it; TTGIR that is an input may have been made for another GPU.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H
#define TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H

#include "mlir/IR/BuiltinOps.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc::nvidia {

/// Fails after an error at the first operation that needs an instruction which the architecture does not have.
mlir::LogicalResult checkOperationFeatures(mlir::ModuleOp module, const Facts &facts);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_OPERATIONFEATURES_H
