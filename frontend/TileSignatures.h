//===- TileSignatures.h - what the AST says of functions and their parameters ------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_TILESIGNATURES_H
#define TILECC_FRONTEND_TILESIGNATURES_H

#include "frontend/Signature.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace tilecc {

/// Of tt::builtin.
bool isBuiltin(const clang::FunctionDecl *function);
BuiltinSignature getBuiltin(const clang::ASTContext &context, const clang::FunctionDecl *function);

/// All but their symbols.
KernelSignature getKernel(const clang::ASTContext &context, const clang::FunctionDecl *function);
TileFunctionSignature getTileFunction(const clang::ASTContext &context, const clang::FunctionDecl *function);

/// Where something is declared.
Place getPlace(const clang::ASTContext &context, const clang::Decl *decl);

} // namespace tilecc

#endif // TILECC_FRONTEND_TILESIGNATURES_H
