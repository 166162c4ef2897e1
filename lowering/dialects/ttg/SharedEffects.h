//===- SharedEffects.h - accesses to shared memory, and waits for them ----------------------------------*- C++ -*-===//
//
// Barrier insertion and the allocation of shared memory use these queries.
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

/// The accesses for which a thread waits in an operation.
struct SharedWait {
  enum Kind {
    Nothing,
    Threads, ///< all threads of the thread block, and their accesses
    Blocks, ///< all threads of all thread blocks of the program, and their accesses
    Copies, ///< its own asynchronous writes, except the last `left` groups
    Dots, ///< asynchronous reads of its warp group, except those of the last `left` operations
    Stores, ///< asynchronous reads by copies to global memory that it has started, except the last `left` groups
    Barrier, ///< an mbarrier on which the accesses arrive: later accesses to the tile have waited for it
    Tiles, ///< accesses of all threads to `tiles`, if they have arrived on an mbarrier
  } kind = Nothing;
  unsigned left = 0;
  llvm::SmallVector<mlir::Value> tiles = {}; ///< memdescs
};

/// An access to memory that is shared by the threads of the program: shared memory or tensor memory.
struct SharedEffect {
  mlir::Value memory; ///< a memdesc
  bool isWrite;
  SharedWait::Kind until = SharedWait::Nothing; ///< it is pending until a wait of this kind
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
