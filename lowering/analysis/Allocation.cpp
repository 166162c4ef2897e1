//===- Allocation.cpp - who uses shared memory, when, and where ---------------------------------------------------===//
//
// Finds the life of each buffer and places the buffers; called by allocate-shared-memory, and by barrier insertion for which
// buffer a memdesc refers to.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/CarriedValues.h"
#include "lowering/analysis/DataMovement.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tilecc;

namespace {

constexpr int64_t alignment = 16;
/// Buffers have places of their own as long as that takes no more than this: below it shared memory rarely limits how many
/// programs fit on a multiprocessor, and barriers would cost more.
constexpr int64_t separateUpTo = 32 * 1024;

/// What all partitions of a function are started with: a number of 4 bytes, and 8 bytes for each argument, of which a tile in
/// shared memory is two.
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

int64_t getAlignment(Operation *op) {
  auto alloc = dyn_cast<ttg::LocalAllocOp>(op);
  if (!alloc)
    return alignment;
  int64_t ofTiles = cast<ttg::SharedEncoding>(alloc.getType().getEncoding()).getTileAlignment();
  return std::max({alignment, ofTiles, int64_t(alloc.getAlignment().value_or(1))});
}

bool refersToMemory(Type type) { return isa<ttg::MemDescType, ttg::AsyncTokenType>(type); }

/// What `value` gets its value from, one step back: by control flow, from views; and for a token, what it waits for.
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

SmallVector<Operation *> tilecc::getAllocations(Value memdesc) {
  SmallVector<Operation *> found;
  llvm::SetVector<Value> reached;
  reached.insert(memdesc);
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    if (value.getDefiningOp<ttg::LocalAllocOp>()) {
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

Allocation::Allocation(FunctionOpInterface func) {
  // A number for every operation, in the order of the text.
  DenseMap<Operation *, int64_t> number;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) { number[op] = number.size(); });
  DenseMap<Operation *, int64_t> last; // of what is in it
  func->walk([&](Operation *op) {
    int64_t &end = last[op];
    end = std::max(end, number[op]);
    if (Operation *parent = op->getParentOp(); parent && parent != func->getParentOp())
      last[parent] = std::max(last[parent], end);
  });

  DenseMap<Operation *, unsigned> bufferOf;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (int64_t needs = getSharedBytes(op)) {
      bufferOf[op] = buffers.size();
      buffers.push_back({op, int64_t(llvm::alignTo(needs, alignment)), number[op], number[op] + 1, getAlignment(op)});
    }
  });
  if (llvm::none_of(buffers, [](const Buffer &buffer) { return isa<ttg::LocalAllocOp>(buffer.owner); })) {
    // Scratch space only: there is nothing to follow.
  } else {
    Liveness liveness(func);
    auto extend = [&](Value value) {
      SmallVector<Operation *> owners = getAllocations(value);
      for (Operation *live : liveness.resolveLiveness(value))
        for (Operation *owner : owners)
          if (auto it = bufferOf.find(owner); owner && it != bufferOf.end()) {
            Buffer &buffer = buffers[it->second];
            buffer.begin = std::min(buffer.begin, number[live]);
            buffer.end = std::max(buffer.end, last[live] + 1);
          }
    };
    func->walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (refersToMemory(result.getType()))
          extend(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            if (refersToMemory(argument.getType()))
              extend(argument);
    });
  }

  // The best of a few orders; none is always the best.
  SmallVector<unsigned> bySize(buffers.size()), byBegin, byArea;
  std::iota(bySize.begin(), bySize.end(), 0u);
  byBegin = byArea = bySize;
  llvm::stable_sort(bySize, [&](unsigned a, unsigned b) { return buffers[a].bytes > buffers[b].bytes; });
  llvm::stable_sort(byArea, [&](unsigned a, unsigned b) {
    auto area = [&](const Buffer &buffer) { return buffer.bytes * (buffer.end - buffer.begin); };
    return area(buffers[a]) > area(buffers[b]);
  });
  SmallVector<unsigned> *best = nullptr;
  for (SmallVector<unsigned> *order : {&byBegin, &bySize, &byArea}) {
    int64_t needed = place(*order, 0);
    if (!best || needed < bytes) {
      best = order;
      bytes = needed;
    }
  }
  int64_t limit = std::max(bytes, separateUpTo);
  if (best && place(*best, limit) > limit)
    limit = 0; // keeping apart cost room after all
  bytes = best ? place(*best, limit) : 0;
  handOver = bytes;
  bytes += getHandOverBytes(func);
}

/// Places the buffers one after the other where they fit. They keep away even from buffers that do not live at the same
/// time if that is possible within `apartWithin` bytes: it saves the barriers between them.
int64_t Allocation::place(ArrayRef<unsigned> order, int64_t apartWithin) {
  int64_t top = 0;
  for (unsigned i = 0; i < order.size(); ++i) {
    Buffer &buffer = buffers[order[i]];
    auto lowest = [&](bool apart) {
      SmallVector<std::pair<int64_t, int64_t>> taken;
      for (unsigned other : order.take_front(i)) {
        const Buffer &known = buffers[other];
        if (apart || (known.begin < buffer.end && buffer.begin < known.end))
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
    buffer.offset = lowest(/*apart=*/true);
    if (buffer.offset + buffer.bytes > apartWithin)
      buffer.offset = lowest(/*apart=*/false);
    top = std::max(top, buffer.offset + buffer.bytes);
  }
  return top;
}
