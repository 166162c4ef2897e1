//===- ProductWaits.h - waits for products whose sums are in tensor memory ---------------------------------*- C++ -*-//
//
// A part of triton-nvidia-gpu-accumulate-in-tensor-memory.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_BLACKWELL_PRODUCTWAITS_H
#define TILECC_TARGETS_NVIDIA_BLACKWELL_PRODUCTWAITS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilecc::blackwell {

/// Where a product arrives when it is complete, and the waits for it, by which all that it accesses may be used again.
struct Completion {
  mlir::Value barrier;
  llvm::SmallVector<ttng::WaitBarrierOp> waits;
};
using Completions = llvm::DenseMap<mlir::Operation *, Completion>;

/// Replaces the waits for the products of `loop`'s own block that accumulate in tensor memory, if it has any, by waits for
/// barriers. Adds what these products have to do to `completions`.
void replaceWaits(mlir::scf::ForOp loop, Completions &completions);

/// Makes the barrier of `arrive`, which is `byProducts`, an operand of the last product that reads the tiles. The product
/// arrives there before it arrives where threads wait for it, so that these may give the barrier's memory back. If threads
/// have waited for all such products already, the thread that starts products arrives instead.
void arriveByProduct(ttng::ArriveBarrierOp arrive);

} // namespace tilecc::blackwell

#endif // TILECC_TARGETS_NVIDIA_BLACKWELL_PRODUCTWAITS_H
