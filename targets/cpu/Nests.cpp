//===- Nests.cpp - loops over the elements of a tile -------------------------------------------------------------===//
//
// This file chooses the order of loops, the vector dimension, the splitting of loops by masks, and versions of loops.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Nests.h"
#include "targets/cpu/Prefetches.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

Nests::Nests(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, Loops &loops)
    : ctx(ctx), b(ctx.b), buffers(buffers), evaluator(evaluator), loops(loops), rowMasks(ctx, buffers, evaluator),
      streams(ctx, evaluator), affine(ctx.b, ctx.schedule.getAffine(), [&ctx](Value v) { return ctx.scalar(v); }) {}

unsigned Nests::wideLanes(const Chunk &c, int64_t size) const {
  return compact ? c.lanes : std::min<int64_t>(Isa::vectorsAtOnce * c.lanes, size);
}

//===--- order and direction --------------------------------------------------------------------------------------===//

int Nests::chooseVecDim(Shape shape, ArrayRef<Value> demands) {
  SmallVector<int> candidates;
  for (int d = shape.size() - 1; d >= 0; --d)
    if (shape[d] > 1)
      candidates.push_back(d);
  if (candidates.empty())
    return -1;
  if (candidates.size() == 1)
    return candidates.front();

  Loops::Scope scope(loops); // the values evaluated here are not kept
  int best = candidates.front();
  unsigned bestScore = 0;
  for (int d : candidates) {
    unsigned score = 0;
    auto count = [&](Value ptr, const Chunk &c) {
      if (!isTile(ptr) || !c.isVector() || !ctx.schedule.getAffine().isAffine(ptr))
        return;
      auto pointee = cast<tt::PointerType>(getElementTypeOrSelf(ptr)).getPointeeType();
      score += evaluator.eval(ptr, c).isContiguous(ctx.storageBytes(pointee));
    };
    llvm::DenseSet<Value> seen;
    Chunk first = ctx.firstChunk(shape, d);
    for (Value v : demands) {
      evaluator.findLoads(v, first, seen, count);
      if (isa<tt::PointerType>(getElementTypeOrSelf(v)))
        count(v, first); // the store's address
    }
    if (score > bestScore) {
      bestScore = score;
      best = d;
    }
  }
  return best;
}

void Nests::emitLoops(const Nest &nest, int dim, Chunk c, SideOutputs &sideOutputs) {
  if (dim == static_cast<int>(nest.shape.size())) {
    auto body = [&](const Chunk &at) {
      nest.body(at);
      sideOutputs.write(at);
    };
    if (c.isVector())
      vectorLoop(c, nest.shape[c.vecDim], nest.root, nest.demands, body);
    else
      body(c);
    return;
  }
  if (dim == c.vecDim || nest.shape[dim] == 1)
    return emitLoops(nest, dim + 1, c, sideOutputs);
  loops.loop(nest.shape[dim], 1, [&](llvm::Value *i) {
    c.index[dim] = i;
    emitLoops(nest, dim + 1, c, sideOutputs);
  });
}

/// Returns the root of a nest, and the store of the other program that shares the nest, if any.
static SmallVector<Operation *, 2> rootsOf(const Schedule &schedule, Operation *root) {
  SmallVector<Operation *, 2> roots;
  if (root)
    roots.push_back(root);
  if (Operation *twin = isa_and_nonnull<tt::StoreOp>(root) ? schedule.getTwins().of(root) : nullptr)
    roots.push_back(twin);
  return roots;
}

void Nests::emit(const Nest &nest) {
  int vecDim = nest.vecDim == Nest::choose ? chooseVecDim(nest.shape, nest.demands) : nest.vecDim;
  Chunk first = ctx.firstChunk(nest.shape, vecDim);
  SideOutputs sideOutputs(ctx, buffers, evaluator, rootsOf(ctx.schedule, nest.root));
  versioned(nest.root, first, nest.demands, [&] {
    emitLoops(nest, 0, first, sideOutputs);
    return Values();
  });
  sideOutputs.finish();
}

//===--- rows: an unmasked part and a masked rest -----------------------------------------------------------------===//

struct Nests::Row {
  SmallVector<std::pair<Value, Chunk>> masks; // of loads and stores, with the chunks at which they are evaluated
  llvm::DenseMap<Value, SmallVector<Chunk, 1>> seen;

  /// A formula of this many operations occupies all execution units and registers with one vector. Several vectors per
  /// iteration, or a separate loop for the ends of rows, would only multiply the code.
  static constexpr unsigned manyOperations = 256;
  bool isLong() const { return seen.size() >= manyOperations; }
};

/// Visits a formula before the loop over its row. Computes values that are uniform along the row, the start of
/// addresses, and the lengths along which the masks are true.
void Nests::visitRow(Value v, const Chunk &c, Row &row) {
  if (!c.isVector()) {
    evaluator.eval(v, c);
    return;
  }
  Operation *op = v.getDefiningOp();
  if (!isTile(v) || !op || !isFormula(op) || (buffers.contains(v) && !evaluator.isIdentity(op)) ||
      llvm::any_of(row.seen[v], [&](const Chunk &other) { return c.isInRowOf(other); }))
    return;
  row.seen[v].push_back(c);
  Chunk inner = evaluator.operandChunk(v, c);
  for (Value operand : evaluator.elementOperands(op))
    visitRow(operand, inner, row);
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    evaluator.eval(load.getPtr(), c);
    if (load.getMask())
      row.masks.push_back({load.getMask(), c});
  }
}

Values Nests::vectorLoop(Chunk c, int64_t size, Operation *root, ArrayRef<Value> demands, Values carried,
                         function_ref<Values(const Chunk &, ArrayRef<llvm::Value *>)> body,
                         function_ref<Values(ArrayRef<llvm::Value *>)> narrow, llvm::Value *until, llvm::Value *begin) {
  c.index[c.vecDim] = ctx.index(0);
  Row row;
  for (Value v : demands)
    visitRow(v, c, row);
  Prefetches prefetches(ctx, evaluator, root, demands);
  prefetches.prepare(c);
  llvm::Value *end = until ? until : ctx.index(size), *leading = end;
  auto limitTo = [&](llvm::Value *&v, llvm::Value *limit) {
    v = v && limit ? b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, limit) : nullptr;
  };
  for (auto &[mask, at] : row.masks)
    limitTo(leading, rowMasks.extentOf(mask, at, size).leading);
  SmallVector<tt::StoreOp, 2> stores;
  for (Operation *each : rootsOf(ctx.schedule, root))
    if (auto store = dyn_cast<tt::StoreOp>(each))
      stores.push_back(store);
  llvm::Value *storesEnd = nullptr; // of the store whose mask ends last
  for (tt::StoreOp store : stores) {
    evaluator.eval(store.getPtr(), c);
    RowMasks::Extent extent = {end, end};
    if (store.getMask()) {
      row.masks.push_back({store.getMask(), c});
      extent = rowMasks.extentOf(store.getMask(), c, size);
      limitTo(leading, extent.leading);
    }
    if (!ctx.schedule.sideOutputs(store).empty()) // the nest also fills buffers
      extent = {end, end};
    storesEnd = storesEnd ? b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, storesEnd, extent.end) : extent.end;
    begin = stores.size() == 1 ? extent.begin : nullptr;
  }
  if (storesEnd)
    end = storesEnd;

  const unsigned one = c.lanes;
  const bool isLong = carried.empty() && row.isLong();
  unsigned several = isLong ? one : wideLanes(c, size);
  // All values in a chain of sort steps have the type of the tile. A chunk, and the chunk with which it is exchanged,
  // should stay in registers.
  if (root && ctx.schedule.getExchangedDim(root)) {
    unsigned bytes = ctx.storageBytes(getElementTypeOrSelf(root->getResult(0)));
    unsigned most = ctx.target.vectorRegisters() / 4 * ctx.target.vectorBytes / bytes;
    several = std::max(one, std::min(several, most));
  }
  llvm::Value *done = ctx.index(0);
  auto section = [&](llvm::Value *end, unsigned lanes) {
    c.lanes = lanes;
    carried = loops.loop(done, end, lanes, carried, [&](llvm::Value *i, ArrayRef<llvm::Value *> values) {
      c.index[c.vecDim] = i;
      if (lanes > one)
        prefetches.emit(c);
      return body(c, values);
    });
    done = end;
  };
  if (begin) { // at most one element is left
    carried = narrow(carried);
    done = b.CreateAnd(begin, ctx.index(-static_cast<int64_t>(one)));
    section(end, one);
    return carried;
  }
  bool masked = !row.masks.empty();
  bool expensive = llvm::any_of(demands, [&](Value v) { return ctx.schedule.isExpensive(v); });
  if (leading && !((compact || isLong) && masked)) {
    // All masks are true here. Use several registers per iteration, and then, if that is worth the code size, one.
    llvm::Value *isStreamed = nullptr;
    if (several > one && !expensive) // not if computing takes longer than storing
      for (tt::StoreOp store : stores) {
        llvm::Value *isThis = streams.isStreamed(store, c, size, leading);
        isStreamed = isStreamed && isThis ? b.CreateAnd(isStreamed, isThis) : isThis;
      }
    std::optional<Evaluator::KnownMasks> known(std::in_place, evaluator, row.masks);
    llvm::Value *whole = b.CreateAnd(leading, ctx.index(-static_cast<int64_t>(several)));
    if (isStreamed) {
      auto storeThem = [&](bool around) {
        llvm::SaveAndRestore saved(ctx.isStreaming, around);
        llvm::SaveAndRestore before(done);
        section(whole, several);
        return Values();
      };
      loops.branch(isStreamed, [&] { return storeThem(true); }, [&] { return storeThem(false); });
      done = whole;
    } else {
      section(whole, several);
    }
    if (masked && !carried.empty() && !expensive) {
      known.reset();
      return narrow(finishRow(c, done, end, one, several, carried, body));
    }
    if (several > one) {
      carried = narrow(carried);
      if (expensive)
        section(b.CreateAnd(leading, ctx.index(-static_cast<int64_t>(one))), one);
    }
  } else {
    carried = narrow(carried);
  }
  section(end, one);
  return carried;
}

/// Emits the remainder of a row whose masks end. Each register with elements of the row has its own accumulator, so
/// that no register waits for another.
Values Nests::finishRow(Chunk c, llvm::Value *begin, llvm::Value *end, unsigned one, unsigned several, Values carried,
                        function_ref<Values(const Chunk &, ArrayRef<llvm::Value *>)> body) {
  auto lanesFrom = [](unsigned first, unsigned count) { return llvm::to_vector(llvm::seq<int>(first, first + count)); };
  c.lanes = one;
  return loops.loop(begin, end, several, carried, [&](llvm::Value *i, ArrayRef<llvm::Value *> before) {
    SmallVector<Values> parts; // one per register
    for (unsigned first = 0; first < several; first += one) {
      parts.push_back(llvm::map_to_vector<4>(
          before, [&](llvm::Value *v) { return b.CreateShuffleVector(v, lanesFrom(first, one)); }));
      c.index[c.vecDim] = b.CreateAdd(i, ctx.index(first));
      if (first == 0)
        parts.back() = body(c, parts.back());
      else
        parts.back() = loops.branch(
            b.CreateICmpSLT(c.index[c.vecDim], end), [&] { return body(c, parts.back()); },
            [&] { return parts.back(); });
    }
    Values after;
    for (size_t k = 0; k < before.size(); ++k) {
      Values registers = llvm::map_to_vector<4>(parts, [&](const Values &part) { return part[k]; });
      after.push_back(registers.size() == 1 ? registers[0] : llvm::concatenateVectors(b, registers));
    }
    return after;
  });
}

void Nests::vectorLoop(const Chunk &c, int64_t size, Operation *root, ArrayRef<Value> demands,
                       function_ref<void(const Chunk &)> body) {
  auto run = [&](const Chunk &at, ArrayRef<llvm::Value *>) {
    body(at);
    return Values();
  };
  vectorLoop(c, size, root, demands, {}, run, [](ArrayRef<llvm::Value *>) { return Values(); });
}

void Nests::aroundAxis(Shape shape, int axis, const Chunk &first, function_ref<void(const Chunk &)> body) {
  std::function<void(int, Chunk)> nest = [&](int d, Chunk c) {
    if (d == static_cast<int>(shape.size()))
      return body(c);
    if (d == axis)
      return nest(d + 1, c);
    loops.loop(shape[d], 1, [&](llvm::Value *i) {
      c.index[d] = i;
      nest(d + 1, c);
    });
  };
  nest(0, first);
}

void Nests::alongAxis(Operation *root, Shape shape, int vecDim, ArrayRef<Value> demands, int axis, int64_t begin,
                      int64_t end, bool reverse, function_ref<void(const Chunk &)> body) {
  std::function<void(int, Chunk)> nest = [&](int d, Chunk c) {
    if (d == static_cast<int>(shape.size())) {
      if (c.isVector())
        vectorLoop(c, shape[vecDim], root, demands, body);
      else
        body(c);
      return;
    }
    if (d == vecDim || (d != axis && shape[d] == 1))
      return nest(d + 1, c);
    loops.loop(ctx.index(d == axis ? begin : 0), ctx.index(d == axis ? end : shape[d]), 1, {},
               [&](llvm::Value *i, ArrayRef<llvm::Value *>) {
                 c.index[d] = d == axis && reverse ? b.CreateSub(ctx.index(shape[d] - 1), i) : i;
                 nest(d + 1, c);
                 return Values();
               });
  };
  nest(0, ctx.firstChunk(shape, vecDim));
}

llvm::Value *Nests::isTooLargeForTwo(tt::StoreOp store) {
  static constexpr unsigned part = 3; // a quarter of the caches; streaming stores start at three quarters
  int64_t size = tileType(store.getPtr()).getNumElements();
  llvm::Value *count = ctx.index(size);
  if (Value mask = store.getMask(); mask && evaluator.isEvaluable(mask))
    count = rowMasks.extentOf(mask, ctx.firstChunk({size}, 0), size).end;
  return streams.isLarge(*store->getBlock(), size, count, part);
}

//===--- versions -------------------------------------------------------------------------------------------------===//

/// Collects the conditions under which the indices of a formula may be simplified.
void Nests::collectConditions(Value v, const Chunk &c, llvm::DenseSet<Value> &seen, Values &conditions) {
  Operation *op = v.getDefiningOp();
  if (!c.isVector() || !isTile(v) || !op || !isFormula(op) || !seen.insert(v).second)
    return;
  if (isIdentityInBounds(op))
    if (llvm::Value *unchanged = affine.isUnchanged(op)) {
      conditions.push_back(unchanged);
      return;
    }
  if (buffers.contains(v))
    return;
  for (Value operand : evaluator.elementOperands(op))
    collectConditions(operand, evaluator.operandChunk(v, c), seen, conditions);
}

Values Nests::versioned(Operation *root, const Chunk &first, ArrayRef<Value> demands, function_ref<Values()> emit) {
  Values conditions;
  llvm::DenseSet<Value> seen;
  for (Value v : demands)
    collectConditions(v, first, seen, conditions);
  llvm::SmallSetVector<tt::LoadOp, 4> fused;
  for (Operation *each : rootsOf(ctx.schedule, root))
    for (tt::LoadOp load : ctx.schedule.fusedLoads(each))
      if (auto store = cast<tt::StoreOp>(each); isTile(load.getPtr()) && !buffers.contains(load.getResult())) {
        fused.insert(load);
        conditions.push_back(affine.canAlternate(load.getPtr(), store.getPtr(), ctx.schedule.keepsPositions(load)));
      }

  auto emitWith = [&](bool unchanged) {
    Evaluator::Unchanged assumption(evaluator, unchanged);
    return emit();
  };
  if (conditions.empty())
    return emitWith(false);
  return loops.branch(
      b.CreateAnd(conditions), [&] { return emitWith(true); },
      [&] {
        llvm::SaveAndRestore saved(compact, true);
        for (tt::LoadOp load : fused)
          materialize(load.getResult());
        Values results = emitWith(false);
        for (tt::LoadOp load : fused)
          buffers.erase(load.getResult());
        return results;
      });
}

//===--- tiles in memory ------------------------------------------------------------------------------------------===//

/// Returns true if the mask is true everywhere, provided that it is true along its first row and its first column.
static bool isSeparable(Value mask, AffineAnalysis &affine) {
  Operation *op = mask.getDefiningOp();
  if (isMovement(op) || isa_and_nonnull<arith::AndIOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isSeparable(operand, affine); });
  if (!isa_and_nonnull<arith::CmpIOp>(op))
    return isa_and_nonnull<tt::SplatOp>(op);
  std::optional<unsigned> x = affine.varyingDims(op->getOperand(0)), y = affine.varyingDims(op->getOperand(1));
  return x && y && llvm::popcount(*x | *y) <= 1;
}

std::optional<Nests::InMemory> Nests::findInMemory(Value tile) {
  auto load = tile.getDefiningOp<tt::LoadOp>();
  AffineAnalysis &analysis = ctx.schedule.getAffine();
  if (!load || buffers.contains(tile) || load.getIsVolatile() || tileType(tile).getRank() != 2 ||
      !analysis.isAffine(load.getPtr()) || (load.getMask() && !isSeparable(load.getMask(), analysis)))
    return std::nullopt;

  Loops::Scope scope(loops); // later code may evaluate these values differently
  Evaluator::Unchanged straight(evaluator, true);
  Shape shape = tileType(tile).getShape();
  const Chunk row = ctx.firstChunk(shape, 1), column = ctx.firstChunk(shape, 0);
  if (!row.isVector() || !evaluator.eval(load.getPtr(), row).isContiguous(ctx.storageBytes(getElementTypeOrSelf(tile))))
    return std::nullopt;
  Values conditions = {b.getTrue()};
  llvm::DenseSet<Value> seen;
  collectConditions(tile, row, seen, conditions);
  if (Value mask = load.getMask())
    for (const Chunk &c : {row, column}) {
      llvm::Value *leading = c.isVector() ? rowMasks.extentOf(mask, c, shape[c.vecDim]).leading : ctx.index(1);
      if (!leading)
        return std::nullopt;
      if (c.isVector())
        conditions.push_back(b.CreateICmpEQ(leading, ctx.index(shape[c.vecDim])));
    }
  Chunk first = ctx.firstChunk(shape, -1), second = first;
  second.index[0] = ctx.index(1);
  llvm::Value *address = evaluator.vec(load.getPtr(), first);
  return InMemory{address, b.CreatePtrDiff(b.getInt8Ty(), evaluator.vec(load.getPtr(), second), address),
                  b.CreateAnd(conditions)};
}

//===--- nests that fill buffers ----------------------------------------------------------------------------------===//

SideOutputs::SideOutputs(EmitContext &ctx, Buffers &buffers, Evaluator &evaluator, ArrayRef<Operation *> roots)
    : buffers(buffers), evaluator(evaluator) {
  for (Operation *root : roots)
    for (Value output : ctx.schedule.sideOutputs(root))
      outputs.push_back({output, buffers.allocate(tileType(output))});
}

void SideOutputs::write(const Chunk &c) {
  for (auto &[output, buffer] : outputs)
    buffers.write(buffer, c, evaluator.vec(output, c));
}

void SideOutputs::write(const Chunk &c, ArrayRef<llvm::Value *> values) {
  for (auto [output, value] : llvm::zip(outputs, values))
    buffers.write(output.second, c, value);
}

void SideOutputs::finish() {
  for (auto &[output, buffer] : outputs)
    buffers.set(output, buffer);
}

void Nests::storeTile(Operation *root, Value v, const Buffer &target) {
  // Volatile loads are executed element by element.
  auto load = v.getDefiningOp<tt::LoadOp>();
  int vecDim = load && load.getIsVolatile() && !buffers.contains(v) ? -1 : Nest::choose;
  if (!buffers.contains(v))
    vecDim = ctx.schedule.getExchangedDim(v.getDefiningOp()).value_or(vecDim);
  emit({root, target.type.getShape(), {v}, vecDim, [&](const Chunk &c) {
          buffers.write(target, c, evaluator.vec(v, c));
        }});
}

void Nests::materialize(Value v) {
  Buffer target = buffers.destinationOf(v);
  storeTile(v.getDefiningOp(), v, target);
  buffers.set(v, target);
}
