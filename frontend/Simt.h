//===- Simt.h - SIMT code beside tile code --------------------------------------------------------------------*- C++ -*-//
//
// SIMT code is CUDA's: threads, __device__ functions, launches with blocks. A source with it is parsed once for each
// GPU architecture, for the SIMT kernels, and once for the host, with the toolkit's headers and Clang's CUDA wrapper of
// them. The host's parse makes the tile kernels as ever. Both kinds are launched as CUDA's runtime has it, by stubs
// that call cudaLaunchKernel; a tile kernel's stub calls our runtime at that place instead.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_SIMT_H
#define TILECC_FRONTEND_SIMT_H

#include "frontend/Frontend.h"
#include "clang/AST/DeclBase.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Whether a parse is of a source with SIMT code: then launches are CUDA's.
inline bool isSimtMode(const clang::LangOptions &lang) { return lang.CUDA && !lang.OffloadViaLLVM; }

/// In such a source, whether a declaration with a mark of CUDA's is SIMT code, and no tile kernel's affair: kernels of
/// the other kind, what a GPU has in its memory, and functions that are not inline. An inline one a tile kernel may
/// call.
bool isSimtCode(const clang::Decl *decl);

/// Has the stubs of tile kernels launch with our runtime, and takes these kernels out of what CUDA's runtime gets to
/// know.
void launchTileKernels(llvm::Module &host, const llvm::SmallPtrSetImpl<llvm::Function *> &tileStubs);

/// Reports launches of kernels of one kind in the way of the other, and launches by tile kernels. False: there are some.
/// `onDevice` gets the launches of tile kernels by SIMT code.
bool checkLaunches(clang::ASTContext &context, std::vector<const clang::CallExpr *> &onDevice);

/// Reports what is of threads, and variables in a GPU's memory, in tile kernels and __tile__ functions. False: there is
/// some.
bool checkTileCode(clang::ASTContext &context);

/// Reports tile operations that SIMT code calls.
void checkNoTileOperations(llvm::Module &module, clang::CodeGenerator &generator, clang::CompilerInstance &compiler);

/// The host's side of __managed__ variables, and the devices'. These read annotations, and the latter drops them.
void replaceManagedVariables(llvm::Module &host);
void markManagedVariables(llvm::Module &device);

/// Has launches by device code that are of tile kernels take what they need from these (compile/TileLink.h).
void launchTileKernelsOnDevice(llvm::Module &device, const llvm::SmallPtrSetImpl<llvm::Function *> &tileKernels);

/// Has launches by device code go by the interface to CUDA's runtime that nvcc uses.
void useSecondLaunchInterface(llvm::Module &device);

/// A warning of ours about SIMT code, under an option of Clang's that turns it off.
inline unsigned simtWarning(clang::DiagnosticsEngine &diags, std::string text,
                            clang::diag::Group group = clang::diag::Group::CudaCompat) {
  using Ids = clang::DiagnosticIDs;
  return diags.getDiagnosticIDs()->getCustomDiagID(Ids::CustomDiagDesc(clang::diag::Severity::Warning, std::move(text),
                                                                       Ids::CLASS_WARNING, /*ShowInSystemHeader=*/false,
                                                                       /*ShowInSystemMacro=*/false, group));
}

/// Warns of kernels that hand tensor maps in local memory to the hardware, in optimized code. `places` has where functions
/// are declared, by their symbols.
void warnOfLocalTensorMaps(llvm::Module &device, clang::CompilerInstance &compiler,
                           const llvm::StringMap<clang::SourceLocation> &places);

} // namespace tilecc

#endif // TILECC_FRONTEND_SIMT_H
