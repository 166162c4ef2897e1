//===- HostStubs.h - creates the host side of kernels ------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_HOSTSTUBS_H
#define TILECC_FRONTEND_HOSTSTUBS_H

#include "frontend/Frontend.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"

namespace tilecc {

/// Creates the stubs of kernels without parameters, which ParameterlessKernels hides from the code generator.
void addParameterlessStubs(clang::CodeGenerator &generator, llvm::ArrayRef<clang::FunctionDecl *> kernels);

/// Gives the stub of each kernel the kernel's own symbol, and makes stubs call our runtime. Must be called after host
/// code generation and before the generator releases its module.
void nameStubsAfterKernels(clang::CodeGenerator &generator, const clang::LangOptions &lang);

/// Returns the kernel's parameters as its stub packs them.
std::vector<KernelParam> describeParams(clang::CodeGenerator &generator, const clang::FunctionDecl *kernel);

} // namespace tilecc

#endif // TILECC_FRONTEND_HOSTSTUBS_H
