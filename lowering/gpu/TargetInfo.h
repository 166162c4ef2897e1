//===- TargetInfo.h - what differs between GPUs of different vendors ----------------------------------------*- C++ -*-//
//
// Patterns ask this interface how to name a thread, exchange values and wait; none asks which vendor it lowers for.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_TARGETINFO_H
#define TILECC_LOWERING_GPU_TARGETINFO_H

#include "lowering/dialects/tt/TT.h"
#include "lowering/gpu/GpuTarget.h"
#include "targets/GpuFacts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include <memory>

namespace tilecc {

/// How integers of a warp may be combined by one instruction.
enum class WarpReduction { Add, And, Or, Xor, MaxS, MinS, MaxU, MinU };

/// How an access to memory treats caches, in PTX's words. At most one of the first three says something.
struct AccessModifiers {
  llvm::StringRef cacheOperator; // "ca", "cg", "cs", "wb", "wt", "cv"
  llvm::StringRef eviction;      // "evict_first", "evict_last": in both levels of cache
  bool isVolatile = false;
  mlir::Value policy; // of createCachePolicy, where there is an eviction priority

  bool isPlain() const { return cacheOperator.empty() && eviction.empty() && !isVolatile; }
};

class TileTypeConverter;
struct LoweringContext;

class TargetInfo {
public:
  explicit TargetInfo(const GpuFacts &facts) : facts(facts) {}
  virtual ~TargetInfo() = default;

  const GpuFacts &facts;

  /// The patterns of what only this vendor has: products on its matrix units, its asynchronous copies, its dialect.
  virtual void populatePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering) const = 0;

  /// Address spaces of LLVM's pointers.
  virtual unsigned getGlobalAddressSpace() const = 0;
  virtual unsigned getSharedAddressSpace() const = 0;

  /// i32: this thread's number within the program, or the partition that the code is in, this program's index in the grid, and the grid's size.
  virtual mlir::Value getThreadId(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// This thread's number in the block, and which of the block's programs it runs (ttg.programs-per-block).
  virtual mlir::Value getThreadInBlock(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  virtual mlir::Value getProgramInBlock(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  virtual mlir::Value getProgramId(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const = 0;
  virtual mlir::Value getNumPrograms(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const = 0;

  /// Waits for all threads of the program; accesses to memory, shared and global, do not move across it.
  virtual void barrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// The same, for those of its partitions, too: where it has any, barrier() waits for the threads of the program alone, or of
  /// the partition that the code is in.
  virtual void barrierOfAll(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// The same for the threads of each warp alone.
  virtual void warpBarrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// Where a program of several thread blocks has partitions: readies `place`, bytes of shared memory, for the program's threads to
  /// meet those of other blocks, and is done with it. All threads of all blocks come to both, as the kernel begins and as it
  /// ends. (Its own meetings order what blocks do in each other's memory; racecheck of compute-sanitizer knows only the cluster's barrier.)
  virtual void beginMeetings(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value place) const = 0;
  virtual void endMeetings(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// For all threads of four warps at the same time, the registers that each has from here on: `more` than before, or fewer.
  virtual void setRegisters(mlir::OpBuilder &builder, mlir::Location loc, unsigned count, bool more) const = 0;
  /// The i32 `value` of the lane whose number differs from this one's by XOR with `mask`.
  virtual mlir::Value shuffleXor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                 unsigned mask) const = 0;
  /// The i32 `value` of lane `lane` (i32).
  virtual mlir::Value shuffleIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                   mlir::Value lane) const = 0;

  /// The i32 values of all lanes of the warp combined, in every lane; null if the target has no instruction for it.
  virtual mlir::Value reduceWarp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                 WarpReduction kind) const = 0;

  /// Whether a warp can load matrices of 8 rows of 16 bytes from shared memory, and how it does: `address` is, of lane
  /// 8 i + r, that of row r of matrix i. Each lane gets a word (i32) of each of the 1, 2 or 4 matrices: of row lane / 4 the
  /// word lane % 4; transposed, of column lane / 4 the 16-bit elements in rows lane % 4 * 2 and behind.
  virtual bool hasMatrixLoads() const = 0;
  virtual llvm::SmallVector<mlir::Value> loadMatrices(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                                                      unsigned count, bool transposed) const = 0;
  /// The same the other way: each lane gives as many words as there are matrices.
  virtual bool hasMatrixStores() const = 0;
  virtual void storeMatrices(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address, mlir::ValueRange words,
                             bool transposed) const = 0;
  /// Tells the emulator that threads whose numbers (`thread`, i32) differ in the bits of `copies` alone, of `threads` in all,
  /// hold copies of `value`: an integer of 32 or 64 bits.
  virtual void compareReplicas(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value thread,
                               uint32_t copies, unsigned threads) const = 0;
  /// Marks `func` as a kernel that is launched with `numThreads` threads per program.
  virtual void markKernel(mlir::LLVM::LLVMFuncOp func, unsigned numThreads) const = 0;

  /// Argument `number` of a kernel is a tensor map, passed by value.
  virtual void markTensorMap(mlir::LLVM::LLVMFuncOp func, unsigned number) const = 0;
  /// Has a tensor map brought to where copies look for it.
  virtual void prefetchTensorMap(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value map) const = 0;

  /// Floating-point functions of scalars, as accurate as the language asks (f32 and f64; other types go through f32).
  /// `flushes`: results below the smallest normal number may be 0.
  virtual mlir::Value exp2(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, bool flushes) const = 0;
  virtual mlir::Value sqrt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x) const = 0;
  /// Sine, cosine, logarithm to base 2 or hyperbolic tangent of an f32 by the target's own approximation; null if it
  /// has none, or approximations are not asked for.
  enum class Function { Sin, Cos, Log2, Tanh };
  virtual mlir::Value approximate(Function function, mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value x) const = 0;
  virtual mlir::Value rsqrt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x) const = 0;
  virtual mlir::Value divide(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y) const = 0;
  /// Pairs of 8-bit floats of type `type`, as i16 with the first in the low byte: as vector<2xf16>; from that or from two
  /// f32, rounded to nearest even and saturated. Null if the target has no instruction for it; e5m2, the upper byte of an
  /// f16, is always extended.
  virtual mlir::Value extendFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                                   mlir::Value pair) const = 0;
  virtual mlir::Value truncateToFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                                       mlir::ValueRange source) const = 0;
  /// The upper half of the product of two unsigned integers of 32 or 64 bits.
  virtual mlir::Value multiplyHigh(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                                   mlir::Value y) const = 0;

  /// Atomic accesses to global memory, executed where `predicate` (i1, null: always) holds; they return what was read, and
  /// zero where nothing is done. Values are numbers or pointers.
  virtual mlir::Value atomicRMW(mlir::OpBuilder &builder, mlir::Location loc, tt::RMWOp op, mlir::Value ptr,
                                mlir::Value value, mlir::Value predicate, tt::MemSemantic sem,
                                tt::MemSyncScope scope) const = 0;
  /// Adds to as many neighbours as GpuFacts::getMostAdded() says, whose old values nobody asks for.
  virtual void addVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ptr, mlir::ValueRange values,
                         mlir::Value predicate, tt::MemSemantic sem, tt::MemSyncScope scope) const = 0;
  virtual mlir::Value atomicCAS(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ptr, mlir::Value compare,
                                mlir::Value value, mlir::Value predicate, tt::MemSemantic sem,
                                tt::MemSyncScope scope) const = 0;
  /// A load of a vector of `type`, at most 128 bits, from global memory. Where `predicate` (i1, may be null) does not hold
  /// nothing is read, and the result is `other`, or zero without one. It has no branch.
  virtual mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, mlir::Value ptr,
                           mlir::Value predicate, mlir::Value other = {},
                           const AccessModifiers &modifiers = {}) const = 0;
  /// A store to global or shared memory, of a vector of at most 128 bits, executed where `predicate` (may be null) holds.
  virtual void store(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value ptr,
                     mlir::Value predicate, const AccessModifiers &modifiers = {}) const = 0;
  /// What accesses with the eviction priority `eviction` have as their policy.
  virtual mlir::Value createCachePolicy(mlir::OpBuilder &builder, mlir::Location loc,
                                        llvm::StringRef eviction) const = 0;
};

} // namespace tilecc

#endif
