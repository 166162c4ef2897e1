//===- SpecializedLoop.h - a loop whose operands producer warps load ------------------------------------*- C++ -*-===//
//
// SpecializeLoops.cpp decides which loops are specialized, and creates the partition. This class rewrites one loop.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H
#define TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H

#include "lowering/analysis/AxisInfo.h"
#include "targets/nvidia/hopper/BlockSharing.h"
#include "targets/nvidia/hopper/LoopGroup.h"
#include "targets/nvidia/hopper/LoopSlice.h"
#include "lowering/pipeliner/SlotBarriers.h"

namespace tilecc::pipeline {

/// A loop of dots whose operands have slots in shared memory. A loop in the producer partition fills the slots, and the
/// program's loop reads them. It can also be an outer loop that contains such loops (in a persistent kernel), and that
/// may load further operands for them.
class SpecializedLoop {
public:
  static constexpr int32_t loadingWarps = 4; ///< the number of producer warps

  SpecializedLoop(mlir::scf::ForOp loop, const AxisInfoAnalysis &axisInfo, int64_t slots)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo), slots(slots),
        programs(ttg::getProgramsPerBlock(loop)), iterations(loop), tiles(loop, loadingWarps),
        addresses(loop, /*warps=*/0) {}

  /// Returns true if this loop should and can be specialized, and collects the operations that the producer warps will
  /// execute.
  bool analyze();
  /// Does the same for a loop that contains the loops of `group`. If it returns true, this object owns the group.
  bool analyzeAround(LoopGroup &group);
  mlir::scf::ForOp getLoop() const { return loop; }
  /// Returns true if the two blocks of a pair (a cluster of two) together load tiles that both need.
  bool isPaired() const;
  /// Returns the number of registers that each thread of the partition needs.
  int32_t getRegisters() const;
  /// Returns the scalars and loop bounds that the partition captures. They must be computed before the partition
  /// starts.
  llvm::SetVector<mlir::Value> getScalars();
  /// Returns the loads before the loop that load operands of its dots, and the operations that store these operands to
  /// shared memory. The caller moves them after the start of the partition, so that the partition already runs while
  /// the program waits for the loads.
  llvm::SmallVector<mlir::Operation *> findOwnLoads();

  /// Returns true if `op` orders one of the partition's loads, so that the load must not move across `op`.
  bool isOrderedBy(mlir::Operation &op) const;
  /// Returns true if the loop needs slots of the same kind as `other`, so that it can use these slots after `other` has
  /// ended.
  bool canUseSlotsOf(const SpecializedLoop &other) const;

  /// Creates the code that precedes the start of the partition. It computes bounds, and allocates slots unless this
  /// loop uses the slots of `other`.
  void prepare(mlir::OpBuilder &at, const SpecializedLoop *other);
  /// Returns true if the tensor memory accelerator fills any of the slots.
  bool hasAcceleratorCopy() const;
  /// Adds the values that the partition captures to `captured`.
  void collectCaptures(llvm::SetVector<mlir::Value> &captured);
  /// Creates the loop of the partition at `at`. `known` maps the captured values. Takes positions, which count how
  /// often the slots of this loop and of inner loops have been filled, and returns the positions after the loop.
  size_t getNumFilled() const { return !sources.empty() + (inner ? inner->getNumFilled() : 0); }
  llvm::SmallVector<mlir::Value> writePartition(mlir::OpBuilder &at, const mlir::IRMapping &known,
                                                mlir::ValueRange filled);
  /// Rewrites the program's loop so that it reads slots. Takes the position of each load, and returns the positions
  /// after the loop.
  size_t getNumRead() const { return getNumOwnRead() + (inner ? inner->getNumRead() : 0); }
  llvm::SmallVector<mlir::Value> writeProgram(mlir::ValueRange read);
  /// Invalidates the barriers of the slots, after the partition has ended.
  void destroySlots(mlir::OpBuilder &at);

private:
  /// A load that the partition issues instead of the program.
  struct Source {
    mlir::Operation *load; ///< null once it has been replaced
    mlir::Location loc;
    bool isOneThreads; ///< true if one thread starts the copy
    ttg::MemDescType tile; ///< the type of a slot
    mlir::Value tiles = {}; ///< the buffer of all slots
    std::optional<SlotBarriers> barriers = {};
    /// The sources whose slots are filled and released together with the slot of this source. They have no barriers of
    /// their own.
    llvm::SmallVector<size_t> joined = {};
    bool isJoined = false; ///< true if this source is among the `joined` of another one
    mlir::Value slot = {}; ///< for such a source: its slot in the program's loop
    bool isPaired = false; ///< true if the two blocks of a pair may load the tile together
    mlir::Value isCommon = {}; ///< if they may: an i1, true if they do for the program whose tiles the partition loads

    bool isLine() const { return tile.getRank() == 1; }
  };
  /// The position of an iteration in the sequence of slots. It consists of the slot and the parity of the pass over all
  /// slots. `current` encodes both as one number: in every other pass, the number of slots is added to the slot.
  struct Position {
    mlir::Value current;
    mlir::Value next; ///< the position of the next iteration
    mlir::Value slot, parity;
    mlir::Value tile;
  };

  bool canShare();
  bool canPair();
  void compareWithPair(mlir::scf::ForOp loading, const mlir::IRMapping &before, mlir::IRMapping &inside);
  bool canMove(Source &source);
  bool isLine(tt::LoadOp load);
  void joinTile(size_t line);
  void joinOperands();
  size_t getNumOwnRead() const {
    return llvm::count_if(sources, [](const Source &source) { return !source.isJoined; });
  }
  void allocate(Source &source);
  bool isForDots(const Source &source) const;
  mlir::Value integer(int64_t value);
  Position getPosition(mlir::Value position, Source &source, mlir::Value tiles);
  void copy(Source &source, mlir::Value slot, mlir::IRMapping &mapping);
  mlir::Value getSlot(Source &source, mlir::Value tiles, mlir::Value slot);
  void startCopies(Source &source, const Position &position, mlir::ValueRange joined, SlotBarriers &barriers,
                   mlir::IRMapping &mapping, mlir::Value isMade);
  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  llvm::SmallVector<mlir::Value> skipSlots(mlir::Value begin, mlir::Value end, mlir::ValueRange positions);
  mlir::Value readSlots(Source &source, mlir::Value argument);
  void readLine(Source &source, mlir::Value slot);
  void readTile(Source &source, mlir::Value slot);
  void retype(mlir::Value memory);
  mlir::Operation *getFirstReader(mlir::Operation *op);
  mlir::Operation *getLastDot(mlir::Value memory);

  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  int64_t slots;
  llvm::SmallVector<Source> sources;
  unsigned programs; ///< number of programs that share the block
  BlockIterations iterations;
  std::optional<LoopGroup> inner;
  LoopSlice tiles,
      addresses; ///< the values that the partition computes: tiles of pointers and masks, and coordinates in tensors
};

/// Returns true if producer warps should load the operands of `loop`, either because tt.warp_specialize requests it, or
/// because it makes the loop faster.
bool wantsPartition(mlir::scf::ForOp loop);
/// Returns true if `op` may write global memory, or order accesses to it.
bool writesGlobalMemory(mlir::Operation *op);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H
