//===- KernelChecks.h - what Sema lets pass and a tile kernel does not have --------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_KERNELCHECKS_H
#define TILECC_FRONTEND_KERNELCHECKS_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilecc {

/// Makes Clang know [[tt::num_warps(N)]] and its kin.
void registerTileAttributes();

/// Reports SIMT code (__device__ functions and variables, __shared__ memory) and attributes of kernels on other functions.
/// False: there are some.
bool checkUserCode(clang::ASTContext &context);

/// Checks the declarations of kernels: marks, parameters, attributes' values. False: a message was printed.
bool checkKernels(clang::ASTContext &context, llvm::ArrayRef<clang::FunctionDecl *> kernels);

/// Reports kernels without parameters, ahead of the host's code generator, which crashes on their stubs. Such a kernel has
/// nothing to read or write.
class ParameterlessKernels : public clang::ASTConsumer {
public:
  explicit ParameterlessKernels(clang::DiagnosticsEngine &diags) : diags(diags) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

private:
  void check(const clang::Decl *decl);
  clang::DiagnosticsEngine &diags;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_KERNELCHECKS_H
