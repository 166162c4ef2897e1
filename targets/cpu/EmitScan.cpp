//===-- EmitScan.cpp - scans --------------------------------------------------------------------------------------===//
//
// Along any dimension but the vector dimension, each row is combined with the previous row, as vectors. Along the
// vector dimension, each vector is scanned in log2(lanes) steps. Then the carry, a scalar, is combined into all lanes
// of the vector. So only one operation per vector depends on the previous vector.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "targets/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

namespace {

class ScanEmitter : RootParts {
public:
  ScanEmitter(const RootParts &parts, tt::ScanOp op) : RootParts(parts), op(op) {}
  void run();

private:
  void scanRow(Chunk row, ArrayRef<Buffer> results);
  void scanAcross(ArrayRef<Buffer> results, int vecDim);
  Values scanLanes(Values values, unsigned lanes);

  tt::ScanOp op;
};

} // namespace

/// Scans the lanes of one vector.
Values ScanEmitter::scanLanes(Values values, unsigned lanes) {
  bool reverse = op.getReverse();
  for (unsigned distance = 1; distance < lanes; distance *= 2) {
    // Each lane takes the value of the lane that is `distance` lanes before it. Lanes without such a lane keep their
    // own value.
    SmallVector<int> from;
    SmallVector<llvm::Constant *> has;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      int before = reverse ? lane + distance : static_cast<int>(lane) - static_cast<int>(distance);
      bool inside = before >= 0 && before < static_cast<int>(lanes);
      from.push_back(inside ? before : lane);
      has.push_back(b.getInt1(inside));
    }
    Values before = llvm::map_to_vector<4>(values, [&](llvm::Value *v) { return b.CreateShuffleVector(v, from); });
    Values sums = regions.combine(op.getCombineOp(), before, values);
    for (auto [value, sum] : llvm::zip_equal(values, sums))
      value = b.CreateSelect(llvm::ConstantVector::get(has), sum, value);
  }
  return values;
}

/// Scans one row along the vector dimension.
void ScanEmitter::scanRow(Chunk row, ArrayRef<Buffer> results) {
  int64_t size = tileType(op.getSrcs().front()).getDimSize(op.getAxis());
  unsigned lanes = row.lanes;
  bool reverse = op.getReverse();
  auto step = [&](llvm::Value *position, ArrayRef<llvm::Value *> before) {
    row.index[row.vecDim] = reverse ? b.CreateSub(ctx.index(size - lanes), position) : position;
    Values values = vec(op.getSrcs(), row);
    values = scanLanes(values, lanes);
    if (!before.empty())
      values =
          regions.combine(op.getCombineOp(),
                          llvm::map_to_vector<4>(before, [&](llvm::Value *v) { return ctx.splat(v, lanes); }), values);
    for (auto [buffer, value] : llvm::zip_equal(results, values))
      buffers.write(buffer, row, value);
    return llvm::map_to_vector<4>(
        values, [&](llvm::Value *v) { return b.CreateExtractElement(v, uint64_t(reverse ? 0 : lanes - 1)); });
  };
  Values first = step(ctx.index(0), {});
  loops.loop(ctx.index(lanes), ctx.index(size), lanes, first, step);
}

/// Scans along a dimension other than the vector dimension.
void ScanEmitter::scanAcross(ArrayRef<Buffer> results, int vecDim) {
  Shape shape = tileType(op.getSrcs().front()).getShape();
  int axis = op.getAxis();
  bool reverse = op.getReverse();
  SmallVector<Value> demands(op.getSrcs());
  auto pass = [&](int64_t begin, int64_t end) {
    auto body = [&](const Chunk &c) {
      Values values = vec(op.getSrcs(), c);
      if (begin > 0) {
        Chunk previous = c;
        previous.index[axis] = b.CreateAdd(c.index[axis], ctx.index(reverse ? 1 : -1));
        Values before = llvm::map_to_vector<4>(results, [&](const Buffer &r) { return buffers.read(r, previous); });
        values = regions.combine(op.getCombineOp(), before, values);
      }
      for (auto [buffer, value] : llvm::zip_equal(results, values))
        buffers.write(buffer, c, value);
    };
    nests.alongAxis(op, shape, vecDim, demands, axis, begin, end, reverse, body);
  };
  pass(0, 1);
  pass(1, shape[axis]);
}

void ScanEmitter::run() {
  Shape shape = tileType(op.getSrcs().front()).getShape();
  int axis = op.getAxis();
  SmallVector<Value> demands(op.getSrcs());
  int vecDim = isVectorizable(op.getCombineOp()) ? nests.chooseVecDim(shape, demands) : -1;
  Chunk first = ctx.firstChunk(shape, vecDim);
  SmallVector<Buffer> results;
  for (Value result : op.getResults())
    results.push_back(buffers.destinationOf(result));
  nests.versioned(op, first, demands, [&] {
    if (vecDim != axis) {
      scanAcross(results, vecDim);
      return Values();
    }
    nests.aroundAxis(shape, axis, first, [&](const Chunk &c) { scanRow(c, results); });
    return Values();
  });
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), results))
    buffers.set(result, buffer);
}

void cpu::emitScan(const RootParts &parts, tt::ScanOp op) { ScanEmitter(parts, op).run(); }
