//===- Simt.h - SIMT code next to tile code ----------------------------------------------------------------*- C++ -*-//
//
// SIMT code is ordinary CUDA: threads, __device__ functions, launches with blocks. A source that contains SIMT code is
// parsed once for each GPU architecture, to compile the SIMT kernels, and once for the host. All parses use the
// toolkit's headers and Clang's CUDA wrapper for them. The host parse creates the tile kernels as usual. Both kinds of
// kernels are launched as CUDA's runtime requires, by stubs that call cudaLaunchKernel; but the stub of a tile kernel
// calls our runtime instead.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_SIMT_H
#define TILECC_FRONTEND_SIMT_H

#include "frontend/Frontend.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Returns true if the source that is parsed contains SIMT code, so that launches have CUDA's meaning.
inline bool isSimtMode(const clang::LangOptions &lang) { return lang.CUDA && !lang.OffloadViaLLVM; }

/// In such a source, returns true for a declaration with a CUDA attribute that tile kernels cannot use: a SIMT kernel,
/// a variable in GPU memory, or a function that is neither inline nor also a host function. Tile kernels may call all
/// other functions.
bool isSimtCode(const clang::Decl *decl);

/// Returns true if the parse has read <tilecc/threads.h>, so that tile kernels may call SIMT code.
inline bool callsThreads(const clang::CompilerInstance &compiler) {
  return compiler.getPreprocessor().isMacroDefined("TILECC_THREADS_H");
}
/// Returns true for a SIMT function that is not a kernel. It is compiled separately from tile kernels. If
/// callsThreads() is true, tile kernels can call it as code of a single thread.
bool isSimtFunction(const clang::FunctionDecl *function);

/// Makes the stubs of tile kernels launch by our runtime, and removes these kernels from the registration with CUDA's
/// runtime.
void launchTileKernels(llvm::Module &host, const llvm::SmallPtrSetImpl<llvm::Function *> &tileStubs);

/// Reports launches of tile kernels with the syntax for SIMT kernels and vice versa, and launches by tile kernels.
/// Returns false if there are any. `onDevice` receives the launches of tile kernels by SIMT code.
bool checkLaunches(clang::ASTContext &context, std::vector<const clang::CallExpr *> &onDevice);

/// Reports uses of threads, and of variables in GPU memory, in tile kernels and __tile__ functions. Returns false if
/// there are any.
bool checkTileCode(clang::ASTContext &context, const clang::CompilerInstance &compiler);

/// Reports calls of tile operations in SIMT code.
void checkNoTileOperations(llvm::Module &module, clang::CodeGenerator &generator, clang::CompilerInstance &compiler);

/// Implement __managed__ variables, in host modules and in device modules. Both functions read the annotations of these
/// variables; markManagedVariables() also removes them.
void replaceManagedVariables(llvm::Module &host);
void markManagedVariables(llvm::Module &device);

/// Makes device code that launches tile kernels use the constants that describe these launches (compile/TileLink.h).
void launchTileKernelsOnDevice(llvm::Module &device, const llvm::SmallPtrSetImpl<llvm::Function *> &tileKernels);

/// Links the functions that a device module calls and that the bitcode file `library` defines. Reports errors.
void linkDeviceLibrary(llvm::Module &device, llvm::StringRef library, clang::DiagnosticsEngine &diags);

/// Removes functions that are not used in the module and that other modules cannot name.
void removeUnusedFunctions(llvm::Module &module);

/// Moves `functions`, which tile kernels call, out of a device module, together with everything that they use. Returns
/// them as a module of bitcode, in which they are external. Reports an error for definitions that they use and that the
/// module of the tile kernels cannot contain.
std::string takeThreadCode(llvm::Module &device, llvm::ArrayRef<llvm::Function *> functions,
                           clang::CodeGenerator &generator, clang::CompilerInstance &compiler);

/// Makes launches in device code use the interface of CUDA's runtime that nvcc uses.
void useSecondLaunchInterface(llvm::Module &device);

/// Creates a warning about SIMT code that Clang does not have. An option of Clang (`group`) controls it.
inline unsigned simtWarning(clang::DiagnosticsEngine &diags, std::string text,
                            clang::diag::Group group = clang::diag::Group::CudaCompat) {
  using Ids = clang::DiagnosticIDs;
  return diags.getDiagnosticIDs()->getCustomDiagID(Ids::CustomDiagDesc(clang::diag::Severity::Warning, std::move(text),
                                                                       Ids::CLASS_WARNING, /*ShowInSystemHeader=*/false,
                                                                       /*ShowInSystemMacro=*/false, group));
}

/// Warns about kernels that pass tensor maps in local memory to the hardware, in optimized code. `places` maps the
/// symbols of functions to their declarations.
void warnOfLocalTensorMaps(llvm::Module &device, clang::CompilerInstance &compiler,
                           const llvm::StringMap<clang::SourceLocation> &places);

} // namespace tilecc

#endif // TILECC_FRONTEND_SIMT_H
