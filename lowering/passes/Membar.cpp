//===- Membar.cpp - the barriers that shared memory needs -----------------------------------------------------------===//
//
// Threads run apart until a barrier. So of every pair of accesses to the same place, at least one of them a write, by an
// operation and a later one, there has to be a barrier on the way; it goes right before the later one, where it serves
// as many earlier ones as possible. What may be pending at a point is found by a fixpoint over the control-flow graph.
//
// Copies under way are on their own: a wait says that this thread's have arrived, and a barrier behind the wait that all
// threads' have. So their writes are put aside when they start and count as writes of the wait.
//
// Buffers of several tiles are used one after the other, and the slot is an integer that a loop counts up and sets back
// to 0. Two slots that differ by a constant never meet in one iteration of the loop; from one iteration to the next,
// what was slot p is p - 1. This is what keeps the loops of software pipelines at one barrier.
//
// Global memory has the same problem in one case: where several threads load what one of them stores (scalars, and tiles
// of fewer elements than threads), a program would see itself write before it has read. A barrier is put between these,
// unless they are known to be different memory: kernel arguments are not, if either is stored to, but by `__restrict__`; of one
// argument, what lies apart by numbers that are known is (AddressRange.h).
// Assembly with side effects may access what any thread does, so that every access to global memory counts where there is some.
// Where several thread blocks run the program, an access that one makes for others, or with them, wants the barrier of all.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AddressRange.h"
#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/analysis/CarriedValues.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/analysis/PointerRoot.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
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

/// Which tile of several a view refers to: a constant, or the iteration of a loop plus a phase, modulo their number.
struct Slot {
  Block *loop = nullptr; ///< header of the loop; null for a constant
  int64_t phase = 0, count = 0;
  bool operator<(const Slot &other) const {
    return std::tie(loop, phase, count) < std::tie(other.loop, other.phase, other.count);
  }
};

struct Access {
  /// Under way, until what has started them is waited for: Copy, a write; Fetch, a product's read; Accumulate, its write to tensor
  /// memory; Drain, a read by a copy to global memory.
  enum Kind { Read, Write, Copy, Fetch, Accumulate, Drain, Load, Store /* of global memory */ } kind;
  int64_t begin, end; ///< as getMemoryRange() counts
  std::optional<Slot> slot;
  Operation *buffer; ///< whose tiles the slot is about
  Value root;        ///< the argument that global memory is reached from; null if that is not known
  bool isPartial;    ///< global memory: a store by one of several threads that hold the value
  const AddressRange *range = nullptr; ///< of global memory; null if that is not known
  unsigned age = 0;  ///< Fetch: how many products have started since
  bool isOneOfSeveral = false; ///< a tile of a buffer of several, whether or not it is known which
  bool isOrdered = false; ///< among such accesses to `buffer`: by an operation that waits for itself, or of warps that have a part each
  bool isSharedByBlocks = false; ///< global memory: other thread blocks of the program load the same, or it stores for them

  bool operator<(const Access &other) const {
    auto key = [](const Access &a) {
      return std::tuple(a.kind, a.begin, a.end, a.buffer, a.root.getAsOpaquePointer(), a.isPartial, a.range, a.age,
                        a.isOneOfSeveral, a.isOrdered, a.isSharedByBlocks);
    };
    return std::tuple(key(*this), slot) < std::tuple(key(other), other.slot);
  }
  bool isGlobal() const { return kind == Load || kind == Store; }
  bool isUnderWay() const { return kind == Copy || kind == Fetch || kind == Accumulate || kind == Drain; }
};
using Pending = std::set<Access>;

bool mayMeet(const Access &a, const Access &b) {
  if (a.isGlobal() != b.isGlobal())
    return false;
  if (a.isGlobal() && (isOtherMemory(a.root, b.root) || (a.range && b.range && areApart(*a.range, *b.range))))
    return false;
  if (a.isGlobal())
    // Where a store is by all threads that hold its elements, only the same argument counts: an element of a tile is
    // loaded and stored by its own thread.
    return !a.root || !b.root || a.root == b.root || a.isPartial || b.isPartial;
  if (a.end <= b.begin || b.end <= a.begin)
    return false;
  if (!a.slot || !b.slot || a.buffer != b.buffer || a.slot->loop != b.slot->loop)
    return true;
  if (!a.slot->loop)
    return a.slot->phase == b.slot->phase;
  return a.slot->count != b.slot->count || a.slot->phase == b.slot->phase;
}

bool conflict(const Access &earlier, const Access &later) {
  if (earlier.isUnderWay())
    return false; // a barrier before the wait would not help
  if (earlier.isOrdered && later.isOrdered && earlier.buffer == later.buffer)
    return false; // whoever carries it out waits (gpu/Movement.cpp, nvidia/TensorCopies.cpp)
  auto writes = [](const Access &access) {
    return access.kind == Access::Write || access.kind == Access::Copy || access.kind == Access::Accumulate ||
           access.kind == Access::Store;
  };
  if (!writes(earlier) && !writes(later))
    return false;
  if (earlier.kind == Access::Store && later.kind == Access::Store)
    return false; // of one element always the same thread
  return mayMeet(earlier, later);
}

/// Whether all that `access` accesses is in `tile`: the same slot of the same buffer, or of a buffer with one tile.
bool isWithin(const Access &access, const Access &tile) {
  if (access.isGlobal() || !tile.buffer || access.buffer != tile.buffer || access.slot.has_value() != tile.slot.has_value())
    return false;
  return access.slot ? access.slot->loop == tile.slot->loop && access.slot->phase == tile.slot->phase : !tile.isOneOfSeveral;
}

//===--- what an operation accesses ---------------------------------------------------------------------------------===//

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
  // A loop has two ways in: from before with a constant, and around.
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
    Access access{kind, 0, std::numeric_limits<int64_t>::max(), slot, owner, Value(), false};
    access.isOneOfSeveral = index != nullptr;
    if (!owner || owners.size() > 1)
      access.slot = std::nullopt;
    if (owner) {
      std::tie(access.begin, access.end) = getMemoryRange(owner);
      // A known tile is a part of the buffer that counts against others, too.
      if (index && access.slot && !access.slot->loop) {
        int64_t stride = (access.end - access.begin) / access.slot->count;
        access.begin += stride * access.slot->phase;
        access.end = access.begin + stride;
      }
    }
    accesses.push_back(access);
  }
}

/// True if several threads hold an element of `type`.
bool isReplicated(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return true;
  LinearLayout layout = ttg::toLinearLayout(tile);
  return layout.getFreeBits(Dim::Lane) || layout.getFreeBits(Dim::Warp);
}

/// Where a barrier in front of `op` goes: in front of what only tells of it (the bytes of a copy), so that one thread
/// does both at once.
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
  explicit Barriers(tt::FuncOp func) : func(func) {
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
    case ttg::SharedWait::Copies:
      return Access::Copy;
    case ttg::SharedWait::Products:
      return Access::Fetch;
    case ttg::SharedWait::Stores:
      return Access::Drain;
    case ttg::SharedWait::Barrier:
      return effect.isWrite ? Access::Accumulate : Access::Fetch;
    default:
      return effect.isWrite ? Access::Write : Access::Read;
    }
  }

  static bool isUnknownAccess(Operation *op) {
    return op->hasTrait<tt::MayAccessGlobal>() && !isMemoryEffectFree(op);
  }

  void classify(Operation *op) {
    SmallVector<Access> accesses;
    for (const ttg::SharedEffect &effect : ttg::getSharedEffects(op)) {
      size_t first = accesses.size();
      addMemory(effect.memory, getKind(effect), accesses);
      for (Access &access : MutableArrayRef(accesses).drop_front(first))
        access.isOrdered = effect.waitsForItself;
    }
    // Of an atomic access it is the program that says who waits for whom.
    if (auto access = tt::getGlobalAccess(op); access && !(access->isRead && access->isWrite)) {
      bool areBlocks = op->hasAttr(ttg::isSharedByBlocksAttr);
      bool areSeveral = areBlocks || isReplicated(access->pointers.getType());
      Value root = getPointerRoot(access->pointers);
      // What is one number in a thread block may be another in the next.
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
    if (!accesses.empty())
      accessesOf[op] = accesses;
  }

  /// From one iteration of a loop to the next every slot counts one less; outside the loop a slot is not known.
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
      // Everything from which a way leads back without passing the header.
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

  /// What is pending once a thread has waited. Copies that have arrived are writes of this thread, which others do not
  /// see yet; what products have read may be written by others, behind a barrier.
  static void waitFor(const ttg::SharedWait &wait, Pending &pending) {
    SmallVector<Access> guarded;
    for (Value tile : wait.tiles)
      addMemory(tile, Access::Write, guarded);
    Pending after;
    for (Access access : pending) {
      switch (wait.kind) {
      case ttg::SharedWait::Nothing:
      case ttg::SharedWait::Barrier:
        break;
      case ttg::SharedWait::Threads:
        if (!access.isUnderWay() && !access.isSharedByBlocks)
          continue;
        break;
      case ttg::SharedWait::Blocks:
        if (!access.isUnderWay())
          continue;
        break;
      case ttg::SharedWait::Copies:
        if (access.kind == Access::Copy) {
          if (wait.left)
            after.insert(access); // which of them have arrived is not known here
          access.kind = Access::Write;
        }
        break;
      case ttg::SharedWait::Tiles:
        if (llvm::any_of(guarded, [&](const Access &tile) { return isWithin(access, tile); }))
          continue;
        break;
      case ttg::SharedWait::Products:
        if (access.kind == Access::Fetch && access.age >= wait.left)
          access.kind = Access::Read, access.age = 0;
        break;
      case ttg::SharedWait::Stores:
        if (access.kind == Access::Drain) {
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

  /// Another product has started.
  static void ageProducts(Pending &pending) {
    constexpr unsigned oldest = 8; // more are never left under way
    Pending after;
    for (Access access : pending) {
      if (access.kind == Access::Fetch)
        access.age = std::min(access.age + 1, oldest);
      after.insert(access);
    }
    pending = std::move(after);
  }

  static void createBarrier(Operation *op, bool isOfBlocks) {
    OpBuilder builder(getPlaceFor(op));
    if (isOfBlocks)
      ttng::createClusterBarrier(builder, op->getLoc());
    else
      ttg::LocalBarrierOp::create(builder, op->getLoc());
  }

  /// What is pending after `block`, given what is before; inserts barriers where `insert` is set.
  Pending transfer(Block &block, Pending pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      SmallVector<Access> accesses;
      if (auto it = accessesOf.find(&op); it != accessesOf.end())
        accesses = it->second;
      // Scratch space: written, then a barrier within the operation (or within warps), then read.
      std::optional<Access> scratch;
      if (auto offset = op.getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttr);
          offset && !isa<ttg::LocalAllocOp>(op))
        scratch = Access{Access::Write, offset.getInt(), offset.getInt() + getScratchBytes(&op), std::nullopt, &op,
                         Value(), false};
      if (scratch)
        scratch->isOrdered = isa<ttg::ConvertLayoutOp>(op) && waitsWithinWarps(&op);
      SmallVector<Access> all(accesses);
      if (scratch)
        all.push_back(*scratch);
      // Whether a barrier is needed, and one of all thread blocks.
      bool isNeeded = false, isOfBlocks = false;
      for (const Access &later : all)
        for (const Access &earlier : pending)
          if (conflict(earlier, later)) {
            isNeeded = true;
            isOfBlocks |= earlier.isSharedByBlocks || later.isSharedByBlocks;
          }
      if (auto effects = dyn_cast<ttg::SharedEffects>(op); effects && effects.tellsForAllThreads())
        isNeeded |= llvm::any_of(pending, [](const Access &access) { return !access.isGlobal() && !access.isUnderWay(); });
      if (isNeeded) {
        waitFor({isOfBlocks ? ttg::SharedWait::Blocks : ttg::SharedWait::Threads}, pending);
        if (insert)
          createBarrier(&op, isOfBlocks);
      }
      if (scratch) {
        if (!waitsWithinWarps(&op)) {
          auto redistribute = dyn_cast<ttng::RedistributeOp>(op);
          bool ofBlocks = redistribute && !redistribute.isWithinBlock();
          waitFor({ofBlocks ? ttg::SharedWait::Blocks : ttg::SharedWait::Threads}, pending);
          scratch->kind = Access::Read;
        }
        pending.insert(*scratch);
      }
      if (llvm::any_of(accesses, [](const Access &access) { return access.kind == Access::Fetch; }))
        ageProducts(pending);
      pending.insert(accesses.begin(), accesses.end());
      waitFor(ttg::getSharedWait(&op), pending);
    }
    return pending;
  }

  tt::FuncOp func;
  bool hasUnknownAccesses = false;
  DenseMap<Operation *, SmallVector<Access>> accessesOf;
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
