//===- DeviceBodies.h - omits function bodies that the host parse does not need ----------------------------*- C++ -*-//
//
// The host side of a CUDA source needs only the declarations of device functions; nvcc's host parse does not see their
// bodies either.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_DEVICEBODIES_H
#define TILECC_FRONTEND_DEVICEBODIES_H

#include "clang/Sema/SemaConsumer.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
}

namespace tilecc {

/// Leaves the bodies of SIMT kernels and device functions empty in the host parse: bodies in the source are skipped,
/// and bodies of templates are not instantiated. As with nvcc, a body may therefore be valid only where __CUDA_ARCH__
/// is defined. This also makes the host parse shorter. Device parses see the bodies, and report the errors in them.
///
/// The host parse also compiles the tile kernels, which may call device functions. Once the source has included a
/// header of tile operations, all bodies are therefore instantiated. If bodies were skipped before that point, the
/// parse ends early, and the source must be parsed again with all bodies.
class DeviceBodies : public clang::SemaConsumer {
public:
  /// `lacksBodies` is set to true if the parse has ended early for this reason.
  DeviceBodies(clang::CompilerInstance &compiler, bool &lacksBodies) : compiler(compiler), lacksBodies(lacksBodies) {}

  void InitializeSema(clang::Sema &parsing) override { sema = &parsing; }
  void ForgetSema() override { sema = nullptr; }
  /// Clang calls this function if FrontendOptions::SkipFunctionBodies is set.
  bool shouldSkipFunctionBody(clang::Decl *decl) override;
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *function) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

private:
  bool mayHaveTileCode() const;
  void finish(clang::Decl *decl);

  clang::CompilerInstance &compiler;
  bool hasSkipped = false;
  bool &lacksBodies;
  clang::Sema *sema = nullptr;
  llvm::SmallVector<std::pair<clang::FunctionDecl *, clang::SourceLocation>> emptied; ///< and first use
};

} // namespace tilecc

#endif // TILECC_FRONTEND_DEVICEBODIES_H
