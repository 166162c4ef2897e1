//===- TileGenerator.cpp - the second code generator: what kernels reach ------------------------------------------===//
//
// Clang's CUDA mode parses a source once for the host and once for every device, because a device has another target
// and other macros. A tile kernel has neither: its types are the host's types, and what depends on the GPU is an
// operation. So its code can be generated from the host's AST, by a code generator that is told it compiles for a device
// (LangOptions::CUDAIsDevice) and is fed what Sema reported with a device's mark.
//
// The language options are shared with the AST, so they are changed for the time of the second generator and put back:
//   - what instruments or hardens the host's code (sanitizers, stack protectors, profiles) has no meaning in a kernel;
//   - floating point follows Triton's rules, not the host's -ffast-math, and halves are computed as halves;
//   - the C ABI. x86-64 packs small structs into integers and vectors; the one Clang has for WebAssembly passes every
//     C++ parameter as one argument and a one-pointer handle as that pointer. The code generator picks its ABI by the
//     triple's architecture when it is created, so that is what changes; the data layout stays the host's.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/TileGenerator.h"
#include "frontend/Simt.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace tilecc {

//===--- collecting declarations ------------------------------------------------------------------------------------===//

static bool hasPlaceInKernel(const Decl *decl) {
  if (isSimtMode(decl->getASTContext().getLangOpts()) && isSimtCode(decl))
    return false;
  return decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAGlobalAttr>();
}

void TileGenerator::record(Decl *decl) {
  // What is not a template arrives inside its namespace.
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(decl)) {
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      record(inner);
    return;
  }
  if (hasPlaceInKernel(decl))
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
  explicit KernelFinder(std::vector<FunctionDecl *> &kernels) : kernels(kernels) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseStmt(Stmt *) { return true; } // kernels are not declared in expressions
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttr<CUDAGlobalAttr>() && hasPlaceInKernel(function) && !function->isTemplated() &&
        function->doesThisDeclarationHaveABody() &&
        function->getTemplateSpecializationKind() != TSK_ExplicitInstantiationDeclaration)
      kernels.push_back(function);
    return true;
  }
};
} // namespace

llvm::ArrayRef<FunctionDecl *> TileGenerator::findKernels(ASTContext &context) {
  kernels.clear();
  KernelFinder(kernels).TraverseDecl(context.getTranslationUnitDecl());
  return kernels;
}

//===--- signatures -------------------------------------------------------------------------------------------------===//

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

/// The class template or class of that name in namespace tt.
static bool isOurs(const CXXRecordDecl *record, llvm::StringRef name) {
  if (!record || !record->getIdentifier() || record->getName() != name)
    return false;
  const auto *ns = dyn_cast<NamespaceDecl>(record->getDeclContext()->getRedeclContext());
  return ns && ns->getName() == "tt" && ns->getParent()->isTranslationUnit();
}

static ElementType getElementType(const ASTContext &context, QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto *enumType = type->getAs<EnumType>())
    type = enumType->getDecl()->getIntegerType();
  unsigned bits = type->isVoidType() || type->isDependentType() || type->isIncompleteType()
                      ? 0
                      : context.getTypeSize(type);
  if (type->isBooleanType())
    return {ElementType::Bool, 1};
  if (type->isIntegerType() && bits <= 64)
    return {type->isSignedIntegerType() ? ElementType::Signed : ElementType::Unsigned, bits};
  if (type->isBFloat16Type())
    return {ElementType::BFloat, 16};
  if (type->isRealFloatingType() && bits <= 64)
    return {ElementType::Float, bits};
  if (const CXXRecordDecl *record = type->getAsCXXRecordDecl(); record && bits == 8) {
    if (isOurs(record, "float8_e4m3fn"))
      return {ElementType::Float8E4M3FN, 8};
    if (isOurs(record, "float8_e5m2"))
      return {ElementType::Float8E5M2, 8};
  }
  return {};
}

static ValueType getScalarType(const ASTContext &context, QualType type) {
  ValueType result;
  type = type.getCanonicalType();
  if (type->isReferenceType() || type->isAnyPointerType() || type->isNullPtrType()) {
    result.isPointer = true;
    type = type->isNullPtrType() ? context.VoidTy : type->getPointeeType();
  }
  result.element = getElementType(context, type);
  if (result.isPointer && type->isAnyPointerType()) // in memory, a pointer is its address
    result.element = {ElementType::Unsigned, 64};
  return result;
}

/// A tile, or the descriptor of a tensor: classes of elements and a shape.
static const ClassTemplateSpecializationDecl *asShaped(QualType type) {
  const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return isOurs(record, "tensor") || isOurs(record, "descriptor_handle") ? record : nullptr;
}

static ValueType getValueType(const ASTContext &context, QualType type) {
  type = type.getCanonicalType();
  const ClassTemplateSpecializationDecl *shaped = asShaped(type);
  if (!shaped)
    return getScalarType(context, type);
  ValueType result = getScalarType(context, shaped->getTemplateArgs()[0].getAsType());
  result.isDescriptor = isOurs(shaped, "descriptor_handle");
  result.isTile = !result.isDescriptor;
  const auto *shape = cast<ClassTemplateSpecializationDecl>(shaped->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl());
  for (const TemplateArgument &dim : shape->getTemplateArgs()[0].pack_elements())
    result.shape.push_back(dim.getAsIntegral().getSExtValue());
  return result;
}

/// The characters of a class around an array of them, up to the zero at its end.
static std::string getLiteral(const APValue &value) {
  std::string text;
  if (value.isStruct() && value.getStructNumFields() == 1 && value.getStructField(0).isArray()) {
    const APValue &chars = value.getStructField(0);
    for (unsigned i = 0; i < chars.getArrayInitializedElts(); ++i)
      if (char c = static_cast<char>(chars.getArrayInitializedElt(i).getInt().getExtValue()))
        text += c;
  }
  return text;
}

static void collectArguments(const ASTContext &context, llvm::ArrayRef<TemplateArgument> args, BuiltinSignature &builtin) {
  for (const TemplateArgument &arg : args) {
    if (arg.getKind() == TemplateArgument::Integral) {
      builtin.constants.push_back(arg.getAsIntegral().getSExtValue());
    } else if (arg.getKind() == TemplateArgument::Pack) {
      collectArguments(context, arg.getPackAsArray(), builtin);
    } else if (arg.getKind() == TemplateArgument::Type) {
      builtin.types.push_back(getValueType(context, arg.getAsType()));
    } else if (arg.getKind() == TemplateArgument::Declaration) {
      if (const auto *object = dyn_cast<TemplateParamObjectDecl>(arg.getAsDecl()))
        builtin.strings.push_back(getLiteral(object->getValue()));
    }
  }
}

static bool isBuiltin(const FunctionDecl *function) {
  const auto *ns = dyn_cast<NamespaceDecl>(function->getDeclContext()->getRedeclContext());
  const auto *outer = ns ? dyn_cast<NamespaceDecl>(ns->getParent()) : nullptr;
  return outer && ns->getName() == "builtin" && outer->getName() == "tt" && outer->getParent()->isTranslationUnit();
}

static BuiltinSignature getBuiltin(const ASTContext &context, const FunctionDecl *function) {
  BuiltinSignature builtin;
  builtin.name = function->getNameAsString();
  builtin.result = getValueType(context, function->getReturnType());
  for (const ParmVarDecl *param : function->parameters())
    builtin.params.push_back(getValueType(context, param->getType()));
  if (const TemplateArgumentList *args = function->getTemplateSpecializationArgs())
    collectArguments(context, args->asArray(), builtin);
  return builtin;
}

static Place getPlace(const ASTContext &context, const Decl *decl) {
  const SourceManager &sources = context.getSourceManager();
  PresumedLoc loc = sources.getPresumedLoc(sources.getExpansionLoc(decl->getLocation()));
  return loc.isValid() ? Place{loc.getFilename(), loc.getLine(), loc.getColumn()} : Place();
}

static KernelSignature getKernel(const ASTContext &context, const FunctionDecl *function) {
  KernelSignature kernel;
  kernel.place = getPlace(context, function);
  for (const ParmVarDecl *param : function->parameters()) {
    KernelSignature::Param &p = kernel.params.emplace_back();
    p.name = param->getNameAsString();
    if (p.name.empty())
      p.name = "arg" + std::to_string(kernel.params.size() - 1);
    p.type = getValueType(context, param->getType());
    if (const CXXRecordDecl *record = param->getType()->getAsCXXRecordDecl())
      p.isEmpty = record->isEmpty();
    if (const AnnotateAttr *divisible = findAnnotation(param, "tt.divisible"))
      p.divisible = getAnnotationValue(divisible, context);
    p.noSpecialize = findAnnotation(param, "tt.no_specialize") != nullptr;
    p.isRestrict = param->getType().isRestrictQualified();
    p.isTemporary = findAnnotation(param, "tt.temporary") != nullptr;
  }
  return kernel;
}

//===--- generating -------------------------------------------------------------------------------------------------===//

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
}

static CodeGenOptions makeCodeGenOptions(const CodeGenOptions &host) {
  CodeGenOptions options;
  options.OptimizationLevel = 1; // no optnone, lifetime markers; none of Clang's pass pipelines is run
  options.DisableLLVMPasses = true;
  options.UnrollLoops = true; // else every loop says that it must not be unrolled
  options.DebugColumnInfo = true;
  // Variables have names only where a debugger will ask for them.
  options.setDebugInfo(std::max(host.getDebugInfo(), llvm::codegenoptions::DebugLineTablesOnly));
  // Clang leaves out of a file's name what it has in common with this folder. From the root nothing is left out: locations
  // name files as the command line and #include found them.
  options.DebugCompilationDir = "/";
  options.MainFileName = host.MainFileName;
  return options;
}

TileModule TileGenerator::generate(ASTContext &context) {
  TileModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  // The generator's own names stay as they are: messages need them.
  result.fileNames = FileNames(compiler.getCodeGenOpts().DebugPrefixMap);

  auto &lang = const_cast<LangOptions &>(context.getLangOpts());
  auto &triple = const_cast<llvm::Triple &>(compiler.getTarget().getTriple());
  auto restore = llvm::scope_exit([&lang, &triple, saved = lang, arch = triple.getArch()] {
    lang = saved;
    triple.setArch(arch); // the AST's destruction asks for it
  });
  useKernelLanguage(lang);
  triple.setArch(llvm::Triple::wasm64);

  std::unique_ptr<CodeGenerator> generator =
      CreateLLVMCodeGen(compiler.getDiagnostics(), "kernels", compiler.getVirtualFileSystemPtr(),
                        compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                        makeCodeGenOptions(compiler.getCodeGenOpts()), *result.context);
  generator->Initialize(context);
  // Members are taken up when the next declaration at top level has been handled, be it an empty one.
  for (FunctionDecl *function : inlineFunctions)
    generator->HandleInlineFunctionDefinition(function);
  generator->HandleTopLevelDecl(DeclGroupRef());
  for (Decl *decl : topLevel)
    generator->HandleTopLevelDecl(DeclGroupRef(decl));
  generator->HandleTranslationUnit(context);
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
    const auto *function = dyn_cast<FunctionDecl>(decl);
    if (function && isBuiltin(function))
      result.builtins[object.getName()] = getBuiltin(context, function);
    else
      result.declarations[object.getName()] = decl->getQualifiedNameAsString();
    // Members defined in their class come along whatever their mark; so do special members, which need none.
    if (function && !hasPlaceInKernel(function) && !function->isDefaulted())
      result.hostFunctions.insert(object.getName());
  }
  result.module.reset(generator->ReleaseModule().release());
  return result;
}

} // namespace tilecc
