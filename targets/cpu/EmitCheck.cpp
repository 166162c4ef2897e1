//===- EmitCheck.cpp - access checks ------------------------------------------------------------------------------===//
//
// This file emits the checks of -fsanitize=tile. A check has its own loop nest, which computes the addresses and masks
// again and passes them to the runtime, which knows the allocations. The access itself is emitted in the same way as
// without checks.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/PointerRoot.h"
#include "targets/cpu/Roots.h"
#include "lowering/dialects/tt/MessageFormat.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Creates a constant of type tilecc_cpu_access (abi.h).
static llvm::Constant *describeAccess(EmitContext &ctx, Operation *op, const tt::GlobalAccess &access, unsigned bytes) {
  llvm::IRBuilder<> &b = ctx.b;
  SourcePlace where = getSourcePlace(op);
  StringRef kind = access.isRead && access.isWrite ? "atomic access" : access.isRead ? "load" : "store";
  llvm::Constant *file = ctx.text(where.file), *kindText = ctx.text(kind);
  std::string name =
      (file->getName() + "." + llvm::Twine(where.line) + "." + kind.split(' ').first + llvm::Twine(bytes)).str();
  if (llvm::GlobalVariable *known = ctx.module.getNamedGlobal(name))
    return known;
  llvm::Constant *value = llvm::ConstantStruct::getAnon({file, kindText, b.getInt32(where.line), b.getInt32(bytes)});
  return new llvm::GlobalVariable(ctx.module, value->getType(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                  value, name);
}

void cpu::emitAccessCheck(const RootParts &parts, Operation *op, const tt::GlobalAccess &access) {
  EmitContext &ctx = parts.ctx;
  llvm::IRBuilder<> &b = parts.b;
  Evaluator &evaluator = parts.evaluator;
  const unsigned bytes = ctx.storageBytes(tt::getPointeeType(getElementTypeOrSelf(access.pointers)));
  Value exact = ctx.checks->exact.lookup(op), root = getPointerRoot(access.pointers);
  llvm::Constant *site = describeAccess(ctx, op, access, bytes), *none = llvm::Constant::getNullValue(b.getPtrTy());
  llvm::Value *base = root ? ctx.scalar(root) : none;
  llvm::FunctionCallee checkAccess =
      ctx.module.getOrInsertFunction("__tilecc_cpu_check_access", b.getVoidTy(), b.getPtrTy(), b.getPtrTy(),
                                     b.getPtrTy(), b.getPtrTy(), b.getPtrTy(), b.getInt32Ty(), b.getInt64Ty());

  auto arrayOf = [&](llvm::Value *value) -> llvm::Value * {
    llvm::IRBuilder<> atEntry(&ctx.fn->getEntryBlock(), ctx.fn->getEntryBlock().begin());
    llvm::Value *array = atEntry.CreateAlloca(value->getType(), nullptr, "checked");
    b.CreateStore(value, array);
    return array;
  };
  auto bytesOf = [&](Value flags, const Chunk &c) {
    return flags ? arrayOf(b.CreateZExt(evaluator.vec(flags, c), ctx.vectorType(b.getInt8Ty(), c))) : none;
  };
  auto check = [&](const Chunk &c) {
    Lane pointer = evaluator.eval(access.pointers, c), mask = evaluator.evalMask(access.mask, c);
    bool isOneRange = isTrue(mask.value) && !exact && (!c.isVector() || pointer.isContiguous(bytes));
    llvm::Value *addresses = isOneRange ? pointer.value : evaluator.vec(access.pointers, c);
    b.CreateCall(checkAccess, {site, base, arrayOf(addresses), bytesOf(exact, c),
                               isTrue(mask.value) ? none : bytesOf(access.mask, c),
                               b.getInt32(isOneRange ? 1 : c.lanes), b.getInt64(isOneRange ? c.lanes * bytes : bytes)});
  };
  if (!access.isOfTile())
    return check(Chunk());
  SmallVector<Value> demands = {access.pointers};
  if (access.mask)
    demands.push_back(access.mask);
  parts.nests.emit({/*root=*/nullptr, tileType(access.pointers).getShape(), demands, Nest::choose, check});
}
