//===- Pipeliner.h - rewrites a scheduled loop into a software pipeline ---------------------------------*- C++ -*-===//
//
// The pass tritongpu-pipeline (PipelineLoops.cpp) runs the Pipeliner on each scheduled loop.
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

/// A value, and the number of iterations by which it is computed ahead of its own iteration.
using Ahead = std::pair<mlir::Value, int64_t>;

/// Rewrites a scheduled loop into a software pipeline. It first analyzes the loop (PipelineLoops.cpp), then creates the
/// prologue (PipelineStarts.cpp), and then the new loop (PipelineBody.cpp).
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

  /// Records what the new loop must carry so that `value` can be computed `ahead` iterations before its own iteration.
  mlir::LogicalResult request(mlir::Value value, int64_t ahead);

  /// Sets `outer` if the copies for the next iteration of the outer loop can start before the current one has ended.
  /// For that, all loads must be tensor copies that depend only on values that are available by then.
  void findOuterLoop();

  void allocate();

  /// Returns true if the load is copied to a buffer with `count` slots.
  bool isIn(EarlyLoad &early, int64_t count) { return early.tiles && getNumSlots(early) == count; }
  bool hasThreadsCopies(int64_t count);
  bool hasThreadsCopies();

  /// Returns the number of slots of a load. With one slot more than there are iterations between a copy and its use,
  /// one barrier per iteration suffices. With only as many slots as iterations, a copy overwrites the slot that its own
  /// iteration has just read, so a second barrier must come before the copy. This barrier has no measurable cost,
  /// except for programs that occupy a multiprocessor alone: some of these become 4 % slower. Since no other program
  /// needs the memory in this case, they get the additional slot. (Tiles that pass through registers are stored one
  /// iteration before their use.)
  int64_t getNumSlots(const EarlyLoad &early);
  /// Returns true if tiles that pass through registers should have two slots, because no other program needs the
  /// memory, or because two programs fit on a multiprocessor nevertheless.
  bool hasRoomForSecondSlot();
  /// Returns true if the results of `op` are used, possibly after elementwise operations, only as the accumulator of
  /// another dot of the same iteration.
  static bool becomesAccumulator(mlir::Operation *op);
  /// Returns true if the loop's dots need so many registers that a multiprocessor can run only one program.
  bool hasProcessorForItself();

  /// Returns true if the warp groups of the program should not run in lockstep. This is the case if there are several,
  /// and their threads compute on the results of dots: one group can then compute while another one uses the matrix
  /// unit.
  bool wantsBarriers();

  //===--- starting loads -----------------------------------------------------------------------------------------===//

  /// Returns the value to use in place of an operand of a cloned operation, at the position of the clone.
  using Resolve = llvm::function_ref<mlir::Value(mlir::Value)>;

  mlir::Value splat(mlir::Value condition, mlir::Type like);

  /// Issues the load of one iteration, if that iteration exists (`isIteration`). The tile is copied to slot `slot`; if
  /// the load has no slots, its result is returned.
  mlir::Value start(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot, Resolve resolve);

  void startTensorCopy(EarlyLoad &early, tt::DescriptorLoadOp load, mlir::Value isIteration, mlir::Value slot,
                       Resolve resolve);

  struct LoadOperands {
    mlir::Value ptr, mask, other;
  };
  /// Returns the operands for the load of one iteration. Their mask is false if that iteration does not exist.
  LoadOperands resolveOperands(tt::LoadOp load, mlir::Value isIteration, Resolve resolve);
  mlir::Value loadMasked(const EarlyLoad &early, mlir::Value isIteration, Resolve resolve);

  /// Issues the loads of `group`, which belong to one iteration, if that iteration exists. A branch around all loads
  /// takes fewer instructions than a mask for each access. But after a branch, the compiler does not know how many
  /// loads are in flight, so a wait for earlier loads would also wait for these. Loads that are issued several
  /// iterations ahead therefore use masks.
  llvm::SmallVector<mlir::Value> loadTogether(llvm::ArrayRef<EarlyLoad> group, mlir::Value isIteration,
                                              Resolve resolve);
  /// Removes from `left` the loads that are issued as many iterations ahead as its first load, and returns them.
  static llvm::ArrayRef<EarlyLoad> takeGroup(llvm::ArrayRef<EarlyLoad> &left);
  /// Stores a tile that passes through registers to slot `slot`.
  void store(const EarlyLoad &early, mlir::Value loaded, mlir::Value slot);

  /// Commits all copies since the last call: as one group, or, if the slots have barriers, on the barrier of each slot.
  void commit(const llvm::DenseMap<int64_t, mlir::Value> &slots);

  mlir::Value integer(int64_t value, mlir::Type type);
  mlir::Value clone(mlir::Operation *op, mlir::Value result, Resolve resolve);

  //===--- before the loop ----------------------------------------------------------------------------------------===//

  /// Returns what `value` is in iteration number `iteration`, computed before the loop.
  mlir::Value before(mlir::Value value, int64_t iteration);

  /// Issues the first copies for the selected iteration of the outer loop, if that iteration exists (`runs`). The
  /// copies go to the slots that follow `last`.
  void startTile(mlir::Value runs, llvm::DenseMap<int64_t, mlir::Value> last);

  /// Returns true if `value` depends only on the induction variables of the loop and of the outer loop.
  bool followsFromNumber(mlir::Value value);

  /// Computes, before the loop, the values that the first copies for the next iteration of the outer loop need.
  void findNextTile(mlir::Value runs);

  /// Returns what `value`, which a load needs, is for the induction variable `number`: in the current iteration of the
  /// outer loop if `isThis` is true, and otherwise in the next iteration.
  mlir::Value inEitherTile(mlir::Value value, mlir::Value number, mlir::Value isThis, mlir::IRMapping &known);

  /// Issues the load for the iteration that comes `early.ahead` iterations later. If the loop has no such iteration,
  /// issues the load for one of its first iterations in the next iteration of the outer loop.
  void startInEitherTile(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot);

  /// Returns the slot indices and barrier phases before the first iteration. They are those that precede the first
  /// slot.
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

  /// Returns the tiles in slot `slot` of all buffers that have `count` slots.
  llvm::SmallVector<mlir::Value> getTiles(int64_t count, mlir::Value slot);

  /// Creates a wait after the loop for the copies that are still in flight. They are for iterations that do not exist.
  void drain();

  /// Returns the tile in shared memory that dots read directly instead of the register tile `loaded`, or null if there
  /// is none.
  mlir::Value getOperandTile(mlir::Value loaded);

  /// Clones `op` into the new loop, for the iteration to which `op` belongs.
  void writeOwn(mlir::Operation &op);

  /// Returns what `value` is `iterations` iterations later.
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
  llvm::SmallVector<EarlyLoad> loads; ///< loads that are issued furthest ahead come first
  bool passRegisters = false; ///< the target has no asynchronous copies, so all tiles pass through registers
  int64_t slotsOfRegisters = 1; ///< number of slots for tiles that pass through registers
  llvm::DenseMap<mlir::Operation *, int64_t> earlyBy; ///< number of iterations by which a load is issued early
  /// The values that the new loop carries because they are computed early.
  llvm::SmallVector<Ahead> carried;
  llvm::DenseSet<Ahead> requested;
  /// The distinct numbers of slots of buffers.
  llvm::SetVector<int64_t> counts;
  /// True if every iteration has a barrier that keeps all threads in lockstep.
  bool isInStep = true;
  /// The barriers of buffers, by the number of slots of the buffer. If threads are not in lockstep, all buffers have
  /// barriers; otherwise only the buffers that tensor copies fill.
  std::map<int64_t, SlotBarriers> barriers;
  llvm::SmallVector<mlir::Value> tokens;
  llvm::DenseMap<Ahead, mlir::Value> inFront, inLoop;
  std::optional<OuterLoop> outer; ///< set if copies for its next iteration start before an iteration ends
  mlir::Value starts; ///< an i1: whether such copies start inside the loop; null if they never do
  /// The bounds of this loop in the next iteration of the outer loop. `nextTile` is the lower bound, relative to the
  /// value of the induction variable after the last iteration of the current loop; `nextEnd` is the upper bound.
  mlir::Value nextTile, nextEnd;
  // The state of the new loop: the values that replace those of the old loop; slots and phases, by the number of slots;
  // the tiles of the current iteration; and, for each number of iterations, the bound below which the induction
  // variable must be so that this many more iterations exist.
  mlir::scf::ForOp newLoop;
  mlir::IRMapping own;
  llvm::DenseMap<int64_t, mlir::Value> previousSlot, slot, previousPhase, phase;
  llvm::DenseMap<mlir::Operation *, mlir::Value> tileOf;
  llvm::DenseMap<int64_t, mlir::Value> ends;
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_PIPELINER_H
