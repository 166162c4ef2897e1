//===-- ControlFlow.cpp - loops and branches that carry tiles -----------------------------------------------------===//
//
// A tile that a loop carries has two buffers. An iteration reads one buffer and fills the other, and then they are
// swapped. So nothing is copied, and a new value may depend on all the old values. If a dot accumulates into the
// carried tile, one buffer suffices.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "targets/cpu/ControlFlow.h"
#include "targets/cpu/Waits.h"
#include "lowering/dialects/tt/MessageFormat.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Stores `v` to `target`, where its consumer expects it.
void ControlFlow::yieldTo(Operation *root, Value v, llvm::Value *target) {
  Buffer known = buffers.lookup(v);
  if (known.ptr && known.ptr == target)
    return; // the value has been written there already
  nests.storeTile(root, v, {target, tileType(v)});
}

/// Returns true if a dot may update its accumulator in place, because only the dot reads the old value, and the next
/// iteration gets the new value.
static bool accumulatesInPlace(BlockArgument carried, Value next) {
  auto dot = next.getDefiningOp<tt::DotOp>();
  return dot && dot.getC() == carried && carried.hasOneUse() && next.hasOneUse() &&
         dot->getBlock() == carried.getOwner() && !getElementTypeOrSelf(next).isF16() &&
         !getElementTypeOrSelf(next).isBF16();
}

/// Returns true if `v` can be computed directly in the buffer to which the terminator of `block` copies it. This
/// requires that a dot or a reduction in `block` computes `v`, and that nothing but the terminator uses `v`.
static bool canChooseDestination(Value v, Block *block) {
  Operation *op = v.getDefiningOp();
  return op && op->getBlock() == block && v.hasOneUse() && isa<tt::DotOp, tt::ReduceOp>(op);
}

void ControlFlow::emitFor(scf::ForOp op) {
  Block *body = op.getBody();
  auto yield = cast<scf::YieldOp>(body->getTerminator());

  // Compute the initial values before the loop.
  Values inits;
  SmallVector<llvm::Value *> spare;
  SmallVector<bool> inPlace;
  for (auto [init, arg, next] : llvm::zip(op.getInitArgs(), op.getRegionIterArgs(), yield.getResults())) {
    if (!isTile(init)) {
      inits.push_back(ctx.scalar(init));
      spare.push_back(nullptr);
      inPlace.push_back(false);
      continue;
    }
    Buffer buffer = buffers.allocate(tileType(init));
    nests.storeTile(op, init, buffer);
    inits.push_back(buffer.ptr);
    inPlace.push_back(accumulatesInPlace(arg, next));
    spare.push_back(inPlace.back() ? nullptr : buffers.allocate(tileType(init)).ptr);
  }

  llvm::Value *lo = ctx.scalar(op.getLowerBound()), *hi = ctx.scalar(op.getUpperBound());
  llvm::Value *step = ctx.scalar(op.getStep());
  bool isUnsigned = op.getUnsignedCmp();
  llvm::BasicBlock *before = b.GetInsertBlock(), *header = ctx.newBlock("for"), *bodyBlock = ctx.newBlock("for.body"),
                   *after = ctx.newBlock("for.end");
  b.CreateBr(header);
  b.SetInsertPoint(header);
  llvm::PHINode *iv = b.CreatePHI(lo->getType(), 2);
  iv->addIncoming(lo, before);
  SmallVector<llvm::PHINode *> current, other;
  for (auto [init, extra] : llvm::zip(inits, spare)) {
    current.push_back(b.CreatePHI(init->getType(), 2));
    current.back()->addIncoming(init, before);
    other.push_back(extra ? b.CreatePHI(extra->getType(), 2) : nullptr);
    if (extra)
      other.back()->addIncoming(extra, before);
  }
  b.CreateCondBr(isUnsigned ? b.CreateICmpULT(iv, hi) : b.CreateICmpSLT(iv, hi), bodyBlock, after);

  b.SetInsertPoint(bodyBlock);
  {
    Loops::Scope scope(loops);
    ctx.setScalar(op.getInductionVar(), iv);
    for (auto [k, arg] : llvm::enumerate(op.getRegionIterArgs())) {
      Value next = yield.getOperand(k);
      if (!isTile(arg)) {
        ctx.setScalar(arg, current[k]);
        continue;
      }
      buffers.set(arg, {current[k], tileType(arg)});
      if (inPlace[k])
        buffers.chooseDestination(next, current[k]);
      else if (canChooseDestination(next, body))
        buffers.chooseDestination(next, other[k]);
    }
    blockEmitter.emitBlock(*body);
    Values nexts;
    for (auto [k, next] : llvm::enumerate(yield.getOperands())) {
      if (isTile(next))
        yieldTo(yield, next, inPlace[k] ? current[k] : other[k]);
      nexts.push_back(isTile(next) ? inPlace[k] ? current[k] : other[k] : ctx.scalar(next));
    }
    llvm::Value *ivNext = b.CreateAdd(iv, step);
    llvm::BasicBlock *latch = b.GetInsertBlock();
    iv->addIncoming(ivNext, latch);
    for (auto [k, next] : llvm::enumerate(nexts)) {
      current[k]->addIncoming(next, latch);
      if (other[k])
        other[k]->addIncoming(current[k], latch);
    }
    b.CreateBr(header);
  }
  b.SetInsertPoint(after);
  for (auto [k, result] : llvm::enumerate(op.getResults())) {
    if (isTile(result))
      buffers.set(result, {current[k], tileType(result)});
    else
      ctx.setScalar(result, current[k]);
  }
}

void ControlFlow::emitIf(scf::IfOp op) {
  SmallVector<Buffer> targets;
  for (Value result : op.getResults())
    targets.push_back(isTile(result) ? buffers.allocate(tileType(result)) : Buffer());
  auto arm = [&](Region &region) {
    Values values;
    if (region.empty())
      return values;
    Block &block = region.front();
    auto yield = cast<scf::YieldOp>(block.getTerminator());
    for (auto [v, target] : llvm::zip(yield.getOperands(), targets))
      if (target.ptr && canChooseDestination(v, &block))
        buffers.chooseDestination(v, target.ptr);
    blockEmitter.emitBlock(block);
    for (auto [v, target] : llvm::zip(yield.getOperands(), targets)) {
      if (target.ptr)
        yieldTo(yield, v, target.ptr);
      else
        values.push_back(ctx.scalar(v));
    }
    return values;
  };
  Values values = loops.branch(
      ctx.scalar(op.getCondition()), [&] { return arm(op.getThenRegion()); }, [&] { return arm(op.getElseRegion()); });
  size_t next = 0;
  for (auto [result, target] : llvm::zip(op.getResults(), targets)) {
    if (target.ptr)
      buffers.set(result, target);
    else
      ctx.setScalar(result, values[next++]);
  }
}

void ControlFlow::emitWhile(scf::WhileOp op) {
  Block *before = op.getBeforeBody(), *after = op.getAfterBody();
  auto condition = op.getConditionOp();
  auto yield = op.getYieldOp();

  Values inits;
  SmallVector<llvm::Value *> spare;
  for (Value init : op.getInits()) {
    if (!isTile(init)) {
      inits.push_back(ctx.scalar(init));
      spare.push_back(nullptr);
      continue;
    }
    Buffer buffer = buffers.allocate(tileType(init));
    nests.storeTile(op, init, buffer);
    inits.push_back(buffer.ptr);
    spare.push_back(buffers.allocate(tileType(init)).ptr);
  }
  // The operands of scf.condition are passed both to the body and to the results of the loop.
  SmallVector<Buffer> handed;
  for (Value result : op.getResults())
    handed.push_back(isTile(result) ? buffers.allocate(tileType(result)) : Buffer());

  llvm::BasicBlock *entry = b.GetInsertBlock(), *header = ctx.newBlock("while"), *body = ctx.newBlock("while.body"),
                   *exit = ctx.newBlock("while.end");
  b.CreateBr(header);
  b.SetInsertPoint(header);
  SmallVector<llvm::PHINode *> current, other;
  for (auto [init, extra] : llvm::zip(inits, spare)) {
    current.push_back(b.CreatePHI(init->getType(), 2));
    current.back()->addIncoming(init, entry);
    other.push_back(extra ? b.CreatePHI(extra->getType(), 2) : nullptr);
    if (extra)
      other.back()->addIncoming(extra, entry);
  }
  llvm::PHINode *waited = isWait(op) ? b.CreatePHI(b.getInt64Ty(), 2, "waited") : nullptr;
  if (waited)
    waited->addIncoming(ctx.index(0), entry);
  Loops::Scope scope(loops);
  for (auto [arg, phi] : llvm::zip(before->getArguments(), current)) {
    if (isTile(arg))
      buffers.set(arg, {phi, tileType(arg)});
    else
      ctx.setScalar(arg, phi);
  }
  blockEmitter.emitBlock(*before);
  for (auto [k, v] : llvm::enumerate(condition.getArgs())) {
    Value arg = after->getArgument(k), result = op.getResult(k);
    if (isTile(v)) {
      nests.storeTile(condition, v, handed[k]);
      buffers.set(arg, handed[k]);
      buffers.set(result, handed[k]);
    } else {
      ctx.setScalar(arg, ctx.scalar(v));
      ctx.setScalar(result, ctx.scalar(v));
    }
  }
  b.CreateCondBr(ctx.scalar(condition.getCondition()), body, exit);

  b.SetInsertPoint(body);
  {
    Loops::Scope bodyScope(loops);
    blockEmitter.emitBlock(*after);
    Values nexts;
    for (auto [k, v] : llvm::enumerate(yield.getOperands())) {
      if (isTile(v))
        yieldTo(yield, v, other[k]);
      nexts.push_back(isTile(v) ? other[k] : ctx.scalar(v));
    }
    llvm::BasicBlock *latch = b.GetInsertBlock();
    if (waited)
      waited->addIncoming(callWait(op, waited), latch);
    for (auto [k, next] : llvm::enumerate(nexts)) {
      current[k]->addIncoming(next, latch);
      if (other[k])
        other[k]->addIncoming(current[k], latch);
    }
    b.CreateBr(header);
  }
  b.SetInsertPoint(exit);
  if (waited)
    loops.branch(
        b.CreateICmpEQ(waited, ctx.index(0)), [] { return Values(); },
        [&] {
          b.CreateCall(ctx.module.getOrInsertFunction("__tilecc_cpu_wait_over", b.getVoidTy()));
          return Values();
        });
}

/// Calls the runtime's wait hook with the number of this iteration. Returns the number of the next iteration.
llvm::Value *ControlFlow::callWait(scf::WhileOp op, llvm::Value *iteration) {
  SourcePlace where = getSourcePlace(op);
  llvm::FunctionCallee wait =
      ctx.module.getOrInsertFunction("__tilecc_cpu_wait", b.getVoidTy(), b.getPtrTy(), b.getInt32Ty(), b.getInt64Ty());
  b.CreateCall(wait, {ctx.text(where.file), b.getInt32(where.line), iteration});
  return b.CreateAdd(iteration, ctx.index(1));
}

//===--- unstructured branches ------------------------------------------------------------------------------------===//

// Declares the arguments of a block. A scalar is a phi. A tile is a buffer, which every branch to the block fills. The
// new value may depend on the old value, so it is computed in another buffer and copied.
void ControlFlow::declareArguments(Block *block) {
  for (BlockArgument arg : block->getArguments()) {
    if (isTile(arg)) {
      buffers.set(arg, buffers.allocate(tileType(arg)));
      continue;
    }
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(blocks[block]);
    ctx.setScalar(arg, b.CreatePHI(ctx.registerType(arg.getType()), 2));
  }
}

/// Emits the branch to `target`, which passes `args`.
void ControlFlow::enterEdge(Block *target, ValueRange args) {
  SmallVector<std::pair<Buffer, Buffer>> copies;
  for (auto [arg, v] : llvm::zip(target->getArguments(), args))
    if (isTile(v)) {
      Buffer beside = buffers.allocate(tileType(v));
      nests.storeTile(target->getParentOp(), v, beside);
      copies.push_back({buffers.lookup(arg), beside});
    }
  for (auto &[to, from] : copies)
    b.CreateMemCpy(to.ptr, llvm::Align(64), from.ptr, llvm::Align(64),
                   from.type.getNumElements() * ctx.storageBytes(from.type.getElementType()));
  for (auto [arg, v] : llvm::zip(target->getArguments(), args))
    if (!isTile(v))
      cast<llvm::PHINode>(ctx.scalar(arg))->addIncoming(ctx.scalar(v), b.GetInsertBlock());
  b.CreateBr(blocks[target]);
}

void ControlFlow::emitBranch(Operation *op) {
  if (auto jump = dyn_cast<cf::BranchOp>(op)) {
    enterEdge(jump.getDest(), jump.getDestOperands());
    return;
  }
  auto edge = [&](Block *target, ValueRange args) {
    llvm::BasicBlock *block = ctx.newBlock("edge");
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(block);
    Loops::Scope scope(loops);
    enterEdge(target, args);
    return block;
  };
  if (auto jump = dyn_cast<cf::CondBranchOp>(op)) {
    llvm::BasicBlock *yes = edge(jump.getTrueDest(), jump.getTrueDestOperands());
    llvm::BasicBlock *no = edge(jump.getFalseDest(), jump.getFalseDestOperands());
    b.CreateCondBr(ctx.scalar(jump.getCondition()), yes, no);
    return;
  }
  auto jump = cast<cf::SwitchOp>(op);
  llvm::BasicBlock *fallback = edge(jump.getDefaultDestination(), jump.getDefaultOperands());
  llvm::SwitchInst *table = b.CreateSwitch(ctx.scalar(jump.getFlag()), fallback);
  if (auto values = jump.getCaseValues())
    for (auto [k, value] : llvm::enumerate(values->getValues<APInt>()))
      table->addCase(b.getInt(value), edge(jump.getCaseDestinations()[k], jump.getCaseOperands(k)));
}
