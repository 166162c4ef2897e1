//===- SpecializedLoop.h - loops whose loads warps of their own do --------------------------------------------*- C++ -*-----===//
#ifndef TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H
#define TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H

#include "lowering/analysis/AxisInfo.h"
#include "targets/nvidia/hopper/BlockSharing.h"
#include "targets/nvidia/hopper/LoopGroup.h"
#include "targets/nvidia/hopper/LoopSlice.h"
#include "lowering/pipeliner/SlotBarriers.h"

namespace tilecc::pipeline {

/// A loop of products, for whose operands there are slots in shared memory: a loop in the partition fills them, and the program's
/// reads them (SpecializeLoops.cpp). Or a loop around such loops (of a program that makes one tile after the other), which may load
/// operands for them, too.
class SpecializedLoop {
public:
  static constexpr int32_t loadingWarps = 4; ///< of the partition

  SpecializedLoop(mlir::scf::ForOp loop, const AxisInfoAnalysis &axisInfo, int64_t slots)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo), slots(slots),
        programs(ttg::getProgramsPerBlock(loop)), iterations(loop), tiles(loop, loadingWarps), addresses(loop, /*warps=*/0) {}

  /// Whether it is to be done, and can be. Finds what the partition computes.
  bool analyze();
  /// The same for a loop around those of `group`, which is its own then.
  bool analyzeAround(LoopGroup &group);
  mlir::scf::ForOp getLoop() const { return loop; }
  /// The registers that each thread of the partition needs.
  int32_t getRegisters() const;
  /// Scalars that the partition computes from, and bounds, which have to be there before it starts.
  llvm::SetVector<mlir::Value> getScalars();
  /// Loads that the loop's products need, in front of it, and what brings them to shared memory: the partition has started when
  /// the program waits for them.
  llvm::SmallVector<mlir::Operation *> findOwnLoads();

  /// Whether `op` orders one of its loads.
  bool isOrderedBy(mlir::Operation &op) const;
  /// Whether it fills slots as `other` does, from the one on where that has ended.
  bool canUseSlotsOf(const SpecializedLoop &other) const;

  /// What comes in front of the partition's start: bounds, and slots, unless they are those of `other`.
  void prepare(mlir::OpBuilder &at, const SpecializedLoop *other);
  /// Whether the tensor memory accelerator fills a slot.
  bool hasAcceleratorCopy() const;
  /// What the partition is started with.
  void collectCaptures(llvm::SetVector<mlir::Value> &captured);
  /// The partition's loop, where `at` is; `known` has the captured values. Positions say how often slots have been filled, before
  /// and behind the loop: of this one, and of those inside.
  size_t getNumFilled() const { return !sources.empty() + (inner ? inner->getNumFilled() : 0); }
  llvm::SmallVector<mlir::Value> writePartition(mlir::OpBuilder &at, const mlir::IRMapping &known, mlir::ValueRange filled);
  /// The program's loop then reads slots; the positions of each load's.
  size_t getNumRead() const { return getNumOwnRead() + (inner ? inner->getNumRead() : 0); }
  llvm::SmallVector<mlir::Value> writeProgram(mlir::ValueRange read);
  /// Gives the slots back, behind the partition's end.
  void destroySlots(mlir::OpBuilder &at);

private:
  struct Source {
    mlir::Operation *load; ///< null once it is replaced
    mlir::Location loc;
    bool isOneThreads;      ///< one thread has it copied
    ttg::MemDescType tile;  ///< what a slot holds
    mlir::Value tiles = {}; ///< all slots
    std::optional<SlotBarriers> barriers = {};
    llvm::SmallVector<size_t> lines = {}; ///< sources whose slots are filled and freed with this one's, and have no barriers of their own
    bool isWithTile = false;              ///< one of those
    mlir::Value slot = {};                ///< of such a line, in the program's loop

    bool isLine() const { return tile.getRank() == 1; }
  };
  /// Where in the sequence of slots an iteration is: the slot, plus the number of slots in every other pass.
  struct Position {
    mlir::Value next; ///< for the iteration behind
    mlir::Value slot, parity;
    mlir::Value tile;
  };

  bool canShare();
  bool canMove(Source &source);
  bool isLine(tt::LoadOp load);
  void joinTile(size_t line);
  size_t getNumOwnRead() const {
    return llvm::count_if(sources, [](const Source &source) { return !source.isWithTile; });
  }
  void allocate(Source &source);
  static bool isForProducts(Source &source);
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
  mlir::Operation *getLastProduct(mlir::Value memory);

  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  int64_t slots;
  llvm::SmallVector<Source> sources;
  unsigned programs; ///< that share the block
  BlockIterations iterations;
  std::optional<LoopGroup> inner;
  LoopSlice tiles, addresses; ///< what the partition computes: tiles of pointers and masks; coordinates in tensors
};

/// Whether warps of their own are to load what `loop` loads: it asks for that, or gains by it.
bool wantsPartition(mlir::scf::ForOp loop);
/// Whether `op` may write global memory, or order accesses to it.
bool writesGlobalMemory(mlir::Operation *op);

} // namespace tilecc::pipeline

#endif // TILECC_TARGETS_NVIDIA_HOPPER_SPECIALIZEDLOOP_H
