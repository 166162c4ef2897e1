//===- SimtThreadCode.cpp - extracts SIMT functions that tile kernels call ----------------------------------------===//
//
// SIMT code and tile kernels are in separate modules on a GPU. So functions that tile kernels call are moved to a
// module of their own, which the back end links with the tile kernels. Shared memory that these functions use moves
// with them. A variable in global or constant memory cannot move, because SIMT kernels and the CUDA runtime would then
// refer to another copy of it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/LinkFunctions.h"
#include "frontend/Simt.h"
#include "frontend/TileGenerator.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clang;

namespace tilecc {

void removeUnusedFunctions(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::GlobalDCEPass().run(module, modules);
}

void linkDeviceLibrary(llvm::Module &device, llvm::StringRef library, DiagnosticsEngine &diags) {
  auto fail = [&](std::string why) {
    diags.Report(diags.getCustomDiagID(DiagnosticsEngine::Error, "--device-library=%0: %1")) << library << why;
  };
  llvm::SMDiagnostic problem;
  llvm::LLVMContext &context = device.getContext();
  const bool discardsNames = context.shouldDiscardValueNames();
  context.setDiscardValueNames(false); // a file of text needs them
  std::unique_ptr<llvm::Module> functions = llvm::getLazyIRFileModule(library, problem, context);
  context.setDiscardValueNames(discardsNames);
  if (!functions)
    return fail(problem.getMessage().str());
  if (const llvm::Triple &triple = functions->getTargetTriple(); !triple.isNVPTX())
    return fail("the code is for '" + triple.str() + "', not for nvptx64");
  if (!linkFunctions(device, std::move(functions)))
    fail("the code cannot be linked with that of the source");
}

/// Returns true for functions that device code may call without a definition, because the driver provides them.
static bool isOfDriver(llvm::StringRef name) {
  return llvm::is_contained<llvm::StringRef>({"vprintf", "__assertfail", "malloc", "free"}, name);
}

namespace {
class ThreadCodeChecker {
public:
  ThreadCodeChecker(CodeGenerator &generator, CompilerInstance &compiler) : generator(generator), compiler(compiler) {}

  void check(const llvm::Module &module) {
    for (const llvm::GlobalVariable &variable : module.globals()) {
      const auto *decl = dyn_cast_or_null<VarDecl>(generator.GetDeclForMangledName(variable.getName()));
      bool isInMemory =
          decl && (decl->hasAttr<CUDADeviceAttr>() || decl->hasAttr<CUDAConstantAttr>()) && !decl->isConstexpr();
      if (isInMemory && !(variable.isConstant() && variable.hasLocalLinkage()))
        report(decl,
               "'%0' is a variable of the SIMT code's module, which functions that tile kernels call do not share: "
               "pass its address as an argument of the kernel");
    }
    for (const llvm::Function &function : module)
      if (function.isDeclaration() && !function.isIntrinsic() && !isOfDriver(function.getName()))
        if (const auto *decl = dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(function.getName())))
          report(decl,
                 "'%0', which code for a tile kernel calls, is not defined: define it in this source, or name the "
                 "bitcode that does with --device-library=<file>");
  }

private:
  template <unsigned N> void report(const NamedDecl *decl, const char (&text)[N]) {
    DiagnosticsEngine &diags = compiler.getDiagnostics();
    diags.Report(decl->getLocation(), diags.getCustomDiagID(DiagnosticsEngine::Error, text))
        << decl->getQualifiedNameAsString();
  }

  CodeGenerator &generator;
  CompilerInstance &compiler;
};
} // namespace

static void inlineAlways(llvm::Function &function) {
  function.removeFnAttr(llvm::Attribute::NoInline); // of unoptimized code
  function.removeFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

std::string takeThreadCode(llvm::Module &device, llvm::ArrayRef<llvm::Function *> functions, CodeGenerator &generator,
                           CompilerInstance &compiler) {
  llvm::StringSet<> names;
  for (llvm::Function *function : functions)
    names.insert(function->getName());
  auto isTaken = [&](llvm::Constant *constant) { return names.contains(constant->stripPointerCasts()->getName()); };
  llvm::removeFromUsedLists(device, isTaken);

  std::unique_ptr<llvm::Module> taken = llvm::CloneModule(device);
  llvm::removeFromUsedLists(*taken, [](llvm::Constant *) { return true; });
  for (llvm::GlobalObject &object : taken->global_objects()) {
    if (object.isDeclaration())
      continue;
    object.setComdat(nullptr);
    bool isEntry = names.contains(object.getName());
    // Keep the names of the variables of libraries, because libraries find these variables by name.
    bool isOfLibrary = isa<llvm::GlobalVariable>(object) && object.hasExternalLinkage() && !isEntry &&
                       !generator.GetDeclForMangledName(object.getName());
    if (!isOfLibrary)
      object.setLinkage(isEntry ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
    object.setVisibility(llvm::GlobalValue::DefaultVisibility);
  }
  for (llvm::Function &function : *taken)
    if (names.contains(function.getName()))
      inlineAlways(function);
  removeUnusedFunctions(*taken);
  // Tile kernels have at most line directives. ptxas rejects a file of optimized code that has more debug information.
  if (llvm::any_of(taken->debug_compile_units(), [](const llvm::DICompileUnit *unit) {
        return unit->getEmissionKind() != llvm::DICompileUnit::DebugDirectivesOnly;
      }))
    llvm::StripDebugInfo(*taken);
  ThreadCodeChecker(generator, compiler).check(*taken);

  // In the device module, the specializations of tt::detail::thread_call are unused now. SIMT code may also call the
  // other functions.
  for (llvm::Function *function : functions) {
    if (function->hasExternalLinkage())
      continue;
    function->setComdat(nullptr);
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  removeUnusedFunctions(device);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*taken, stream);
  return bitcode;
}

} // namespace tilecc
