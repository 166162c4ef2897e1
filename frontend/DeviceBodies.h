//===- DeviceBodies.h - omits function bodies that the host parse does not need ----------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_DEVICEBODIES_H
#define TILECC_FRONTEND_DEVICEBODIES_H

#include "clang/Sema/SemaConsumer.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
}

namespace tilecc {

/// Leaves the bodies of SIMT kernels and device functions empty in the host parse: it skips those that are written and
/// does not instantiate those of templates. As with nvcc, a body may therefore be valid only where __CUDA_ARCH__ is
/// defined. The host parse is also shorter. Device parses see the bodies and report their errors.
///
/// The host parse also compiles the tile kernels, which may call device functions. Once the source has included a
/// header of tile operations, all bodies are instantiated. If bodies were skipped before that point, the parse ends
/// early, and the source must be parsed again with all bodies.
class DeviceBodies : public clang::SemaConsumer {
public:
  /// `lacksBodies` is set if the parse has ended early.
  DeviceBodies(clang::CompilerInstance &compiler, bool &lacksBodies) : compiler(compiler), lacksBodies(lacksBodies) {}

  void InitializeSema(clang::Sema &parsing) override { sema = &parsing; }
  void ForgetSema() override { sema = nullptr; }
  /// Called if FrontendOptions::SkipFunctionBodies is set.
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
