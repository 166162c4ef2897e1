//===- DotOperands.cpp - operands of a matrix product, packed or where they are -----------------------------------===//
//
// Packing, also of what is transposed in memory, and what decides whether it is needed. Called by EmitDot.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/DotOperands.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

llvm::Value *DotOperands::widened(Value operand, const Chunk &c) {
  Type element = tileType(operand).getElementType();
  llvm::Value *v = vec(operand, c);
  return isa<FloatType>(element) ? elementwise.convertFloat(v, element, s.compute)
                                 : b.CreateSExt(v, ctx.vectorType(s.element, c));
}

/// Evaluates an operand, widened to the accumulator's type, into packed memory.
void DotOperands::pack(Value operand, StoreChunk store) {
  auto type = tileType(operand);
  int last = type.getRank() - 1;
  const unsigned lanes = ctx.target.lanes();
  bool isWhole = type.getDimSize(last) % lanes == 0 && type.getDimSize(last - 1) % lanes == 0;
  if (isWhole && ctx.storageBytes(s.compute) == 4 && nests.chooseVecDim(type.getShape(), {operand}) == last - 1)
    return packTransposed(operand, store);
  nests.emit({op, type.getShape(), {operand}, type.getDimSize(last) > 1 ? last : -1,
              [&](const Chunk &c) { store(c, widened(operand, c)); }});
}

/// The transposed square of as many vectors as they have lanes, of 32 bits, by shuffles that processors have: of neighbours
/// within 128 bits, and of parts of 128 bits.
static Values transpose(llvm::IRBuilder<> &b, ArrayRef<llvm::Value *> rows) {
  const unsigned lanes = rows.size();
  // Lane k of a result is number pick(k) of two vectors, the second's numbers behind the first's.
  auto shuffle = [&](llvm::Value *x, llvm::Value *y, function_ref<int(unsigned)> pick) {
    return b.CreateShuffleVector(x, y, llvm::map_to_vector(llvm::seq<unsigned>(0, lanes), pick));
  };
  Values columns(lanes);
  // Four rows at a time, quads[c][g]: elements c of all parts of rows 4g to 4g + 3.
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
  // Then parts, even ones and odd ones, until each is in a vector of its own.
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

/// The same where neighbours in memory are those of a column: squares are loaded along columns and stored along rows.
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
          from.index[0] = to.index[0] = batch; // of products of rank 3; else it is a column below
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

/// Where the operand is in memory already, row by row: in a buffer or, under a condition, where it is loaded from.
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

/// What `leave` says where the operand stays, else where it is packed.
Values DotOperands::placeEither(llvm::Value *stays, function_ref<Values()> leave, function_ref<Values(llvm::Value *)> pack,
                                int64_t elements) {
  auto *known = dyn_cast<llvm::ConstantInt>(stays);
  if (known && known->isOne())
    return leave();
  llvm::Value *packed = buffers.allocateBytes(elements * s.bytes); // which outlives the branch
  return known ? pack(packed) : loops.branch(stays, leave, [&] { return pack(packed); });
}

Rows DotOperands::placeLeft() {
  std::optional<Nests::InMemory> memory = findInMemory(op.getA());
  auto leave = [&]() -> Values { return {memory->first, memory->rowStride}; };
  auto packRows = [&](llvm::Value *packed) -> Values {
    const Buffer rows = {packed, RankedTensorType::get(tileType(op.getA()).getShape(), s.compute)};
    pack(op.getA(), [&](const Chunk &c, llvm::Value *v) { buffers.write(rows, c, v); });
    return {packed, ctx.index(s.k * s.bytes)};
  };
  Values place = placeEither(memory ? memory->holds : b.getFalse(), leave, packRows, s.batch * s.m * s.k);
  return {place[0], place[1]};
}

Panels DotOperands::placeRight() {
  std::optional<Nests::InMemory> memory;
  llvm::Value *stays = b.getFalse();
  const int64_t rowBytes = s.panel() * s.bytes;
  if (s.rank == 2)
    memory = findInMemory(op.getB());
  if (memory) {
    // Addresses that are 4096 bytes apart are in the same set of the first-level cache. Rows must not be so many times a power
    // of two apart that more of a set's lines are theirs than when they are packed, or than four.
    const int64_t most = std::max<int64_t>(rowBytes, 4 * 4096 / s.k);
    llvm::Value *rest = b.CreateAnd(memory->rowStride, ctx.index(2 * most - 1));
    stays = b.CreateAnd(memory->holds, b.CreateICmpNE(rest, ctx.index(0)));
  }
  auto leave = [&]() -> Values { return {memory->first, memory->rowStride, ctx.index(rowBytes)}; };
  auto packAll = [&](llvm::Value *packed) -> Values {
    packPanels(packed);
    return {packed, ctx.index(rowBytes), ctx.index(s.k * rowBytes)};
  };
  Values place = placeEither(stays, leave, packAll, s.batch * s.k * s.n);
  return {place[0], place[1], place[2]};
}
