//===- SharedEffects.h - accesses to shared memory, and waits for them --------------------------------------*- C++ -*-//
#ifndef TILECC_LOWERING_DIALECTS_TTG_SHAREDEFFECTS_H
#define TILECC_LOWERING_DIALECTS_TTG_SHAREDEFFECTS_H

#include "mlir/IR/OpDefinition.h"

namespace tilecc::ttg {

/// The way on which an access reaches shared memory. What was written on one way is seen on the other behind a fence.
enum class Proxy {
  Generic, ///< loads and stores of threads, and cp.async
  Async,   ///< engines beside the threads: bulk copies, and matrix units that read operands themselves
};

/// What a thread waits for in an operation, before it goes on.
struct SharedWait {
  enum Kind {
    Nothing,
    Threads,  ///< all threads of the thread block, and their accesses
    Blocks,   ///< the same of all thread blocks that run the program
    Copies,   ///< its own asynchronous writes, but for the last `left` groups of them
    Products, ///< asynchronous reads of its warpgroup, but for those of the last `left` operations
    Stores,   ///< asynchronous reads of copies to global memory that it has started, but for the last `left` groups of them
    Barrier,  ///< a barrier in memory at which the accesses arrive: who accesses the tile later has waited for that
    Tiles,    ///< all threads' accesses to `tiles`, as far as these have arrived at a barrier in memory
  } kind = Nothing;
  unsigned left = 0;
  llvm::SmallVector<mlir::Value> tiles = {}; ///< memdescs
};

/// One access of an operation to a tile in memory that the program's threads share: shared memory, or tensor memory.
struct SharedEffect {
  mlir::Value memory; ///< a memdesc
  bool isWrite;
  SharedWait::Kind until = SharedWait::Nothing; ///< still under way behind the operation, until a wait of this kind
  Proxy proxy = Proxy::Generic;
  bool waitsForItself = false; ///< the operation orders it and what it accessed there before
};

/// The accesses that MLIR's memory effects of `op` name, as synchronous ones of the generic proxy.
void collectSharedEffects(mlir::Operation *op, llvm::SmallVectorImpl<SharedEffect> &effects);

/// Those of `op`, and what it waits for, whatever the operation.
llvm::SmallVector<SharedEffect> getSharedEffects(mlir::Operation *op);
SharedWait getSharedWait(mlir::Operation *op);

} // namespace tilecc::ttg

#endif // TILECC_LOWERING_DIALECTS_TTG_SHAREDEFFECTS_H
