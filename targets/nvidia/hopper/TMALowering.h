//===- TMALowering.h - copies by the tensor memory accelerator ------------------------------------------*- C++ -*-===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_TMALOWERING_H
#define TILECC_TARGETS_NVIDIA_HOPPER_TMALOWERING_H

#include "lowering/dialects/ttng/TTNG.h"

namespace tilecc::pipeline {

/// Replaces the access of `load` by a copy to `tile`, through `map` from `indices`, that arrives on `barrier`, where
/// `condition` holds (null: always). The caller makes `barrier` expect all bytes of the tile.
void createTensorCopy(mlir::OpBuilder &builder, tt::DescriptorLoadOp load, mlir::Value map, mlir::ValueRange indices,
                      mlir::Value tile, mlir::Value barrier, mlir::Value condition = {});

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_TMALOWERING_H
