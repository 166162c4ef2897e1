//===- Evaluator.cpp - evaluates formulas of tiles ----------------------------------------------------------------===//
//
// This file computes the value of a tile at a chunk: one value for all lanes, a start and a stride, or a vector. All
// computations of elements go through it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Evaluator.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

Chunk Evaluator::operandChunk(Value v, const Chunk &c) {
  auto movement = v.getDefiningOp<tt::IndexingMap>();
  if (!movement)
    return c;
  AffineMap map = movement.getIndexingMap(cast<OpResult>(v).getResultNumber());
  Chunk inner = c;
  inner.index.clear();
  inner.vecDim = -1;
  for (auto [d, coordinate] : llvm::enumerate(map.getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(coordinate)) {
      inner.index.push_back(ctx.index(constant.getValue()));
      continue;
    }
    unsigned from = cast<AffineDimExpr>(coordinate).getPosition();
    inner.index.push_back(c.index[from]);
    if (static_cast<int>(from) == c.vecDim)
      inner.vecDim = d;
  }
  if (c.isVector() && !inner.isVector()) // the same element for the whole chunk
    inner.lanes = 1;
  return inner;
}

OperandRange Evaluator::elementOperands(Operation *op) const {
  auto gather = dyn_cast<tt::GatherOp>(op);
  return gather && buffers.contains(gather.getSrc()) ? op->getOperands().drop_front() : op->getOperands();
}

bool Evaluator::isEvaluable(Value v) const {
  if (!isTile(v))
    return ctx.findScalar(v);
  Operation *op = v.getDefiningOp();
  return buffers.contains(v) ||
         (op && isFormula(op) && llvm::all_of(op->getOperands(), [&](Value operand) { return isEvaluable(operand); }));
}

void Evaluator::findLoads(Value v, const Chunk &c, llvm::DenseSet<Value> &seen,
                          function_ref<void(Value, const Chunk &)> found) {
  Operation *op = v.getDefiningOp();
  if (!isTile(v) || buffers.contains(v) || !op || !isFormula(op) || !seen.insert(v).second)
    return;
  Chunk inner = operandChunk(v, c);
  if (auto load = dyn_cast<tt::LoadOp>(op))
    found(load.getPtr(), inner);
  for (Value operand : elementOperands(op))
    findLoads(operand, inner, seen, found);
}

Lane Evaluator::eval(Value v, const Chunk &c) {
  if (!isTile(v))
    if (llvm::Value *known = ctx.findScalar(v))
      return {Lane::Uniform, known};
  if (c.isVector() && llvm::any_of(knownMasks, [&](auto &m) { return m.first == v && c.isInRowOf(m.second); }))
    return {Lane::Uniform, b.getTrue()};
  Key key(v, c);
  for (Evaluated &scope : llvm::reverse(scopes))
    if (auto it = scope.lanes.find(key); it != scope.lanes.end())
      return it->second;

  // Along a row, an address advances by a fixed stride. The formula computes only the address at the start of the row,
  // before the loop. (This is not valid for 32-bit index arithmetic, which can wrap; addresses do not wrap.)
  if (c.isVector() && isa<tt::PointerType>(getElementTypeOrSelf(v)) && c.index[c.vecDim] != ctx.index(0)) {
    Chunk start = c;
    start.index[c.vecDim] = ctx.index(0);
    Lane lane = eval(v, start);
    if (lane.kind == Lane::Strided) {
      lane.value = b.CreateGEP(b.getInt8Ty(), lane.value, b.CreateMul(c.index[c.vecDim], lane.stride));
      return scopes.back().lanes[key] = lane;
    }
  }

  Operation *op = v.getDefiningOp();
  Lane result;
  if (op && c.isVector() && isIdentity(op) && ctx.schedule.getAffine().isAffine(v)) {
    result = eval(op->getOperand(0), c);
    llvm::Type *type = ctx.registerType(getElementTypeOrSelf(v));
    if (result.value->getType()->getScalarType() != type) {
      result.value = b.CreateZExt(result.value, ctx.vectorType(type, result.kind == Lane::Vector ? c : Chunk()));
      if (result.stride)
        result.stride = b.CreateSExt(result.stride, type);
    }
  } else if (Buffer buffer = buffers.lookup(v); buffer.ptr) {
    result = {c.isVector() ? Lane::Vector : Lane::Uniform, buffers.read(buffer, c)};
  } else {
    assert(op && isFormula(op) && "roots have their results in buffers");
    result = isMovement(op) ? eval(op->getOperand(0), operandChunk(v, c)) : evalFormula(op, c);
  }
  scopes.back().lanes[key] = result;
  return result;
}

Lane Evaluator::evalFormula(Operation *op, const Chunk &c) {
  auto back = llvm::scope_exit([this, place = b.getCurrentDebugLocation()] { b.SetCurrentDebugLocation(place); });
  ctx.moveTo(op->getLoc());
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return evalConstant(constant, c);
  if (isa<ub::PoisonOp>(op))
    return {Lane::Uniform, llvm::PoisonValue::get(ctx.registerType(getElementTypeOrSelf(op->getResult(0))))};
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return {Lane::Uniform, ctx.scalar(splat.getSrc())};
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    llvm::Value *start = b.getInt32(range.getStart());
    llvm::Value *first = b.CreateAdd(b.CreateTrunc(c.index[0], b.getInt32Ty()), start);
    return c.isVector() ? Lane{Lane::Strided, first, b.getInt32(1)} : Lane{Lane::Uniform, first};
  }
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return evalGather(gather, c);
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return evalLoad(load, c);
  return evalArithmetic(op, c);
}

Lane Evaluator::evalConstant(arith::ConstantOp op, const Chunk &c) {
  auto tile = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!tile)
    return {Lane::Uniform, elementwise.constant(op.getValue(), op.getType())};
  auto type = tileType(op);
  Type element = type.getElementType();
  if (tile.isSplat())
    return {Lane::Uniform, elementwise.constant(tile.getSplatValue<Attribute>(), element)};
  // Create a constant table in the object file. It is read like a buffer.
  SmallVector<llvm::Constant *> elements;
  for (Attribute value : tile.getValues<Attribute>()) {
    llvm::Constant *number = elementwise.constant(value, element);
    elements.push_back(element.isInteger(1) ? b.getInt8(!number->isNullValue()) : number);
  }
  auto *arrayType = llvm::ArrayType::get(ctx.storageType(element), elements.size());
  auto *table = new llvm::GlobalVariable(ctx.module, arrayType, true, llvm::GlobalValue::PrivateLinkage,
                                         llvm::ConstantArray::get(arrayType, elements), "table");
  table->setAlignment(llvm::Align(64));
  buffers.set(op, {table, type});
  return {c.isVector() ? Lane::Vector : Lane::Uniform, buffers.read({table, type}, c)};
}

/// Returns true if the elements are consecutive along the chunk and start at a multiple of its lanes.
bool Evaluator::isAlignedRange(Value v, const Chunk &c) {
  Operation *op = v.getDefiningOp();
  if (isMovement(op))
    return isAlignedRange(op->getOperand(0), operandChunk(v, c));
  auto range = dyn_cast_or_null<tt::MakeRangeOp>(op);
  return range && c.isVector() && range.getStart() % c.lanes == 0;
}

/// Emits a step of a sort, which selects the smaller or the larger of two numbers depending on the position. If the
/// positions are constants, a min, a max and a blend suffice. Returns null if `op` is not such a step. (Inverting the
/// result of a comparison instead would occupy the few mask registers or, without these, need byte masks.)
llvm::Value *Evaluator::chooseByPosition(arith::SelectOp op, const Chunk &c) {
  auto inverted = op.getCondition().getDefiningOp<arith::XOrIOp>();
  auto less = inverted ? inverted.getLhs().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!less || less.getPredicate() != arith::CmpIPredicate::slt || less.getLhs() != op.getFalseValue() ||
      less.getRhs() != op.getTrueValue())
    return nullptr;
  Lane smaller = eval(inverted.getRhs(), c);
  if (smaller.kind != Lane::Vector || !isa<llvm::Constant>(smaller.value))
    return nullptr;
  llvm::Value *x = vec(less.getLhs(), c), *y = vec(less.getRhs(), c);
  return b.CreateSelect(smaller.value, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y),
                        b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y));
}

Lane Evaluator::evalArithmetic(Operation *op, const Chunk &c) {
  if (auto select = dyn_cast<arith::SelectOp>(op); select && c.isVector())
    if (llvm::Value *chosen = chooseByPosition(select, c))
      return {Lane::Vector, chosen};
  SmallVector<Lane> in;
  for (Value operand : op->getOperands())
    in.push_back(eval(operand, c));
  if (llvm::all_of(in, [](const Lane &lane) { return lane.kind == Lane::Uniform; })) {
    Values values = llvm::map_to_vector<4>(in, [](const Lane &lane) { return lane.value; });
    return {Lane::Uniform, elementwise.emit(op, values)};
  }

  bool strided = llvm::all_of(in, [](const Lane &lane) { return lane.kind != Lane::Vector; });
  bool exact = llvm::all_of(in, [](const Lane &lane) { return lane.exact; });
  auto stride = [&](const Lane &lane) {
    return lane.stride ? lane.stride : llvm::ConstantInt::get(lane.value->getType(), 0);
  };
  if (strided && isa<arith::AddIOp, arith::SubIOp>(op)) {
    bool add = isa<arith::AddIOp>(op);
    auto apply = [&](llvm::Value *x, llvm::Value *y) { return add ? b.CreateAdd(x, y) : b.CreateSub(x, y); };
    return {Lane::Strided, apply(in[0].value, in[1].value), apply(stride(in[0]), stride(in[1])), exact};
  }
  if (strided && isa<arith::MulIOp>(op) && (!in[0].stride || !in[1].stride)) {
    const Lane &step = in[0].stride ? in[0] : in[1], &factor = in[0].stride ? in[1] : in[0];
    return {Lane::Strided, b.CreateMul(step.value, factor.value), b.CreateMul(step.stride, factor.value), exact};
  }
  // The low bits of an index are the same in each chunk, and the high bits are the same within a chunk.
  if (strided && isa<arith::AndIOp>(op) && in[1].kind == Lane::Uniform && isAlignedRange(op->getOperand(0), c))
    if (auto *mask = dyn_cast<llvm::ConstantInt>(in[1].value)) {
      llvm::APInt low = mask->getValue() & (c.lanes - 1), rest = mask->getValue() - low;
      llvm::Value *high = b.CreateAnd(in[0].value, b.getInt(rest));
      if (low.isZero())
        return {Lane::Uniform, high};
      SmallVector<llvm::Constant *> steps;
      for (unsigned k = 0; k < c.lanes; ++k)
        steps.push_back(b.getInt(low & k));
      llvm::Value *lanes = llvm::ConstantVector::get(steps);
      return {Lane::Vector, rest.isZero() ? lanes : b.CreateOr(ctx.splat(high, c.lanes), lanes)};
    }
  if (strided && isa<arith::ExtSIOp>(op)) {
    llvm::Type *type = ctx.registerType(getElementTypeOrSelf(op->getResult(0)));
    return {Lane::Strided, b.CreateSExt(in[0].value, type), b.CreateSExt(in[0].stride, type), /*exact=*/false};
  }
  if (strided && isa<tt::AddPtrOp>(op)) {
    auto pointee = cast<tt::PointerType>(getElementTypeOrSelf(op->getResult(0))).getPointeeType();
    llvm::Value *bytes = ctx.index(ctx.storageBytes(pointee));
    llvm::Value *step = in[0].stride ? in[0].stride : ctx.index(0);
    if (in[1].stride)
      step = b.CreateAdd(step, b.CreateMul(b.CreateSExt(in[1].stride, b.getInt64Ty()), bytes));
    return {Lane::Strided, elementwise.emit(op, {in[0].value, in[1].value}), step};
  }
  if (strided && isa<tt::BitcastOp>(op) && in[0].value->getType()->isPointerTy())
    return in[0];
  if (isa<arith::DivFOp>(op) && in[1].kind == Lane::Uniform && in[1].value->getType()->isFloatTy())
    return {Lane::Vector, elementwise.divideByUniform(vec(op->getOperand(0), c), in[1].value)};
  Values values = llvm::map_to_vector<4>(op->getOperands(), [&](Value operand) { return vec(operand, c); });
  return {Lane::Vector, elementwise.emit(op, values)};
}

llvm::Value *Evaluator::vec(Value v, const Chunk &c) {
  Lane lane = eval(v, c);
  if (!c.isVector() || lane.kind == Lane::Vector)
    return lane.value;
  Key key(v, c);
  for (Evaluated &scope : llvm::reverse(scopes))
    if (auto it = scope.vectors.find(key); it != scope.vectors.end())
      return it->second;

  llvm::Value *result;
  if (lane.kind == Lane::Uniform) {
    result = ctx.splat(lane.value, c.lanes);
  } else if (!lane.exact) {
    Operation *op = v.getDefiningOp();
    if (isMovement(op)) {
      result = vec(op->getOperand(0), operandChunk(v, c));
    } else {
      Values values = llvm::map_to_vector<4>(op->getOperands(), [&](Value operand) { return vec(operand, c); });
      result = elementwise.emit(op, values);
    }
  } else {
    SmallVector<llvm::Constant *> steps;
    for (unsigned k = 0; k < c.lanes; ++k)
      steps.push_back(llvm::ConstantInt::get(lane.stride->getType(), k));
    llvm::Value *offsets = b.CreateMul(llvm::ConstantVector::get(steps), ctx.splat(lane.stride, c.lanes));
    if (lane.value->getType()->isPointerTy())
      result = b.CreateGEP(b.getInt8Ty(), lane.value, offsets);
    else
      result = b.CreateAdd(ctx.splat(lane.value, c.lanes), offsets);
  }
  scopes.back().vectors[key] = result;
  return result;
}
