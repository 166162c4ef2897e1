//===- HostStubs.h - creates the host side of kernels ------------------------------------------------------*- C++ -*-//
//
// Launching a kernel calls a host function with the kernel's name, its stub, which passes the arguments to a runtime.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_HOSTSTUBS_H
#define TILECC_FRONTEND_HOSTSTUBS_H

#include "frontend/Frontend.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"

namespace tilecc {

/// Creates the stubs of kernels without parameters, which ParameterlessKernels (KernelChecks.h) hides from the code
/// generator.
void addParameterlessStubs(clang::CodeGenerator &generator, llvm::ArrayRef<clang::FunctionDecl *> kernels);

/// Gives the stub of each kernel the symbol of the kernel, and makes the stub call our runtime. Must be called after
/// host code generation, and before the generator releases its module.
void nameStubsAfterKernels(clang::CodeGenerator &generator, const clang::LangOptions &lang);

/// Returns the parameters of a kernel in the way in which its stub packs them.
std::vector<KernelParam> describeParams(clang::CodeGenerator &generator, const clang::FunctionDecl *kernel);

} // namespace tilecc

#endif // TILECC_FRONTEND_HOSTSTUBS_H
