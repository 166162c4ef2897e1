//===- Pipeliner.h - loads of a loop that start iterations before their use ------------------------------------*- C++ -*-----===//
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

/// A value some iterations ahead.
using Ahead = std::pair<mlir::Value, int64_t>;

/// Writes a scheduled loop anew. What there is to do is found first (PipelineLoops.cpp), then what comes in front of the
/// loop is written (PipelineStarts.cpp), and then the loop (PipelineBody.cpp).
class Pipeliner {
public:
  Pipeliner(mlir::scf::ForOp loop, const AxisInfoAnalysis &axisInfo)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo) {}

  mlir::LogicalResult run();

private:
  //===--- what there is to do --------------------------------------------------------------------------------------===//

  mlir::LogicalResult findLoads();

  bool isOutside(mlir::Value value) { return !loop->isAncestor(value.getParentRegion()->getParentOp()); }
  mlir::Value yielded(mlir::BlockArgument argument) { return loop.getTiedLoopYieldedValue(argument)->get(); }

  /// Finds the loop-carried values that the new loop needs to have `value` that many iterations ahead.
  mlir::LogicalResult request(mlir::Value value, int64_t ahead);

  /// The loop around, if copies for its next iteration may start before this one has ended: copies of tensors alone, which
  /// need no more than what is known by then.
  void findOuterLoop();

  void allocate();

  /// Whether it is copied to a buffer of `count` slots.
  bool isIn(EarlyLoad &early, int64_t count) { return early.tiles && getNumSlots(early) == count; }
  bool hasThreadsCopies(int64_t count);
  bool hasThreadsCopies();

  /// One more than the iterations between a copy and its use, so that one barrier an iteration will do; or just as many:
  /// a copy then goes to the slot that its own iteration has read, behind a second barrier. That barrier costs nothing
  /// that could be measured, but for programs that have a processor for themselves: some of these lose 4 %, and nobody
  /// else needs the memory.
  int64_t getNumSlots(const EarlyLoad &early);
  /// Whether all that becomes of it, element by element, is what another product of the iteration adds to.
  static bool becomesAccumulator(mlir::Operation *op);
  /// Whether the registers of the loop's products leave no room for a second program.
  bool hasProcessorForItself();

  /// Whether warpgroups should not be kept in step: there are several, whose threads compute with what a product leaves.
  bool wantsBarriers();

  //===--- starting loads -------------------------------------------------------------------------------------------===//

  /// What a clone reads, and where values of this place are kept.
  using Resolve = llvm::function_ref<mlir::Value(mlir::Value)>;

  mlir::Value splat(mlir::Value condition, mlir::Type like);

  /// Starts the load for an iteration if there is that iteration; into tile `slot`, or else returns what is loaded.
  mlir::Value start(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot, Resolve resolve);

  void startTensorCopy(EarlyLoad &early, tt::DescriptorLoadOp load, mlir::Value isIteration, mlir::Value slot, Resolve resolve);

  /// Everything that was started since the last time is one group; with barriers of slots, each slot's.
  void commit(const llvm::DenseMap<int64_t, mlir::Value> &slots);

  mlir::Value integer(int64_t value, mlir::Type type);
  mlir::Value clone(mlir::Operation *op, mlir::Value result, Resolve resolve);

  //===--- before the loop ------------------------------------------------------------------------------------------===//

  /// `value` in iteration `iteration`, computed in front of the loop.
  mlir::Value before(mlir::Value value, int64_t iteration);

  /// The first copies for the iteration of the outer loop that was named, if it `runs`: to the slots behind `last`.
  void startTile(mlir::Value runs, llvm::DenseMap<int64_t, mlir::Value> last);

  /// Whether the loop's number alone, beside the outer loop's, says what `value` is.
  bool followsFromNumber(mlir::Value value);

  /// In front of the loop: what it needs to know of the outer loop's next iteration, to start that one's first copies.
  void findNextTile(mlir::Value runs);

  /// What the load needs where the loop would be at `number`, of this iteration of the outer loop, or else the next.
  mlir::Value inEitherTile(mlir::Value value, mlir::Value number, mlir::Value isThis, mlir::IRMapping &known);

  /// Starts the load for an iteration `ahead`, or, where there is none, for one of the outer loop's next iteration.
  void startInEitherTile(EarlyLoad &early, mlir::Value isIteration, mlir::Value slot);

  /// What tells slots, by their numbers, and phases of barriers: those before the first.
  llvm::SmallVector<mlir::Value> createPositions();
  llvm::DenseMap<int64_t, mlir::Value> getSlots(mlir::ValueRange positions);

  void writePrologue();

  //===--- the loop -------------------------------------------------------------------------------------------------===//

  void writeLoop();

  /// This iteration's tiles: waits until they are there.
  void waitForTiles();

  /// The tiles of `slot` in the buffers of `count` slots.
  llvm::SmallVector<mlir::Value> getTiles(int64_t count, mlir::Value slot);

  /// Behind the loop, waits for the copies for iterations that are none.
  void drain();

  /// The tile in shared memory that is an operand as it lies there; null if `loaded` is none.
  mlir::Value getOperandTile(mlir::Value loaded);

  /// What `op` does in its own iteration.
  void writeOwn(mlir::Operation &op);

  /// `value` so many iterations later.
  mlir::Value later(mlir::Value value, int64_t iterations);

  void startLater();

  void writeYield(mlir::ValueRange slow);

  mlir::scf::ForOp loop;
  mlir::Location loc;
  mlir::OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  llvm::SmallVector<EarlyLoad> loads;
  llvm::DenseMap<mlir::Operation *, int64_t> earlyBy;
  /// Values that iterations hand on, with the number of iterations that they are ahead.
  llvm::SmallVector<Ahead> carried;
  llvm::DenseSet<Ahead> requested;
  /// Numbers of tiles that are used one after the other.
  llvm::SetVector<int64_t> counts;
  /// Whether all threads go through the loop in step, by a barrier in each iteration.
  bool isInStep = true;
  /// Of the buffers with that many slots: of all where threads are not in step; else of those that tensors are copied to.
  std::map<int64_t, SlotBarriers> barriers;
  llvm::SmallVector<mlir::Value> tokens;
  llvm::DenseMap<Ahead, mlir::Value> inFront, inLoop;
  std::optional<OuterLoop> outer; ///< whose next iteration's copies start before an iteration ends
  mlir::Value starts;             ///< whether they do so in the loop, if ever
  mlir::Value nextTile, nextEnd;  ///< of the loop in that iteration: where it begins, by where it would go on now; its end
  // Of the new loop: its values for the old one's, slots and their phases by how many there are, tiles of this
  // iteration, and below what an iteration has another that many ahead.
  mlir::scf::ForOp newLoop;
  mlir::IRMapping own;
  llvm::DenseMap<int64_t, mlir::Value> previousSlot, slot, previousPhase, phase;
  llvm::DenseMap<mlir::Operation *, mlir::Value> tileOf;
  llvm::DenseMap<int64_t, mlir::Value> ends;
};

} // namespace tilecc::pipeline

#endif // TILECC_LOWERING_PIPELINER_PIPELINER_H
