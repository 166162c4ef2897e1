//===- DotWaits.h - waits for dots that accumulate in tensor memory -------------------------------------*- C++ -*-===//
//
// Part of triton-nvidia-gpu-accumulate-in-tensor-memory.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_BLACKWELL_DOTWAITS_H
#define TILECC_TARGETS_NVIDIA_BLACKWELL_DOTWAITS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::blackwell {

/// The barrier on which a dot arrives when it is complete, and the waits after which everything that the dot accesses
/// may be reused.
struct Completion {
  mlir::Value barrier;
  /// Null if the dot is complete before the next iteration of its loop starts it again. Otherwise, the dots of two
  /// iterations may be in flight, and the value alternates between 0 and 1. It selects the buffer that threads write
  /// and the dot reads.
  mlir::Value slot;
  llvm::SmallVector<ttng::WaitBarrierOp> waits;
};
using Completions = llvm::DenseMap<mlir::Operation *, Completion>;

/// Replaces the waits for dots in the body of `loop` that accumulate in tensor memory, if there are any, by waits on
/// barriers. Adds the completions of these dots to `completions`.
void replaceWaits(mlir::scf::ForOp loop, Completions &completions);

/// Makes the barrier of `arrive`, which is `byDots`, an operand of the last dot that reads the tiles. The dot arrives
/// on it before it arrives on the barrier on which threads wait for the dot, so that threads may invalidate the former
/// after that wait. If threads have already waited for all such dots, the thread that starts dots arrives instead.
void arriveByDot(ttng::ArriveBarrierOp arrive);

} // namespace tilecc::blackwell

#endif // TILECC_TARGETS_NVIDIA_BLACKWELL_DOTWAITS_H
