//===- DotOperands.cpp - operands of a dot, packed or in place ----------------------------------------------------===//
//
// This file packs operands, including transposed ones, and decides whether packing is needed. EmitDot.cpp uses it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/DotOperands.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

llvm::Value *DotOperands::widened(Value operand, const Chunk &c) {
  Type element = tileType(operand).getElementType();
  llvm::Value *v = vec(operand, c);
  return isa<FloatType>(element) ? elementwise.convertFloat(v, element, s.compute)
                                 : b.CreateSExt(v, ctx.vectorType(s.element, c));
}

/// Evaluates an operand, extended to the accumulator's type, into packed memory.
void DotOperands::pack(Value operand, StoreChunk store) {
  auto type = tileType(operand);
  int last = type.getRank() - 1;
  const unsigned lanes = ctx.target.lanes();
  bool isWhole = type.getDimSize(last) % lanes == 0 && type.getDimSize(last - 1) % lanes == 0;
  if (isWhole && ctx.storageBytes(s.compute) == 4 && nests.chooseVecDim(type.getShape(), {operand}) == last - 1)
    return packTransposed(operand, store);
  nests.emit({op, type.getShape(), {operand}, type.getDimSize(last) > 1 ? last : -1, [&](const Chunk &c) {
                store(c, widened(operand, c));
              }});
}

/// Transposes a square of 32-bit elements: there are as many vectors as a vector has lanes. The code uses only shuffles
/// that processors have: of elements within 128 bits, and of entire 128-bit parts.
static Values transpose(llvm::IRBuilder<> &b, ArrayRef<llvm::Value *> rows) {
  const unsigned lanes = rows.size();
  // Lane k of a result is element pick(k) of the concatenation of x and y.
  auto shuffle = [&](llvm::Value *x, llvm::Value *y, function_ref<int(unsigned)> pick) {
    return b.CreateShuffleVector(x, y, llvm::map_to_vector(llvm::seq<unsigned>(0, lanes), pick));
  };
  Values columns(lanes);
  // First transpose each group of four rows within 128-bit parts: quads[c][g] holds element c of each 128-bit part of
  // rows 4g to 4g + 3.
  std::array<Values, 4> quads;
  for (unsigned g = 0; g < lanes; g += 4) {
    auto unpack = [&](llvm::Value *x, llvm::Value *y, unsigned half) {
      return shuffle(x, y, [&](unsigned k) { return (k & ~3u) + 2 * half + (k & 3) / 2 + (k & 1) * lanes; });
    };
    auto unpackPairs = [&](llvm::Value *x, llvm::Value *y, unsigned half) {
      return shuffle(x, y, [&](unsigned k) { return (k & ~3u) + 2 * half + (k & 1) + (k & 2) / 2 * lanes; });
    };
    for (unsigned half : {0u, 1u}) {
      llvm::Value *first = unpack(rows[g], rows[g + 1], half), *second = unpack(rows[g + 2], rows[g + 3], half);
      quads[2 * half].push_back(unpackPairs(first, second, 0));
      quads[2 * half + 1].push_back(unpackPairs(first, second, 1));
    }
  }
  // Then separate even and odd parts until each part is in its own vector.
  std::function<void(Values, unsigned, unsigned)> distribute = [&](Values parts, unsigned part, unsigned bit) {
    if (parts.size() == 1) {
      columns[part] = parts[0];
      return;
    }
    for (unsigned odd : {0u, 1u}) {
      Values half;
      for (size_t i = 0; i < parts.size(); i += 2)
        half.push_back(shuffle(parts[i], parts[i + 1], [&](unsigned k) { return (2 * (k / 4) + odd) * 4 + k % 4; }));
      distribute(half, part + 4 * odd * bit, 2 * bit);
    }
  };
  for (unsigned c = 0; c < 4; ++c)
    distribute(quads[c], c, 1);
  return columns;
}

/// Packs operands that are contiguous along columns. Loads squares along columns, transposes them, and stores them
/// along rows.
void DotOperands::packTransposed(Value operand, StoreChunk store) {
  auto type = tileType(operand);
  const int last = type.getRank() - 1;
  const unsigned lanes = ctx.target.lanes();
  Chunk first = ctx.firstChunk(type.getShape(), last - 1);
  nests.versioned(op, first, {operand}, [&] {
    loops.loop(s.batch, 1, [&](llvm::Value *batch) {
      loops.loop(type.getDimSize(last), lanes, [&](llvm::Value *row) {
        loops.loop(type.getDimSize(last - 1), lanes, [&](llvm::Value *column) {
          Chunk from = first, to = first;
          from.index[0] = to.index[0] = batch; // for rank 3; for rank 2, set again below
          from.index[last - 1] = column;
          to.index[last] = row;
          to.vecDim = last;
          Values square;
          for (unsigned k = 0; k < lanes; ++k) {
            from.index[last] = b.CreateAdd(row, ctx.index(k));
            square.push_back(widened(operand, from));
          }
          for (auto [k, v] : llvm::enumerate(transpose(b, square))) {
            to.index[last - 1] = b.CreateAdd(column, ctx.index(k));
            store(to, v);
          }
        });
      });
    });
    return Values();
  });
}

/// Evaluates `b` into panels.
void DotOperands::packPanels(llvm::Value *panels) {
  const int rank = s.rank;
  const unsigned bytes = s.bytes;
  pack(op.getB(), [&](const Chunk &c, llvm::Value *v) {
    llvm::Value *row = b.CreateMul(c.index[rank - 2], ctx.index(s.panel()));
    if (rank == 3)
      row = b.CreateAdd(row, b.CreateMul(c.index[0], ctx.index(s.k * s.n)));
    // A chunk may be wider than a panel.
    unsigned part = std::min<int64_t>(c.lanes, s.panel());
    for (unsigned first = 0; first < c.lanes; first += part) {
      llvm::Value *column = b.CreateAdd(c.index[rank - 1], ctx.index(first));
      llvm::Value *within = b.CreateAnd(column, ctx.index(s.panel() - 1));
      llvm::Value *offset = b.CreateMul(b.CreateSub(column, within), ctx.index(s.k));
      offset = b.CreateAdd(offset, b.CreateAdd(row, within));
      llvm::Value *piece = v;
      if (part < c.lanes) {
        auto mask = llvm::to_vector(llvm::seq<int>(first, first + part));
        piece = b.CreateShuffleVector(v, mask);
      }
      llvm::Align align(std::min(64u, bytes * part));
      b.CreateAlignedStore(piece, b.CreateInBoundsGEP(s.element, panels, offset), align);
    }
  });
}

/// Interleaves the elements of all vectors.
static llvm::Value *interleave(llvm::IRBuilder<> &b, ArrayRef<llvm::Value *> vectors) {
  if (vectors.size() == 1)
    return vectors[0];
  Values even, odd;
  for (auto [k, v] : llvm::enumerate(vectors))
    (k % 2 ? odd : even).push_back(v);
  llvm::Value *x = interleave(b, even), *y = interleave(b, odd);
  unsigned lanes = cast<llvm::FixedVectorType>(x->getType())->getNumElements();
  return b.CreateShuffleVector(x, y, llvm::createInterleaveMask(lanes, 2));
}

static constexpr int64_t groupColumns = 16, groupRowBytes = 64; // for packGroups

llvm::Value *DotOperands::packGroups() {
  llvm::Value *packed = buffers.allocateBytes(s.batch * s.k * s.n * s.bytes);
  if (nests.chooseVecDim(tileType(op.getB()).getShape(), {op.getB()}) == s.rank - 2)
    packSquares(packed);
  else
    packInterleaved(packed);
  return packed;
}

Chunk DotOperands::rightChunk(llvm::Value *batch, llvm::Value *k, llvm::Value *column, int vecDim, int64_t lanes) {
  Chunk c;
  c.index = s.rank == 3 ? Values{batch, k, column} : Values{k, column};
  c.vecDim = vecDim;
  c.lanes = lanes;
  return c;
}

/// Stores one row of a panel.
void DotOperands::storeGroups(llvm::Value *packed, llvm::Value *batch, llvm::Value *row, llvm::Value *column,
                              llvm::Value *v) {
  llvm::Value *panel = b.CreateUDiv(column, ctx.index(groupColumns));
  panel = b.CreateAdd(b.CreateMul(batch, ctx.index(s.n / groupColumns)), panel);
  llvm::Value *number = b.CreateAdd(b.CreateMul(panel, ctx.index(s.k / groupSize())), row);
  llvm::Value *place = b.CreateGEP(b.getInt8Ty(), packed, b.CreateMul(number, ctx.index(groupRowBytes)));
  b.CreateAlignedStore(v, place, llvm::Align(groupRowBytes));
}

/// Packs an operand whose columns are contiguous in memory by transposing squares of groups. The elements of each group
/// are already adjacent.
void DotOperands::packSquares(llvm::Value *packed) {
  const int64_t lanes = groupColumns * groupSize();
  const int along = s.rank - 2;
  auto *groups = llvm::FixedVectorType::get(b.getInt32Ty(), groupColumns);
  llvm::Value *zero = ctx.index(0);
  nests.versioned(op, rightChunk(zero, zero, zero, along, lanes), {op.getB()}, [&] {
    loops.loop(s.batch, 1, [&](llvm::Value *batch) {
      loops.loop(s.k / groupSize(), groupColumns, [&](llvm::Value *row) {
        loops.loop(s.n, groupColumns, [&](llvm::Value *column) {
          llvm::Value *k = b.CreateMul(row, ctx.index(groupSize()));
          Values square;
          for (int64_t i = 0; i < groupColumns; ++i) {
            Chunk c = rightChunk(batch, k, b.CreateAdd(column, ctx.index(i)), along, lanes);
            square.push_back(b.CreateBitCast(widened(op.getB(), c), groups));
          }
          for (auto [i, v] : llvm::enumerate(transpose(b, square)))
            storeGroups(packed, batch, b.CreateAdd(row, ctx.index(i)), column, v);
        });
      });
    });
    return Values();
  });
}

/// Packs an operand by interleaving groups of rows. Each step processes as many columns as a register holds.
void DotOperands::packInterleaved(llvm::Value *packed) {
  const int64_t lanes = std::min(s.n, groupRowBytes / s.bytes), group = groupSize();
  using Load = function_ref<llvm::Value *(llvm::Value * batch, llvm::Value * k, llvm::Value * column)>;
  auto interleaveAll = [&](Load load) {
    loops.loop(s.batch, 1, [&](llvm::Value *batch) {
      loops.loop(s.k / group, 1, [&](llvm::Value *row) {
        loops.loop(s.n, lanes, [&](llvm::Value *column) {
          Values parts;
          for (int64_t i = 0; i < group; ++i)
            parts.push_back(load(batch, b.CreateAdd(b.CreateMul(row, ctx.index(group)), ctx.index(i)), column));
          llvm::Value *all = interleave(b, parts);
          for (int64_t first = 0; first < lanes; first += groupColumns) {
            auto panel = llvm::to_vector(llvm::seq<int>(first * group, (first + groupColumns) * group));
            storeGroups(packed, batch, row, b.CreateAdd(column, ctx.index(first)), b.CreateShuffleVector(all, panel));
          }
        });
      });
    });
    return Values();
  };
  auto evaluate = [&](llvm::Value *batch, llvm::Value *k, llvm::Value *column) {
    return widened(op.getB(), rightChunk(batch, k, column, s.rank - 1, lanes));
  };
  auto evaluateAll = [&] {
    llvm::Value *zero = ctx.index(0);
    Chunk first = rightChunk(zero, zero, zero, s.rank - 1, lanes);
    return nests.versioned(op, first, {op.getB()}, [&] { return interleaveAll(evaluate); });
  };
  std::optional<Nests::InMemory> memory = s.rank == 2 ? findInMemory(op.getB()) : std::nullopt;
  if (!memory) {
    evaluateAll();
    return;
  }
  auto load = [&](llvm::Value *, llvm::Value *k, llvm::Value *column) -> llvm::Value * { // without a mask
    llvm::Value *row = b.CreateGEP(b.getInt8Ty(), memory->first, b.CreateMul(k, memory->rowStride));
    return b.CreateAlignedLoad(llvm::FixedVectorType::get(s.element, lanes),
                               b.CreateInBoundsGEP(s.element, row, column), llvm::Align(s.bytes));
  };
  loops.branch(memory->holds, [&] { return interleaveAll(load); }, evaluateAll);
}

/// If the operand is already in memory, row by row, returns its location there. This is a buffer or, under a condition,
/// the memory from which the operand is loaded.
std::optional<Nests::InMemory> DotOperands::findInMemory(Value operand) {
  if (tileType(operand).getElementType() != s.compute)
    return std::nullopt;
  Buffer known = buffers.lookup(operand);
  if (!known.ptr)
    return nests.findInMemory(operand);
  if (!known.strides.empty())
    return std::nullopt;
  return Nests::InMemory{known.ptr, ctx.index(tileType(operand).getShape().back() * s.bytes), b.getTrue()};
}

/// Returns the result of `leave` if the operand stays where it is, and that of `pack` otherwise.
Values DotOperands::placeEither(llvm::Value *stays, function_ref<Values()> leave,
                                function_ref<Values(llvm::Value *)> pack, int64_t elements) {
  auto *known = dyn_cast<llvm::ConstantInt>(stays);
  if (known && known->isOne())
    return leave();
  llvm::Value *packed = buffers.allocateBytes(elements * s.bytes); // outlives the branch
  return known ? pack(packed) : loops.branch(stays, leave, [&] { return pack(packed); });
}

/// Emits an i1 that is true if rows that are read repeatedly stay in the first-level cache. Addresses that differ by a
/// multiple of 4096 bytes map to the same set of the cache. So the stride must not be a multiple of too large a power
/// of two: the rows may need at most as many lines per set as packed rows do, or four.
llvm::Value *DotOperands::spreads(llvm::Value *stride, int64_t rows, int64_t rowBytes) {
  const int64_t most = std::max<int64_t>(rowBytes, 4 * 4096 / rows);
  return b.CreateICmpNE(b.CreateAnd(stride, ctx.index(2 * most - 1)), ctx.index(0));
}

Rows DotOperands::placeLeft(bool isReadAgain) {
  std::optional<Nests::InMemory> memory = findInMemory(op.getA());
  llvm::Value *stays = memory ? memory->holds : b.getFalse();
  if (memory && isReadAgain)
    stays = b.CreateAnd(stays, spreads(memory->rowStride, s.m, s.k * s.bytes));
  auto leave = [&]() -> Values { return {memory->first, memory->rowStride}; };
  auto packRows = [&](llvm::Value *packed) -> Values {
    const Buffer rows = {packed, RankedTensorType::get(tileType(op.getA()).getShape(), s.compute)};
    pack(op.getA(), [&](const Chunk &c, llvm::Value *v) { buffers.write(rows, c, v); });
    return {packed, ctx.index(s.k * s.bytes)};
  };
  Values place = placeEither(stays, leave, packRows, s.batch * s.m * s.k);
  return {place[0], place[1]};
}

Panels DotOperands::placeRight() {
  std::optional<Nests::InMemory> memory;
  llvm::Value *stays = b.getFalse();
  const int64_t rowBytes = s.panel() * s.bytes;
  if (s.rank == 2)
    memory = findInMemory(op.getB());
  if (memory)
    stays = b.CreateAnd(memory->holds, spreads(memory->rowStride, s.k, rowBytes));
  auto leave = [&]() -> Values { return {memory->first, memory->rowStride, ctx.index(rowBytes)}; };
  auto packAll = [&](llvm::Value *packed) -> Values {
    packPanels(packed);
    return {packed, ctx.index(rowBytes), ctx.index(s.k * rowBytes)};
  };
  Values place = placeEither(stays, leave, packAll, s.batch * s.k * s.n);
  return {place[0], place[1], place[2]};
}
