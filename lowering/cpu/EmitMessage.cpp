// Messages and scalar functions: tt.print, tt.assert and tt.map_elementwise, by C's printf and abort.
#include "lowering/dialects/tt/MessageFormat.h"
#include "lowering/cpu/Emitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

llvm::Value *KernelEmitter::programId(unsigned axis) {
  return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), fn->getArg(1), axis));
}

/// A constant text. It is named by what it says, as functions are named by their code, which mentions the name alone.
llvm::Value *KernelEmitter::text(StringRef text) {
  std::string name = "text." + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
  if (llvm::GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  return b.CreateGlobalString(text, name, 0, &module);
}

/// Calls `body` at each element of a tile of that shape, in row-major order.
void KernelEmitter::forEachElement(Operation *root, Shape shape, ArrayRef<Value> demands,
                                   llvm::function_ref<void(const Chunk &)> body) {
  emitNest({root, shape, SmallVector<Value>(demands), /*vecDim=*/-1, [&](const Chunk &c) { body(c); }});
}

void KernelEmitter::emitPrint(tt::PrintOp op) {
  llvm::FunctionCallee printf = module.getOrInsertFunction(
      "printf", llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy()}, /*isVarArg=*/true));
  auto call = [&](std::optional<unsigned> i, const Chunk &c) {
    SmallVector<llvm::Value *> args = {text(getPrintFormat(op, i))};
    for (unsigned axis : {0, 1, 2})
      args.push_back(programId(axis));
    if (i) {
      Value operand = op.getArgs()[*i];
      Type element = getElementTypeOrSelf(operand);
      for (llvm::Value *position : c.index)
        args.push_back(b.CreateTrunc(position, b.getInt32Ty()));
      llvm::Value *value = vec(operand, c);
      if (isa<FloatType>(element) && !op.getHex())
        value = convertFloat(value, element, Float64Type::get(op.getContext()));
      else if (isa<FloatType>(element) && !value->getType()->isIntegerTy())
        value = b.CreateBitCast(value, b.getIntNTy(element.getIntOrFloatBitWidth()));
      if (value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() < 32)
        value = op.getIsSigned()[*i] ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
      args.push_back(value);
    }
    b.CreateCall(printf, args);
  };
  if (op.getArgs().empty())
    call(std::nullopt, Chunk());
  for (auto [i, operand] : llvm::enumerate(op.getArgs())) {
    if (isTile(operand))
      forEachElement(op, tileType(operand).getShape(), {operand}, [&](const Chunk &c) { call(i, c); });
    else
      call(i, Chunk());
  }
}

void KernelEmitter::emitAssert(tt::AssertOp op) {
  llvm::Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
  auto check = [&](const Chunk &c) {
    llvm::BasicBlock *fails = newBlock("assert.fails"), *holds = newBlock("assert.holds");
    b.CreateCondBr(vec(op.getCondition(), c), holds, fails);
    b.SetInsertPoint(fails);
    SourcePlace where = getSourcePlace(op);
    llvm::FunctionCallee dprintf =
        module.getOrInsertFunction("dprintf", llvm::FunctionType::get(i32, {i32, ptr}, /*isVarArg=*/true));
    b.CreateCall(dprintf, {b.getInt32(2), text("%s:%u: %s: program: [%u,%u,%u] Assertion `%s` failed.\n"),
                           text(where.file), b.getInt32(where.line),
                           text(where.function), programId(0), programId(1), programId(2),
                           text(op.getMessage())});
    b.CreateCall(module.getOrInsertFunction("abort", llvm::FunctionType::get(b.getVoidTy(), false)));
    b.CreateUnreachable();
    b.SetInsertPoint(holds);
  };
  if (isTile(op.getCondition()))
    forEachElement(op, tileType(op.getCondition()).getShape(), {op.getCondition()}, check);
  else
    check(Chunk());
}

void KernelEmitter::emitMap(tt::MapElementwiseOp op) {
  if (op.getPack() != 1)
    return reject(op, "of several elements at a time ");
  SmallVector<Value> demands(op.getSrcs());
  SmallVector<Buffer> results;
  for (Value result : op.getResults())
    results.push_back(destinationOf(result));
  emitNest({op, tileType(op.getSrcs().front()).getShape(), demands, isVectorizable(op.getScalarOp()) ? -2 : -1,
            [&](const Chunk &c) {
              Values args = llvm::map_to_vector<4>(op.getSrcs(), [&](Value src) { return vec(src, c); });
              Values values = applyRegion(op.getScalarOp(), args);
              for (auto [buffer, value] : llvm::zip_equal(results, values)) {
                if (c.isVector() && !value->getType()->isVectorTy()) // does not depend on the elements
                  value = splat(value, c.lanes);
                writeBuffer(buffer, c, value);
              }
            }});
  for (auto [result, buffer] : llvm::zip_equal(op.getResults(), results))
    buffers[result] = buffer;
}
