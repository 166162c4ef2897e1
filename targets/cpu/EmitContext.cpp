//===- EmitContext.cpp - the function, its scalars and its types --------------------------------------------------===//
//
// This file implements the state that all parts of a kernel's emission share.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/EmitContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

EmitContext::EmitContext(const Schedule &schedule, const Isa &target, llvm::Module &module, StringRef symbol,
                         bool contract)
    : schedule(schedule), target(target), module(module), b(module.getContext()) {
  llvm::Type *ptr = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {ptr, ptr, ptr, ptr}, false);
  fn = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, symbol, module);
  fn->setVisibility(llvm::GlobalValue::HiddenVisibility);
  fn->addFnAttr("target-cpu", target.cpu);
  if (*target.features)
    fn->addFnAttr("target-features", target.features);
  if (target.sve)
    fn->addFnAttr(
        llvm::Attribute::getWithVScaleRangeArgs(b.getContext(), target.vectorBytes / 16, target.vectorBytes / 16));
  fn->addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
  fn->addFnAttr(llvm::Attribute::NoUnwind);
  fn->setUWTableKind(llvm::UWTableKind::Async); // for stack traces in debuggers and profilers
  static const char *const names[] = {"args", "program_id", "num_programs", "scratch"};
  for (auto [i, name] : llvm::enumerate(names)) {
    fn->getArg(i)->setName(name);
    fn->addParamAttr(i, llvm::Attribute::NoAlias);
    if (i < 3)
      fn->addParamAttr(i, llvm::Attribute::ReadOnly);
  }
  fn->addParamAttr(3, llvm::Attribute::getWithAlignment(b.getContext(), llvm::Align(64)));

  // A multiplication and an addition may be contracted to an FMA, as on the GPU.
  llvm::FastMathFlags flags;
  flags.setAllowContract(contract);
  b.setFastMathFlags(flags);
}

llvm::Value *EmitContext::loadAxis(llvm::Value *array, unsigned axis) {
  return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), array, axis));
}

llvm::Value *EmitContext::scalar(Value v) const {
  llvm::Value *result = scalars.lookup(v);
  assert(result && "scalars are emitted in order");
  return result;
}

void EmitContext::setScalar(Value v, llvm::Value *value) {
  scalars[v] = value;
  if (debug)
    debug->describe(v, value);
}

llvm::Type *EmitContext::registerType(Type element) {
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

llvm::Type *EmitContext::storageType(Type element) {
  return element.isInteger(1) ? b.getInt8Ty() : registerType(element);
}

unsigned EmitContext::storageBytes(Type element) {
  return module.getDataLayout().getTypeStoreSize(storageType(element));
}

llvm::Type *EmitContext::vectorType(llvm::Type *element, const Chunk &c) {
  return c.isVector() ? llvm::FixedVectorType::get(element, c.lanes) : element;
}

llvm::BasicBlock *EmitContext::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(b.getContext(), name, fn);
}

llvm::Constant *EmitContext::text(StringRef text) {
  std::string name = "text." + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
  if (llvm::GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  return b.CreateGlobalString(text, name, 0, &module);
}

llvm::Constant *EmitContext::variable(Operation *op) {
  auto global =
      SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(op, cast<LLVM::AddressOfOp>(op).getGlobalNameAttr());
  StringRef name = global.getSymName();
  if (llvm::GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  auto data = cast<StringAttr>(*global.getValue());
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(b.getContext(), data.getValue(), /*AddNull=*/false);
  auto *made = new llvm::GlobalVariable(module, bytes->getType(), global.getConstant(),
                                        llvm::GlobalValue::WeakODRLinkage, bytes, name);
  made->setAlignment(llvm::MaybeAlign(global.getAlignment().value_or(1)));
  return made;
}

Chunk EmitContext::firstChunk(Shape shape, int vecDim) {
  Chunk c;
  c.index.assign(shape.size(), index(0));
  c.vecDim = vecDim;
  if (vecDim >= 0)
    c.lanes = std::min<int64_t>(target.lanes(), shape[vecDim]);
  return c;
}

void EmitContext::reject(Operation *op, const llvm::Twine &what) {
  if (rejected.insert(op).second)
    op->emitOpError(what + "is not available on the CPU target");
}
