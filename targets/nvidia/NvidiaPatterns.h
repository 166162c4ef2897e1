//===- NvidiaPatterns.h - what only NVIDIA GPUs have, as patterns -------------------------------------------*- C++ -*-//
//
// What NvidiaTargetInfo adds to the patterns of lowering/gpu: one function for each unit, each in a file of its own.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_NVIDIAPATTERNS_H
#define TILECC_TARGETS_NVIDIA_NVIDIAPATTERNS_H

#include "lowering/gpu/Lowering.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc {

/// tt.dot whose results are encoded for mma.sync.
void populateMatrixDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering, const nvidia::Facts &facts);
/// Asynchronous copies from global to shared memory, by cp.async.
void populateAsyncCopyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
/// Products by warpgroups, by wgmma, and their waits and fences.
void populateWarpGroupPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

/// Tensor memory, and products that accumulate there, by tcgen05.
void populateTensorMemoryPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                  const LoweringContext &lowering);
void populateTensorCorePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);

/// Barriers in shared memory, by mbarrier.
void populateMemoryBarrierPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                   const LoweringContext &lowering);

/// Copies of blocks by the tensor memory accelerator, by cp.async.bulk.tensor.
void populateTensorCopyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);

/// Tensor maps that a kernel makes, by tensormap.replace.
void populateTensorMapPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

/// What thread blocks of a program do with each other, by clusters.
void populateClusterPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);
/// See TargetInfo's functions of these names; of so many blocks.
void beginMeetings(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value place, int64_t blocks, mlir::Value isFirstThread);
void endMeetings(mlir::OpBuilder &builder, mlir::Location loc);

/// Launches that overlap, by griddepcontrol.
void populateGridDependencyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering, const nvidia::Facts &facts);

std::unique_ptr<TargetInfo> createNvidiaTargetInfo(const nvidia::Facts &facts, FloatOptions floats);

} // namespace tilecc

#endif
