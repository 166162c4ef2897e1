//===- NvidiaPatterns.h - patterns that only NVIDIA GPUs have -------------------------------------------*- C++ -*-===//
//
// NvidiaTargetInfo adds these patterns to those of lowering/gpu. There is one function for each hardware unit, each
// implemented in its own file.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_NVIDIAPATTERNS_H
#define TILECC_TARGETS_NVIDIA_NVIDIAPATTERNS_H

#include "lowering/gpu/Lowering.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc {

/// Adds the patterns for tt.dot whose result has the layout of mma.sync.
void populateMatrixDotPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering, const nvidia::Facts &facts);
/// Adds the patterns for asynchronous copies from global to shared memory, by cp.async.
void populateAsyncCopyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
/// Adds the patterns for warp-group dots (wgmma), their waits and fences.
void populateWarpGroupPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

/// Adds the patterns for tensor memory, and for dots that accumulate there (tcgen05).
void populateTensorMemoryPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                  const LoweringContext &lowering);
void populateTensorCorePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);

/// Adds the patterns for barriers in shared memory, by mbarrier.
void populateMemoryBarrierPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                   const LoweringContext &lowering);

/// Adds the patterns for copies of blocks by the tensor memory accelerator, by cp.async.bulk.tensor.
void populateTensorCopyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);

/// Adds the patterns for tensor maps that a kernel creates itself (tensormap.replace).
void populateTensorMapPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);

/// Adds the patterns for synchronization and exchange between the thread blocks of a program (clusters).
void populateClusterPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);
/// The address space of pointers to the shared memory of any block in the cluster.
inline constexpr unsigned clusterSharedSpace = 7;
/// Adds the patterns that add up accumulators over the blocks and clusters of a program.
void populateClusterSumPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering);
/// Implement the TargetInfo functions of the same names, for programs of `blocks` blocks.
void beginClusterBarriers(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value place, int64_t blocks,
                          mlir::Value isFirstThread);
void endClusterBarriers(mlir::OpBuilder &builder, mlir::Location loc);

/// Adds the patterns with which a launch overlaps with the previous one, by griddepcontrol.
void populateGridDependencyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering, const nvidia::Facts &facts);

std::unique_ptr<TargetInfo> createNvidiaTargetInfo(const nvidia::Facts &facts, FloatOptions floats);

} // namespace tilecc

#endif
