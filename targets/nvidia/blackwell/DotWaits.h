//===- DotWaits.h - waits for dots that accumulate in tensor memory -------------------------------------*- C++ -*-===//
//
// The pass triton-nvidia-gpu-accumulate-in-tensor-memory uses these functions: waits for dots become waits on barriers.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_BLACKWELL_DOTWAITS_H
#define TILECC_TARGETS_NVIDIA_BLACKWELL_DOTWAITS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::blackwell {

/// How to find out that a dot is complete: the barrier on which it arrives, and the waits on this barrier. After these
/// waits, everything that the dot accesses may be reused.
struct Completion {
  mlir::Value barrier;
  /// Null if each dot is complete before the next iteration of its loop starts it again. Otherwise the dots of two
  /// iterations may be in flight; `slot` then alternates between 0 and 1, and selects the buffer that threads write and
  /// the dot reads.
  mlir::Value slot;
  llvm::SmallVector<ttng::WaitBarrierOp> waits;
};
using Completions = llvm::DenseMap<mlir::Operation *, Completion>;

/// If dots in the body of `loop` accumulate in tensor memory, replaces the waits for them by waits on barriers. Adds
/// the completions of these dots to `completions`.
void replaceWaits(mlir::scf::ForOp loop, Completions &completions);

/// Handles an arrival `arrive` with the attribute `byDots`: makes its barrier an operand of the last dot that reads the
/// tiles. The dot arrives on this barrier before it arrives on the barrier on which threads wait for the dot, so
/// threads may invalidate the former after they have waited for the latter. If threads have already waited for all such
/// dots, the thread that starts dots arrives instead.
void arriveByDot(ttng::ArriveBarrierOp arrive);

} // namespace tilecc::blackwell

#endif // TILECC_TARGETS_NVIDIA_BLACKWELL_DOTWAITS_H
