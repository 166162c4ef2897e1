//===- EmitTile.cpp - formulas of tiles, evaluated ----------------------------------------------------------------===//
//
// The value of a tile at a chunk of places: one for all of them, a start and a step, or a vector. Everything that computes
// elements goes through here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Emitter.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

bool Chunk::isInRowOf(const Chunk &other) const {
  if (vecDim != other.vecDim || index.size() != other.index.size())
    return false;
  for (auto [d, i] : llvm::enumerate(index))
    if (static_cast<int>(d) != vecDim && i != other.index[d])
      return false;
  return true;
}

/// The chunk of the operands that a chunk of a result is made of: the same, or, of a movement, the one where those elements
/// are, each of whose coordinates is one of the result's or a constant.
Chunk KernelEmitter::operandChunk(Value v, const Chunk &c) {
  auto movement = v.getDefiningOp<tt::IndexingMap>();
  if (!movement)
    return c;
  AffineMap map = movement.getIndexingMap(cast<OpResult>(v).getResultNumber());
  Chunk inner = c;
  inner.index.clear();
  inner.vecDim = -1;
  for (auto [d, coordinate] : llvm::enumerate(map.getResults())) {
    if (auto constant = dyn_cast<AffineConstantExpr>(coordinate)) {
      inner.index.push_back(index(constant.getValue()));
      continue;
    }
    unsigned from = cast<AffineDimExpr>(coordinate).getPosition();
    inner.index.push_back(c.index[from]);
    if (static_cast<int>(from) == c.vecDim)
      inner.vecDim = d;
  }
  if (c.isVector() && !inner.isVector()) // the same element all along the chunk
    inner.lanes = 1;
  return inner;
}

Lane KernelEmitter::eval(Value v, const Chunk &c) {
  if (!isTile(v))
    if (llvm::Value *known = scalars.lookup(v))
      return {Lane::Uniform, known};
  if (c.isVector() && llvm::any_of(trueMasks, [&](auto &m) { return m.first == v && c.isInRowOf(m.second); }))
    return {Lane::Uniform, b.getTrue()};
  Key key{v, {c.index.begin(), c.index.end()}, c.vecDim, c.lanes};
  for (Scope &scope : llvm::reverse(scopes))
    if (auto it = scope.lanes.find(key); it != scope.lanes.end())
      return it->second;

  // Along a row an address moves by a fixed step: only its start is computed by the formula, ahead of the loop. (Index
  // arithmetic of 32 bits may not be simplified like that, as it can wrap; addresses do not.)
  if (c.isVector() && isa<tt::PointerType>(getElementTypeOrSelf(v)) && c.index[c.vecDim] != index(0)) {
    Chunk start = c;
    start.index[c.vecDim] = index(0);
    Lane lane = eval(v, start);
    if (lane.kind == Lane::Strided) {
      lane.value = b.CreateGEP(b.getInt8Ty(), lane.value, b.CreateMul(c.index[c.vecDim], lane.stride));
      return scopes.back().lanes[key] = lane;
    }
  }

  Operation *op = v.getDefiningOp();
  Lane result;
  if (op && assumeUnchanged && c.isVector() && isIdentityInBounds(op) && schedule.getAffine().isAffine(v)) {
    result = eval(op->getOperand(0), c);
    if (llvm::Type *type = registerType(getElementTypeOrSelf(v)); result.value->getType()->getScalarType() != type) {
      result.value = b.CreateZExt(result.value, vectorType(type, result.kind == Lane::Vector ? c : Chunk()));
      if (result.stride)
        result.stride = b.CreateSExt(result.stride, type);
    }
  } else if (Buffer buffer = buffers.lookup(v); buffer.ptr) {
    result = {c.isVector() ? Lane::Vector : Lane::Uniform, readBuffer(buffer, c)};
  } else {
    assert(op && isFormula(op) && "roots have their results in buffers");
    result = isMovement(op) ? eval(op->getOperand(0), operandChunk(v, c)) : evalFormula(op, c);
  }
  scopes.back().lanes[key] = result;
  return result;
}

Lane KernelEmitter::evalFormula(Operation *op, const Chunk &c) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return evalConstant(constant, c);
  if (isa<ub::PoisonOp>(op))
    return {Lane::Uniform, llvm::PoisonValue::get(registerType(getElementTypeOrSelf(op->getResult(0))))};
  if (auto splat = dyn_cast<tt::SplatOp>(op))
    return {Lane::Uniform, scalar(splat.getSrc())};
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    llvm::Value *start = b.getInt32(range.getStart());
    llvm::Value *first = b.CreateAdd(b.CreateTrunc(c.index[0], b.getInt32Ty()), start);
    return c.isVector() ? Lane{Lane::Strided, first, b.getInt32(1)} : Lane{Lane::Uniform, first};
  }
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return {c.isVector() ? Lane::Vector : Lane::Uniform, evalGather(gather, c)};
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return emitLoad(load, c);
  return evalArithmetic(op, c);
}

Lane KernelEmitter::evalConstant(arith::ConstantOp op, const Chunk &c) {
  auto scalarConstant = [&](Attribute value, Type type) -> llvm::Constant * {
    if (auto i = dyn_cast<IntegerAttr>(value))
      return llvm::ConstantInt::get(registerType(type), i.getValue());
    llvm::APFloat f = cast<FloatAttr>(value).getValue();
    if (type.isF32() || type.isF64())
      return llvm::ConstantFP::get(registerType(type), f);
    return llvm::ConstantInt::get(registerType(type), f.bitcastToAPInt());
  };
  auto tile = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!tile)
    return {Lane::Uniform, scalarConstant(op.getValue(), op.getType())};
  auto type = tileType(op);
  if (tile.isSplat())
    return {Lane::Uniform, scalarConstant(tile.getSplatValue<Attribute>(), type.getElementType())};
  // A table in the object, read like a buffer.
  SmallVector<llvm::Constant *> elements;
  for (Attribute value : tile.getValues<Attribute>()) {
    llvm::Constant *element = scalarConstant(value, type.getElementType());
    elements.push_back(type.getElementType().isInteger(1) ? b.getInt8(!element->isNullValue()) : element);
  }
  auto *arrayType = llvm::ArrayType::get(storageType(type.getElementType()), elements.size());
  auto *table = new llvm::GlobalVariable(module, arrayType, true, llvm::GlobalValue::PrivateLinkage,
                                         llvm::ConstantArray::get(arrayType, elements), "table");
  table->setAlignment(llvm::Align(64));
  buffers[op] = {table, type};
  return {c.isVector() ? Lane::Vector : Lane::Uniform, readBuffer(buffers[op], c)};
}

Lane KernelEmitter::evalArithmetic(Operation *op, const Chunk &c) {
  SmallVector<Lane> in;
  for (Value operand : op->getOperands())
    in.push_back(eval(operand, c));
  if (llvm::all_of(in, [](const Lane &lane) { return lane.kind == Lane::Uniform; })) {
    Values values = llvm::map_to_vector<4>(in, [](const Lane &lane) { return lane.value; });
    return {Lane::Uniform, emitElementwise(op, values)};
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
  if (strided && isa<arith::ExtSIOp>(op)) {
    llvm::Type *type = registerType(getElementTypeOrSelf(op->getResult(0)));
    return {Lane::Strided, b.CreateSExt(in[0].value, type), b.CreateSExt(in[0].stride, type), /*exact=*/false};
  }
  if (strided && isa<tt::AddPtrOp>(op)) {
    auto pointee = cast<tt::PointerType>(getElementTypeOrSelf(op->getResult(0))).getPointeeType();
    llvm::Value *bytes = index(storageBytes(pointee));
    llvm::Value *step = in[0].stride ? in[0].stride : index(0);
    if (in[1].stride)
      step = b.CreateAdd(step, b.CreateMul(b.CreateSExt(in[1].stride, b.getInt64Ty()), bytes));
    return {Lane::Strided, emitElementwise(op, {in[0].value, in[1].value}), step};
  }
  if (strided && isa<tt::BitcastOp>(op) && in[0].value->getType()->isPointerTy())
    return in[0];
  if (isa<arith::DivFOp>(op) && in[1].kind == Lane::Uniform && in[1].value->getType()->isFloatTy())
    return {Lane::Vector, divideByUniform(vec(op->getOperand(0), c), in[1].value)};
  Values values = llvm::map_to_vector<4>(op->getOperands(), [&](Value operand) { return vec(operand, c); });
  return {Lane::Vector, emitElementwise(op, values)};
}

/// x / d by the reciprocal, which is computed once: within the 2 ulp that `/` on f32 promises. Where the reciprocal would
/// be denormal or overflow, a power of two is moved from it to the quotient.
llvm::Value *KernelEmitter::divideByUniform(llvm::Value *x, llvm::Value *d) {
  llvm::Type *type = d->getType();
  auto constant = [&](double value) { return llvm::ConstantFP::get(type, value); };
  llvm::Value *magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, d);
  llvm::Value *scale = b.CreateSelect(b.CreateFCmpOLT(magnitude, constant(0x1p-100)), constant(0x1p64), constant(1.0));
  scale = b.CreateSelect(b.CreateFCmpOGT(magnitude, constant(0x1p100)), constant(0x1p-64), scale);
  llvm::Value *reciprocal = b.CreateFDiv(constant(1.0), b.CreateFMul(d, scale));
  unsigned lanes = cast<llvm::FixedVectorType>(x->getType())->getNumElements();
  return b.CreateFMul(b.CreateFMul(x, splat(reciprocal, lanes)), splat(scale, lanes));
}

llvm::Value *KernelEmitter::splat(llvm::Value *scalar, unsigned lanes) { return b.CreateVectorSplat(lanes, scalar); }

llvm::Value *KernelEmitter::vec(Value v, const Chunk &c) {
  Lane lane = eval(v, c);
  if (!c.isVector() || lane.kind == Lane::Vector)
    return lane.value;
  Key key{v, {c.index.begin(), c.index.end()}, c.vecDim, c.lanes};
  for (Scope &scope : llvm::reverse(scopes))
    if (auto it = scope.vectors.find(key); it != scope.vectors.end())
      return it->second;

  llvm::Value *result;
  if (lane.kind == Lane::Uniform) {
    result = splat(lane.value, c.lanes);
  } else if (!lane.exact) {
    Operation *op = v.getDefiningOp();
    if (isMovement(op)) {
      result = vec(op->getOperand(0), operandChunk(v, c));
    } else {
      Values values = llvm::map_to_vector<4>(op->getOperands(), [&](Value operand) { return vec(operand, c); });
      result = emitElementwise(op, values);
    }
  } else {
    SmallVector<llvm::Constant *> steps;
    for (unsigned k = 0; k < c.lanes; ++k)
      steps.push_back(llvm::ConstantInt::get(lane.stride->getType(), k));
    llvm::Value *offsets = b.CreateMul(llvm::ConstantVector::get(steps), splat(lane.stride, c.lanes));
    if (lane.value->getType()->isPointerTy())
      result = b.CreateGEP(b.getInt8Ty(), lane.value, offsets);
    else
      result = b.CreateAdd(splat(lane.value, c.lanes), offsets);
  }
  scopes.back().vectors[key] = result;
  return result;
}

//===--- buffers at a chunk -----------------------------------------------------------------------------------------===//

SmallVector<int64_t, 4> Buffer::getStrides() const {
  if (!strides.empty())
    return strides;
  SmallVector<int64_t, 4> rowMajor(type.getRank(), 1);
  for (int64_t d = type.getRank() - 1; d > 0; --d)
    rowMajor[d - 1] = rowMajor[d] * type.getDimSize(d);
  return rowMajor;
}

/// The address of the chunk's first element, and the distance of its elements.
llvm::Value *KernelEmitter::bufferAddress(const Buffer &buffer, const Chunk &c, int64_t &vecStride) {
  llvm::Value *offset = nullptr;
  SmallVector<int64_t, 4> strides = buffer.getStrides();
  vecStride = c.isVector() ? strides[c.vecDim] : 1;
  for (int d = buffer.type.getRank() - 1; d >= 0; --d)
    if (buffer.type.getDimSize(d) != 1) {
      llvm::Value *term = b.CreateMul(c.index[d], index(strides[d]));
      offset = offset ? b.CreateAdd(offset, term) : term;
    }
  return offset ? b.CreateInBoundsGEP(storageType(buffer.type.getElementType()), buffer.ptr, offset) : buffer.ptr;
}

llvm::Value *KernelEmitter::readBuffer(const Buffer &buffer, const Chunk &c) {
  Type element = buffer.type.getElementType();
  llvm::Type *storage = storageType(element);
  unsigned bytes = storageBytes(element);
  int64_t stride;
  llvm::Value *address = bufferAddress(buffer, c, stride), *v;
  if (stride == 1 || !c.isVector()) {
    // Sizes are powers of two and buffers are aligned, so chunks are as well.
    llvm::Align align(std::min(64u, bytes * c.lanes));
    v = b.CreateAlignedLoad(vectorType(storage, c), address, align);
  } else {
    v = loadVector(storage, {Lane::Strided, address, index(stride * bytes)}, nullptr, nullptr, c.lanes, bytes);
  }
  return element.isInteger(1) ? b.CreateTrunc(v, vectorType(b.getInt1Ty(), c)) : v;
}

void KernelEmitter::writeBuffer(const Buffer &buffer, const Chunk &c, llvm::Value *value) {
  Type element = buffer.type.getElementType();
  llvm::Type *storage = storageType(element);
  unsigned bytes = storageBytes(element);
  if (element.isInteger(1))
    value = b.CreateZExt(value, vectorType(storage, c));
  int64_t stride;
  llvm::Value *address = bufferAddress(buffer, c, stride);
  if (stride == 1 || !c.isVector()) {
    b.CreateAlignedStore(value, address, llvm::Align(std::min(64u, bytes * c.lanes)));
    return;
  }
  for (unsigned k = 0; k < c.lanes; ++k)
    b.CreateAlignedStore(b.CreateExtractElement(value, k),
                         b.CreateConstInBoundsGEP1_64(storage, address, k * stride), llvm::Align(bytes));
}
