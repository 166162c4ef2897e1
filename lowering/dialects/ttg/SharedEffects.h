//===- SharedEffects.h - accesses of operations to shared memory, and their waits -----------------------*- C++ -*-===//
//
// For each operation: which accesses to shared memory it makes, and for which earlier accesses it waits. Barrier
// insertion and the allocation of shared memory use these queries.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TTG_SHAREDEFFECTS_H
#define TILECC_LOWERING_DIALECTS_TTG_SHAREDEFFECTS_H

#include "mlir/IR/OpDefinition.h"

namespace tilecc::ttg {

/// The proxy through which an access reaches shared memory. A write through one proxy is visible to the other only
/// after a fence.
enum class Proxy {
  Generic, ///< loads and stores of threads, and cp.async
  Async, ///< asynchronous units: bulk copies, and matrix units that read shared memory directly
};

/// The earlier accesses that are complete once a thread has executed an operation that waits.
struct SharedWait {
  enum Kind {
    Nothing,
    Threads, ///< accesses of all threads of the thread block
    Blocks, ///< accesses of all threads of all thread blocks of the program
    Copies, ///< the thread's own asynchronous writes, except the last `left` groups
    Dots, ///< asynchronous reads of the thread's warp group, except those of the last `left` operations
    Stores, ///< asynchronous reads by the thread's own copies to global memory, except the last `left` groups
    Barrier, ///< only for SharedEffect::until: the access arrives on an mbarrier; see Tiles
    Tiles, ///< accesses of all threads to `tiles`, each of which has arrived on an mbarrier
  } kind = Nothing;
  unsigned left = 0;
  llvm::SmallVector<mlir::Value> tiles = {}; ///< memdescs
};

/// An access to memory that is shared by the threads of the program: shared memory or tensor memory.
struct SharedEffect {
  mlir::Value memory; ///< a memdesc
  bool isWrite;
  SharedWait::Kind until = SharedWait::Nothing; ///< the wait that ends it if it is pending
  Proxy proxy = Proxy::Generic;
  bool waitsForItself = false; ///< the operation orders its accesses after earlier ones of the same kind
};

/// Converts the MLIR memory effects of `op` to synchronous accesses through the generic proxy.
void collectSharedEffects(mlir::Operation *op, llvm::SmallVectorImpl<SharedEffect> &effects);

/// Return the accesses of `op`, and the accesses for which it waits.
llvm::SmallVector<SharedEffect> getSharedEffects(mlir::Operation *op);
SharedWait getSharedWait(mlir::Operation *op);

} // namespace tilecc::ttg

#endif // TILECC_LOWERING_DIALECTS_TTG_SHAREDEFFECTS_H
