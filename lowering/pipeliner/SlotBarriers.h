//===- SlotBarriers.h - barriers to fill and release the slots of a buffer ------------------------------*- C++ -*-===//
//
// A slot may be read once its copies have completed, and filled again once all readers have read it. Pipelined loops
// whose threads are not in lockstep, and warp-specialized loops, track this by two mbarriers for each slot.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_SLOTBARRIERS_H
#define TILECC_LOWERING_PIPELINER_SLOTBARRIERS_H

#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/IR/IRMapping.h"

namespace tilecc::pipeline {

/// The readers of slots. They are either `count` warps, each of which arrives after it has read a slot, or dots that
/// one thread of each of `count` programs issues; in this case the other threads neither wait for slots nor release
/// them. If the blocks of a cluster fill each other's slots, `inAllBlocks` is set, and a slot may be filled only when
/// its readers in all blocks have read it.
struct SlotReaders {
  int64_t count;
  bool areDots = false;
  bool inAllBlocks = false;
};

/// Two mbarriers for each slot of a loop's buffers. `full` counts the threads that fill the slot; each arrives when its
/// copies have completed. `empty` counts the warps that read the slot; each arrives when it has read the slot. So a
/// warp waits only for the data that it needs next. A barrier of all threads would instead keep the warp groups of a
/// program in lockstep: all would compute softmaxes at the same time, and then all would use the matrix units.
class SlotBarriers {
public:
  /// Initializes the barriers before the loop, for `count` slots and `fillers` threads that fill them. If the count of
  /// readers is 0, slots are released in another way, such as by a barrier of all threads. If `ofBlock` is true, all
  /// programs of the thread block share these barriers, and one of the programs initializes them.
  SlotBarriers(mlir::OpBuilder &builder, mlir::Location loc, int64_t count, int64_t fillers, SlotReaders readers,
               bool ofBlock = false);
  /// Returns the same barriers for code in which `mapping` maps their values, such as a partition.
  SlotBarriers in(const mlir::IRMapping &mapping) const;
  mlir::Value getFull() const { return full; }
  /// Returns the `full` barrier of one slot.
  mlir::Value getFull(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot) const {
    return at(builder, loc, full, slot);
  }
  mlir::Value getEmpty() const { return empty; }

  /// Makes this thread arrive on the `full` barrier of `slot` once all copies that it has started so far have
  /// completed.
  void arriveWhenCopied(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot) const;
  /// Makes one thread announce copies of `bytes` bytes to `slot`, and returns the barrier that the copies signal. If
  /// `condition` is false (null: always true), there are no copies, but the thread still arrives if `absent`, the tile
  /// of the slot, is given.
  mlir::Value expectCopies(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, int64_t bytes,
                           mlir::Value condition = {}, mlir::Value absent = {}) const;
  /// Waits until `slot` has been filled in the phase with parity `phase`. `tiles` are the tiles of the slot.
  void waitUntilFull(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::Value phase,
                     mlir::ValueRange tiles) const;
  /// Waits until `slot` has been released in the phase with parity `phase`. If `byFirstWarp` is true, only the first
  /// warp waits, and one of its threads then fills the slot (expectCopies). The other warps must not wait, because no
  /// reader waits for them: a warp that is two phases late would then wait for a third phase.
  void waitUntilEmpty(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::Value phase,
                      mlir::ValueRange tiles, bool byFirstWarp) const;
  /// Releases `slot`, whose tiles are `tiles`, once this warp has read it, or once a preceding dot has read it.
  void free(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::ValueRange tiles) const;
  /// Releases `slot` without having read it.
  void leave(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::ValueRange tiles) const;
  /// Invalidates the barriers. No copies may be pending.
  void destroy(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc, int64_t arrivals, bool perBlock) const;
  void doOnce(mlir::OpBuilder &builder, mlir::Location loc, llvm::function_ref<void()> create) const;
  mlir::Value at(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value barriers, mlir::Value slot) const;

  int64_t count;
  bool ofBlock, readByDots, inAllBlocks;
  ttg::MemDescType one;
  mlir::Value full, empty;
};

/// Replaces `load` by a tensor copy of the block at `indices`, through the tensor map `map`, to `tile`. The copy
/// signals `barrier`, and is executed if `condition` is true (null: always). The caller makes `barrier` expect all
/// bytes of the tile. If `toPair` is true, the block is copied to both thread blocks of a pair.
void createTensorCopy(mlir::OpBuilder &builder, tt::DescriptorLoadOp load, mlir::Value map, mlir::ValueRange indices,
                      mlir::Value tile, mlir::Value barrier, mlir::Value condition = {}, bool toPair = false);

/// Returns the parity of the phase in which `slot` is used, given the parity `phase` for the previous slot. The parity
/// flips at slot 0.
mlir::Value createNextPhase(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value slot, mlir::Value phase);

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_SLOTBARRIERS_H
