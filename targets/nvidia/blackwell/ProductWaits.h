//===- ProductWaits.h - waits for products whose sums are in tensor memory ------------------------------*- C++ -*-----===//
//
// A part of triton-nvidia-gpu-accumulate-in-tensor-memory.
//
//===----------------------------------------------------------------------------------------------------------------===//
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

/// Replaces the waits for the products of `loop`'s own block whose sums are to be in tensor memory, if it has any, by waits for
/// barriers. Adds to `completions` what these products have to do.
void replaceWaits(mlir::scf::ForOp loop, Completions &completions);

/// `arrive`, which is `byProducts`, becomes a barrier of the last product that reads the tiles. It comes before the one at which
/// the product is waited for: who has waited for it may then give the barrier's memory back. Where all such products have been
/// waited for, the thread that starts them arrives.
void arriveByProduct(ttng::ArriveBarrierOp arrive);

} // namespace tilecc::blackwell

#endif // TILECC_TARGETS_NVIDIA_BLACKWELL_PRODUCTWAITS_H
