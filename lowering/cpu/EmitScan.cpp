// Scans. Along any dimension but the vector one, a row is combined with the one before it, as vectors. Along the vector
// dimension each vector is scanned in log2(lanes) steps, and what came before it, one scalar, is combined into all of its
// lanes: one operation for each vector is all that waits for the one before.
#include "lowering/cpu/Emitter.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Scans the lanes of one vector.
KernelEmitter::Values KernelEmitter::scanLanes(tt::ScanOp op, Values values, unsigned lanes) {
  bool reverse = op.getReverse();
  for (unsigned distance = 1; distance < lanes; distance *= 2) {
    // Every lane that has one `distance` before it takes that one; the others keep what they have.
    SmallVector<int> from;
    SmallVector<llvm::Constant *> has;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      int before = reverse ? lane + distance : static_cast<int>(lane) - static_cast<int>(distance);
      bool inside = before >= 0 && before < static_cast<int>(lanes);
      from.push_back(inside ? before : lane);
      has.push_back(b.getInt1(inside));
    }
    Values before = llvm::map_to_vector<4>(values, [&](llvm::Value *v) { return b.CreateShuffleVector(v, from); });
    Values sums = combine(op.getCombineOp(), before, values);
    for (auto [value, sum] : llvm::zip_equal(values, sums))
      value = b.CreateSelect(llvm::ConstantVector::get(has), sum, value);
  }
  return values;
}

/// Scans one row along the vector dimension.
void KernelEmitter::scanRow(tt::ScanOp op, Chunk row, ArrayRef<Buffer> results) {
  int64_t size = tileType(op.getSrcs().front()).getDimSize(op.getAxis());
  unsigned lanes = row.lanes;
  bool reverse = op.getReverse();
  auto step = [&](llvm::Value *position, ArrayRef<llvm::Value *> before) {
    row.index[row.vecDim] = reverse ? b.CreateSub(index(size - lanes), position) : position;
    Values values = llvm::map_to_vector<4>(op.getSrcs(), [&](Value src) { return vec(src, row); });
    values = scanLanes(op, values, lanes);
    if (!before.empty())
      values = combine(op.getCombineOp(),
                       llvm::map_to_vector<4>(before, [&](llvm::Value *v) { return splat(v, lanes); }), values);
    for (auto [buffer, value] : llvm::zip_equal(results, values))
      writeBuffer(buffer, row, value);
    return llvm::map_to_vector<4>(
        values, [&](llvm::Value *v) { return b.CreateExtractElement(v, uint64_t(reverse ? 0 : lanes - 1)); });
  };
  Values first = step(index(0), {});
  loop(index(lanes), index(size), lanes, first, step);
}

/// Scans along another dimension than the vector one.
void KernelEmitter::scanAcross(tt::ScanOp op, ArrayRef<Buffer> results, int vecDim) {
  Shape shape = tileType(op.getSrcs().front()).getShape();
  int axis = op.getAxis();
  bool reverse = op.getReverse();
  SmallVector<Value> demands(op.getSrcs());
  auto pass = [&](int64_t begin, int64_t end) {
    auto body = [&](const Chunk &c) {
      Values values = llvm::map_to_vector<4>(op.getSrcs(), [&](Value src) { return vec(src, c); });
      if (begin > 0) {
        Chunk previous = c;
        previous.index[axis] = b.CreateAdd(c.index[axis], index(reverse ? 1 : -1));
        Values before = llvm::map_to_vector<4>(results, [&](const Buffer &r) { return readBuffer(r, previous); });
        values = combine(op.getCombineOp(), before, values);
      }
      for (auto [buffer, value] : llvm::zip_equal(results, values))
        writeBuffer(buffer, c, value);
    };
    nestAlongAxis(op, shape, vecDim, demands, axis, begin, end, reverse, body);
  };
  pass(0, 1);
  pass(1, shape[axis]);
}

void KernelEmitter::emitScan(tt::ScanOp op) {
  Shape shape = tileType(op.getSrcs().front()).getShape();
  int axis = op.getAxis();
  SmallVector<Value> demands(op.getSrcs());
  int vecDim = isVectorizable(op.getCombineOp()) ? chooseVecDim(shape, demands) : -1;
  Chunk first = firstChunk(shape, vecDim);
  SmallVector<Buffer> results;
  for (Value result : op.getResults())
    results.push_back(destinationOf(result));
  versioned(op, first, demands, [&] {
    if (vecDim != axis) {
      scanAcross(op, results, vecDim);
      return Values();
    }
    nestAroundAxis(shape, axis, first, [&](const Chunk &c) { scanRow(op, c, results); });
    return Values();
  });
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), results))
    buffers[result] = buffer;
}
