//===- KernelChecks.h - what Sema lets pass and a tile kernel does not have --------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_KERNELCHECKS_H
#define TILECC_FRONTEND_KERNELCHECKS_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>

namespace tilecc {

/// Makes Clang know [[tt::num_warps(N)]] and its kin.
void registerTileAttributes();

/// Called with each token of a source: reports attributes of tt that there are not, which Clang would ignore.
std::function<void(const clang::Token &)> watchAttributes(clang::DiagnosticsEngine &diags);

/// Reports SIMT code (__device__ functions and variables, __shared__ memory) and attributes of kernels on other functions.
/// False: there are some.
bool checkUserCode(clang::ASTContext &context);

/// Checks the declarations of kernels: marks, parameters, attributes' values. False: a message was printed.
bool checkKernels(clang::ASTContext &context, llvm::ArrayRef<clang::FunctionDecl *> kernels);

/// Hides kernels without parameters from the host's code generator, which crashes on their stubs: HostStubs.cpp makes these.
/// A kernel that belongs to the device alone is one that it leaves out.
class ParameterlessKernels : public clang::ASTConsumer {
public:
  explicit ParameterlessKernels(std::vector<clang::FunctionDecl *> &kernels) : kernels(kernels) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

private:
  void hide(clang::Decl *decl);
  std::vector<clang::FunctionDecl *> &kernels;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_KERNELCHECKS_H
