//===- TargetInfo.h - differences between GPUs of different vendors -------------------------------------*- C++ -*-===//
//
// The lowering patterns use this interface to identify threads, exchange values and synchronize. They never ask which
// vendor the GPU is from.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_TARGETINFO_H
#define TILECC_LOWERING_GPU_TARGETINFO_H

#include "lowering/dialects/tt/TT.h"
#include "lowering/gpu/GpuTarget.h"
#include "targets/GpuFacts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/ErrorHandling.h"
#include <memory>

namespace tilecc {

/// Integer reductions over a warp that may be a single instruction.
enum class WarpReduction { Add, And, Or, Xor, MaxS, MinS, MaxU, MinU };

/// How an access uses the caches, in PTX's terms. At most one of the first three members is set.
struct AccessModifiers {
  llvm::StringRef cacheOperator; // "ca", "cg", "cs", "wb", "wt", "cv"
  llvm::StringRef eviction; // "evict_first", "evict_last": in both cache levels
  bool isVolatile = false;
  mlir::Value policy; // result of createCachePolicy(), if there is an eviction priority

  bool isPlain() const { return cacheOperator.empty() && eviction.empty() && !isVolatile; }
};

/// An address in global memory, as the sum of parts. The last three parts together are a number of bytes from 0 to
/// 2^31 - 1.
struct BufferAddress {
  mlir::Value base; ///< a pointer, the same in all threads of the program
  mlir::Value ofThread; ///< i32
  mlir::Value ofProgram; ///< i32, the same in all threads; null for 0
  uint32_t constant;
};

class TileTypeConverter;
struct LoweringContext;

class TargetInfo {
public:
  explicit TargetInfo(const GpuFacts &facts) : facts(facts) {}
  virtual ~TargetInfo() = default;

  const GpuFacts &facts;

  /// Adds the patterns that only this vendor has: for dots on its matrix units, for its asynchronous copies, and for
  /// the operations of its dialect.
  virtual void populatePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                                const LoweringContext &lowering) const = 0;

  /// Prepares a module before the patterns replace its tiles by scalars, and completes it afterwards, before scalars
  /// become LLVM IR.
  virtual void prepareModule(mlir::ModuleOp) const {}
  virtual void finishModule(mlir::ModuleOp) const {}

  /// Return the address spaces of LLVM pointers.
  virtual unsigned getGlobalAddressSpace() const = 0;
  virtual unsigned getSharedAddressSpace() const = 0;

  /// Return, as i32: the number of this thread within the program, or within the partition to which the code belongs;
  /// the index of its program among the programs of the block (ttg.programs-per-block); the index of this program in
  /// the grid; and the size of the grid.
  virtual mlir::Value getThreadId(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  virtual mlir::Value getProgramInBlock(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  virtual mlir::Value getProgramId(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const = 0;
  virtual mlir::Value getNumPrograms(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const = 0;

  /// Waits for all threads of the program, or of the partition to which the code belongs. Accesses to shared and global
  /// memory do not move across it.
  virtual void barrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// Does the same, but orders accesses to shared memory only. Unless GpuFacts::sharedBarriersOrderAll, accesses to
  /// global memory may move across it, and loads from global memory may still be in flight.
  virtual void sharedBarrier(mlir::OpBuilder &builder, mlir::Location loc) const { barrier(builder, loc); }
  /// Waits only for the threads of each warp.
  virtual void warpBarrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// Returns the i32 `value` of the lane whose number is this one's XOR `mask`.
  virtual mlir::Value shuffleXor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                 unsigned mask) const = 0;
  /// Returns the i32 `value` of lane `lane` (i32).
  virtual mlir::Value shuffleIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                   mlir::Value lane) const = 0;

  /// Reduces the i32 values of all lanes of the warp; every lane gets the result. Returns null if the target has no
  /// instruction for it.
  virtual mlir::Value reduceWarp(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                 WarpReduction kind) const = 0;

  /// Marks `func`, to which `source` has been lowered, as a kernel that is launched with `numThreads` threads per
  /// program.
  virtual void markKernel(mlir::LLVM::LLVMFuncOp func, tt::FuncOp source, unsigned numThreads) const = 0;

  /// Compute scalar floating-point functions, as accurately as the language requires (f32 and f64; other types go
  /// through f32). If `flushes` is true, results below the smallest normal number may be 0.
  virtual mlir::Value exp2(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, bool flushes) const = 0;
  virtual mlir::Value sqrt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x) const = 0;
  /// Returns the sine, cosine, binary logarithm or hyperbolic tangent of an f32, computed by the target's approximate
  /// instruction. Returns null if there is no such instruction, or if approximations are not allowed.
  enum class Function { Sin, Cos, Log2, Tanh };
  virtual mlir::Value approximate(Function function, mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value x) const = 0;
  virtual mlir::Value rsqrt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x) const = 0;
  virtual mlir::Value divide(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y) const = 0;
  /// Convert between pairs of 8-bit floats of type `type` and wider floats. A pair is an i16 with the first number in
  /// the low byte. extendFloat8 returns a vector<2xf16>; the other functions convert a vector<2xf16> or two f32 to a
  /// pair, rounding to nearest even with saturation. They return null if the target has no such instruction. Extending
  /// e5m2, which is the upper byte of an f16, is always supported.
  virtual mlir::Value extendFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                                   mlir::Value pair) const = 0;
  virtual mlir::Value truncateToFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                                       mlir::ValueRange source) const = 0;
  /// Returns the upper half of the product of two unsigned integers of 32 or 64 bits.
  virtual mlir::Value multiplyHigh(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                                   mlir::Value y) const = 0;

  /// Perform an atomic access to global memory if `predicate` holds (i1; null for always). They return the old value,
  /// or zero if the access is not executed. Values are numbers or pointers.
  virtual mlir::Value atomicRMW(mlir::OpBuilder &builder, mlir::Location loc, tt::RMWOp op, mlir::Value ptr,
                                mlir::Value value, mlir::Value predicate, tt::MemSemantic sem,
                                tt::MemSyncScope scope) const = 0;
  virtual mlir::Value atomicCAS(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ptr, mlir::Value compare,
                                mlir::Value value, mlir::Value predicate, tt::MemSemantic sem,
                                tt::MemSyncScope scope) const = 0;
  /// Loads a signal (i32) once in a loop that ends when it is at least `wanted`, modulo 2^32. Later accesses see what
  /// was stored before any thread of the machine released the value. (The default also does so on targets whose loads
  /// cannot acquire.)
  virtual mlir::Value loadSignal(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ptr,
                                 mlir::Value wanted) const {
    mlir::Value zero = mlir::LLVM::ConstantOp::create(builder, loc, wanted.getType(), 0);
    return atomicRMW(builder, loc, tt::RMWOp::OR, ptr, zero, /*predicate=*/{}, tt::MemSemantic::ACQUIRE,
                     tt::MemSyncScope::SYSTEM);
  }
  /// Loads a vector of `type`, at most 128 bits, from global memory, without a branch. If `predicate` (i1, may be null)
  /// does not hold, nothing is read, and the result is `other`, or zero if `other` is null.
  virtual mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, mlir::Value ptr,
                           mlir::Value predicate, mlir::Value other = {},
                           const AccessModifiers &modifiers = {}) const = 0;
  /// Stores a vector of at most 128 bits to global or shared memory if `predicate` (may be null) holds.
  virtual void store(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value ptr,
                     mlir::Value predicate, const AccessModifiers &modifiers = {}) const = 0;

  //===--- what only some GPUs have -------------------------------------------------------------------------------===//
  // A pattern asks GpuFacts before it calls one of these functions, so a target overrides what its facts announce.

  /// Loads matrices of 8 rows of 16 bytes from shared memory by a warp, if GpuFacts::hasMatrixLoads. Lane 8 i + r
  /// supplies in `address` the address of row r of matrix i. Each lane gets one word (i32) of each of the 1, 2 or 4
  /// matrices: word lane % 4 of row lane / 4. With `transposed`, the lane gets the 16-bit elements of column lane / 4
  /// in the rows lane % 4 * 2 and lane % 4 * 2 + 1.
  virtual llvm::SmallVector<mlir::Value> loadMatrices(mlir::OpBuilder &, mlir::Location, mlir::Value /*address*/,
                                                      unsigned /*count*/, bool /*transposed*/) const {
    reportMissing("hasMatrixLoads");
  }
  /// Stores matrices, if GpuFacts::hasMatrixStores(). Each lane supplies one word of each matrix, distributed as in
  /// loadMatrices().
  virtual void storeMatrices(mlir::OpBuilder &, mlir::Location, mlir::Value /*address*/, mlir::ValueRange /*words*/,
                             bool /*transposed*/) const {
    reportMissing("hasMatrixStores");
  }
  /// Atomically adds to several adjacent elements in global memory, at most GpuFacts::getMostAdded(), without returning
  /// their old values. If `predicate` (i1, may be null) does not hold, adds nothing.
  virtual void addVector(mlir::OpBuilder &, mlir::Location, mlir::Value /*ptr*/, mlir::ValueRange /*values*/,
                         mlir::Value /*predicate*/, tt::MemSemantic, tt::MemSyncScope) const {
    reportMissing("getMostAdded");
  }
  /// Do the same as load() and store() in global memory, if GpuFacts::hasBuffers. A predicate replaces the offset, so
  /// none of them needs a branch.
  virtual mlir::Value loadBuffer(mlir::OpBuilder &, mlir::Location, mlir::VectorType, const BufferAddress &,
                                 mlir::Value /*predicate*/, mlir::Value /*other*/, const AccessModifiers &) const {
    reportMissing("hasBuffers");
  }
  virtual void storeBuffer(mlir::OpBuilder &, mlir::Location, mlir::Value /*value*/, const BufferAddress &,
                           mlir::Value /*predicate*/, const AccessModifiers &) const {
    reportMissing("hasBuffers");
  }
  /// Returns a value that all accesses of an operation with the eviction priority `eviction` take
  /// (AccessModifiers::policy), or null if accesses need no such value.
  virtual mlir::Value createCachePolicy(mlir::OpBuilder &, mlir::Location, llvm::StringRef /*eviction*/) const {
    return {};
  }

private:
  /// Ends the compiler: the member `fact` of GpuFacts announces what the target does not implement.
  [[noreturn]] static void reportMissing(const char *fact) {
    llvm::reportFatalInternalError(llvm::Twine("the target has no instructions for GpuFacts::") + fact);
  }
};

} // namespace tilecc

#endif
