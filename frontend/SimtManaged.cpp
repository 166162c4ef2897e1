//===- SimtManaged.cpp - __managed__ variables -------------------------------------------------------------------===//
//
// A __managed__ variable is a single variable for the host and all GPUs. Clang supports it for HIP only, so
// tilecc/detail/simt.h turns it into a __device__ variable with an annotation. This file implements CUDA's protocol:
// device code contains the variable, with an attribute, and the host has a pointer to it, which CUDA's runtime sets
// when it loads the code. The first use on the host triggers loading.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace tilecc {

/// Finds the variables that the source marks as managed in Clang's list of annotations.
static SmallVector<GlobalVariable *> findManaged(Module &module) {
  SmallVector<GlobalVariable *> managed;
  GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  for (const Use &entry : list ? list->getInitializer()->operands() : iterator_range<Use *>(nullptr, nullptr)) {
    auto *name = dyn_cast<GlobalVariable>(cast<Constant>(entry)->getOperand(1)->stripPointerCasts());
    auto *text = name ? dyn_cast<ConstantDataArray>(name->getInitializer()) : nullptr;
    auto *variable = dyn_cast<GlobalVariable>(cast<Constant>(entry)->getOperand(0)->stripPointerCasts());
    if (variable && text && text->isCString() && text->getAsCString() == "tt.managed")
      managed.push_back(variable);
  }
  return managed;
}

void markManagedVariables(Module &device) {
  LLVMContext &context = device.getContext();
  for (GlobalVariable *variable : findManaged(device))
    device.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(context, {ConstantAsMetadata::get(variable), MDString::get(context, "managed"),
                                           ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1))}));
  // Devices do not use the other annotations, and the list would keep the annotated objects alive.
  if (GlobalVariable *list = device.getNamedGlobal("llvm.global.annotations"))
    list->eraseFromParent();
}

namespace {
class ManagedOnHost {
public:
  explicit ManagedOnHost(Module &module)
      : module(module), ptr(PointerType::getUnqual(module.getContext())), i32(Type::getInt32Ty(module.getContext())) {}

  void replace(ArrayRef<GlobalVariable *> variables);

private:
  bool keepHandle();
  void replace(GlobalVariable &variable);
  void registerPointer(CallInst &call, GlobalVariable &pointer);
  Function *addressGetter();

  Module &module;
  Type *ptr, *i32;
  GlobalVariable *handle = nullptr;
  Function *getter = nullptr;
};
} // namespace

/// Saves the handle that the registration function passes to CUDA's runtime for this code.
bool ManagedOnHost::keepHandle() {
  Function *registerGlobals = module.getFunction("__cuda_register_globals");
  if (!registerGlobals || registerGlobals->isDeclaration())
    return false;
  handle = new GlobalVariable(module, ptr, /*isConstant=*/false, GlobalValue::InternalLinkage,
                              ConstantPointerNull::get(cast<PointerType>(ptr)), "__tilecc.cuda_handle");
  IRBuilder<> builder(&*registerGlobals->getEntryBlock().getFirstInsertionPt());
  builder.CreateStore(registerGlobals->getArg(0), handle);
  return true;
}

/// Returns the function ptr __tilecc.managed(ptr pointer) { if (!*pointer) __cudaInitModule(handle); return *pointer; }
Function *ManagedOnHost::addressGetter() {
  if (getter)
    return getter;
  getter =
      Function::Create(FunctionType::get(ptr, {ptr}, false), GlobalValue::InternalLinkage, "__tilecc.managed", module);
  getter->addFnAttr(Attribute::NoUnwind);
  auto block = [&](const char *name) { return BasicBlock::Create(module.getContext(), name, getter); };
  BasicBlock *entry = block("entry"), *load = block("load"), *done = block("done");
  IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateIsNull(builder.CreateLoad(ptr, getter->getArg(0))), load, done);
  builder.SetInsertPoint(load);
  builder.CreateCall(module.getOrInsertFunction("__cudaInitModule", builder.getInt8Ty(), ptr),
                     {builder.CreateLoad(ptr, handle)});
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRet(builder.CreateLoad(ptr, getter->getArg(0)));
  return getter;
}

/// Replaces a call of __cudaRegisterVar(handle, variable, name, name, external, size, constant, 0) by a call of
/// __cudaRegisterManagedVar that registers the pointer.
void ManagedOnHost::registerPointer(CallInst &call, GlobalVariable &pointer) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> args(call.args());
  args[1] = &pointer;
  Type *i64 = builder.getInt64Ty();
  // Clang has declared HIP's function of the same name.
  if (Function *other = module.getFunction("__cudaRegisterManagedVar"); other && other->use_empty())
    other->eraseFromParent();
  builder.CreateCall(module.getOrInsertFunction("__cudaRegisterManagedVar", builder.getVoidTy(), ptr, ptr, ptr, ptr,
                                                i32, i64, i32, i32),
                     args);
  call.eraseFromParent();
}

void ManagedOnHost::replace(GlobalVariable &variable) {
  auto *pointer = new GlobalVariable(module, ptr, /*isConstant=*/false, variable.getLinkage(),
                                     variable.isDeclaration() ? nullptr : Constant::getNullValue(ptr),
                                     variable.getName() + ".managed");
  if (!variable.isDeclaration())
    pointer->setSection("__nv_managed_data__");
  convertUsersOfConstantsToInstructions({&variable});
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue; // a list of used variables
    auto *call = dyn_cast<CallInst>(user);
    if (call && call->getCalledFunction() && call->getCalledFunction()->getName() == "__cudaRegisterVar") {
      registerPointer(*call, *pointer);
      continue;
    }
    auto *phi = dyn_cast<PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
    use.set(builder.CreateCall(addressGetter(), {pointer}));
  }
}

void ManagedOnHost::replace(ArrayRef<GlobalVariable *> variables) {
  if (!variables.empty() && keepHandle())
    for (GlobalVariable *variable : variables)
      replace(*variable);
}

void replaceManagedVariables(Module &host) { ManagedOnHost(host).replace(findManaged(host)); }

} // namespace tilecc
