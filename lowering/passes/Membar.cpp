//===- Membar.cpp - inserts the barriers that shared memory needs -------------------------------------------------===//
//
// Threads run independently between barriers. So for every two accesses to the same memory of which one is a write,
// there must be a barrier on each path from the earlier to the later access. The pass places a barrier right before the
// later access, where it covers as many earlier accesses as possible. A fixpoint over the control-flow graph computes
// which accesses are pending at each point, that is, not yet followed by a barrier.
//
// Copy units (TMA) access shared memory through the asynchronous proxy, and threads through the generic proxy. If a
// copy may overwrite memory to which threads have written another tile, the threads execute a proxy fence
// (ttng.fence_async_shared) before the next barrier. If a copy unit or matrix unit reads data that threads have
// written, the IR already contains a fence (from FenceInsertion.cpp, or from Triton).
//
// Asynchronous copies become visible in two steps. After a wait, the copies that the waiting thread has started are
// complete; after a barrier that follows the wait, the copies of all threads are. So the pass records the write of a
// copy as in flight when the copy starts, and turns it into an ordinary write at the wait.
//
// A multi-buffered allocation has several slots. The slot index is an integer that a loop increments and wraps to 0.
// Within one iteration, two slots whose indices differ by a constant do not alias. At the back edge of the loop, the
// slot with phase p (relative to the iteration's index) becomes the slot with phase p - 1. Because the pass tracks
// phases, pipelined loops need a single barrier per iteration.
//
// Global memory needs barriers in one case: several threads load what only one of them stores (scalars, and tiles with
// fewer elements than threads). A thread could then load after another thread has already stored. A barrier separates
// such a load from the store, unless the two accesses are known not to alias. Different kernel arguments may alias if
// either is stored to, unless they are `__restrict__`. Accesses to one argument do not alias if their address ranges
// are known to be disjoint (AddressRange.h). Inline assembly with side effects may access all memory that any thread
// accesses, so a kernel that contains such assembly needs barriers for all accesses to global memory. If several thread
// blocks run a program, an access that a block executes for the others, or together with them, needs a barrier of the
// whole cluster. On some targets, a barrier for shared memory leaves accesses to global memory in flight
// (GpuFacts::sharedBarriersOrderAll). There, gpu.barrier, which orders all memory, separates accesses to global memory.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AddressRange.h"
#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/analysis/CarriedValues.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/analysis/PointerRoot.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "targets/GpuFacts.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include <deque>
#include <set>

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUMEMBAR
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The slot of a multi-buffered allocation that a view refers to. Its index is a constant or, if there is a loop, the
/// number of the iteration plus `phase`, modulo the number of slots.
struct Slot {
  Block *loop = nullptr; ///< header of the loop; null for a constant
  int64_t phase = 0, count = 0;
  bool operator<(const Slot &other) const {
    return std::tie(loop, phase, count) < std::tie(other.loop, other.phase, other.count);
  }
};

struct Access {
  /// Some accesses are asynchronous, and are pending until the program waits for them. Copy is a write by an
  /// asynchronous copy. Fetch is a read by an asynchronous dot, and Accumulate is its write to tensor memory. CopyOut
  /// is a read by a copy to global memory.
  enum Kind { Read, Write, Copy, Fetch, Accumulate, CopyOut, Load, Store /* of global memory */ } kind;
  int64_t begin, end; ///< as in getMemoryRange()
  std::optional<Slot> slot;
  Operation *buffer; ///< the allocation that contains `slot`
  Value root; ///< the pointer argument of an access to global memory; null if it is not known
  bool isPartial; ///< global memory: a store by only one of the threads that hold the value
  const AddressRange *range = nullptr; ///< the addresses in global memory; null if they are not known
  unsigned age = 0; ///< Fetch: the number of dots that have started since this access
  bool isOneOfSeveral = false; ///< accesses one of several slots, which may be unknown
  /// Accesses to the same `buffer` with this flag need no barrier between them. Either the operation itself waits for
  /// its accesses, or each warp accesses only its own part.
  bool isOrdered = false;
  /// Global memory: other thread blocks of the program load the same elements, or the store is made on their behalf.
  bool isSharedByBlocks = false;
  bool isAsync = false; ///< through the asynchronous proxy, or made visible to it by a fence

  bool operator<(const Access &other) const {
    auto key = [](const Access &a) {
      return std::tuple(a.kind, a.begin, a.end, a.buffer, a.root.getAsOpaquePointer(), a.isPartial, a.range, a.age,
                        a.isOneOfSeveral, a.isOrdered, a.isSharedByBlocks, a.isAsync);
    };
    return std::tuple(key(*this), slot) < std::tuple(key(other), other.slot);
  }
  bool isGlobal() const { return kind == Load || kind == Store; }
  bool isInFlight() const { return kind == Copy || kind == Fetch || kind == Accumulate || kind == CopyOut; }
};
using Pending = std::set<Access>;

bool mayOverlap(const Access &a, const Access &b) {
  if (a.isGlobal() != b.isGlobal())
    return false;
  if (a.isGlobal() && (isOtherMemory(a.root, b.root) || (a.range && b.range && areApart(*a.range, *b.range))))
    return false;
  if (a.isGlobal())
    // If all threads that hold an element store it, each element is loaded and stored by the same thread. So two
    // accesses through different arguments do not conflict, even if the arguments may alias in principle.
    return !a.root || !b.root || a.root == b.root || a.isPartial || b.isPartial;
  if (a.end <= b.begin || b.end <= a.begin)
    return false;
  if (!a.slot || !b.slot || a.buffer != b.buffer || a.slot->loop != b.slot->loop)
    return true;
  if (!a.slot->loop)
    return a.slot->phase == b.slot->phase;
  return a.slot->count != b.slot->count || a.slot->phase == b.slot->phase;
}

/// Returns true if two accesses are by the same operation, or by conversions that divide the same memory among warps in
/// the same way.
bool haveSameParts(const Access &a, const Access &b) {
  if (a.buffer == b.buffer)
    return true;
  auto x = dyn_cast_or_null<ttg::ConvertLayoutOp>(a.buffer), y = dyn_cast_or_null<ttg::ConvertLayoutOp>(b.buffer);
  return x && y && a.begin == b.begin && x.getSrc().getType() == y.getSrc().getType() && x.getType() == y.getType() &&
         x->getDiscardableAttrDictionary() == y->getDiscardableAttrDictionary();
}

bool conflict(const Access &earlier, const Access &later) {
  if (earlier.isInFlight())
    return false; // a barrier does not help before the wait for the access
  if (earlier.isOrdered && later.isOrdered && haveSameParts(earlier, later))
    return false; // the code of these operations waits itself (gpu/Movement.cpp, nvidia/hopper/TensorCopyPatterns.cpp)
  auto writes = [](const Access &access) {
    return access.kind == Access::Write || access.kind == Access::Copy || access.kind == Access::Accumulate ||
           access.kind == Access::Store;
  };
  if (!writes(earlier) && !writes(later))
    return false;
  if (earlier.kind == Access::Store && later.kind == Access::Store)
    return false; // an element is always stored by the same thread
  return mayOverlap(earlier, later);
}

/// Returns true if a fence must make `write` visible to the asynchronous proxy, because `copy` overwrites the same
/// memory with another tile.
bool needsFence(const Access &write, const Access &copy) {
  return write.kind == Access::Write && !write.isAsync && write.buffer != copy.buffer && mayOverlap(write, copy);
}

/// Returns true if `access` accesses nothing outside `tile`, because both are the same slot of the same buffer, or the
/// buffer has only one slot.
bool isWithin(const Access &access, const Access &tile) {
  if (access.isGlobal() || !tile.buffer || access.buffer != tile.buffer ||
      access.slot.has_value() != tile.slot.has_value())
    return false;
  return access.slot ? access.slot->loop == tile.slot->loop && access.slot->phase == tile.slot->phase
                     : !tile.isOneOfSeveral;
}

//===--- accesses of an operation ---------------------------------------------------------------------------------===//

std::optional<Slot> getSlot(Value index, int64_t count) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return Slot{nullptr, constant.getSExtValue(), count};
  int64_t phase = 0;
  Value counter = index;
  if (Value before = matchNextSlot(index, count)) {
    counter = before;
    phase = 1;
  }
  auto argument = dyn_cast<BlockArgument>(counter);
  if (!argument)
    return std::nullopt;
  // The header of a loop has two predecessors: the entry passes a constant, and the back edge passes the next slot.
  bool goesAround = false, isEntered = false;
  for (Block *predecessor : argument.getOwner()->getPredecessors()) {
    Value passed = getPassed(predecessor, argument);
    if (passed && matchPattern(passed, m_ConstantInt(&constant)) && !isEntered) {
      isEntered = true;
      phase += constant.getSExtValue();
    } else if (passed && matchNextSlot(passed, count) == argument) {
      goesAround = true;
    } else {
      return std::nullopt;
    }
  }
  if (!goesAround || !isEntered)
    return std::nullopt;
  return Slot{argument.getOwner(), (phase % count + count) % count, count};
}

void addMemory(Value memdesc, Access::Kind kind, SmallVectorImpl<Access> &accesses) {
  std::optional<Slot> slot;
  ttg::MemDescIndexOp index = getViewedTile(memdesc).index;
  if (index)
    slot = getSlot(index.getIndex(), index.getSrc().getType().getNumTiles());
  SmallVector<Operation *> owners = getAllocations(memdesc);
  for (Operation *owner : owners) {
    auto [begin, end] = getMemoryRange(cast<ttg::MemDescType>(memdesc.getType()));
    Access access{kind, begin, end, slot, owner, Value(), false};
    access.isOneOfSeveral = index != nullptr;
    if (!owner || owners.size() > 1)
      access.slot = std::nullopt;
    if (owner) {
      std::tie(access.begin, access.end) = getMemoryRange(owner);
      // A constant slot is a fixed part of the buffer. Its range is compared with those of accesses through other
      // views.
      if (index && access.slot && !access.slot->loop) {
        int64_t stride = (access.end - access.begin) / access.slot->count;
        access.begin += stride * access.slot->phase;
        access.end = access.begin + stride;
      }
    }
    accesses.push_back(access);
  }
}

/// Returns true if several threads hold the same element of `type`.
bool isReplicated(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return true;
  LinearLayout layout = ttg::toLinearLayout(tile);
  return layout.getFreeBits(Dim::Lane) || layout.getFreeBits(Dim::Warp);
}

/// Returns the operation before which to insert a barrier for `op`. If expect operations (BarrierExpectOp) announce the
/// copy `op`, the barrier precedes them too, so that one thread executes them together with the copy.
Operation *getPlaceFor(Operation *op) {
  Operation *place = op;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (isa<ttng::BarrierExpectOp>(before))
      place = before;
    else if (!isPure(before))
      break;
  }
  return place;
}

class Barriers {
public:
  explicit Barriers(tt::FuncOp func) : func(func), sharedBarriersOrderAll(getGpuFacts(func).sharedBarriersOrderAll) {
    func.walk([&](Operation *op) { hasUnknownAccesses |= isUnknownAccess(op); });
    func.walk([&](Operation *op) { classify(op); });
  }

  void insert() {
    DenseMap<Block *, Pending> before;
    llvm::SetVector<Block *> worklist;
    for (Block &block : func.getBody())
      worklist.insert(&block);
    DenseSet<Block *> reached = {&func.getBody().front()};
    while (!worklist.empty()) {
      Block *block = worklist.front();
      worklist.erase(worklist.begin());
      if (!reached.contains(block))
        continue;
      Pending after = transfer(*block, before[block], /*insert=*/false);
      for (Block *successor : block->getSuccessors()) {
        Pending &known = before[successor];
        size_t size = known.size();
        for (Access access : after) {
          enterIteration(access, block, successor);
          known.insert(access);
        }
        bool isNew = reached.insert(successor).second;
        if (isNew || known.size() != size)
          worklist.insert(successor);
      }
    }
    for (Block &block : func.getBody())
      transfer(block, before[&block], /*insert=*/true);
  }

private:
  static Access::Kind getKind(const ttg::SharedEffect &effect) {
    switch (effect.until) {
    case ttg::SharedWait::Copies: return Access::Copy;
    case ttg::SharedWait::Dots: return Access::Fetch;
    case ttg::SharedWait::Stores: return Access::CopyOut;
    case ttg::SharedWait::Barrier: return effect.isWrite ? Access::Accumulate : Access::Fetch;
    default: return effect.isWrite ? Access::Write : Access::Read;
    }
  }

  /// Returns true if `op` may access any global memory. Calls of device functions are not included, because the
  /// lowering puts a barrier before and after each call (gpu/ThreadCalls.cpp).
  static bool isUnknownAccess(Operation *op) {
    return op->hasTrait<tt::MayAccessGlobal>() && !isMemoryEffectFree(op) && !isa<tt::CallThreadsOp>(op);
  }

  void classify(Operation *op) {
    SmallVector<Access> accesses;
    for (const ttg::SharedEffect &effect : ttg::getSharedEffects(op)) {
      size_t first = accesses.size();
      addMemory(effect.memory, getKind(effect), accesses);
      for (Access &access : MutableArrayRef(accesses).drop_front(first)) {
        access.isOrdered = effect.waitsForItself;
        access.isAsync = effect.proxy == ttg::Proxy::Async;
      }
    }
    // Atomic accesses are ignored, because the program decides how they synchronize.
    if (auto access = tt::getGlobalAccess(op); access && !(access->isRead && access->isWrite)) {
      bool areBlocks = op->hasAttr(ttg::isSharedByBlocksAttr);
      bool areSeveral = areBlocks || isReplicated(access->pointers.getType());
      Value root = getPointerRoot(access->pointers);
      // A value that is uniform within a thread block may differ in another block, so the range is not known here.
      const AddressRange *range = nullptr;
      if (std::optional<AddressRange> known = areBlocks ? std::nullopt : getAddressRange(access->pointers))
        range = &ranges.emplace_back(std::move(*known));
      if (access->isWrite)
        accesses.push_back({Access::Store, 0, 0, std::nullopt, nullptr, root, areSeveral, range});
      else if (areSeveral || hasUnknownAccesses)
        accesses.push_back({Access::Load, 0, 0, std::nullopt, nullptr, root, false, range});
      if (areSeveral || access->isWrite)
        accesses.back().isSharedByBlocks = areBlocks;
    }
    if (isUnknownAccess(op))
      for (Access::Kind kind : {Access::Load, Access::Store})
        accesses.push_back({kind, 0, 0, std::nullopt, nullptr, Value(), /*isPartial=*/true});
    llvm::copy_if(accesses, std::back_inserter(copies),
                  [](const Access &access) { return access.kind == Access::Copy && access.isAsync; });
    if (!accesses.empty())
      accessesOf[op] = accesses;
  }

  /// Adjusts the slot of `access` on the edge between two blocks. On a back edge the phase decreases by one. Outside
  /// the loop the slot is unknown.
  void enterIteration(Access &access, Block *from, Block *to) {
    if (!access.slot || !access.slot->loop)
      return;
    Block *header = access.slot->loop;
    if (to == header && isInLoop(from, header))
      access.slot->phase = (access.slot->phase + access.slot->count - 1) % access.slot->count;
    else if (to == header || !isInLoop(to, header))
      access.slot = std::nullopt;
  }
  bool isInLoop(Block *block, Block *header) {
    auto [it, isNew] = loops.try_emplace(header);
    if (isNew) {
      // Collect the natural loop: all blocks that reach a back edge without passing through the header.
      dominance = dominance ? std::move(dominance) : std::make_unique<DominanceInfo>(func);
      it->second.insert(header);
      SmallVector<Block *> work;
      for (Block *predecessor : header->getPredecessors())
        if (dominance->dominates(header, predecessor))
          work.push_back(predecessor);
      while (!work.empty()) {
        Block *next = work.pop_back_val();
        if (it->second.insert(next).second)
          work.append(next->pred_begin(), next->pred_end());
      }
    }
    return loops[header].contains(block);
  }

  /// Updates the pending accesses after a wait. Copies that have completed become writes of this thread, which other
  /// threads do not see yet. Reads of dots that have completed become reads of this thread; the operands may be
  /// overwritten after a barrier.
  static void waitFor(const ttg::SharedWait &wait, Pending &pending, bool ordersGlobal) {
    SmallVector<Access> guarded;
    for (Value tile : wait.tiles)
      addMemory(tile, Access::Write, guarded);
    Pending after;
    for (Access access : pending) {
      switch (wait.kind) {
      case ttg::SharedWait::Nothing:
      case ttg::SharedWait::Barrier: break;
      case ttg::SharedWait::Threads:
        if (!access.isInFlight() && !access.isSharedByBlocks && (ordersGlobal || !access.isGlobal()))
          continue;
        break;
      case ttg::SharedWait::Blocks:
        if (!access.isInFlight())
          continue;
        break;
      case ttg::SharedWait::Copies:
        if (access.kind == Access::Copy) {
          if (wait.left)
            after.insert(access); // it is not known which copies have arrived
          access.kind = Access::Write;
        }
        break;
      case ttg::SharedWait::Tiles:
        if (llvm::any_of(guarded, [&](const Access &tile) { return isWithin(access, tile); }))
          continue;
        break;
      case ttg::SharedWait::Dots:
        if (access.kind == Access::Fetch && access.age >= wait.left)
          access.kind = Access::Read, access.age = 0;
        break;
      case ttg::SharedWait::Stores:
        if (access.kind == Access::CopyOut) {
          if (wait.left)
            after.insert(access);
          access.kind = Access::Read;
        }
        break;
      }
      after.insert(access);
    }
    pending = std::move(after);
  }

  /// Marks the writes of threads as visible to the asynchronous proxy.
  static void tellProxy(Pending &pending) {
    Pending after;
    for (Access access : pending) {
      access.isAsync |= access.kind == Access::Write;
      after.insert(access);
    }
    pending = std::move(after);
  }

  /// Increments the age of pending reads of dots, because another dot has started.
  static void ageDots(Pending &pending) {
    constexpr unsigned oldest = 8; // more dots are never in flight
    Pending after;
    for (Access access : pending) {
      if (access.kind == Access::Fetch)
        access.age = std::min(access.age + 1, oldest);
      after.insert(access);
    }
    pending = std::move(after);
  }

  void createBarrier(Operation *op, bool isOfBlocks, bool ordersGlobal, bool needsFence) {
    OpBuilder builder(getPlaceFor(op));
    if (needsFence)
      ttng::FenceAsyncSharedOp::create(builder, op->getLoc(), /*bCluster=*/false);
    if (isOfBlocks)
      ttng::createClusterBarrier(builder, op->getLoc());
    else if (ordersGlobal && !sharedBarriersOrderAll)
      gpu::BarrierOp::create(builder, op->getLoc());
    else
      ttg::LocalBarrierOp::create(builder, op->getLoc());
  }

  /// Returns the accesses that are pending after `block`, given those that are pending before it. Inserts barriers if
  /// `insert` is true.
  Pending transfer(Block &block, Pending pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      SmallVector<Access> accesses;
      if (auto it = accessesOf.find(&op); it != accessesOf.end())
        accesses = it->second;
      // An operation with scratch space writes to it and then reads from it, with a barrier (or synchronization within
      // warps) in between.
      std::optional<Access> scratch;
      if (auto offset = op.getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttr); offset && !isa<ttg::LocalAllocOp>(op))
        scratch = Access{
            Access::Write, offset.getInt(), offset.getInt() + getScratchBytes(&op), std::nullopt, &op, Value(), false};
      if (scratch)
        scratch->isOrdered = isa<ttg::ConvertLayoutOp>(op) && waitsWithinWarps(&op);
      SmallVector<Access> all(accesses);
      if (scratch)
        all.push_back(*scratch);
      // Determine whether a barrier is needed, and whether it must include all thread blocks of the cluster or order
      // accesses to global memory.
      bool isNeeded = false, isOfBlocks = false, ordersGlobal = sharedBarriersOrderAll;
      for (const Access &later : all)
        for (const Access &earlier : pending)
          if (conflict(earlier, later)) {
            isNeeded = true;
            isOfBlocks |= earlier.isSharedByBlocks || later.isSharedByBlocks;
            ordersGlobal |= earlier.isGlobal();
          }
      if (auto effects = dyn_cast<ttg::SharedEffects>(op); effects && effects.signalsForAllThreads())
        isNeeded |=
            llvm::any_of(pending, [](const Access &access) { return !access.isGlobal() && !access.isInFlight(); });
      auto waitsForThreads = [](Operation *op) {
        ttg::SharedWait::Kind kind = ttg::getSharedWait(op).kind;
        return kind == ttg::SharedWait::Threads || kind == ttg::SharedWait::Blocks;
      };
      bool hasToTell = (isNeeded || waitsForThreads(&op)) && llvm::any_of(pending, [&](const Access &write) {
                         return llvm::any_of(copies, [&](const Access &copy) { return needsFence(write, copy); });
                       });
      if (hasToTell && insert && !isNeeded) {
        OpBuilder builder(&op);
        ttng::FenceAsyncSharedOp::create(builder, op.getLoc(), /*bCluster=*/false);
      }
      if (isNeeded) {
        waitFor({isOfBlocks ? ttg::SharedWait::Blocks : ttg::SharedWait::Threads}, pending, ordersGlobal);
        if (insert)
          createBarrier(&op, isOfBlocks, ordersGlobal, hasToTell);
      }
      if (isa<ttng::FenceAsyncSharedOp>(op))
        tellProxy(pending);
      if (isa<tt::CallThreadsOp, tt::WaitSignalOp>(op)) // they end with a barrier
        waitFor({ttg::SharedWait::Threads}, pending, /*ordersGlobal=*/true);
      if (scratch) {
        if (!waitsWithinWarps(&op)) {
          auto redistribute = dyn_cast<ttng::RedistributeOp>(op);
          bool ofBlocks = redistribute && !redistribute.isWithinBlock();
          waitFor({ofBlocks ? ttg::SharedWait::Blocks : ttg::SharedWait::Threads}, pending, sharedBarriersOrderAll);
          scratch->kind = Access::Read;
        }
        pending.insert(*scratch);
      }
      if (llvm::any_of(accesses, [](const Access &access) { return access.kind == Access::Fetch; }))
        ageDots(pending);
      pending.insert(accesses.begin(), accesses.end());
      waitFor(ttg::getSharedWait(&op), pending, sharedBarriersOrderAll || isa<gpu::BarrierOp>(op));
    }
    return pending;
  }

  tt::FuncOp func;
  bool sharedBarriersOrderAll, hasUnknownAccesses = false;
  DenseMap<Operation *, SmallVector<Access>> accessesOf;
  SmallVector<Access> copies; ///< writes of copy units
  std::deque<AddressRange> ranges;
  DenseMap<Block *, DenseSet<Block *>> loops;
  std::unique_ptr<DominanceInfo> dominance;
};

struct Membar : tilecc::impl::TritonGPUMembarBase<Membar> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](tt::FuncOp func) {
      if (func.isExternal())
        return WalkResult::advance();
      WalkResult nested = func.walk([&](Operation *op) {
        bool uses = op->hasAttr(ttg::allocationOffsetAttr) || !ttg::getSharedEffects(op).empty();
        if (!uses || op->getParentOp() == func)
          return WalkResult::advance();
        op->emitOpError("uses shared memory inside structured control flow, which has to be lowered before barriers "
                        "are inserted");
        return WalkResult::interrupt();
      });
      if (nested.wasInterrupted())
        return WalkResult::interrupt();
      Barriers(func).insert();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
