//===- SlotBarriers.h - slots that threads fill and free without waiting for all others -----------------*- C++ -*-----===//
#ifndef TILECC_LOWERING_PIPELINER_SLOTBARRIERS_H
#define TILECC_LOWERING_PIPELINER_SLOTBARRIERS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// Who reads slots: `count` warps, each of which arrives when it has read one; or products, started by one thread of each of
/// `count` programs, whose other threads neither wait for the slots nor free them.
struct SlotReaders {
  int64_t count;
  bool areProducts = false;
};

/// Two barriers in memory for each slot of a loop's buffers: `full` counts every thread that fills it, whose copies to the
/// slot have arrived; `empty` every warp that reads it, and has done so. A warp then waits for what it needs next, and not for what
/// others are doing now; a barrier of all threads, which it replaces, keeps the warpgroups of a program in step, so that
/// their softmaxes fall on the same time and so do their products.
class SlotBarriers {
public:
  /// Sets the barriers up, in front of the loop: for as many slots, filled by so many threads. Without readers (0) slots
  /// are freed on another way, as by a barrier of all threads. `ofBlock`: all programs that share the block have
  /// these, and one of them sets them up.
  SlotBarriers(mlir::OpBuilder &builder, mlir::Location loc, int64_t count, int64_t fillers, SlotReaders readers,
               bool ofBlock = false);
  /// The same barriers under the names that `mapping` gives them.
  SlotBarriers in(const mlir::IRMapping &mapping) const;
  mlir::Value getFull() const { return full; }
  /// The barrier of one slot that says that it is full.
  mlir::Value getFull(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot) const {
    return at(builder, loc, full, slot);
  }
  mlir::Value getEmpty() const { return empty; }

  /// This thread's copies so far are those of `slot`.
  void arriveWhenCopied(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot) const;
  /// One thread stands for copies of so many bytes to `slot`, which count for themselves at the barrier that is returned.
  /// Where `condition` does not hold (null: always) there are none; it arrives all the same if `absent`, the tile, is given.
  mlir::Value expectCopies(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, int64_t bytes,
                           mlir::Value condition = {}, mlir::Value absent = {}) const;
  /// Waits until `slot` has been filled, resp. freed, for the time whose parity `phase` is. `tiles` are the slot's.
  void waitUntilFull(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::Value phase,
                     mlir::ValueRange tiles) const;
  /// With `byFirstWarp`, only the first warp waits, one thread of which fills the slot (expectCopies). Readers do not wait for
  /// the other warps; one that is late by two phases would wait for a third one.
  void waitUntilEmpty(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::Value phase,
                      mlir::ValueRange tiles, bool byFirstWarp) const;
  /// This warp, or a product in front of this, has read `slot`, which `tiles` are.
  void free(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::ValueRange tiles) const;
  /// Frees `slot`, which nobody has read.
  void leave(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::ValueRange tiles) const;
  /// Gives the barriers back, when nothing is under way any more.
  void destroy(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc, int64_t arrivals) const;
  void doOnce(mlir::OpBuilder &builder, mlir::Location loc, llvm::function_ref<void()> create) const;
  mlir::Value at(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value barriers, mlir::Value slot) const;

  int64_t count;
  bool ofBlock, readByProducts;
  ttg::MemDescType one;
  mlir::Value full, empty;
};

/// The parity of the phase in which `slot` is used, if that of the slot before it was `phase`: it changes at slot 0.
mlir::Value createNextPhase(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::Value phase);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_SLOTBARRIERS_H
