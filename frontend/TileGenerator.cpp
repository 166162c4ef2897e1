//===- TileGenerator.cpp - generates code for everything that kernels reach ---------------------------------------===//
//
// Clang's CUDA mode parses a source once for the host and once per device, because a device has a different target and
// different macros. Tile kernels need neither: their types are the host's, and everything that depends on the GPU is an
// operation. So the code of tile kernels can be generated from the host's AST, by a second code generator that compiles
// for a device (LangOptions::CUDAIsDevice) and receives the declarations with a device attribute that Sema reported.
//
// The AST shares the language options, so they are changed while the second generator runs, and then restored:
// - Instrumentation and hardening of host code (sanitizers, stack protectors, profiles) are disabled.
// - Floating point follows Triton's rules, not the host's -ffast-math, and halves are computed as halves.
// - The C ABI is Clang's WebAssembly ABI, which passes every C++ parameter as one argument, and a handle with one
//   pointer as that pointer. (On x86-64, small structs are packed into integers and vectors.) The code generator
//   chooses the ABI by the triple's architecture when it is created, so only the architecture is changed. The data
//   layout stays the host's, except for the widths of native integers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/TileGenerator.h"
#include "frontend/Simt.h"
#include "frontend/TileSignatures.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tilecc {

//===--- collecting declarations ----------------------------------------------------------------------------------===//

/// Returns true for a host function that is internal to a header. In a source with SIMT code, the __host__ __device__
/// functions of the toolkit, such as the conversion of float to __half, have host bodies that call such functions.
/// Kernels are compiled from the host parse, so they use these bodies.
static bool isHelperOfHeader(const Decl *decl) {
  const auto *function = dyn_cast<FunctionDecl>(decl);
  return function && function->isInlined() && function->getFormalLinkage() == Linkage::Internal &&
         !function->hasAttr<CUDADeviceAttr>() && isSimtMode(decl->getASTContext().getLangOpts()) &&
         decl->getASTContext().getSourceManager().isInSystemHeader(function->getLocation());
}

static bool hasPlaceInKernel(const Decl *decl) {
  if (isSimtMode(decl->getASTContext().getLangOpts()) && isSimtCode(decl))
    return false;
  return decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAGlobalAttr>();
}

void TileGenerator::record(Decl *decl) {
  // Declarations that are not templates arrive inside their namespaces.
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(decl)) {
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      record(inner);
    return;
  }
  if (hasPlaceInKernel(decl) || isHelperOfHeader(decl))
    topLevel.push_back(decl);
}

bool TileGenerator::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *decl : group)
    record(decl);
  return true;
}

void TileGenerator::HandleInlineFunctionDefinition(FunctionDecl *function) {
  if (hasPlaceInKernel(function))
    inlineFunctions.push_back(function);
}

namespace {
struct KernelFinder : RecursiveASTVisitor<KernelFinder> {
  std::vector<FunctionDecl *> &kernels;
  std::vector<VarDecl *> &constants;
  KernelFinder(std::vector<FunctionDecl *> &kernels, std::vector<VarDecl *> &constants)
      : kernels(kernels), constants(constants) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseStmt(Stmt *) { return true; } // expressions do not declare kernels
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttr<CUDAGlobalAttr>() && hasPlaceInKernel(function) && !function->isTemplated() &&
        function->doesThisDeclarationHaveABody() &&
        function->getTemplateSpecializationKind() != TSK_ExplicitInstantiationDeclaration)
      kernels.push_back(function);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (variable->isConstexpr() && variable->isUsed(/*CheckUsedAttr=*/false) && variable->hasGlobalStorage() &&
        !variable->isStaticLocal() && !variable->isTemplated() && variable->isThisDeclarationADefinition() &&
        !variable->hasAttr<CUDAConstantAttr>() && !variable->hasAttr<CUDADeviceAttr>())
      constants.push_back(variable);
    return true;
  }
};
} // namespace

llvm::ArrayRef<FunctionDecl *> TileGenerator::findKernels(ASTContext &context,
                                                          llvm::function_ref<bool(const FunctionDecl *)> canLaunch) {
  kernels.clear();
  constants.clear();
  KernelFinder(kernels, constants).TraverseDecl(context.getTranslationUnitDecl());
  llvm::erase_if(kernels, [&](const FunctionDecl *kernel) { return !canLaunch(kernel); });
  return kernels;
}

//===--- annotations ----------------------------------------------------------------------------------------------===//

const AnnotateAttr *findAnnotation(const Decl *decl, llvm::StringRef name) {
  for (const AnnotateAttr *attr : decl->specific_attrs<AnnotateAttr>())
    if (attr->getAnnotation() == name)
      return attr;
  return nullptr;
}

int64_t getAnnotationValue(const AnnotateAttr *attr, const ASTContext &context) {
  Expr::EvalResult result;
  const Expr *value = *attr->args_begin();
  if (value->EvaluateAsRValue(result, context) && result.Val.isInt())
    return result.Val.getInt().getExtValue();
  return 0;
}

//===--- generating -----------------------------------------------------------------------------------------------===//

static void useKernelLanguage(LangOptions &lang) {
  lang.CUDAIsDevice = true;
  lang.GPURelocatableDeviceCode = false;
  lang.Sanitize.clear();
  lang.setStackProtector(LangOptions::SSPOff);
  lang.setTrivialAutoVarInit(LangOptions::TrivialAutoVarInitKind::Uninitialized);
  lang.setSignedOverflowBehavior(LangOptions::SOB_Undefined);
  lang.Exceptions = lang.CXXExceptions = false;
  lang.setDefaultFPContractMode(LangOptions::FPM_Off);
  lang.setFloat16ExcessPrecision(LangOptions::FPP_None);
  lang.setBFloat16ExcessPrecision(LangOptions::FPP_None);
  lang.AllowFPReassoc = lang.NoHonorNaNs = lang.NoHonorInfs = lang.NoSignedZero = lang.AllowRecip = false;
  lang.ApproxFunc = lang.FastMath = lang.UnsafeFPMath = lang.RoundingMath = lang.MathErrno = false;
  lang.setFPExceptionMode(LangOptions::FPE_Default);
  lang.setComplexRange(LangOptions::CX_Basic); // std::complex by formula; exact needs a library
}

static CodeGenOptions makeCodeGenOptions(const CodeGenOptions &host) {
  CodeGenOptions options;
  options.OptimizationLevel = 1; // no optnone, lifetime markers; Clang's pass pipelines are not run
  options.DisableLLVMPasses = true;
  options.UnrollLoops = true; // otherwise every loop gets metadata that forbids unrolling
  options.DebugColumnInfo = true;
  // Variables need names only for a debugger.
  options.setDebugInfo(std::max(host.getDebugInfo(), llvm::codegenoptions::DebugLineTablesOnly));
  // Clang makes file names relative to this folder. The root leaves them unchanged, so locations name files as the
  // command line and #include found them.
  options.DebugCompilationDir = "/";
  options.MainFileName = host.MainFileName;
  return options;
}

/// Records a __tile__ function. A function without a body is defined in another source. A function with a body may be
/// called by other sources, if these can name it.
static void noteTileFunction(TileModule &result, const ASTContext &context, const FunctionDecl *function,
                             const llvm::GlobalObject &object) {
  TileFunctionSignature signature = getTileFunction(context, function);
  signature.symbol = object.getName();
  if (object.isDeclaration()) {
    result.calledFunctions[object.getName()] = std::move(signature);
    return;
  }
  GVALinkage linkage = context.GetGVALinkageForFunction(function);
  signature.isMergeable = linkage == GVA_StrongODR;
  if (result.isRelocatable && signature.whyNot.empty() && (linkage == GVA_StrongExternal || signature.isMergeable))
    result.functions.push_back(std::move(signature));
}

/// Returns `layout` with x86-64's widths of native integers. They determine how LLVM's passes split variables into
/// values. Kernels are raised from these values and must not differ between hosts: with AArch64's widths, structs with
/// 16-bit members stay in memory.
static std::string withCommonIntegers(StringRef layout) {
  SmallVector<StringRef> parts;
  layout.split(parts, '-');
  for (StringRef &part : parts)
    if (StringRef widths = part; widths.consume_front("n") && !widths.empty() && llvm::isDigit(widths.front()))
      part = "n8:16:32:64";
  return llvm::join(parts, "-");
}

TileModule TileGenerator::generate(ASTContext &context) {
  TileModule result;
  result.isRelocatable = isRelocatable;
  result.context = std::make_unique<llvm::LLVMContext>();
  // The generator uses the original file names, because messages need them.
  result.fileNames = FileNames(compiler.getCodeGenOpts().DebugPrefixMap);

  auto &lang = const_cast<LangOptions &>(context.getLangOpts());
  auto &triple = const_cast<llvm::Triple &>(compiler.getTarget().getTriple());
  auto restore = llvm::scope_exit([&lang, &triple, saved = lang, arch = triple.getArch()] {
    lang = saved;
    triple.setArch(arch); // the AST's destruction needs it
  });
  useKernelLanguage(lang);
  triple.setArch(llvm::Triple::wasm64);

  std::unique_ptr<CodeGenerator> generator = CreateLLVMCodeGen(
      compiler.getDiagnostics(), "kernels", compiler.getVirtualFileSystemPtr(), compiler.getHeaderSearchOpts(),
      compiler.getPreprocessorOpts(), makeCodeGenOptions(compiler.getCodeGenOpts()), *result.context);
  generator->Initialize(context);
  // The generator emits member functions when it handles the next top-level declaration. That declaration may be empty.
  for (FunctionDecl *function : inlineFunctions)
    generator->HandleInlineFunctionDefinition(function);
  generator->HandleTopLevelDecl(DeclGroupRef());
  // If the address of a constant is used, and not only its value, it needs storage on the device. CUDA guarantees this,
  // too.
  for (VarDecl *constant : constants) {
    constant->addAttr(CUDAConstantAttr::CreateImplicit(context));
    generator->HandleTopLevelDecl(DeclGroupRef(constant));
  }
  for (Decl *decl : topLevel) {
    // The code for the host has been generated already. Of its functions, only those that kernels call are generated
    // again.
    if (auto *function = dyn_cast<FunctionDecl>(decl);
        function && isSimtMode(lang) && function->hasAttr<CUDAHostAttr>() && function->hasAttr<CUDADeviceAttr>())
      function->setImplicitlyInline();
    if (isHelperOfHeader(decl)) { // only at the end of the source, because the attributes affect overload resolution
      decl->addAttr(CUDADeviceAttr::CreateImplicit(context));
      if (!decl->hasAttr<CUDAHostAttr>())
        decl->addAttr(CUDAHostAttr::CreateImplicit(context));
    }
    generator->HandleTopLevelDecl(DeclGroupRef(decl));
  }
  generator->HandleTranslationUnit(context);
  for (VarDecl *constant : constants)
    constant->dropAttr<CUDAConstantAttr>();
  if (compiler.getDiagnostics().hasErrorOccurred() || !generator->GetModule())
    return result;

  for (FunctionDecl *function : kernels) {
    KernelSignature kernel = getKernel(context, function);
    kernel.symbol = generator->GetMangledName(GlobalDecl(function, KernelReferenceKind::Kernel));
    result.kernels.push_back(std::move(kernel));
  }
  for (llvm::GlobalObject &object : generator->GetModule()->global_objects()) {
    const auto *decl = dyn_cast_or_null<NamedDecl>(generator->GetDeclForMangledName(object.getName()));
    if (!decl)
      continue;
    if (const auto *variable = dyn_cast<VarDecl>(decl); variable && variable->isStaticLocal())
      result.staticLocals[object.getName()] = getPlace(context, variable);
    // Constexpr variables keep their values, as in CUDA's host code. A class member may be constexpr only in its
    // definition (std::strong_ordering::less).
    auto isConstexpr = [](const VarDecl *redeclaration) { return redeclaration->isConstexpr(); };
    if (const auto *variable = dyn_cast<VarDecl>(decl); variable && llvm::any_of(variable->redecls(), isConstexpr))
      cast<llvm::GlobalVariable>(object).setExternallyInitialized(false);
    const auto *function = dyn_cast<FunctionDecl>(decl);
    if (const FunctionDecl *definition; function && !object.isDeclaration() && function->hasBody(definition))
      generated.push_back(definition);
    if (function && isBuiltin(function))
      result.builtins[object.getName()] = getBuiltin(context, function);
    else if (function && findAnnotation(function, tileAnnotation))
      noteTileFunction(result, context, function, object);
    else if (function && isSimtFunction(function) && object.isDeclaration() && callsThreads(compiler))
      result.threadFunctions[object.getName()] = getBuiltin(context, function);
    else if (function && isSimtFunction(function) && object.isDeclaration())
      result.simtFunctions.insert(object.getName());
    if (!function || !isBuiltin(function))
      result.declarations[object.getName()] = decl->getQualifiedNameAsString();
    // Member functions defined in their class are emitted regardless of their attributes, and special members need
    // none.
    if (function && !hasPlaceInKernel(function) && !function->isDefaulted())
      result.hostFunctions.insert(object.getName());
  }
  result.module.reset(generator->ReleaseModule().release());
  result.module->setDataLayout(withCommonIntegers(result.module->getDataLayoutStr()));
  return result;
}

} // namespace tilecc
