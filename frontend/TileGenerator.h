//===- TileGenerator.h - generates code for everything that kernels reach ----------------------------------*- C++ -*-//
//
// This is the second code generator of a parse (Frontend.h). Its output is raised to TTIR.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEGENERATOR_H
#define TILECC_FRONTEND_TILEGENERATOR_H

#include "frontend/Signature.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// While Sema runs, records declarations that kernels may use; afterwards, generates code for them.
class TileGenerator : public clang::ASTConsumer {
public:
  /// `isRelocatable` is true if functions that are only declared may be defined in another source.
  TileGenerator(clang::CompilerInstance &compiler, bool isRelocatable)
      : compiler(compiler), isRelocatable(isRelocatable) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override;

  /// Returns the kernels that this translation unit must provide. Instantiations that only other kernels use (tt::call)
  /// have no stub in host code and cannot be launched, so they are not among them.
  llvm::ArrayRef<clang::FunctionDecl *> findKernels(clang::ASTContext &context,
                                                    llvm::function_ref<bool(const clang::FunctionDecl *)> canLaunch);

  /// Generates the code. Must be called once, after host code generation.
  TileModule generate(clang::ASTContext &context);
  /// Returns the functions for which generate() has made code.
  llvm::ArrayRef<const clang::FunctionDecl *> getGenerated() const { return generated; }

private:
  void record(clang::Decl *decl);

  clang::CompilerInstance &compiler;
  bool isRelocatable;
  std::vector<clang::Decl *> topLevel; ///< declarations, taken out of their namespaces
  std::vector<clang::FunctionDecl *> inlineFunctions;
  std::vector<clang::FunctionDecl *> kernels;
  std::vector<const clang::FunctionDecl *> generated;
  std::vector<clang::VarDecl *> constants; ///< referenced constexpr variables at namespace or class scope
};

/// Returns the annotation that represents an attribute such as [[tt::num_warps(N)]], or null if the declaration has no
/// annotation of that name.
const clang::AnnotateAttr *findAnnotation(const clang::Decl *decl, llvm::StringRef name);

/// Returns the value of the argument of an annotation, after template instantiation.
int64_t getAnnotationValue(const clang::AnnotateAttr *attr, const clang::ASTContext &context);

inline constexpr llvm::StringLiteral kernelAnnotation = "tt.kernel";
inline constexpr llvm::StringLiteral tileAnnotation = "tt.tile";
inline constexpr llvm::StringLiteral threadAnnotation = "tt.thread"; ///< on SIMT code that tile kernels call

} // namespace tilecc

#endif // TILECC_FRONTEND_TILEGENERATOR_H
