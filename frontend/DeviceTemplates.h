//===- DeviceTemplates.h - templates that the host parse need not instantiate ------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_DEVICETEMPLATES_H
#define TILECC_FRONTEND_DEVICETEMPLATES_H

#include "clang/Sema/SemaConsumer.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
}

namespace tilecc {

/// Leaves the bodies of SIMT kernels and device functions that are instantiated from templates empty in the host parse,
/// as nvcc does. A body that is valid only where __CUDA_ARCH__ is defined is therefore no error, and the host parse is
/// shorter. Device parses instantiate the bodies and report their errors.
///
/// The host parse also makes the tile kernels, which may call device functions. Once the source has included a header
/// of tile operations, all bodies are instantiated.
class DeviceTemplates : public clang::SemaConsumer {
public:
  explicit DeviceTemplates(clang::CompilerInstance &compiler) : compiler(compiler) {}

  void InitializeSema(clang::Sema &parsing) override { sema = &parsing; }
  void ForgetSema() override { sema = nullptr; }
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *function) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

private:
  bool mayHaveTileCode() const;

  clang::CompilerInstance &compiler;
  clang::Sema *sema = nullptr;
  llvm::SmallVector<std::pair<clang::FunctionDecl *, clang::SourceLocation>> emptied; ///< with the place of first use
};

} // namespace tilecc

#endif // TILECC_FRONTEND_DEVICETEMPLATES_H
