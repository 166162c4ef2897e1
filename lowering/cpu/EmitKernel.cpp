//===- EmitKernel.cpp - a kernel's function -----------------------------------------------------------------------===//
//
// Walks the kernel in order and emits its roots; allocates and frees their buffers.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/cpu/Emitter.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

KernelEmitter::KernelEmitter(tt::FuncOp func, const Schedule &schedule, const Isa &target, llvm::Module &module,
                             StringRef symbol, bool contract)
    : func(func), schedule(schedule), target(target), module(module), context(module.getContext()), b(context),
      math(b, target),
      affine(b, schedule.getAffine(), [this](Value v) { return scalar(v); }) {
  llvm::Type *ptr = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr, ptr, ptr}, false);
  fn = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, symbol, module);
  fn->setVisibility(llvm::GlobalValue::HiddenVisibility);
  fn->addFnAttr("target-cpu", target.cpu);
  fn->addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
  fn->addFnAttr(llvm::Attribute::NoUnwind);
  static const char *const names[] = {"args", "program_id", "num_programs", "scratch"};
  for (auto [i, name] : llvm::enumerate(names)) {
    fn->getArg(i)->setName(name);
    fn->addParamAttr(i, llvm::Attribute::NoAlias);
    if (i < 3)
      fn->addParamAttr(i, llvm::Attribute::ReadOnly);
  }
  scratch = fn->getArg(3);
  fn->addParamAttr(3, llvm::Attribute::getWithAlignment(context, llvm::Align(64)));

  // A product and a sum contract to a fused operation, as on the GPU.
  llvm::FastMathFlags flags;
  flags.setAllowContract(contract);
  b.setFastMathFlags(flags);
}

FailureOr<llvm::Function *> KernelEmitter::run() {
  scopes.emplace_back();
  llvm::ReversePostOrderTraversal<Block *> order(&func.getBody().front());
  for (Block *block : order)
    blocks[block] = newBlock("bb");
  b.SetInsertPoint(blocks[&func.getBody().front()]);
  dummy = b.CreateAlloca(b.getInt64Ty(), nullptr, "dummy");
  emitParameters();
  for (Block *block : llvm::drop_begin(order))
    declareBlockArguments(block);
  for (Block *block : order) {
    b.SetInsertPoint(blocks[block]);
    // Buffers outlive the block, what was evaluated does not: only the entry block dominates all others.
    if (!block->isEntryBlock())
      scopes.emplace_back();
    emitBlock(*block);
    scopes.resize(1);
  }
  if (!rejected.empty())
    return failure();
  return fn;
}

//===--- parameters and scalar operations ---------------------------------------------------------------------------===//

void KernelEmitter::emitParameters() {
  LLVM::TypeToLLVMIRTranslator types(context);
  for (BlockArgument arg : func.getBody().getArguments()) {
    llvm::Value *slot = b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getPtrTy(), fn->getArg(0), arg.getArgNumber()));
    if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(arg.getType())) {
      scalars[arg] = b.CreateLoad(types.translateType(arg.getType()), slot);
      continue;
    }
    llvm::Value *v = b.CreateLoad(storageType(arg.getType()), slot);
    scalars[arg] = arg.getType().isInteger(1) ? b.CreateTrunc(v, b.getInt1Ty()) : v;
  }
}

llvm::Value *KernelEmitter::scalar(Value v) {
  llvm::Value *result = scalars.lookup(v);
  assert(result && "scalars are emitted in order");
  return result;
}

void KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block) {
    emitOp(op);
    if (!op.hasTrait<OpTrait::IsTerminator>()) // whose operands its parent reads
      freeBuffers(&op);
  }
}

void KernelEmitter::emitOp(Operation &op) {
  if (isFormula(&op)) {
    if (!isTile(op.getResult(0)))
      scalars[op.getResult(0)] = eval(op.getResult(0), Chunk{}).value;
    else if (schedule.isMaterialized(&op))
      for (Value result : op.getResults())
        materialize(result);
    return;
  }
  TypeSwitch<Operation *>(&op)
      .Case<tt::GetProgramIdOp, tt::GetNumProgramsOp>([&](auto grid) {
        bool id = isa<tt::GetProgramIdOp>(op);
        llvm::Value *p = b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), fn->getArg(id ? 1 : 2),
                                                      static_cast<unsigned>(grid.getAxis()));
        scalars[grid.getResult()] = b.CreateLoad(b.getInt32Ty(), p);
      })
      .Case<LLVM::ExtractValueOp>([&](LLVM::ExtractValueOp extract) {
        SmallVector<unsigned> position(extract.getPosition().begin(), extract.getPosition().end());
        scalars[extract.getResult()] = b.CreateExtractValue(scalar(extract.getContainer()), position);
      })
      .Case<UnrealizedConversionCastOp>(
          [&](UnrealizedConversionCastOp cast) { scalars[cast.getResult(0)] = scalar(cast.getOperand(0)); })
      .Case<LLVM::AssumeOp>([](auto) {})
      .Case<gpu::BarrierOp>([](auto) {}) // nobody to wait for
      .Case<tt::UnsplatOp>([&](tt::UnsplatOp unsplat) {
        Chunk origin;
        origin.index.assign(tileType(unsplat.getSrc()).getRank(), index(0));
        scalars[unsplat.getResult()] = vec(unsplat.getSrc(), origin);
      })
      .Case<tt::LayoutTransform, tt::CatOp>([&](auto) { emitMovement(&op); })
      .Case<tt::HistogramOp>([&](tt::HistogramOp histogram) { emitHistogram(histogram); })
      .Case<tt::StoreOp>([&](tt::StoreOp store) { emitStoreRoot(store); })
      .Case<tt::ReduceOp>([&](tt::ReduceOp reduce) { emitReduce(reduce); })
      .Case<tt::ScanOp>([&](tt::ScanOp scan) { emitScan(scan); })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp>([&](auto) { emitAtomicRoot(&op); })
      .Case<tt::PrintOp>([&](tt::PrintOp print) { emitPrint(print); })
      .Case<tt::AssertOp>([&](tt::AssertOp check) { emitAssert(check); })
      .Case<tt::MapElementwiseOp>([&](tt::MapElementwiseOp map) { emitMap(map); })
      .Case<tt::DotOp>([&](tt::DotOp dot) { emitDot(dot); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { emitFor(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { emitIf(branch); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { emitWhile(loop); })
      .Case<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>([&](auto) { emitBranch(&op); })
      .Case<tt::ReturnOp>([&](tt::ReturnOp) { b.CreateRetVoid(); })
      .Case<scf::YieldOp, scf::ConditionOp, tt::ReduceReturnOp, tt::ScanReturnOp, tt::MapElementwiseReturnOp>([](auto) {}) // by their parents
      .Default([&](Operation *other) { reject(other); });
}

void KernelEmitter::reject(Operation *op, const llvm::Twine &what) {
  if (rejected.insert(op).second)
    op->emitOpError(what + "is not available on the CPU target");
}

//===--- types ------------------------------------------------------------------------------------------------------===//

llvm::Type *KernelEmitter::registerType(Type element) {
  if (isa<tt::PointerType, LLVM::LLVMPointerType>(element))
    return b.getPtrTy();
  if (element.isF32())
    return b.getFloatTy();
  if (element.isF64())
    return b.getDoubleTy();
  if (isa<IndexType>(element))
    return b.getInt64Ty();
  return b.getIntNTy(element.getIntOrFloatBitWidth());
}

llvm::Type *KernelEmitter::storageType(Type element) {
  return element.isInteger(1) ? b.getInt8Ty() : registerType(element);
}

unsigned KernelEmitter::storageBytes(Type element) {
  return module.getDataLayout().getTypeStoreSize(storageType(element));
}

llvm::Type *KernelEmitter::vectorType(llvm::Type *element, const Chunk &c) {
  return c.isVector() ? llvm::FixedVectorType::get(element, c.lanes) : element;
}

//===--- buffers ----------------------------------------------------------------------------------------------------===//

// Scratch is handed out like a stack: what a loop body or branch takes is free again after it. Within a block the buffer of
// a value goes to the next that fits when nothing reads it any more, so that a long chain of values, such as a sort makes,
// lives in two.
llvm::Value *KernelEmitter::allocateBytes(uint64_t bytes) {
  bytes = llvm::alignTo(bytes, 64);
  auto fits = llvm::find_if(freed, [&](const Extent &e) { return e.bytes == bytes; });
  Extent extent = fits != freed.end() ? *fits : Extent{scratchTop, bytes};
  if (fits != freed.end())
    freed.erase(fits);
  else
    scratchTop += bytes;
  scratchSize = std::max(scratchSize, scratchTop);
  llvm::Value *address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, extent.offset);
  extents[address] = extent;
  return address;
}

void KernelEmitter::freeBuffers(Operation *op) {
  // A value whose buffer is its own: not one that a consumer has chosen, and no reshaped one.
  auto note = [&](Value v) {
    Operation *def = v.getDefiningOp();
    Buffer buffer = buffers.lookup(v);
    auto extent = extents.find(buffer.ptr);
    if (!buffer.ptr || destinations.contains(v) || extent == extents.end())
      return;
    if (auto reshape = dyn_cast<tt::ReshapeOp>(def); reshape && buffers.lookup(reshape.getSrc()).ptr == buffer.ptr)
      return;
    if (Operation *last = schedule.findLastReader(def))
      freedAfter[last].push_back(extent->second);
  };
  if (isFormula(op) || isa<tt::LayoutTransform, tt::CatOp, tt::ReduceOp, tt::DotOp, tt::HistogramOp>(op))
    for (Value result : op->getResults())
      if (isTile(result) && buffers.contains(result))
        note(result);
  for (Value byproduct : schedule.byproducts(op))
    note(byproduct);
  llvm::append_range(freed, freedAfter.lookup(op));
  freedAfter.erase(op);
}

Buffer KernelEmitter::allocate(RankedTensorType type) {
  return {allocateBytes(type.getNumElements() * storageBytes(type.getElementType())), type};
}

Buffer KernelEmitter::destinationOf(Value v) {
  if (llvm::Value *target = destinations.lookup(v))
    return {target, tileType(v)};
  return allocate(tileType(v));
}

//===--- LLVM control flow ------------------------------------------------------------------------------------------===//

llvm::BasicBlock *KernelEmitter::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(context, name, fn);
}

KernelEmitter::Values KernelEmitter::loop(llvm::Value *lo, llvm::Value *hi, int64_t step, ArrayRef<llvm::Value *> inits,
                                          function_ref<Values(llvm::Value *, ArrayRef<llvm::Value *>)> body) {
  auto *first = dyn_cast<llvm::ConstantInt>(lo), *last = dyn_cast<llvm::ConstantInt>(hi);
  if (first && last) {
    if (first->getSExtValue() >= last->getSExtValue())
      return Values(inits);
    if (last->getSExtValue() - first->getSExtValue() <= step) {
      ScopeGuard scope(*this);
      return body(lo, inits);
    }
  }
  // Emitted as a guard and a bottom-tested loop, the form that loop rotation would make of it.
  llvm::BasicBlock *before = b.GetInsertBlock(), *bodyBlock = newBlock("loop"), *after = newBlock("after");
  llvm::Value *enter = b.CreateICmpSLT(lo, hi);
  b.CreateCondBr(enter, bodyBlock, after);
  b.SetInsertPoint(bodyBlock);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2, "i");
  i->addIncoming(lo, before);
  SmallVector<llvm::PHINode *> phis;
  Values carried;
  for (llvm::Value *init : inits) {
    phis.push_back(b.CreatePHI(init->getType(), 2));
    phis.back()->addIncoming(init, before);
    carried.push_back(phis.back());
  }
  Values next;
  {
    ScopeGuard scope(*this);
    next = body(i, carried);
  }
  llvm::BasicBlock *latch = b.GetInsertBlock();
  llvm::Value *iNext = b.CreateNSWAdd(i, index(step));
  i->addIncoming(iNext, latch);
  for (auto [phi, value] : llvm::zip(phis, next))
    phi->addIncoming(value, latch);
  b.CreateCondBr(b.CreateICmpSLT(iNext, hi), bodyBlock, after);
  b.SetInsertPoint(after);
  Values results;
  for (auto [init, value] : llvm::zip(inits, next)) {
    llvm::PHINode *result = b.CreatePHI(value->getType(), 2);
    result->addIncoming(init, before);
    result->addIncoming(value, latch);
    results.push_back(result);
  }
  return results;
}

void KernelEmitter::loop(int64_t size, int64_t step, function_ref<void(llvm::Value *)> body) {
  loop(index(0), index(size), step, {}, [&](llvm::Value *i, ArrayRef<llvm::Value *>) {
    body(i);
    return Values();
  });
}

KernelEmitter::Values KernelEmitter::branch(llvm::Value *cond, function_ref<Values()> fast, function_ref<Values()> slow) {
  llvm::BasicBlock *fastBlock = newBlock("then"), *slowBlock = newBlock("else"), *after = newBlock("join");
  b.CreateCondBr(cond, fastBlock, slowBlock);
  auto arm = [&](llvm::BasicBlock *block, function_ref<Values()> emit) {
    b.SetInsertPoint(block);
    ScopeGuard scope(*this);
    Values values = emit();
    return std::make_pair(values, b.GetInsertBlock());
  };
  auto [x, xEnd] = arm(fastBlock, fast);
  b.CreateBr(after);
  auto [y, yEnd] = arm(slowBlock, slow);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  Values results;
  for (size_t k = 0; k < x.size(); ++k) {
    llvm::PHINode *phi = b.CreatePHI(x[k]->getType(), 2);
    phi->addIncoming(x[k], xEnd);
    phi->addIncoming(y[k], yEnd);
    results.push_back(phi);
  }
  return results;
}
