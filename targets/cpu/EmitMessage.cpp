//===- EmitMessage.cpp - messages and times ----------------------------------------------------------------------===//
//
// tt.print calls C's printf for each element. tt.assert calls the runtime, which ends the program. tt.record also calls
// the runtime, which reads its clock.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Roots.h"
#include "lowering/dialects/tt/MessageFormat.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

void cpu::emitPrint(const RootParts &parts, tt::PrintOp op) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  llvm::FunctionCallee printf = ctx.module.getOrInsertFunction(
      "printf", llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy()}, /*isVarArg=*/true));
  auto promoted = [&](unsigned i, const Chunk &c) {
    Value operand = op.getArgs()[i];
    Type element = getElementTypeOrSelf(operand);
    llvm::Value *value = parts.vec(operand, isTile(operand) ? c : Chunk());
    if (isa<FloatType>(element) && !op.getHex())
      value = parts.elementwise.convertFloat(value, element, Float64Type::get(op.getContext()));
    else if (isa<FloatType>(element) && !value->getType()->isIntegerTy())
      value = b.CreateBitCast(value, b.getIntNTy(element.getIntOrFloatBitWidth()));
    if (value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() < 32)
      value = op.getIsSigned()[i] ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
    return value;
  };
  if (op->hasAttr(formattedAttr)) {
    auto call = [&](const Chunk &c) {
      SmallVector<llvm::Value *> args = {ctx.text(op.getPrefix())};
      for (unsigned i = 0; i < op.getArgs().size(); ++i)
        args.push_back(promoted(i, c));
      b.CreateCall(printf, args);
    };
    auto tile = llvm::find_if(op.getArgs(), isTile);
    if (tile == op.getArgs().end())
      call(Chunk());
    else
      parts.nests.emit({op, tileType(*tile).getShape(), {*tile}, /*vecDim=*/-1, call});
    return;
  }
  auto call = [&](std::optional<unsigned> i, const Chunk &c) {
    SmallVector<llvm::Value *> args = {ctx.text(getPrintFormat(op, i))};
    for (unsigned axis : {0, 1, 2})
      args.push_back(ctx.loadProgramId(axis));
    if (i) {
      for (llvm::Value *position : c.index)
        args.push_back(b.CreateTrunc(position, b.getInt32Ty()));
      args.push_back(promoted(*i, c));
    }
    b.CreateCall(printf, args);
  };
  if (op.getArgs().empty())
    call(std::nullopt, Chunk());
  for (auto [i, operand] : llvm::enumerate(op.getArgs())) {
    auto print = [&, i = i](const Chunk &c) { call(i, c); };
    if (isTile(operand))
      parts.nests.emit({op, tileType(operand).getShape(), {operand}, /*vecDim=*/-1, print});
    else
      print(Chunk());
  }
}

void cpu::emitAssert(const RootParts &parts, tt::AssertOp op) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  llvm::Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
  auto check = [&](const Chunk &c) {
    llvm::BasicBlock *fails = ctx.newBlock("assert.fails"), *holds = ctx.newBlock("assert.holds");
    b.CreateCondBr(parts.vec(op.getCondition(), c), holds, fails);
    b.SetInsertPoint(fails);
    SourcePlace where = getSourcePlace(op);
    llvm::FunctionCallee failed = ctx.module.getOrInsertFunction(
        "__tilecc_cpu_assertion_failed",
        llvm::FunctionType::get(b.getVoidTy(), {ptr, i32, ptr, ptr}, /*isVarArg=*/false));
    b.CreateCall(failed,
                 {ctx.text(where.file), b.getInt32(where.line), ctx.text(where.function), ctx.text(op.getMessage())});
    b.CreateUnreachable();
    b.SetInsertPoint(holds);
  };
  if (isTile(op.getCondition()))
    parts.nests.emit({op, tileType(op.getCondition()).getShape(), {op.getCondition()}, /*vecDim=*/-1, check});
  else
    check(Chunk());
}

void cpu::emitRecord(const RootParts &parts, tt::RecordOp op) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  SourcePlace where = getSourcePlace(op);
  llvm::Constant *scope = llvm::ConstantStruct::getAnon(
      {ctx.text(op.getName()), ctx.text(where.file), b.getInt32(where.line)}); // a tilecc_cpu_scope
  auto *described = new llvm::GlobalVariable(ctx.module, scope->getType(), /*isConstant=*/true,
                                             llvm::GlobalValue::PrivateLinkage, scope, "scope");
  llvm::FunctionCallee record =
      ctx.module.getOrInsertFunction("__tilecc_cpu_record", b.getVoidTy(), b.getPtrTy(), b.getInt32Ty());
  b.CreateCall(record, {described, b.getInt32(!op.getIsStart())});
}
