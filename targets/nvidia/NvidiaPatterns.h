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
/// Emit the beginning and the end of barriers between the `blocks` thread blocks of a program with partitions. `place`
/// is some bytes of shared memory through which the program's threads synchronize with those of other blocks. All
/// threads of all blocks execute both, at the beginning and at the end of the kernel. (These barriers order accesses
/// between blocks, but racecheck of compute-sanitizer only knows the hardware's cluster barrier.)
void beginClusterBarriers(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value place, int64_t blocks,
                          mlir::Value isFirstThread);
void endClusterBarriers(mlir::OpBuilder &builder, mlir::Location loc);

/// Adds the pattern for the start of a kernel's partitions.
void populatePartitionPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                               const LoweringContext &lowering);
/// Removes the place of barriers between blocks from a module whose blocks do not wait for each other. Called before
/// tiles are replaced by scalars.
void removeUnusedClusterBarriers(mlir::ModuleOp module);
/// Creates the branch of each kernel for the worker warps, which execute its partitions. Tiles have already been
/// replaced by scalars.
void emitWorkers(mlir::ModuleOp module, const TargetInfo &target);
/// Makes each kernel that has no partitions prefetch its tensor maps. In the other kernels, the first worker does it.
void prefetchTensorMaps(mlir::ModuleOp module);

/// Adds the pattern for comparisons of copies, which the emulator performs.
void populateReplicaPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                             const LoweringContext &lowering);

/// On tt.grid_dependency_wait and tt.grid_dependency_launch, in kernels whose grid may be launched in two parts
/// (ttng.numbered): the operation has no effect in the second part, or if no second part follows.
namespace nvidia {
inline constexpr llvm::StringLiteral unlessSecondPartAttr = "ttng.unless_second_part";
inline constexpr llvm::StringLiteral ifSecondPartFollowsAttr = "ttng.if_second_part_follows";
} // namespace nvidia
/// Adds the patterns for launches that overlap, by griddepcontrol.
void populateGridDependencyPatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                    const LoweringContext &lowering, const nvidia::Facts &facts);

/// Returns the number of this thread in its block (i32).
mlir::Value getThreadInBlock(mlir::OpBuilder &builder, mlir::Location loc);

/// Calls `create` to emit code inside a branch. One thread of the program (or of the code's partition) executes the
/// code, if `predicate` holds (i1, uniform; null for always). It is always the same thread, but the caller cannot know
/// which.
void createForOneThread(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target, mlir::Value predicate,
                        llvm::function_ref<void()> create);
/// Calls `create` to emit, inside a branch, code that the first warp of the program (or of the code's partition)
/// executes.
void createForFirstWarp(mlir::OpBuilder &builder, mlir::Location loc, const TargetInfo &target,
                        llvm::function_ref<void()> create);
/// Merges adjacent branches of createForOneThread(), and elects the thread in each.
void finishOneThreadCode(mlir::Operation *module);

std::unique_ptr<TargetInfo> createNvidiaTargetInfo(const nvidia::Facts &facts, FloatOptions floats);

} // namespace tilecc

#endif
