//===- NvidiaPatterns.h - patterns that only NVIDIA GPUs have -------------------------------------------*- C++ -*-===//
//
// NvidiaTargetInfo adds these to the patterns of lowering/gpu. There is one function for each hardware unit, each in
// its own file.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_NVIDIAPATTERNS_H
#define TILECC_TARGETS_NVIDIA_NVIDIAPATTERNS_H

#include "lowering/gpu/Lowering.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc {

/// tt.dot with results encoded for mma.sync.
void populateMatrixDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering, const nvidia::Facts &facts);
/// Asynchronous copies from global to shared memory, by cp.async.
void populateAsyncCopyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
/// Warp-group dots (wgmma), their waits and fences.
void populateWarpGroupPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

/// Tensor memory, and dots that accumulate there (tcgen05).
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

/// Tensor maps that a kernel creates (tensormap.replace).
void populateTensorMapPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

/// Synchronization and exchange between the thread blocks of a program (clusters).
void populateClusterPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);
/// The address space of pointers to the shared memory of any block of the cluster.
inline constexpr unsigned clusterSharedSpace = 7;
/// Sums of accumulators over the blocks and clusters of a program.
void populateClusterSumPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);
/// Implement TargetInfo's functions of these names, for `blocks` blocks.
void beginClusterBarriers(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value place, int64_t blocks,
                          mlir::Value isFirstThread);
void endClusterBarriers(mlir::OpBuilder &builder, mlir::Location loc);

/// Launches that overlap, by griddepcontrol.
void populateGridDependencyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering, const nvidia::Facts &facts);

std::unique_ptr<TargetInfo> createNvidiaTargetInfo(const nvidia::Facts &facts, FloatOptions floats);

} // namespace tilecc

#endif
