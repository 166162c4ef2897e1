//===- TileSignatures.h - reads the signatures of functions from the AST -----------------------------------*- C++ -*-//
//
// Creates the structs of Signature.h from Clang's AST.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILESIGNATURES_H
#define TILECC_FRONTEND_TILESIGNATURES_H

#include "frontend/Signature.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace tilecc {

/// Returns the type of a value as tile operations see it.
ValueType getValueType(const clang::ASTContext &context, clang::QualType type);

/// Returns true for functions in the namespace tt::builtin.
bool isBuiltin(const clang::FunctionDecl *function);
BuiltinSignature getBuiltin(const clang::ASTContext &context, const clang::FunctionDecl *function);

/// Return signatures with all members set, except the symbols.
KernelSignature getKernel(const clang::ASTContext &context, const clang::FunctionDecl *function);
TileFunctionSignature getTileFunction(const clang::ASTContext &context, const clang::FunctionDecl *function);

/// Returns the location of a declaration.
Place getPlace(const clang::ASTContext &context, const clang::Decl *decl);

} // namespace tilecc

#endif // TILECC_FRONTEND_TILESIGNATURES_H
