// Matrix products: d = a * b + c.
//
// Both operands are first evaluated into buffers, like any formula (so masks, casts and computed operands cost nothing
// extra here): `a` row by row, `b` in panels as wide as a register block, so that the innermost loop reads it in order.
// Then blocks of a few rows by a few vectors are held in registers over all of the tile's k. The accumulator stays in a
// buffer between products.
#include "lowering/cpu/Emitter.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

struct KernelEmitter::DotShape {
  int64_t batch, m, n, k;
  Type compute;         // of the accumulator and the packed operands
  llvm::Type *element;  // the same in LLVM
  unsigned lanes, vectors; // of a register block's row
  int64_t panel() const { return static_cast<int64_t>(lanes) * vectors; }
};

/// Evaluates an operand, widened to the accumulator's type, into packed memory.
void KernelEmitter::packOperand(tt::DotOp op, Value operand, const DotShape &s,
                                function_ref<void(const Chunk &, llvm::Value *)> store) {
  auto type = tileType(operand);
  int last = type.getRank() - 1;
  Type element = type.getElementType();
  emitNest({op, type.getShape(), {operand}, type.getDimSize(last) > 1 ? last : -1, [&](const Chunk &c) {
              llvm::Value *v = vec(operand, c);
              store(c, isa<FloatType>(element) ? convertFloat(v, element, s.compute)
                                               : b.CreateSExt(v, vectorType(s.element, c)));
            }});
}

void KernelEmitter::multiplyBlock(const DotShape &s, unsigned rows, llvm::Value *a, llvm::Value *panel,
                                  llvm::Value *accumulator) {
  auto *type = llvm::FixedVectorType::get(s.element, s.lanes);
  llvm::Align align(storageBytes(s.compute) * s.lanes);
  auto at = [&](llvm::Value *base, int64_t offset) { return b.CreateConstInBoundsGEP1_64(s.element, base, offset); };
  SmallVector<llvm::Value *> places;
  Values sums;
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned v = 0; v < s.vectors; ++v) {
      places.push_back(at(accumulator, r * s.n + v * s.lanes));
      sums.push_back(b.CreateAlignedLoad(type, places.back(), align));
    }
  int64_t unroll = std::min<int64_t>(4, s.k);
  sums = loop(index(0), index(s.k), unroll, sums, [&](llvm::Value *k, ArrayRef<llvm::Value *> before) {
    Values next(before);
    llvm::Value *aColumn = b.CreateInBoundsGEP(s.element, a, k);
    llvm::Value *bRow = b.CreateInBoundsGEP(s.element, panel, b.CreateMul(k, index(s.panel())));
    for (int64_t u = 0; u < unroll; ++u) {
      Values right;
      for (unsigned v = 0; v < s.vectors; ++v)
        right.push_back(b.CreateAlignedLoad(type, at(bRow, u * s.panel() + v * s.lanes), align));
      for (unsigned r = 0; r < rows; ++r) {
        llvm::Value *left = splat(b.CreateLoad(s.element, at(aColumn, r * s.k + u)), s.lanes);
        for (unsigned v = 0; v < s.vectors; ++v) {
          llvm::Value *&sum = next[r * s.vectors + v];
          sum = s.element->isIntegerTy() ? b.CreateAdd(sum, b.CreateMul(left, right[v])) : math.fma(left, right[v], sum);
        }
      }
    }
    return next;
  });
  for (auto [place, sum] : llvm::zip(places, sums))
    b.CreateAlignedStore(sum, place, align);
}

/// How to cut `m` rows, a power of two, into register blocks of `most` and, where that does not divide, some smaller.
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

void KernelEmitter::multiply(const DotShape &s, llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator) {
  auto advance = [&](llvm::Value *base, llvm::Value *count, int64_t each) {
    return b.CreateInBoundsGEP(s.element, base, b.CreateMul(count, index(each)));
  };
  loop(s.batch, 1, [&](llvm::Value *batch) {
    llvm::Value *aBatch = advance(a, batch, s.m * s.k), *bBatch = advance(panels, batch, s.k * s.n);
    llvm::Value *sumBatch = advance(accumulator, batch, s.m * s.n);
    // A panel of b stays in the first-level cache while all of a passes by.
    loop(s.n, s.panel(), [&](llvm::Value *column) {
      llvm::Value *panel = advance(bBatch, column, s.k);
      int64_t first = 0;
      for (auto [rows, count] : splitRows(s.m, target.dotRows)) {
        loop(index(first), index(first + rows * count), rows, {}, [&](llvm::Value *row, ArrayRef<llvm::Value *>) {
          llvm::Value *sums = b.CreateInBoundsGEP(s.element, advance(sumBatch, row, s.n), column);
          multiplyBlock(s, rows, advance(aBatch, row, s.k), panel, sums);
          return Values();
        });
        first += rows * count;
      }
    });
  });
}

/// The accumulator's initial value, in the type that is computed in.
void KernelEmitter::fillAccumulator(tt::DotOp op, Buffer accumulator) {
  Type from = getElementTypeOrSelf(op.getC()), to = accumulator.type.getElementType();
  emitNest({op, accumulator.type.getShape(), {op.getC()}, -2, [&](ArrayRef<Chunk> chunks) {
              for (const Chunk &c : chunks) {
                llvm::Value *v = vec(op.getC(), c);
                writeBuffer(accumulator, c, isa<FloatType>(from) ? convertFloat(v, from, to) : v);
              }
            }});
}

void KernelEmitter::emitDot(tt::DotOp op) {
  auto aType = tileType(op.getA()), bType = tileType(op.getB()), dType = tileType(op.getD());
  int rank = aType.getRank();
  Type result = dType.getElementType();
  DotShape s;
  s.batch = rank == 3 ? aType.getDimSize(0) : 1;
  s.m = aType.getDimSize(rank - 2);
  s.k = aType.getDimSize(rank - 1);
  s.n = bType.getDimSize(rank - 1);
  s.compute = result.isF16() || result.isBF16() ? Type(Float32Type::get(op.getContext())) : result;
  s.element = registerType(s.compute);
  unsigned registerLanes = target.vectorBytes / storageBytes(s.compute);
  s.lanes = std::min<int64_t>(registerLanes, s.n);
  s.vectors = std::min<int64_t>(target.dotVectors, s.n / s.lanes);
  for (Type operand : {aType.getElementType(), bType.getElementType()})
    if (isa<FloatType>(operand) != isa<FloatType>(result)) {
      reject(op, "with these element types ");
      return;
    }

  // The sums go where the result does, unless they have another type.
  Buffer destination = destinationOf(op.getD());
  Buffer accumulator = destination;
  if (s.compute != result)
    accumulator = allocate(RankedTensorType::get(dType.getShape(), s.compute));
  if (Buffer c = buffers.lookup(op.getC()); !c.ptr || c.ptr != accumulator.ptr)
    fillAccumulator(op, accumulator);

  uint64_t top = scratchTop;
  unsigned bytes = storageBytes(s.compute);
  Buffer a = buffers.lookup(op.getA());
  if (!a.ptr || aType.getElementType() != s.compute) {
    a = allocate(RankedTensorType::get(aType.getShape(), s.compute));
    packOperand(op, op.getA(), s, [&](const Chunk &c, llvm::Value *v) { writeBuffer(a, c, v); });
  }
  llvm::Value *panels = allocateBytes(s.batch * s.k * s.n * bytes);
  packOperand(op, op.getB(), s, [&](const Chunk &c, llvm::Value *v) {
    llvm::Value *row = b.CreateMul(c.index[rank - 2], index(s.panel()));
    if (rank == 3)
      row = b.CreateAdd(row, b.CreateMul(c.index[0], index(s.k * s.n)));
    // A chunk may be wider than a panel.
    unsigned part = std::min<int64_t>(c.lanes, s.panel());
    for (unsigned first = 0; first < c.lanes; first += part) {
      llvm::Value *column = b.CreateAdd(c.index[rank - 1], index(first));
      llvm::Value *within = b.CreateAnd(column, index(s.panel() - 1));
      llvm::Value *offset = b.CreateMul(b.CreateSub(column, within), index(s.k));
      offset = b.CreateAdd(offset, b.CreateAdd(row, within));
      llvm::Value *piece = v;
      if (part < c.lanes) {
        auto mask = llvm::to_vector(llvm::seq<int>(first, first + part));
        piece = b.CreateShuffleVector(v, mask);
      }
      b.CreateAlignedStore(piece, b.CreateInBoundsGEP(s.element, panels, offset), llvm::Align(std::min(64u, bytes * part)));
    }
  });
  multiply(s, a.ptr, panels, accumulator.ptr);
  scratchTop = top;

  if (s.compute != result) {
    loop(dType.getNumElements(), target.lanes(), [&](llvm::Value *i) {
      Chunk c;
      c.index.push_back(i);
      c.vecDim = 0;
      c.lanes = std::min<int64_t>(target.lanes(), dType.getNumElements());
      Buffer from = {accumulator.ptr, RankedTensorType::get({dType.getNumElements()}, s.compute)};
      Buffer to = {destination.ptr, RankedTensorType::get({dType.getNumElements()}, result)};
      writeBuffer(to, c, convertFloat(readBuffer(from, c), s.compute, result));
    });
  }
  buffers[op.getD()] = destination;
}
