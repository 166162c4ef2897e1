//===- KernelEmitter.cpp - a kernel's function -------------------------------------------------------------------===//
//
// This file walks the kernel in order, evaluates formulas and emits roots (see KernelEmitter.h), and frees buffers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/KernelEmitter.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

KernelEmitter::KernelEmitter(tt::FuncOp func, const Schedule &schedule, const Isa &target, llvm::Module &module,
                             StringRef symbol, bool contract)
    : func(func), ctx(schedule, target, module, symbol, contract), elementwise(ctx), buffers(ctx),
      evaluator(ctx, buffers, elementwise), loops(ctx, buffers, evaluator), nests(ctx, buffers, evaluator, loops),
      regions(ctx, elementwise, loops, *this), controlFlow(ctx, buffers, loops, nests, *this) {}

LogicalResult KernelEmitter::run() {
  llvm::ReversePostOrderTraversal<Block *> order(&func.getBody().front());
  for (Block *block : order)
    controlFlow.createBlock(block);
  Block *entry = &func.getBody().front();
  controlFlow.enterBlock(entry);
  ctx.dummy = ctx.b.CreateAlloca(ctx.b.getInt64Ty(), nullptr, "dummy");
  emitParameters();
  for (Block *block : llvm::drop_begin(order))
    controlFlow.declareArguments(block);
  emitBlock(*entry);
  for (Block *block : llvm::drop_begin(order)) {
    controlFlow.enterBlock(block);
    // Buffers outlive the block. Evaluated values do not, because only the entry block dominates all other blocks.
    Evaluator::Scope scope(evaluator);
    emitBlock(*block);
  }
  return failure(ctx.hasErrors());
}

void KernelEmitter::emitParameters() {
  llvm::IRBuilder<> &b = ctx.b;
  LLVM::TypeToLLVMIRTranslator types(b.getContext());
  for (BlockArgument arg : func.getBody().getArguments()) {
    llvm::Value *place = b.CreateConstInBoundsGEP1_64(b.getPtrTy(), ctx.getArguments(), arg.getArgNumber());
    llvm::Value *slot = b.CreateLoad(b.getPtrTy(), place);
    if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(arg.getType())) {
      ctx.setScalar(arg, b.CreateLoad(types.translateType(arg.getType()), slot));
      continue;
    }
    llvm::Value *v = b.CreateLoad(ctx.storageType(arg.getType()), slot);
    ctx.setScalar(arg, arg.getType().isInteger(1) ? b.CreateTrunc(v, b.getInt1Ty()) : v);
  }
}

void KernelEmitter::emitBlock(Block &block) {
  bool hasLeft = !functionOfOne;
  for (Operation &op : block) {
    if (!hasLeft && isa<tt::StoreOp, tt::ReduceOp>(op)) {
      leaveLargeLaunches();
      hasLeft = true;
    }
    if (!(isa<tt::StoreOp, tt::ReduceOp>(op) &&
          ctx.schedule.getTwins().isSecond(&op))) // the first program's root emits it
      emitOp(op);
    if (!op.hasTrait<OpTrait::IsTerminator>()) // the parent operation reads the operands of a terminator
      buffers.freeAfter(&op);
  }
}

/// Emits code, before the first loop, that tests the size of the launch. If the launch is too large for two programs in
/// one loop (Nests::isTooLargeForTwo), the code runs them one after the other.
void KernelEmitter::leaveLargeLaunches() {
  auto isRow = [](tt::StoreOp store) { return isTile(store.getPtr()); };
  auto stores = llvm::make_filter_range(func.getBody().front().getOps<tt::StoreOp>(), isRow);
  if (stores.empty())
    return;
  llvm::IRBuilder<> &b = ctx.b;
  llvm::BasicBlock *one = ctx.newBlock("one"), *both = ctx.newBlock("both");
  b.CreateCondBr(nests.isTooLargeForTwo(*stores.begin()), one, both);
  b.SetInsertPoint(one);
  llvm::Value *next = b.CreateAlloca(llvm::ArrayType::get(b.getInt32Ty(), 3), nullptr, "next");
  for (unsigned axis = 0; axis < 3; ++axis)
    b.CreateStore(b.CreateAdd(ctx.loadProgramId(axis), b.getInt32(axis == 0)),
                  b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), next, axis));
  for (llvm::Value *id : {static_cast<llvm::Value *>(ctx.fn->getArg(1)), next})
    b.CreateCall(functionOfOne, {ctx.getArguments(), id, ctx.fn->getArg(2), ctx.getScratch()});
  b.CreateRetVoid();
  b.SetInsertPoint(both);
}

void KernelEmitter::emitOp(Operation &op) {
  ctx.moveTo(op.getLoc());
  const RootParts parts = {ctx, ctx.b, elementwise, buffers, evaluator, loops, nests, regions};
  if (ctx.checks)
    if (std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(&op))
      emitAccessCheck(parts, &op, *access);
  if (isFormula(&op)) {
    if (!isTile(op.getResult(0)))
      ctx.setScalar(op.getResult(0), evaluator.eval(op.getResult(0), Chunk()).value);
    else if (ctx.schedule.isMaterialized(&op))
      for (Value result : op.getResults())
        nests.materialize(result);
    return;
  }
  TypeSwitch<Operation *>(&op)
      .Case<tt::GetProgramIdOp>(
          [&](tt::GetProgramIdOp id) { ctx.setScalar(id, ctx.loadProgramId(static_cast<unsigned>(id.getAxis()))); })
      .Case<tt::GetNumProgramsOp>([&](tt::GetNumProgramsOp count) {
        ctx.setScalar(count, ctx.loadNumPrograms(static_cast<unsigned>(count.getAxis())));
      })
      .Case<LLVM::ExtractValueOp>([&](LLVM::ExtractValueOp extract) {
        SmallVector<unsigned> position(extract.getPosition().begin(), extract.getPosition().end());
        ctx.setScalar(extract, ctx.b.CreateExtractValue(ctx.scalar(extract.getContainer()), position));
      })
      .Case<UnrealizedConversionCastOp>(
          [&](UnrealizedConversionCastOp cast) { ctx.setScalar(cast.getResult(0), ctx.scalar(cast.getOperand(0))); })
      .Case<LLVM::AssumeOp>([](auto) {})
      .Case<LLVM::PtrToIntOp>([&](LLVM::PtrToIntOp number) {
        ctx.setScalar(number, ctx.b.CreatePtrToInt(ctx.scalar(number.getArg()), ctx.b.getInt64Ty()));
      })
      .Case<gpu::BarrierOp>([](auto) {}) // a program is one thread
      .Case<tt::GridDependencyWaitOp, tt::GridDependencyLaunchOp>([](auto) {}) // launches do not overlap
      .Case<tt::UnsplatOp>([&](tt::UnsplatOp unsplat) {
        Value tile = unsplat.getSrc();
        ctx.setScalar(unsplat, evaluator.vec(tile, ctx.firstChunk(tileType(tile).getShape(), -1)));
      })
      .Case<tt::LayoutTransform>([&](auto) { emitMovement(parts, &op); })
      .Case<tt::HistogramOp>([&](tt::HistogramOp histogram) { emitHistogram(parts, histogram); })
      .Case<tt::StoreOp>([&](tt::StoreOp store) { emitStore(parts, store); })
      .Case<tt::ReduceOp>([&](tt::ReduceOp reduce) { emitReduce(parts, reduce); })
      .Case<tt::ScanOp>([&](tt::ScanOp scan) { emitScan(parts, scan); })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp>([&](auto) { emitAtomic(parts, &op); })
      .Case<tt::PrintOp>([&](tt::PrintOp print) { emitPrint(parts, print); })
      .Case<tt::AssertOp>([&](tt::AssertOp check) { emitAssert(parts, check); })
      .Case<tt::RecordOp>([&](tt::RecordOp record) { emitRecord(parts, record); })
      .Case<tt::MapElementwiseOp>([&](tt::MapElementwiseOp map) { emitMap(parts, map); })
      .Case<tt::DotOp>([&](tt::DotOp dot) { emitDot(parts, dot); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { controlFlow.emitFor(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { controlFlow.emitIf(branch); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { controlFlow.emitWhile(loop); })
      .Case<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>([&](auto) { controlFlow.emitBranch(&op); })
      .Case<tt::ReturnOp>([&](tt::ReturnOp) { ctx.b.CreateRetVoid(); })
      .Case<scf::YieldOp, scf::ConditionOp, tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp>(
          [](auto) {}) // emitted by their parents
      .Default([&](Operation *other) { ctx.reject(other); });
}
