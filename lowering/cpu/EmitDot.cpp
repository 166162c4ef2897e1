// Matrix products: d = a * b + c.
//
// Both operands are first evaluated into buffers, like any formula (so masks, casts and computed operands cost nothing
// extra here): `a` row by row, `b` in panels as wide as a register block, so that the innermost loop reads it in order.
// Then blocks of a few rows by a few vectors are held in registers over all of the tile's k. The accumulator stays in a
// buffer between products. While blocks are computed, the next product's operands are asked for; where there is no next one,
// as in code that the source unrolls, products of one shape are calls of one function.
#include "lowering/cpu/NextOperands.h"
#include "lowering/cpu/Roots.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

namespace {

/// What is multiplied.
struct DotShape {
  int64_t batch, m, n, k;
  Type compute;            // of the accumulator and the packed operands
  llvm::Type *element;     // the same in LLVM
  unsigned lanes, vectors; // of a register block's row
  int64_t unroll;          // how many of k an iteration takes
  int64_t panel() const { return static_cast<int64_t>(lanes) * vectors; }
};

class DotEmitter : RootParts {
public:
  DotEmitter(const RootParts &parts, tt::DotOp op) : RootParts(parts), op(op) {}
  void run();

private:
  using StoreChunk = function_ref<void(const Chunk &, llvm::Value *)>;
  void packOperand(Value operand, StoreChunk store);
  llvm::Value *widened(Value operand, const Chunk &c);
  void packTransposed(Value operand, StoreChunk store);
  llvm::Value *packPanels();
  void fillAccumulator(const Buffer &accumulator);
  llvm::SmallVector<std::pair<unsigned, int64_t>> sections() const;
  void multiply(llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator);
  void callMultiply(llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator, NextOperands &none);
  void multiplyInPlace(llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator, NextOperands &next);
  void multiplyBlock(unsigned rows, llvm::Value *a, llvm::Value *panel, llvm::Value *accumulator,
                     NextOperands &next, llvm::Value *block);

  tt::DotOp op;
  DotShape s;
};

} // namespace

llvm::Value *DotEmitter::widened(Value operand, const Chunk &c) {
  Type element = tileType(operand).getElementType();
  llvm::Value *v = vec(operand, c);
  return isa<FloatType>(element) ? elementwise.convertFloat(v, element, s.compute)
                                 : b.CreateSExt(v, ctx.vectorType(s.element, c));
}

/// Evaluates an operand, widened to the accumulator's type, into packed memory.
void DotEmitter::packOperand(Value operand, StoreChunk store) {
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
void DotEmitter::packTransposed(Value operand, StoreChunk store) {
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
llvm::Value *DotEmitter::packPanels() {
  int rank = tileType(op.getB()).getRank();
  unsigned bytes = ctx.storageBytes(s.compute);
  llvm::Value *panels = buffers.allocateBytes(s.batch * s.k * s.n * bytes);
  packOperand(op.getB(), [&](const Chunk &c, llvm::Value *v) {
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
  return panels;
}

void DotEmitter::multiplyBlock(unsigned rows, llvm::Value *a, llvm::Value *panel, llvm::Value *accumulator,
                               NextOperands &next, llvm::Value *block) {
  auto *type = llvm::FixedVectorType::get(s.element, s.lanes);
  llvm::Align align(ctx.storageBytes(s.compute) * s.lanes);
  auto at = [&](llvm::Value *base, int64_t offset) { return b.CreateConstInBoundsGEP1_64(s.element, base, offset); };
  SmallVector<llvm::Value *> places;
  Values sums;
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned v = 0; v < s.vectors; ++v) {
      places.push_back(at(accumulator, r * s.n + v * s.lanes));
      sums.push_back(b.CreateAlignedLoad(type, places.back(), align));
    }
  const size_t count = sums.size();
  Values carried = sums;
  llvm::append_range(carried, next.begin(block));
  carried = loops.loop(ctx.index(0), ctx.index(s.k), s.unroll, carried, [&](llvm::Value *k, auto before) {
    Values sums(before.take_front(count));
    Values addresses = next.advance(before.drop_front(count), b.CreateUDiv(k, ctx.index(s.unroll)));
    llvm::Value *aColumn = b.CreateInBoundsGEP(s.element, a, k);
    llvm::Value *bRow = b.CreateInBoundsGEP(s.element, panel, b.CreateMul(k, ctx.index(s.panel())));
    for (int64_t u = 0; u < s.unroll; ++u) {
      Values right;
      for (unsigned v = 0; v < s.vectors; ++v)
        right.push_back(b.CreateAlignedLoad(type, at(bRow, u * s.panel() + v * s.lanes), align));
      for (unsigned r = 0; r < rows; ++r) {
        llvm::Value *left = ctx.splat(b.CreateLoad(s.element, at(aColumn, r * s.k + u)), s.lanes);
        for (unsigned v = 0; v < s.vectors; ++v) {
          llvm::Value *&sum = sums[r * s.vectors + v];
          sum = s.element->isIntegerTy() ? b.CreateAdd(sum, b.CreateMul(left, right[v]))
                                         : elementwise.fma(left, right[v], sum);
        }
      }
    }
    llvm::append_range(sums, addresses);
    return sums;
  });
  for (auto [place, sum] : llvm::zip(places, carried)) // and no addresses
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

SmallVector<std::pair<unsigned, int64_t>> DotEmitter::sections() const { return splitRows(s.m, ctx.target.dotRows); }

void DotEmitter::multiply(llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator) {
  int64_t rowBlocks = 0;
  for (auto [rows, count] : sections())
    rowBlocks += count;
  NextOperands next(ctx, buffers, elementwise, op, rowBlocks * (s.n / s.panel()), s.k / s.unroll);
  if (next.empty())
    callMultiply(a, panels, accumulator, next);
  else
    multiplyInPlace(a, panels, accumulator, next);
}

/// The function for products of this shape is made when the first one is met.
void DotEmitter::callMultiply(llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator, NextOperands &none) {
  std::string name;
  llvm::raw_string_ostream(name) << "multiply.v" << ctx.target.level << '.' << s.batch << 'x' << s.m << 'x' << s.n << 'x'
                                 << s.k << '.' << s.compute;
  llvm::Function *function = ctx.module.getFunction(name);
  if (!function) {
    llvm::Type *ptr = b.getPtrTy();
    auto *type = llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr, ptr}, false);
    function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, ctx.module);
    function->addFnAttrs(llvm::AttrBuilder(b.getContext(), ctx.fn->getAttributes().getFnAttrs()));
    for (llvm::Argument &argument : function->args())
      argument.addAttr(llvm::Attribute::NoAlias);
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    llvm::Function *kernel = std::exchange(ctx.fn, function);
    b.SetInsertPoint(ctx.newBlock("entry"));
    b.SetCurrentDebugLocation({}); // it is nobody's line
    multiplyInPlace(function->getArg(0), function->getArg(1), function->getArg(2), none);
    b.CreateRetVoid();
    ctx.fn = kernel;
  }
  b.CreateCall(function, {a, panels, accumulator});
}

void DotEmitter::multiplyInPlace(llvm::Value *a, llvm::Value *panels, llvm::Value *accumulator, NextOperands &next) {
  auto advance = [&](llvm::Value *base, llvm::Value *count, int64_t each) {
    return b.CreateInBoundsGEP(s.element, base, b.CreateMul(count, ctx.index(each)));
  };
  int64_t rowBlocks = 0;
  for (auto [rows, count] : sections())
    rowBlocks += count;
  loops.loop(s.batch, 1, [&](llvm::Value *batch) {
    llvm::Value *aBatch = advance(a, batch, s.m * s.k), *bBatch = advance(panels, batch, s.k * s.n);
    llvm::Value *sumBatch = advance(accumulator, batch, s.m * s.n);
    // A panel of b stays in the first-level cache while all of a passes by.
    loops.loop(s.n, s.panel(), [&](llvm::Value *column) {
      llvm::Value *panel = advance(bBatch, column, s.k);
      llvm::Value *firstBlock = b.CreateMul(b.CreateUDiv(column, ctx.index(s.panel())), ctx.index(rowBlocks));
      int64_t first = 0, before = 0;
      for (auto [rows, count] : sections()) {
        auto body = [&, rows = rows](llvm::Value *row, ArrayRef<llvm::Value *>) {
          llvm::Value *block = b.CreateUDiv(b.CreateSub(row, ctx.index(first)), ctx.index(rows));
          block = b.CreateAdd(firstBlock, b.CreateAdd(block, ctx.index(before)));
          llvm::Value *sums = b.CreateInBoundsGEP(s.element, advance(sumBatch, row, s.n), column);
          multiplyBlock(rows, advance(aBatch, row, s.k), panel, sums, next, block);
          return Values();
        };
        loops.loop(ctx.index(first), ctx.index(first + rows * count), rows, {}, body);
        first += rows * count;
        before += count;
      }
    });
  });
}

/// The accumulator's initial value, in the type that is computed in.
void DotEmitter::fillAccumulator(const Buffer &accumulator) {
  Type from = getElementTypeOrSelf(op.getC()), to = accumulator.type.getElementType();
  auto fill = [&](const Chunk &c) {
    llvm::Value *v = vec(op.getC(), c);
    buffers.write(accumulator, c, isa<FloatType>(from) ? elementwise.convertFloat(v, from, to) : v);
  };
  nests.emit({op, accumulator.type.getShape(), {op.getC()}, Nest::choose, fill});
}

void DotEmitter::run() {
  auto aType = tileType(op.getA()), bType = tileType(op.getB()), dType = tileType(op.getD());
  int rank = aType.getRank();
  Type result = dType.getElementType();
  s.batch = rank == 3 ? aType.getDimSize(0) : 1;
  s.m = aType.getDimSize(rank - 2);
  s.k = aType.getDimSize(rank - 1);
  s.n = bType.getDimSize(rank - 1);
  s.unroll = std::min<int64_t>(4, s.k);
  s.compute = result.isF16() || result.isBF16() ? Type(Float32Type::get(op.getContext())) : result;
  s.element = ctx.registerType(s.compute);
  unsigned registerLanes = ctx.target.vectorBytes / ctx.storageBytes(s.compute);
  s.lanes = std::min<int64_t>(registerLanes, s.n);
  s.vectors = std::min<int64_t>(ctx.target.dotVectors, s.n / s.lanes);
  for (Type operand : {aType.getElementType(), bType.getElementType()})
    if (isa<FloatType>(operand) != isa<FloatType>(result)) {
      ctx.reject(op, "with these element types ");
      return;
    }

  // The sums go where the result does, unless they have another type.
  Buffer destination = buffers.destinationOf(op.getD());
  Buffer accumulator = destination;
  if (s.compute != result)
    accumulator = buffers.allocate(RankedTensorType::get(dType.getShape(), s.compute));
  if (Buffer c = buffers.lookup(op.getC()); !c.ptr || c.ptr != accumulator.ptr)
    fillAccumulator(accumulator);

  {
    Buffers::Scope packed(buffers);
    Buffer a = buffers.lookup(op.getA());
    if (!a.ptr || aType.getElementType() != s.compute) {
      a = buffers.allocate(RankedTensorType::get(aType.getShape(), s.compute));
      packOperand(op.getA(), [&](const Chunk &c, llvm::Value *v) { buffers.write(a, c, v); });
    }
    multiply(a.ptr, packPanels(), accumulator.ptr);
  }

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
