//===- HostStubs.cpp - creates the host side of kernels -----------------------------------------------------------===//
//
// In host code, a kernel is represented by a stub: a function of the kernel's type that packs its arguments into a
// buffer and launches the kernel. Clang names the stub __device_stub__..., because in CUDA the name of the kernel
// itself belongs to the device code. Here, as in nvcc, the stub has the kernel's name. Any object file can then refer
// to the kernel, even an object of another compiler, and the address of the stub identifies the kernel in the process.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/HostStubs.h"
#include "frontend/Simt.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace tilecc {

static void renameFunction(llvm::Function &function, llvm::StringRef name) {
  if (const llvm::Comdat *old = function.getComdat(); old && old->getName() == function.getName()) {
    llvm::Comdat *comdat = function.getParent()->getOrInsertComdat(name);
    comdat->setSelectionKind(old->getSelectionKind());
    function.setComdat(comdat);
  }
  function.setName(name);
  if (llvm::DISubprogram *subprogram = function.getSubprogram(); subprogram && !subprogram->getLinkageName().empty())
    subprogram->replaceLinkageName(llvm::MDString::get(function.getContext(), name));
}

/// Returns true if an annotation with this string is one of ours.
static bool isTileAnnotation(const llvm::Value *name) {
  auto *global = dyn_cast<llvm::GlobalVariable>(name->stripPointerCasts());
  auto *string =
      global && global->hasInitializer() ? dyn_cast<llvm::ConstantDataArray>(global->getInitializer()) : nullptr;
  return string && string->isCString() && string->getAsCString().starts_with("tt.");
}

/// Drops our annotations, which mark kernels and hold their attributes. Clang also adds them to the host module, which
/// does not need them.
static void dropAnnotations(llvm::Module &module) {
  if (llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations")) {
    llvm::SmallVector<llvm::Constant *> kept;
    for (llvm::Value *entry : list->getInitializer()->operands())
      if (!isTileAnnotation(cast<llvm::Constant>(entry)->getOperand(1)))
        kept.push_back(cast<llvm::Constant>(entry));
    if (kept.empty()) {
      list->eraseFromParent();
    } else if (kept.size() != list->getInitializer()->getNumOperands()) {
      auto *type = llvm::ArrayType::get(kept.front()->getType(), kept.size());
      auto *shorter = new llvm::GlobalVariable(module, type, /*isConstant=*/false, list->getLinkage(),
                                               llvm::ConstantArray::get(type, kept));
      shorter->takeName(list);
      shorter->setSection(list->getSection());
      list->eraseFromParent();
    }
  }
  for (llvm::Function &function : module)
    if (function.getIntrinsicID() == llvm::Intrinsic::var_annotation)
      for (llvm::User *user : llvm::make_early_inc_range(function.users()))
        if (auto *call = cast<llvm::CallInst>(user); isTileAnnotation(call->getArgOperand(1)))
          call->eraseFromParent();
  // Drop the strings and argument lists that are now unused.
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.use_empty() && global.hasPrivateLinkage() && global.getSection() == "llvm.metadata")
      global.eraseFromParent();
  }
}

/// Drops the tables by which LLVM's offloading runtime finds kernels. Our runtime uses its own descriptor instead.
static void dropOffloadEntries(llvm::Module &module) {
  if (llvm::NamedMDNode *symbols = module.getNamedMetadata("llvm.offloading.symbols"))
    symbols->eraseFromParent();
  for (llvm::StringRef section : {"llvm_offload_entries", ".llvm.rodata.offloading"})
    for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module.globals()))
      if (global.getSection() == section) {
        global.removeDeadConstantUsers();
        if (global.use_empty())
          global.eraseFromParent();
      }
}

/// Defines the function that pops a launch configuration. A program has one stack of launch configurations: that of
/// CUDA's runtime if it is linked, so that objects compiled by nvcc may launch tile kernels, and ours otherwise. Each
/// linked module selects the stack with a weak reference. Generates
///   hidden inline unsigned __tilecc_pop_configuration(...) {
///     return (__cudaPopCallConfiguration ? __cudaPopCallConfiguration : __tilecc_pop_call)(...);
///   }
/// tilecc/detail/launch.h has the counterpart that pushes.
static void popConfigurations(llvm::Module &module, llvm::Function &popCall) {
  llvm::FunctionType *type = popCall.getFunctionType();
  popCall.setName("__tilecc_pop_configuration");
  popCall.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  popCall.setVisibility(llvm::GlobalValue::HiddenVisibility);
  popCall.setDSOLocal(true);
  popCall.setComdat(module.getOrInsertComdat(popCall.getName()));
  popCall.addFnAttr(llvm::Attribute::NoUnwind);
  if (module.getUwtable() != llvm::UWTableKind::None)
    popCall.setUWTableKind(module.getUwtable());
  auto *cudart = cast<llvm::Function>(module.getOrInsertFunction("__cudaPopCallConfiguration", type).getCallee());
  cudart->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &popCall));
  llvm::Value *pop = builder.CreateSelect(builder.CreateIsNotNull(cudart), cudart,
                                          module.getOrInsertFunction("__tilecc_pop_call", type).getCallee());
  llvm::SmallVector<llvm::Value *> args;
  for (llvm::Argument &arg : popCall.args())
    args.push_back(&arg);
  builder.CreateRet(builder.CreateCall(type, pop, args));
}

/// Clang's stubs pack arguments. A kernel without parameters gets this stub instead, and the runtime does the rest:
///   void kernel() { __tilecc_launch_plain(&kernel, __llvmPopCallConfiguration); }
void addParameterlessStubs(CodeGenerator &generator, llvm::ArrayRef<FunctionDecl *> kernels) {
  llvm::Module &module = *generator.GetModule();
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *ptr = llvm::PointerType::getUnqual(context), *i32 = llvm::Type::getInt32Ty(context);
  for (FunctionDecl *kernel : kernels) {
    kernel->dropAttr<CUDADeviceAttr>();
    std::string name = generator.GetMangledName(GlobalDecl(kernel, KernelReferenceKind::Stub)).str();
    GVALinkage linkage = kernel->getASTContext().GetGVALinkageForFunction(kernel);
    bool isInline = linkage == GVA_DiscardableODR || linkage == GVA_AvailableExternally;
    if (isInline && !module.getFunction(name))
      continue; // nothing launches it
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    auto *stub = cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
    stub->setLinkage(isInline                   ? llvm::GlobalValue::LinkOnceODRLinkage
                     : linkage == GVA_StrongODR ? llvm::GlobalValue::WeakODRLinkage
                     : linkage == GVA_Internal  ? llvm::GlobalValue::InternalLinkage
                                                : llvm::GlobalValue::ExternalLinkage);
    if (stub->hasLinkOnceLinkage() || stub->hasWeakLinkage())
      stub->setComdat(module.getOrInsertComdat(name));
    if (module.getUwtable() != llvm::UWTableKind::None)
      stub->setUWTableKind(module.getUwtable());
    llvm::FunctionCallee pop = module.getOrInsertFunction("__llvmPopCallConfiguration",
                                                          llvm::FunctionType::get(i32, {ptr, ptr, ptr, ptr}, false));
    llvm::FunctionCallee launch =
        module.getOrInsertFunction("__tilecc_launch_plain", llvm::FunctionType::get(i32, {ptr, ptr}, false));
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", stub));
    builder.CreateCall(launch, {stub, pop.getCallee()});
    builder.CreateRetVoid();
  }
}

void nameStubsAfterKernels(CodeGenerator &generator, const LangOptions &lang) {
  llvm::Module *module = generator.GetModule();
  if (!module)
    return;
  llvm::SmallVector<std::pair<llvm::Function *, std::string>> stubs;
  llvm::SmallPtrSet<llvm::Function *, 8> tileStubs;
  for (llvm::Function &function : *module) {
    const auto *kernel = dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
    if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>())
      continue;
    stubs.emplace_back(&function, generator.GetMangledName(GlobalDecl(kernel, KernelReferenceKind::Kernel)));
    if (findAnnotation(kernel, kernelAnnotation))
      tileStubs.insert(&function);
  }
  for (auto &[function, name] : stubs) {
    renameFunction(*function, name);
    // A launch pushes its configuration in the library that contains the launch, so it must call the stub in the same
    // library. Without hidden visibility, the dynamic linker would merge the instantiations of several libraries into
    // the first one.
    if (function->hasLinkOnceODRLinkage()) {
      function->setVisibility(llvm::GlobalValue::HiddenVisibility);
      function->setDSOLocal(true);
    }
  }
  if (isSimtMode(lang))
    replaceManagedVariables(*module);
  dropAnnotations(*module);
  if (isSimtMode(lang)) {
    launchTileKernels(*module, tileStubs);
    return;
  }
  if (llvm::Function *function = module->getFunction("__llvmPopCallConfiguration"))
    popConfigurations(*module, *function);
  if (llvm::Function *function = module->getFunction("llvmLaunchKernel"))
    renameFunction(*function, "__tilecc_launch");
  dropOffloadEntries(*module);
}

static KernelParam::Kind classify(QualType type) {
  if (type->isPointerType())
    return KernelParam::Pointer;
  if (type->isIntegralOrEnumerationType() && !type->isBooleanType())
    return KernelParam::Integer;
  return KernelParam::Other;
}

std::vector<KernelParam> describeParams(CodeGenerator &generator, const FunctionDecl *kernel) {
  const ASTContext &context = kernel->getASTContext();
  // The stub packs the arguments into an LLVM struct of their in-memory types.
  llvm::SmallVector<llvm::Type *> types;
  for (const ParmVarDecl *param : kernel->parameters())
    types.push_back(CodeGen::convertTypeForMemory(generator.CGM(), param->getType()));
  llvm::Module *module = generator.GetModule();
  const llvm::StructLayout *layout =
      module->getDataLayout().getStructLayout(llvm::StructType::get(module->getContext(), types));

  std::vector<KernelParam> params;
  for (const ParmVarDecl *param : kernel->parameters()) {
    KernelParam &p = params.emplace_back();
    p.name = param->getNameAsString();
    p.kind = classify(param->getType().getCanonicalType());
    p.isFloat = param->getType()->isRealFloatingType();
    p.size = context.getTypeSizeInChars(param->getType()).getQuantity();
    p.align = context.getTypeAlignInChars(param->getType()).getQuantity();
    p.offset = layout->getElementOffset(params.size() - 1);
    p.noSpecialize = findAnnotation(param, "tt.no_specialize") != nullptr;
  }
  return params;
}

} // namespace tilecc
