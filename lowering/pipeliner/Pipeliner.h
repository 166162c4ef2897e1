//===- Pipeliner.h - rewrites a scheduled loop into a software pipeline ---------------------------------*- C++ -*-===//
//
// The pass tritongpu-pipeline (PipelineLoops.cpp) runs it on each scheduled loop.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PIPELINER_PIPELINER_H
#define TILECC_LOWERING_PIPELINER_PIPELINER_H

#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/OuterLoop.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <optional>

namespace tilecc::pipeline {

/// A value, and the number of iterations by which it is computed early.
using Ahead = std::pair<mlir::Value, int64_t>;

/// Rewrites a scheduled loop. It first analyzes the loop (PipelineLoops.cpp), then creates the prologue
/// (PipelineStarts.cpp), and then the new loop (PipelineBody.cpp).
class Pipeliner {
public:
  /// If `hasMoreSlots`, tiles that pass through registers may have two slots.
  Pipeliner(mlir::scf::ForOp loop, const AxisInfoAnalysis &axisInfo, bool hasMoreSlots)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo), hasMoreSlots(hasMoreSlots) {}

  mlir::LogicalResult run();

private:
  //===--- analysis -----------------------------------------------------------------------------------------------===//

  mlir::LogicalResult findLoads();

  bool isOutside(mlir::Value value) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  mlir::Value yielded(mlir::BlockArgument argument) { return loop.getTiedLoopYieldedValue(argument)->get(); }

  /// Records the loop-carried values that the new loop must carry so that `value` is available `ahead` iterations
  /// early.
  mlir::LogicalResult request(mlir::Value value, int64_t ahead);

  /// Finds the outer loop, if copies for its next iteration may start before the current one has ended. All loads must
  /// then be tensor copies that depend only on values that are available by then.
  void findOuterLoop();

  void allocate();

  /// Returns true if the load is copied to a buffer with `count` slots.
  bool isIn(EarlyLoad &early, int64_t count) { return early.tiles && getNumSlots(early) == count; }
  bool hasThreadsCopies(int64_t count);
  bool hasThreadsCopies();

  /// Returns the number of slots of a load. With one slot more than there are iterations between a copy and its use,
  /// one barrier per iteration suffices. With as many slots as iterations, a copy overwrites the slot that its own
  /// iteration has just read, after a second barrier. That barrier has no measurable cost, except for programs that
  /// occupy a multiprocessor alone: some of these become 4 % slower, and no other program needs the memory, so they get
  /// the additional slot. (Tiles that pass through registers are stored one iteration before their use.)
  int64_t getNumSlots(const EarlyLoad &early);
  /// Returns true if tiles that pass through registers should have two slots: either no other program needs the memory,
  /// or two programs fit nevertheless.
  bool hasRoomForSecondSlot();
  /// Returns true if the results of `op` are only used, through elementwise operations, as the accumulator of another
  /// dot of the same iteration.
  static bool becomesAccumulator(mlir::Operation *op);
  /// Returns true if the loop's dots need so many registers that no second program fits on the multiprocessor.
  bool hasProcessorForItself();

  /// Returns true if warp groups should not be kept in lockstep, because there are several and their threads compute on
  /// the results of dots.
  bool wantsBarriers();

  //===--- starting loads -----------------------------------------------------------------------------------------===//

  /// Maps a value that a cloned operation uses to the corresponding value at the position of the clone.
  using Resolve = llvm::function_ref<mlir::Value(mlir::Value)>;

  mlir::Value splat(mlir::Value condition, mlir::Type like);

  /// Issues the load of an iteration, if that iteration exists (`isIteration`). Copies the tile to slot `slot`, or
  /// returns the loaded value.
  mlir::Value start(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot, Resolve resolve);

  void startTensorCopy(EarlyLoad &early, tt::DescriptorLoadOp load, mlir::Value isIteration, mlir::Value slot,
                       Resolve resolve);

  struct LoadOperands {
    mlir::Value ptr, mask, other;
  };
  /// Returns the operands of the load of an iteration, with a mask that is false if that iteration does not exist.
  LoadOperands resolveOperands(tt::LoadOp load, mlir::Value isIteration, Resolve resolve);
  mlir::Value loadMasked(const EarlyLoad &early, mlir::Value isIteration, Resolve resolve);

  /// Executes the loads of `group`, which belong to one iteration, if that iteration exists. A branch around all of
  /// them takes fewer instructions than a mask for each access. But the number of loads in flight is not known after a
  /// branch, so a wait for earlier loads would also wait for these. Loads that are issued several iterations ahead
  /// therefore use masks.
  llvm::SmallVector<mlir::Value> loadTogether(llvm::ArrayRef<EarlyLoad> group, mlir::Value isIteration,
                                              Resolve resolve);
  /// Returns the loads that are issued as many iterations ahead as the first of `left`, and removes them from `left`.
  static llvm::ArrayRef<EarlyLoad> takeGroup(llvm::ArrayRef<EarlyLoad> &left);
  /// Stores a tile that passes through registers to slot `slot`.
  void store(const EarlyLoad &early, mlir::Value loaded, mlir::Value slot);

  /// Commits all copies since the last call: as one group, or, if slots have barriers, on the barrier of each slot.
  void commit(const llvm::DenseMap<int64_t, mlir::Value> &slots);

  mlir::Value integer(int64_t value, mlir::Type type);
  mlir::Value clone(mlir::Operation *op, mlir::Value result, Resolve resolve);

  //===--- before the loop ----------------------------------------------------------------------------------------===//

  /// Returns the value that `value` has in iteration `iteration`, computed before the loop.
  mlir::Value before(mlir::Value value, int64_t iteration);

  /// Issues the first copies of the selected iteration of the outer loop, if it exists (`runs`), to the slots after
  /// `last`.
  void startTile(mlir::Value runs, llvm::DenseMap<int64_t, mlir::Value> last);

  /// Returns true if `value` depends only on the induction variables of the loop and of the outer loop.
  bool followsFromNumber(mlir::Value value);

  /// Computes, before the loop, the values that are needed to issue the first copies of the outer loop's next
  /// iteration.
  void findNextTile(mlir::Value runs);

  /// Returns the value that a load needs when the induction variable is `number`, in this iteration of the outer loop
  /// if `isThis`, and otherwise in the next one.
  mlir::Value inEitherTile(mlir::Value value, mlir::Value number, mlir::Value isThis, mlir::IRMapping &known);

  /// Issues the load for the iteration that is `early.ahead` iterations later. If it does not exist, issues the load
  /// for one of the first iterations of the loop in the next iteration of the outer loop.
  void startInEitherTile(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot);

  /// Returns the initial slot indices and barrier phases, which precede those of the first slot.
  llvm::SmallVector<mlir::Value> createPositions();
  llvm::DenseMap<int64_t, mlir::Value> getSlots(mlir::ValueRange positions);

  /// Returns an i1 that is true if the loop has an iteration with the number `iteration`.
  mlir::Value hasIteration(int64_t iteration);

  void writePrologue();
  void writePrologueInRegisters();

  //===--- the loop -----------------------------------------------------------------------------------------------===//

  void writeLoop();

  /// Waits until the tiles of this iteration have been copied.
  void waitForTiles();

  /// Returns the tiles of slot `slot` in all buffers with `count` slots.
  llvm::SmallVector<mlir::Value> getTiles(int64_t count, mlir::Value slot);

  /// After the loop, waits for the copies that are still in flight, which are for iterations that do not exist.
  void drain();

  /// Returns the tile in shared memory that dots read directly; null if `loaded` has none.
  mlir::Value getOperandTile(mlir::Value loaded);

  /// Clones `op` for the iteration that it belongs to.
  void writeOwn(mlir::Operation &op);

  /// Returns the value that `value` has `iterations` iterations later.
  mlir::Value later(mlir::Value value, int64_t iterations);

  void startLater();
  /// Used if tiles pass through registers. loadLater() issues the loads for later iterations at the beginning of an
  /// iteration, so that its dots hide their latency. storeNext() stores the tiles of the next iteration at the end.
  void loadLater();
  void storeNext();

  void writeYield(mlir::ValueRange slow);

  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  const bool hasMoreSlots;
  llvm::SmallVector<EarlyLoad> loads; ///< the loads that are issued furthest ahead come first
  bool passRegisters = false; ///< all loads pass through registers, because the target has no asynchronous copies
  int64_t slotsOfRegisters = 1; ///< the number of slots for tiles that pass through registers
  llvm::DenseMap<mlir::Operation *, int64_t> earlyBy; ///< the number of iterations by which a load is issued early
  /// The values that the new loop carries because they are computed early.
  llvm::SmallVector<Ahead> carried;
  llvm::DenseSet<Ahead> requested;
  /// The distinct numbers of slots of buffers.
  llvm::SetVector<int64_t> counts;
  /// True if a barrier in each iteration keeps all threads in lockstep.
  bool isInStep = true;
  /// The barriers of buffers, by their number of slots: of all buffers if threads are not in lockstep, and otherwise of
  /// the buffers that tensor copies fill.
  std::map<int64_t, SlotBarriers> barriers;
  llvm::SmallVector<mlir::Value> tokens;
  llvm::DenseMap<Ahead, mlir::Value> inFront, inLoop;
  std::optional<OuterLoop> outer; ///< set if the copies of its next iteration are issued before an iteration ends
  mlir::Value starts; ///< an i1 that is true if these copies are issued inside the loop; null if they never are
  /// The bounds of the loop in the next iteration of the outer loop: its lower bound, relative to the first value of
  /// the induction variable after the end of the current loop; and its upper bound.
  mlir::Value nextTile, nextEnd;
  // State of the new loop: the values that replace the old ones, slots and phases by number of slots, the tiles of this
  // iteration, and, by number of iterations, the bound of the induction variable below which that many more exist.
  mlir::scf::ForOp newLoop;
  mlir::IRMapping own;
  llvm::DenseMap<int64_t, mlir::Value> previousSlot, slot, previousPhase, phase;
  llvm::DenseMap<mlir::Operation *, mlir::Value> tileOf;
  llvm::DenseMap<int64_t, mlir::Value> ends;
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_PIPELINER_H
