//===-- EmitDot.cpp - matrix products -----------------------------------------------------------------------------===//
//
// A dot computes d = a * b + c.
//
// DotOperands decides where the operands are. A block of a few rows by a few vectors of the result stays in registers
// for the whole extent of the contracted axis. The accumulator stays in a buffer between dots. A cheap computation on
// the accumulator, such as a rescaling, is done when a block begins. While blocks are computed, the operands of the
// next dot are prefetched. Dots outside a loop, as in code that the source unrolls, have no next iteration; those with
// the same shape call one shared function.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "targets/cpu/MatrixUnit.h"
#include "targets/cpu/NextOperands.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

namespace {

class DotEmitter : RootParts {
public:
  DotEmitter(const RootParts &parts, tt::DotOp op) : RootParts(parts), op(op) {}
  void run();

private:
  void fillAccumulator(const Buffer &accumulator);
  void accumulate(const Buffer &accumulator);
  llvm::SmallVector<std::pair<unsigned, int64_t>> sections() const;
  int64_t countRowBlocks() const;
  void callMultiply(const Rows &a, const Panels &panels, llvm::Value *accumulator, NextOperands &none);
  void multiplyInPlace(const Rows &a, const Panels &panels, llvm::Value *accumulator, NextOperands &next);
  void multiplyBlock(unsigned rows, const Rows &a, const Panels &panel, llvm::Value *accumulator, NextOperands &next,
                     llvm::Value *block, const Chunk &corner);
  llvm::Value *initialAccumulators(const Chunk &c);

  tt::DotOp op;
  DotShape s;
  bool beginsWithFormula = false; // start from the formula of `c`, not from the accumulator's buffer
};

} // namespace

void DotEmitter::multiplyBlock(unsigned rows, const Rows &a, const Panels &panel, llvm::Value *accumulator,
                               NextOperands &next, llvm::Value *block, const Chunk &corner) {
  auto *type = llvm::FixedVectorType::get(s.element, s.lanes);
  llvm::Align elementAlign(s.bytes), align(elementAlign.value() * s.lanes);
  auto at = [&](llvm::Value *base, int64_t offset) { return b.CreateConstInBoundsGEP1_64(s.element, base, offset); };
  SmallVector<llvm::Value *> places;
  Values accumulators;
  Values lefts; // rows of `a`
  for (unsigned r = 0; r < rows; ++r) {
    lefts.push_back(b.CreateGEP(b.getInt8Ty(), a.address, b.CreateMul(a.stride, ctx.index(r))));
    for (unsigned v = 0; v < s.vectors; ++v) {
      places.push_back(at(accumulator, r * s.n + v * s.lanes));
      if (!beginsWithFormula) {
        accumulators.push_back(b.CreateAlignedLoad(type, places.back(), align));
        continue;
      }
      Chunk c = corner;
      llvm::Value *&row = *(c.index.end() - 2), *&column = c.index.back();
      row = b.CreateAdd(row, ctx.index(r));
      column = b.CreateAdd(column, ctx.index(v * s.lanes));
      accumulators.push_back(initialAccumulators(c));
    }
  }
  const size_t count = accumulators.size();
  Values carried = accumulators;
  carried.push_back(panel.address);
  llvm::append_range(carried, next.begin(block));
  carried = loops.loop(ctx.index(0), ctx.index(s.k), s.unroll, carried, [&](llvm::Value *k, auto before) {
    Values accumulators(before.take_front(count));
    llvm::Value *bRow = before[count];
    Values addresses = next.advance(before.drop_front(count + 1), b.CreateUDiv(k, ctx.index(s.unroll)));
    for (int64_t u = 0; u < s.unroll; ++u) {
      Values right;
      for (unsigned v = 0; v < s.vectors; ++v)
        right.push_back(b.CreateAlignedLoad(type, at(bRow, v * s.lanes), elementAlign));
      for (unsigned r = 0; r < rows; ++r) {
        llvm::Value *left = b.CreateLoad(s.element, at(b.CreateInBoundsGEP(s.element, lefts[r], k), u));
        left = ctx.splat(left, s.lanes);
        for (unsigned v = 0; v < s.vectors; ++v) {
          llvm::Value *&sum = accumulators[r * s.vectors + v];
          sum = s.element->isIntegerTy() ? b.CreateAdd(sum, b.CreateMul(left, right[v]))
                                         : elementwise.fma(left, right[v], sum);
        }
      }
      bRow = b.CreateGEP(b.getInt8Ty(), bRow, panel.rowStride);
    }
    accumulators.push_back(bRow);
    llvm::append_range(accumulators, addresses);
    return accumulators;
  });
  for (auto [place, sum] : llvm::zip(places, carried)) // the addresses after the accumulators are not stored
    b.CreateAlignedStore(sum, place, align);
}

/// Splits `m` rows, a power of two, into register blocks of `most` rows and, for the remainder, some smaller blocks.
static SmallVector<std::pair<unsigned, int64_t>> splitRows(int64_t m, unsigned most) {
  if (m % most == 0)
    return {{most, m / most}};
  for (unsigned small : {4u, 2u, 1u})
    for (int64_t count = 1; small < most && small * count <= m && count <= 3; ++count)
      if (int64_t rest = m - small * count; rest % most == 0)
        return rest ? SmallVector<std::pair<unsigned, int64_t>>{{most, rest / most}, {small, count}}
                    : SmallVector<std::pair<unsigned, int64_t>>{{small, count}};
  return {{1, m}};
}

SmallVector<std::pair<unsigned, int64_t>> DotEmitter::sections() const { return splitRows(s.m, ctx.target.dotRows); }

int64_t DotEmitter::countRowBlocks() const {
  int64_t blocks = 0;
  for (auto [rows, count] : sections())
    blocks += count;
  return blocks;
}

/// Returns true if a tile is a cheap formula of tiles in buffers. Evaluating it in the blocks of a dot is then as cheap
/// as in a nest of its own.
static bool isCheap(Value v, const Buffers &buffers) {
  Operation *op = v.getDefiningOp();
  if (!isTile(v) || buffers.contains(v))
    return true;
  return op && isFormula(op) && !isa<tt::LoadOp, tt::GatherOp>(op) && tt::getWork(op) <= tt::Work::Instruction &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isCheap(operand, buffers); });
}

/// Calls the shared function for dots of this shape. The first call emits it.
void DotEmitter::callMultiply(const Rows &a, const Panels &panels, llvm::Value *accumulator, NextOperands &none) {
  std::string name;
  llvm::raw_string_ostream(name) << "multiply.v" << ctx.target.level << '.' << s.batch << 'x' << s.m << 'x' << s.n
                                 << 'x' << s.k << '.' << s.compute;
  llvm::Function *function = ctx.module.getFunction(name);
  if (!function) {
    llvm::Type *ptr = b.getPtrTy();
    llvm::Type *stride = b.getInt64Ty();
    auto *type = llvm::FunctionType::get(b.getVoidTy(), {ptr, stride, ptr, stride, stride, ptr}, false);
    function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, ctx.module);
    function->addFnAttrs(llvm::AttrBuilder(b.getContext(), ctx.fn->getAttributes().getFnAttrs()));
    for (llvm::Argument &argument : function->args())
      if (argument.getType()->isPointerTy())
        argument.addAttr(llvm::Attribute::NoAlias);
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    llvm::Function *kernel = std::exchange(ctx.fn, function);
    b.SetInsertPoint(ctx.newBlock("entry"));
    b.SetCurrentDebugLocation({}); // the function has no source line
    auto arg = [&](unsigned i) { return function->getArg(i); };
    multiplyInPlace({arg(0), arg(1)}, {arg(2), arg(3), arg(4)}, arg(5), none);
    b.CreateRetVoid();
    ctx.fn = kernel;
  }
  b.CreateCall(function, {a.address, a.stride, panels.address, panels.rowStride, panels.stride, accumulator});
}

void DotEmitter::multiplyInPlace(const Rows &a, const Panels &panels, llvm::Value *accumulator, NextOperands &next) {
  auto advance = [&](llvm::Value *address, llvm::Value *count, llvm::Value *bytes) {
    return b.CreateGEP(b.getInt8Ty(), address, b.CreateMul(count, bytes));
  };
  const int64_t rowBlocks = countRowBlocks(), panelCount = s.n / s.panel();
  loops.loop(s.batch, 1, [&](llvm::Value *batch) {
    llvm::Value *aBatch = advance(a.address, b.CreateMul(batch, ctx.index(s.m)), a.stride);
    llvm::Value *bBatch = advance(panels.address, b.CreateMul(batch, ctx.index(panelCount)), panels.stride);
    llvm::Value *sumBatch = advance(accumulator, batch, ctx.index(s.m * s.n * s.bytes));
    // A panel of b stays in the first-level cache while all rows of a are read.
    loops.loop(panelCount, 1, [&](llvm::Value *number) {
      const Panels panel = {advance(bBatch, number, panels.stride), panels.rowStride, panels.stride};
      llvm::Value *column = b.CreateMul(number, ctx.index(s.panel()));
      llvm::Value *firstBlock = b.CreateMul(number, ctx.index(rowBlocks));
      int64_t first = 0, before = 0;
      for (auto [rows, count] : sections()) {
        auto body = [&, rows = rows](llvm::Value *row, ArrayRef<llvm::Value *>) {
          llvm::Value *block = b.CreateUDiv(b.CreateSub(row, ctx.index(first)), ctx.index(rows));
          block = b.CreateAdd(firstBlock, b.CreateAdd(block, ctx.index(before)));
          llvm::Value *sums = advance(sumBatch, row, ctx.index(s.n * s.bytes));
          sums = b.CreateInBoundsGEP(s.element, sums, column);
          Chunk corner;
          corner.index = s.rank == 3 ? Values{batch, row, column} : Values{row, column};
          corner.vecDim = s.rank - 1;
          corner.lanes = s.lanes;
          multiplyBlock(rows, {advance(aBatch, row, a.stride), a.stride}, panel, sums, next, block, corner);
          return Values();
        };
        loops.loop(ctx.index(first), ctx.index(first + rows * count), rows, {}, body);
        first += rows * count;
        before += count;
      }
    });
  });
}

/// Returns the accumulator's initial value at a chunk, in the compute type.
llvm::Value *DotEmitter::initialAccumulators(const Chunk &c) {
  Type from = getElementTypeOrSelf(op.getC());
  llvm::Value *v = vec(op.getC(), c);
  return isa<FloatType>(from) ? elementwise.convertFloat(v, from, s.compute) : v;
}

void DotEmitter::fillAccumulator(const Buffer &accumulator) {
  auto fill = [&](const Chunk &c) { buffers.write(accumulator, c, initialAccumulators(c)); };
  nests.emit({op, accumulator.type.getShape(), {op.getC()}, Nest::choose, fill});
}

void DotEmitter::accumulate(const Buffer &accumulator) {
  Buffers::Scope packed(buffers);
  Buffer c = buffers.lookup(op.getC());
  const bool isThere = c.ptr && c.ptr == accumulator.ptr;
  if (ctx.target.matrixUnit && isUnitDot(op)) {
    if (!isThere)
      fillAccumulator(accumulator);
    return multiplyOnUnit(*this, op, s, accumulator.ptr);
  }
  DotOperands operands(*this, op, s);
  Rows left = operands.placeLeft();
  Panels right = operands.placeRight();
  NextOperands next(ctx, buffers, elementwise, op, countRowBlocks() * (s.n / s.panel()), s.k / s.unroll);
  beginsWithFormula = !isThere && !next.empty() && s.lanes > 1 && isCheap(op.getC(), buffers);
  if (!isThere && !beginsWithFormula)
    fillAccumulator(accumulator);
  if (next.empty())
    callMultiply(left, right, accumulator.ptr, next);
  else
    multiplyInPlace(left, right, accumulator.ptr, next);
}

void DotEmitter::run() {
  auto aType = tileType(op.getA()), bType = tileType(op.getB()), dType = tileType(op.getD());
  int rank = aType.getRank();
  Type result = dType.getElementType();
  s.rank = rank;
  s.batch = rank == 3 ? aType.getDimSize(0) : 1;
  s.m = aType.getDimSize(rank - 2);
  s.k = aType.getDimSize(rank - 1);
  s.n = bType.getDimSize(rank - 1);
  s.unroll = std::min<int64_t>(4, s.k);
  s.compute = result.isF16() || result.isBF16() ? Type(Float32Type::get(op.getContext())) : result;
  s.element = ctx.registerType(s.compute);
  s.bytes = ctx.storageBytes(s.compute);
  unsigned registerLanes = ctx.target.vectorBytes / s.bytes;
  s.lanes = std::min<int64_t>(registerLanes, s.n);
  s.vectors = std::min<int64_t>(ctx.target.dotVectors, s.n / s.lanes);
  for (Type operand : {aType.getElementType(), bType.getElementType()})
    if (isa<FloatType>(operand) != isa<FloatType>(result)) {
      ctx.reject(op, "with these element types ");
      return;
    }

  // The accumulator is the destination buffer, unless it has another type.
  Buffer destination = buffers.destinationOf(op.getD());
  Buffer accumulator = destination;
  if (s.compute != result)
    accumulator = buffers.allocate(RankedTensorType::get(dType.getShape(), s.compute));
  accumulate(accumulator);
  if (s.compute != result) {
    loops.loop(dType.getNumElements(), ctx.target.lanes(), [&](llvm::Value *i) {
      Chunk c;
      c.index.push_back(i);
      c.vecDim = 0;
      c.lanes = std::min<int64_t>(ctx.target.lanes(), dType.getNumElements());
      Buffer from = {accumulator.ptr, RankedTensorType::get({dType.getNumElements()}, s.compute)};
      Buffer to = {destination.ptr, RankedTensorType::get({dType.getNumElements()}, result)};
      buffers.write(to, c, elementwise.convertFloat(buffers.read(from, c), s.compute, result));
    });
  }
  buffers.set(op.getD(), destination);
}

void cpu::emitDot(const RootParts &parts, tt::DotOp op) { DotEmitter(parts, op).run(); }
