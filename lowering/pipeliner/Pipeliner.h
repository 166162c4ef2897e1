//===- Pipeliner.h - rewrites a scheduled loop into a software pipeline ---------------------------------*- C++ -*-===//
//
// Used by tritongpu-pipeline (PipelineLoops.cpp).
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

/// A value, and the number of iterations that it runs ahead.
using Ahead = std::pair<mlir::Value, int64_t>;

/// Rewrites a scheduled loop. It first finds out what to do (PipelineLoops.cpp), then writes the prologue
/// (PipelineStarts.cpp), and then the loop (PipelineBody.cpp).
class Pipeliner {
public:
  /// `hasMoreSlots`: tiles that pass through registers may have two slots.
  Pipeliner(mlir::scf::ForOp loop, const AxisInfoAnalysis &axisInfo, bool hasMoreSlots)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo), hasMoreSlots(hasMoreSlots) {}

  mlir::LogicalResult run();

private:
  //===--- what there is to do ------------------------------------------------------------------------------------===//

  mlir::LogicalResult findLoads();

  bool isOutside(mlir::Value value) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  mlir::Value yielded(mlir::BlockArgument argument) { return loop.getTiedLoopYieldedValue(argument)->get(); }

  /// Records the loop-carried values that the new loop must carry to have `value` that many iterations ahead.
  mlir::LogicalResult request(mlir::Value value, int64_t ahead);

  /// Finds the outer loop, if copies for its next iteration may start before the current one has ended. All loads must
  /// then be tensor copies that depend only on values known by then.
  void findOuterLoop();

  void allocate();

  /// Returns true if the load is copied to a buffer of `count` slots.
  bool isIn(EarlyLoad &early, int64_t count) { return early.tiles && getNumSlots(early) == count; }
  bool hasThreadsCopies(int64_t count);
  bool hasThreadsCopies();

  /// Returns one slot more than the iterations between a copy and its use, so that one barrier per iteration suffices;
  /// or exactly as many. In the second case a copy goes to the slot that its own iteration has just read, after a
  /// second barrier. That barrier has no measurable cost, except for programs that have a processor to themselves: some
  /// of these become 4 % slower, and no other program needs the memory. (Tiles that pass through registers are written
  /// one iteration before their use.)
  int64_t getNumSlots(const EarlyLoad &early);
  /// Returns true if tiles that pass through registers should have two slots: no other program needs the memory, or two
  /// programs fit nevertheless.
  bool hasRoomForSecondSlot();
  /// Returns true if the results of `op`, through elementwise operations, are only used as the accumulator of another
  /// dot in the iteration.
  static bool becomesAccumulator(mlir::Operation *op);
  /// Returns true if the registers of the loop's dots leave no room for a second program on the processor.
  bool hasProcessorForItself();

  /// Returns true if warp groups should not be kept in lockstep: there are several, and their threads compute on the
  /// results of dots.
  bool wantsBarriers();

  //===--- starting loads -----------------------------------------------------------------------------------------===//

  /// Maps a value that a clone uses to its value at the place of the clone.
  using Resolve = llvm::function_ref<mlir::Value(mlir::Value)>;

  mlir::Value splat(mlir::Value condition, mlir::Type like);

  /// Starts the load for an iteration, if that iteration exists. Copies to slot `slot`, or returns the loaded value.
  mlir::Value start(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot, Resolve resolve);

  void startTensorCopy(EarlyLoad &early, tt::DescriptorLoadOp load, mlir::Value isIteration, mlir::Value slot,
                       Resolve resolve);

  struct LoadOperands {
    mlir::Value ptr, mask, other;
  };
  /// Returns the operands of a load for an iteration, with a mask that is false if that iteration does not exist.
  LoadOperands resolveOperands(tt::LoadOp load, mlir::Value isIteration, Resolve resolve);
  mlir::Value loadMasked(const EarlyLoad &early, mlir::Value isIteration, Resolve resolve);

  /// Loads the results of `group`, loads of one iteration, to registers if that iteration exists. One branch serves all
  /// of them, which takes fewer instructions than a mask for each access. But behind a branch, it is not known how many
  /// loads are in flight, and a wait for earlier ones would wait for these too. So loads that start several iterations
  /// ahead have masks.
  llvm::SmallVector<mlir::Value> loadTogether(llvm::ArrayRef<EarlyLoad> group, mlir::Value isIteration,
                                              Resolve resolve);
  /// Returns the loads that start as many iterations ahead as the first of `left`, and removes them from there.
  static llvm::ArrayRef<EarlyLoad> takeGroup(llvm::ArrayRef<EarlyLoad> &left);
  /// Stores a tile that passes through registers to slot `slot`.
  void store(const EarlyLoad &early, mlir::Value loaded, mlir::Value slot);

  /// Commits all copies since the last call as one group or, if slots have barriers, on the barrier of each slot.
  void commit(const llvm::DenseMap<int64_t, mlir::Value> &slots);

  mlir::Value integer(int64_t value, mlir::Type type);
  mlir::Value clone(mlir::Operation *op, mlir::Value result, Resolve resolve);

  //===--- before the loop ----------------------------------------------------------------------------------------===//

  /// Returns `value` of iteration `iteration`, computed in front of the loop.
  mlir::Value before(mlir::Value value, int64_t iteration);

  /// Starts the first copies of the selected iteration of the outer loop, if it `runs`, to the slots after `last`.
  void startTile(mlir::Value runs, llvm::DenseMap<int64_t, mlir::Value> last);

  /// Returns true if `value` depends only on the induction variables of the loop and of the outer loop.
  bool followsFromNumber(mlir::Value value);

  /// Computes, in front of the loop, what it needs to know to start the first copies of the outer loop's next
  /// iteration.
  void findNextTile(mlir::Value runs);

  /// Returns the value that a load needs where the induction variable is `number`, in this iteration of the outer loop
  /// if `isThis`, otherwise in the next one.
  mlir::Value inEitherTile(mlir::Value value, mlir::Value number, mlir::Value isThis, mlir::IRMapping &known);

  /// Starts the load for the iteration that is `ahead`. If that does not exist, starts the load for an iteration of the
  /// outer loop's next iteration.
  void startInEitherTile(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot);

  /// Returns the initial slot indices and barrier phases: those before the first slot.
  llvm::SmallVector<mlir::Value> createPositions();
  llvm::DenseMap<int64_t, mlir::Value> getSlots(mlir::ValueRange positions);

  /// Returns whether the loop has an iteration with that number.
  mlir::Value hasIteration(int64_t iteration);

  void writePrologue();
  void writePrologueInRegisters();

  //===--- the loop -----------------------------------------------------------------------------------------------===//

  void writeLoop();

  /// Waits until the tiles of this iteration have arrived.
  void waitForTiles();

  /// Returns the tiles of slot `slot` in all buffers with `count` slots.
  llvm::SmallVector<mlir::Value> getTiles(int64_t count, mlir::Value slot);

  /// After the loop, waits for copies for iterations that do not exist.
  void drain();

  /// Returns the tile in shared memory that dots read directly; null if `loaded` has none.
  mlir::Value getOperandTile(mlir::Value loaded);

  /// Clones `op` for its own iteration.
  void writeOwn(mlir::Operation &op);

  /// Returns `value` as it is `iterations` iterations later.
  mlir::Value later(mlir::Value value, int64_t iterations);

  void startLater();
  /// If tiles pass through registers: starts the loads for later iterations, at the beginning of an iteration, so that
  /// its dots hide their latency; and stores the tiles of the next iteration, at the end.
  void loadLater();
  void storeNext();

  void writeYield(mlir::ValueRange slow);

  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  const bool hasMoreSlots;
  llvm::SmallVector<EarlyLoad> loads; ///< those that start furthest ahead come first
  bool passRegisters = false; ///< whether all loads do, because the target has no asynchronous copies
  int64_t slotsOfRegisters = 1; ///< the number of slots of tiles that pass through registers
  llvm::DenseMap<mlir::Operation *, int64_t> earlyBy;
  /// Loop-carried values that run ahead.
  llvm::SmallVector<Ahead> carried;
  llvm::DenseSet<Ahead> requested;
  /// The different numbers of slots of buffers.
  llvm::SetVector<int64_t> counts;
  /// True if a barrier in each iteration keeps all threads in lockstep.
  bool isInStep = true;
  /// Barriers of the buffers, by number of slots: of all buffers if threads are not in lockstep, otherwise of the
  /// buffers that tensors are copied to.
  std::map<int64_t, SlotBarriers> barriers;
  llvm::SmallVector<mlir::Value> tokens;
  llvm::DenseMap<Ahead, mlir::Value> inFront, inLoop;
  std::optional<OuterLoop> outer; ///< if the copies of its next iteration start before an iteration ends
  mlir::Value starts; ///< whether they start inside the loop; null if never
  /// of the loop in that iteration: its begin relative to where this loop would continue; its end
  mlir::Value nextTile, nextEnd;
  // State of the new loop: the values that replace the old ones, slots and phases by number of slots, the tiles of this
  // iteration, and the bounds below which an iteration so far ahead exists.
  mlir::scf::ForOp newLoop;
  mlir::IRMapping own;
  llvm::DenseMap<int64_t, mlir::Value> previousSlot, slot, previousPhase, phase;
  llvm::DenseMap<mlir::Operation *, mlir::Value> tileOf;
  llvm::DenseMap<int64_t, mlir::Value> ends;
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_PIPELINER_H
