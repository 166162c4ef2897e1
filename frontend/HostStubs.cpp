//===- HostStubs.cpp - the host side of kernels -------------------------------------------------------------------===//
//
// For a kernel the host's code has a stub: a function of the kernel's type that packs its arguments in one buffer and
// launches. Clang names it __device_stub__..., since in CUDA the kernel's own name stays with the device code. Here the
// stub takes the kernel's name: then any object file, also one that tcc did not compile, can name the kernel, and the
// stub's address is the kernel's identity in the process.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/HostStubs.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "llvm/IR/DebugInfoMetadata.h"
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

/// The marks of kernels are annotations, which Clang also lists in a global of the host's module.
static void dropAnnotations(llvm::Module &module) {
  llvm::GlobalVariable *list = module.getNamedGlobal("llvm.global.annotations");
  if (!list)
    return;
  llvm::SmallVector<llvm::Constant *> kept;
  for (llvm::Value *entry : list->getInitializer()->operands()) {
    auto *text = dyn_cast<llvm::GlobalVariable>(cast<llvm::Constant>(entry)->getOperand(1));
    auto *string = text ? dyn_cast<llvm::ConstantDataArray>(text->getInitializer()) : nullptr;
    if (!string || !string->isCString() || !string->getAsCString().starts_with("tt."))
      kept.push_back(cast<llvm::Constant>(entry));
  }
  if (kept.size() != list->getInitializer()->getNumOperands() && !kept.empty()) {
    auto *type = llvm::ArrayType::get(kept.front()->getType(), kept.size());
    auto *shorter = new llvm::GlobalVariable(module, type, /*isConstant=*/false, list->getLinkage(),
                                             llvm::ConstantArray::get(type, kept));
    shorter->takeName(list);
    shorter->setSection(list->getSection());
    list->eraseFromParent();
  } else if (kept.empty()) {
    list->eraseFromParent();
  }
  // The strings and argument lists that only those entries named.
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.use_empty() && global.hasPrivateLinkage() && global.getSection() == "llvm.metadata")
      global.eraseFromParent();
  }
}

/// LLVM's offloading runtime would find kernels by these tables; ours has its own descriptor.
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

void nameStubsAfterKernels(CodeGenerator &generator) {
  llvm::Module *module = generator.GetModule();
  if (!module)
    return;
  llvm::SmallVector<std::pair<llvm::Function *, std::string>> stubs;
  for (llvm::Function &function : *module) {
    const auto *kernel = dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
    if (kernel && kernel->hasAttr<CUDAGlobalAttr>())
      stubs.emplace_back(&function, generator.GetMangledName(GlobalDecl(kernel, KernelReferenceKind::Kernel)));
  }
  for (auto &[function, name] : stubs)
    renameFunction(*function, name);
  for (auto [clangName, name] : {std::pair("__llvmPopCallConfiguration", "__tilecc_pop_call"),
                                 std::pair("llvmLaunchKernel", "__tilecc_launch")})
    if (llvm::Function *function = module->getFunction(clangName))
      renameFunction(*function, name);
  dropAnnotations(*module);
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
  // The stub packs its arguments in an LLVM struct of their types in memory.
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
    p.size = context.getTypeSizeInChars(param->getType()).getQuantity();
    p.align = context.getTypeAlignInChars(param->getType()).getQuantity();
    p.offset = layout->getElementOffset(params.size() - 1);
    p.noSpecialize = findAnnotation(param, "tt.no_specialize") != nullptr;
  }
  return params;
}

} // namespace tilecc
