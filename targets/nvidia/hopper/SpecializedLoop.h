//===- SpecializedLoop.h - a loop whose operands producer warps load ------------------------------------*- C++ -*-===//
//
// SpecializeLoops.cpp decides which loops to specialize.
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

/// A loop of dots whose operands have slots in shared memory: a loop in the partition fills the slots, and the
/// program's loop reads them (SpecializeLoops.cpp). It can also be a loop around such loops (in a persistent kernel),
/// which may load further operands for them.
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
  /// Does the same for a loop that contains the loops of `group`. If it succeeds, this object owns the group.
  bool analyzeAround(LoopGroup &group);
  mlir::scf::ForOp getLoop() const { return loop; }
  /// Returns true if the blocks of a pair load tiles together that both need.
  bool isPaired() const;
  /// Returns the number of registers that each thread of the partition needs.
  int32_t getRegisters() const;
  /// Returns scalars and loop bounds captured by the partition; they must be computed before it starts.
  llvm::SetVector<mlir::Value> getScalars();
  /// Returns the loads before the loop that load operands of its dots, and the operations that store these operands to
  /// shared memory. They are moved after the start of the partition, so that the partition runs while the program waits
  /// for them.
  llvm::SmallVector<mlir::Operation *> findOwnLoads();

  /// Returns true if `op` orders one of the loads.
  bool isOrderedBy(mlir::Operation &op) const;
  /// Returns true if the loop fills the same kind of slots as `other`, so that it can use them after `other` has ended.
  bool canUseSlotsOf(const SpecializedLoop &other) const;

  /// Creates the code before the start of the partition: it computes bounds, and allocates slots unless this loop uses
  /// those of `other`.
  void prepare(mlir::OpBuilder &at, const SpecializedLoop *other);
  /// Returns true if the tensor memory accelerator fills some slot.
  bool hasAcceleratorCopy() const;
  /// Collects the values that the partition captures.
  void collectCaptures(llvm::SetVector<mlir::Value> &captured);
  /// Creates the partition's loop at `at`; `known` maps the captured values. Takes and returns positions, which count
  /// how often the slots of this loop and of inner loops have been filled.
  size_t getNumFilled() const { return !sources.empty() + (inner ? inner->getNumFilled() : 0); }
  llvm::SmallVector<mlir::Value> writePartition(mlir::OpBuilder &at, const mlir::IRMapping &known,
                                                mlir::ValueRange filled);
  /// Rewrites the program's loop so that it reads slots. Takes and returns the position of each load.
  size_t getNumRead() const { return getNumOwnRead() + (inner ? inner->getNumRead() : 0); }
  llvm::SmallVector<mlir::Value> writeProgram(mlir::ValueRange read);
  /// Invalidates the slots' barriers after the end of the partition.
  void destroySlots(mlir::OpBuilder &at);

private:
  /// A load that the partition issues.
  struct Source {
    mlir::Operation *load; ///< null once it is replaced
    mlir::Location loc;
    bool isOneThreads; ///< true if one thread starts the copy
    ttg::MemDescType tile; ///< the type of a slot
    mlir::Value tiles = {}; ///< all slots
    std::optional<SlotBarriers> barriers = {};
    /// The sources whose slots are filled and released together with this one's, without barriers of their own.
    llvm::SmallVector<size_t> lines = {};
    bool isWithTile = false; ///< true if another source has this one among its `lines`
    mlir::Value slot = {}; ///< the slot of such a line in the program's loop
    bool isPaired = false; ///< true if the blocks of a pair may load the tile together
    mlir::Value isCommon = {}; ///< if they may: an i1, true if they do for the program whose tiles the partition loads

    bool isLine() const { return tile.getRank() == 1; }
  };
  /// The position of an iteration in the sequence of slots: the slot, and the parity of the pass over the slots,
  /// encoded by adding the number of slots in every other pass.
  struct Position {
    mlir::Value current;
    mlir::Value next; ///< for the next iteration
    mlir::Value slot, parity;
    mlir::Value tile;
  };

  bool canShare();
  bool canPair();
  void compareWithPair(mlir::scf::ForOp loading, const mlir::IRMapping &before, mlir::IRMapping &inside);
  bool canMove(Source &source);
  bool isLine(tt::LoadOp load);
  void joinTile(size_t line);
  size_t getNumOwnRead() const {
    return llvm::count_if(sources, [](const Source &source) { return !source.isWithTile; });
  }
  void allocate(Source &source);
  static bool isForDots(const Source &source);
  mlir::Value integer(int64_t value);
  Position getPosition(mlir::Value position, Source &source, mlir::Value tiles);
  void copy(Source &source, const Position &position, SlotBarriers &barriers, mlir::IRMapping &mapping);
  mlir::Value getSlot(Source &source, mlir::Value tiles, mlir::Value slot);
  void startCopies(Source &source, const Position &position, mlir::ValueRange lines, SlotBarriers &barriers,
                   mlir::IRMapping &mapping, mlir::Value isMade);
  bool isInside(mlir::Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  llvm::SmallVector<mlir::Value> skipSlots(mlir::Value begin, mlir::Value end, mlir::ValueRange positions);
  mlir::Value readSlots(Source &source, mlir::Value argument);
  void readLine(Source &source, mlir::Value slot);
  void retype(mlir::Value memory);
  mlir::Operation *getFirstReader(mlir::Operation *op);
  mlir::Operation *getLastDot(mlir::Value memory);

  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  int64_t slots;
  llvm::SmallVector<Source> sources;
  unsigned programs; ///< the number of programs that share the block
  BlockIterations iterations;
  std::optional<LoopGroup> inner;
  LoopSlice tiles,
      addresses; ///< the values that the partition computes: tiles of pointers and masks, and coordinates in tensors
};

/// Returns true if producer warps should load the operands of `loop`, because tt.warp_specialize requests it, or
/// because the loop becomes faster.
bool wantsPartition(mlir::scf::ForOp loop);
/// Returns true if `op` may write global memory, or order accesses to it.
bool writesGlobalMemory(mlir::Operation *op);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H
