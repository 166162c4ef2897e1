//===- TMALowering.h - copies that the tensor memory accelerator does ------------------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_TMALOWERING_H
#define TILECC_TARGETS_NVIDIA_HOPPER_TMALOWERING_H

#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::pipeline {

/// Has what `load` would load by `map` and from `indices` copied to `tile`, and counted at `barrier`, where `condition` holds
/// (null: always). The caller has `barrier` expect the bytes, all of the tile's.
void createTensorCopy(mlir::OpBuilder &builder, tt::DescriptorLoadOp load, mlir::Value map, mlir::ValueRange indices,
                      mlir::Value tile, mlir::Value barrier, mlir::Value condition = {});

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_TMALOWERING_H
