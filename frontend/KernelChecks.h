//===- KernelChecks.h - checks tile kernels for code that tcc does not support -----------------------------*- C++ -*-//
//
// Mistakes that Clang cannot know about are reported as errors here, before kernels are raised.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_KERNELCHECKS_H
#define TILECC_FRONTEND_KERNELCHECKS_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>

namespace tilecc {

/// Registers [[tt::num_warps(N)]] and related attributes with Clang.
void registerTileAttributes();

/// Returns a callback for the tokens of a source. It reports unknown attributes of the namespace tt, which Clang would
/// ignore.
std::function<void(const clang::Token &)> watchAttributes(clang::DiagnosticsEngine &diags);

/// Reports SIMT code (__device__ functions and variables, __shared__ memory), and kernel attributes on functions that
/// are not kernels. Returns false if there are any.
bool checkUserCode(clang::ASTContext &context);

/// Checks how kernels are declared: marks, parameters, and the values of attributes. Returns false after printing a
/// message.
bool checkKernels(clang::ASTContext &context, llvm::ArrayRef<clang::FunctionDecl *> kernels);

/// Hides kernels without parameters from the host code generator, which would crash on their stubs; HostStubs.cpp
/// creates these stubs instead. A kernel is hidden by marking it as device-only, because the code generator skips such
/// functions.
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
