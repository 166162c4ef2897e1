//===- Allocation.cpp - live ranges and placement of buffers in shared memory -------------------------------------===//
//
// The pass allocate-shared-memory uses this analysis to place buffers. Barrier insertion uses it to find the buffer to
// which a memdesc refers.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/CarriedValues.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tilecc;

namespace {

constexpr int64_t alignment = 16;
/// If buffers that a loop accesses without a barrier in between share memory, each iteration needs one more barrier. So
/// up to this many bytes in total, such buffers are kept apart. Below this size, shared memory rarely limits occupancy.
constexpr int64_t apartInLoops = 32 * 1024;
/// The same limit, in bytes per thread, for buffers that are accessed only once. A single barrier is cheap, so it does
/// not justify more memory, which other buffers or programs may need.
constexpr int64_t apartPerThread = 16;

/// Returns the number of bytes through which the partitions of a function receive their captures: 4 bytes for a number,
/// and 8 bytes per argument, or 16 if the argument is a tile in shared memory.
int64_t getHandOverBytes(FunctionOpInterface func) {
  int64_t most = 0;
  func->walk([&](Operation *op) {
    if (!isa<ttg::StartPartitionsOp, ttg::WarpSpecializeOp>(op))
      return;
    int64_t values = op->getNumOperands() + llvm::count_if(op->getOperandTypes(), llvm::IsaPred<ttg::MemDescType>);
    most = std::max(most, ttg::handOverArgumentsAt + ttg::handOverArgumentBytes * values);
  });
  return llvm::alignTo(most, alignment);
}

/// Returns the buffers that partitions capture.
llvm::SmallPtrSet<Operation *, 8> getSharedWithPartitions(FunctionOpInterface func) {
  llvm::SmallPtrSet<Operation *, 8> shared;
  func->walk([&](Operation *op) {
    if (isa<ttg::StartPartitionsOp, ttg::WarpSpecializeOp>(op))
      for (Value capture : op->getOperands())
        if (auto alloc = capture.getDefiningOp<ttg::LocalAllocOp>())
          shared.insert(alloc);
  });
  return shared;
}

int64_t getAlignment(Operation *op) {
  if (auto user = dyn_cast<tt::UsesScratch>(op))
    return std::max(alignment, int64_t(user.getScratchAlignment()));
  auto alloc = dyn_cast<ttg::LocalAllocOp>(op);
  if (!alloc)
    return alignment;
  int64_t ofTiles = cast<ttg::SharedEncoding>(alloc.getType().getEncoding()).getTileAlignment();
  return std::max({alignment, ofTiles, int64_t(alloc.getAlignment().value_or(1))});
}

bool refersToMemory(Type type) { return isa<ttg::MemDescType, ttg::AsyncTokenType>(type); }

/// Returns the values from which `value` directly comes: its incoming values if control flow carries it, the viewed
/// value if it is a view, or, for a token, the memory of the operation for which the token waits.
SmallVector<Value> getSources(Value value) {
  SmallVector<Value> sources = getIncoming(value);
  if (Operation *op = value.getDefiningOp(); op && sources.empty())
    for (Value operand : op->getOperands())
      if (refersToMemory(operand.getType()))
        sources.push_back(operand);
  return sources;
}

} // namespace

int64_t tilecc::getSharedBytes(Operation *op) {
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op))
    return ttg::getTileStrideInBytes(alloc.getType()) * alloc.getType().getNumTiles();
  return getScratchBytes(op);
}

/// The number of the first column of tensor memory.
static constexpr int64_t behindSharedMemory = int64_t(1) << 40;

std::pair<int64_t, int64_t> tilecc::getMemoryRange(ttg::MemDescType memory) {
  if (ttng::isInTensorMemory(memory))
    return {behindSharedMemory, std::numeric_limits<int64_t>::max()};
  return {0, behindSharedMemory};
}

std::pair<int64_t, int64_t> tilecc::getMemoryRange(Operation *allocation) {
  if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(allocation)) {
    int64_t begin = behindSharedMemory + alloc->getAttrOfType<IntegerAttr>(ttng::columnAttr).getInt();
    return {begin, begin + alloc.getType().getNumTiles() * ttng::getTensorMemoryColumns(alloc.getType())};
  }
  int64_t begin = allocation->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttr).getInt();
  return {begin, begin + getSharedBytes(allocation)};
}

/// Returns true if `op` allocates memory that other operations refer to.
static bool isAllocation(Operation *op) { return isa_and_nonnull<ttg::LocalAllocOp, ttng::TMEMAllocOp>(op); }

SmallVector<Operation *> tilecc::getAllocations(Value memdesc) {
  SmallVector<Operation *> found;
  llvm::SetVector<Value> reached;
  reached.insert(memdesc);
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    if (isAllocation(value.getDefiningOp())) {
      found.push_back(value.getDefiningOp());
      continue;
    }
    SmallVector<Value> sources = getSources(value);
    bool isUnknown = sources.empty() || llvm::is_contained(sources, Value());
    if (isUnknown && isa<ttg::MemDescType>(value.getType()))
      found.push_back(nullptr);
    llvm::erase(sources, Value());
    reached.insert(sources.begin(), sources.end());
  }
  return found;
}

LiveRanges::LiveRanges(FunctionOpInterface func) {
  func->walk<WalkOrder::PreOrder>([&](Operation *op) { number[op] = number.size(); });
  func->walk([&](Operation *op) {
    if (isAllocation(op))
      ranges[op] = {number[op], number[op] + 1};
  });
  if (ranges.empty())
    return; // there are no allocations to follow
  DenseMap<Operation *, int64_t> last; // the last operation that is nested in each operation
  func->walk([&](Operation *op) {
    int64_t &end = last[op];
    end = std::max(end, number[op]);
    if (Operation *parent = op->getParentOp(); parent && parent != func->getParentOp())
      last[parent] = std::max(last[parent], end);
  });
  Liveness liveness(func);
  auto extend = [&](Value value) {
    if (!refersToMemory(value.getType()))
      return;
    SmallVector<Operation *> owners = getAllocations(value);
    for (Operation *live : liveness.resolveLiveness(value))
      for (Operation *owner : owners)
        if (auto it = ranges.find(owner); owner && it != ranges.end()) {
          Range &range = it->second;
          range = {std::min(range.begin, number[live]), std::max(range.end, last[live] + 1)};
        }
  };
  func->walk([&](Operation *op) {
    for (Value result : op->getResults())
      extend(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          extend(argument);
  });
}

LiveRanges::Range LiveRanges::get(Operation *allocation) const {
  auto known = ranges.find(allocation);
  return known != ranges.end() ? known->second : Range{getNumber(allocation), getNumber(allocation) + 1};
}

Allocation::Allocation(FunctionOpInterface func) {
  LiveRanges ranges(func);
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (int64_t needs = getSharedBytes(op)) {
      auto [begin, end] = ranges.get(op);
      auto redistribute = dyn_cast<ttng::RedistributeOp>(op);
      if (redistribute && redistribute.getLasting())
        end = ranges.getEnd();
      buffers.push_back({op, int64_t(llvm::alignTo(needs, alignment)), begin, end, getAlignment(op)});
    }
  });

  UnorderedAccesses unordered(func);
  apartOnce = ttg::getNumWarps(func) * ttg::getThreadsPerWarp(func) * apartPerThread;
  int64_t programs = func->hasAttr(ttg::partitionAttr) ? 1 : ttg::getProgramsPerBlock(func);
  if (programs > 1) {
    llvm::SmallPtrSet<Operation *, 8> shared = getSharedWithPartitions(func);
    for (Buffer &buffer : buffers)
      buffer.isOfBlock = shared.contains(buffer.owner);
  }
  handOver = placeBest(unordered, /*ofBlock=*/true);
  bytes = handOver + getHandOverBytes(func);
  if (programs == 1)
    return;
  // The parts of the programs are consecutive in memory. So the size of a part must preserve the alignment of the
  // buffers in the next part.
  programBytes = placeBest(unordered, /*ofBlock=*/false);
  int64_t most = alignment;
  for (const Buffer &buffer : buffers)
    most = std::max(most, buffer.alignment);
  programBytes = llvm::alignTo(programBytes, most);
  int64_t begin = llvm::alignTo(bytes, most);
  for (Buffer &buffer : buffers)
    if (!buffer.isOfBlock)
      buffer.offset += begin;
  bytes = begin + programs * programBytes;
}

/// Places the buffers of the block, or those of each program, and returns the bytes that they take.
int64_t Allocation::placeBest(const UnorderedAccesses &unordered, bool ofBlock) {
  // Try a few orders and keep the best result, because no order is the best for all kernels.
  SmallVector<unsigned> bySize, byBegin, byArea;
  for (unsigned i = 0; i < buffers.size(); ++i)
    if (buffers[i].isOfBlock == ofBlock)
      byBegin.push_back(i);
  bySize = byArea = byBegin;
  llvm::stable_sort(bySize, [&](unsigned a, unsigned b) { return buffers[a].bytes > buffers[b].bytes; });
  llvm::stable_sort(byArea, [&](unsigned a, unsigned b) {
    auto area = [&](const Buffer &buffer) { return buffer.bytes * (buffer.end - buffer.begin); };
    return area(buffers[a]) > area(buffers[b]);
  });
  auto placeWith = [&](Generosity generosity) {
    SmallVector<unsigned> *best = nullptr;
    int64_t needed = 0;
    for (SmallVector<unsigned> *order : {&byBegin, &bySize, &byArea})
      if (int64_t needs = place(*order, unordered, generosity); !best || needs < needed) {
        best = order;
        needed = needs;
      }
    return place(*best, unordered, generosity);
  };
  int64_t least = placeWith({0, 0});
  int64_t most = std::max(least, apartInLoops);
  int64_t needed = placeWith({std::max(least, apartOnce), most});
  return needed > most ? placeWith({0, 0}) : needed; // the attempt to keep buffers apart has increased the size
}

/// Places the buffers in the given order, each at the lowest free address. Up to the limits in `generosity`, a buffer
/// also avoids the memory of buffers that are not live at the same time, which saves the barrier between them.
int64_t Allocation::place(ArrayRef<unsigned> order, const UnorderedAccesses &unordered, Generosity generosity) {
  using Often = UnorderedAccesses::Often;
  int64_t top = 0;
  for (unsigned i = 0; i < order.size(); ++i) {
    Buffer &buffer = buffers[order[i]];
    // Avoid buffers that would need a barrier at least this often.
    auto lowest = [&](Often least) {
      SmallVector<std::pair<int64_t, int64_t>> taken;
      for (unsigned other : order.take_front(i)) {
        const Buffer &known = buffers[other];
        bool livesToo = known.begin < buffer.end && buffer.begin < known.end;
        if (livesToo || (least != Often::Never && unordered.lookup(buffer.owner, known.owner) >= least))
          taken.push_back({known.offset, known.offset + known.bytes});
      }
      llvm::sort(taken);
      int64_t offset = 0;
      for (auto [begin, end] : taken) {
        if (offset + buffer.bytes <= begin)
          break;
        offset = std::max<int64_t>(offset, llvm::alignTo(end, buffer.alignment));
      }
      return offset;
    };
    buffer.offset = lowest(Often::Once);
    if (buffer.offset + buffer.bytes > generosity.once)
      buffer.offset = lowest(Often::Repeatedly);
    if (buffer.offset + buffer.bytes > generosity.repeatedly)
      buffer.offset = lowest(Often::Never);
    top = std::max(top, buffer.offset + buffer.bytes);
  }
  return top;
}
