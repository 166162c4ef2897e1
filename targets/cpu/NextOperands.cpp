//===- NextOperands.cpp - prefetches the operands of the next dot -------------------------------------------------===//
//
// This file evaluates the addresses of tiles with the scalars of the next iteration of the loop. EmitDot.cpp uses it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/NextOperands.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

static constexpr int64_t lineBytes = 64; // cache line size of all relevant processors

NextOperands::NextOperands(EmitContext &ctx, Buffers &buffers, Elementwise &elementwise, tt::DotOp dot, int64_t blocks,
                           int64_t iterations)
    : ctx(ctx), b(ctx.b), buffers(buffers), elementwise(elementwise), loop(dyn_cast<scf::ForOp>(dot->getParentOp())),
      blocks(blocks), iterations(iterations) {
  if (!loop)
    return;
  llvm::SetVector<Operation *> formulas;
  formulas.insert(dot.getA().getDefiningOp());
  formulas.insert(dot.getB().getDefiningOp());
  for (size_t k = 0; k < formulas.size(); ++k) {
    Operation *op = formulas[k];
    if (!op || op->getParentOp() != loop || !isFormula(op))
      continue;
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      consider(load.getPtr());
      continue;
    }
    for (Value operand : op->getOperands())
      formulas.insert(operand.getDefiningOp());
  }
}

/// Collects the scalars from which a tile of addresses is computed. Returns false if the tile depends on anything else.
bool NextOperands::collectScalars(Value v, SmallVectorImpl<Value> &scalars) {
  if (!isTile(v)) {
    scalars.push_back(v);
    return true;
  }
  Operation *op = v.getDefiningOp();
  return op && isFormula(op) && !isa<tt::LoadOp, tt::GatherOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return collectScalars(operand, scalars); });
}

/// Returns the value of the scalar in this iteration or the next; null if it cannot be computed here. There may be no
/// next iteration, but the code never traps, not even for a division by zero (Elementwise).
llvm::Value *NextOperands::scalarAt(Value v, bool next) {
  auto arg = dyn_cast<BlockArgument>(v);
  if (next && arg && arg.getOwner() == loop.getBody())
    return v == loop.getInductionVar() ? b.CreateAdd(ctx.scalar(v), ctx.scalar(loop.getStep()))
                                       : scalarAt(loop.getTiedLoopYieldedValue(arg)->get(), false);
  Operation *op = v.getDefiningOp();
  if (!next || !op || !loop->isProperAncestor(op))
    if (llvm::Value *known = ctx.findScalar(v))
      return known;
  if (!op || !isFormula(op) || isa<tt::LoadOp>(op) || op->getNumResults() != 1)
    return nullptr;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return elementwise.constant(constant.getValue(), constant.getType());
  Values operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(isTile(operand) ? nullptr : scalarAt(operand, next));
    if (!operands.back())
      return nullptr;
  }
  return elementwise.emit(op, operands);
}

void NextOperands::consider(Value ptrs) {
  if (!isTile(ptrs) || tileType(ptrs).getRank() != 2 || !ctx.schedule.getAffine().isAffine(ptrs))
    return;
  SmallVector<Value> scalars;
  if (!collectScalars(ptrs, scalars))
    return;
  SmallVector<std::pair<Value, llvm::Value *>> values;
  for (Value v : scalars) {
    values.push_back({v, scalarAt(v, /*next=*/true)});
    if (!values.back().second)
      return;
  }

  // While the addresses are evaluated, the scalars have these values.
  for (auto &[v, value] : values) {
    llvm::Value *now = ctx.findScalar(v);
    ctx.setScalar(v, value);
    value = now;
  }
  Evaluator evaluator(ctx, buffers, elementwise);
  Evaluator::Unchanged straight(evaluator, true);
  Shape shape = tileType(ptrs).getShape();
  unsigned bytes = ctx.storageBytes(cast<tt::PointerType>(getElementTypeOrSelf(ptrs)).getPointeeType());
  Chunk origin = ctx.firstChunk(shape, -1);
  for (int along : {1, 0})
    if (shape[along] > 1 && evaluator.eval(ptrs, ctx.firstChunk(shape, along)).isContiguous(bytes)) {
      Chunk second = origin;
      second.index[1 - along] = ctx.index(1);
      Tile tile = {evaluator.vec(ptrs, origin)};
      tile.rowStride = b.CreatePtrDiff(b.getInt8Ty(), evaluator.vec(ptrs, second), tile.first);
      tile.rows = shape[1 - along];
      tile.rowParts = llvm::divideCeil(shape[along] * bytes, lineBytes);
      // An iteration prefetches one line, or several lines if there are many.
      auto partsOfBlock = [&] { return llvm::PowerOf2Ceil(llvm::divideCeil(tile.rows * tile.rowParts, blocks)); };
      for (tile.lines = 1; tile.rowParts > 1 && int64_t(partsOfBlock()) > iterations; tile.rowParts /= 2)
        tile.lines *= 2;
      tile.blockParts = partsOfBlock();
      tiles.push_back(tile);
      break;
    }
  for (auto &[v, before] : llvm::reverse(values))
    ctx.setScalar(v, before);
}

Values NextOperands::begin(llvm::Value *block) {
  return llvm::map_to_vector<4>(tiles, [&](const Tile &tile) {
    // Blocks beyond the last part start again with the first part.
    llvm::Value *part = b.CreateMul(block, ctx.index(tile.blockParts));
    llvm::Value *row = b.CreateAnd(b.CreateLShr(part, llvm::Log2_64(tile.rowParts)), ctx.index(tile.rows - 1));
    llvm::Value *column = b.CreateAnd(part, ctx.index(tile.rowParts - 1));
    llvm::Value *address = b.CreateGEP(b.getInt8Ty(), tile.first, b.CreateMul(row, tile.rowStride));
    return b.CreateGEP(b.getInt8Ty(), address, b.CreateMul(column, ctx.index(tile.lines * lineBytes)));
  });
}

Values NextOperands::advance(ArrayRef<llvm::Value *> addresses, llvm::Value *iteration) {
  Values next;
  for (auto [tile, address] : llvm::zip(tiles, addresses)) {
    for (int64_t k = 0; k < tile.lines; ++k)
      b.CreateIntrinsic(
          llvm::Intrinsic::prefetch, {b.getPtrTy()},
          {b.CreateConstGEP1_64(b.getInt8Ty(), address, k * lineBytes), b.getInt32(0), b.getInt32(2), b.getInt32(1)});
    llvm::Value *distance = ctx.index(tile.lines * lineBytes);
    if (tile.blockParts >= tile.rowParts) { // blocks start at the start of rows
      llvm::Value *within = b.CreateAnd(iteration, ctx.index(tile.rowParts - 1));
      llvm::Value *last = b.CreateICmpEQ(within, ctx.index(tile.rowParts - 1));
      llvm::Value *toNextRow = b.CreateSub(tile.rowStride, ctx.index((tile.rowParts - 1) * tile.lines * lineBytes));
      distance = b.CreateSelect(last, toNextRow, distance);
    }
    next.push_back(b.CreateGEP(b.getInt8Ty(), address, distance));
  }
  return next;
}
