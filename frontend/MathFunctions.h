//===- MathFunctions.h - marks the C library's math functions for kernels ----------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_MATHFUNCTIONS_H
#define TILECC_FRONTEND_MATHFUNCTIONS_H

#include "clang/AST/ASTConsumer.h"

namespace tilecc {

/// Makes the functions of <math.h> that the raise supports (raise/Intrinsics.cpp) callable from kernels. Must precede
/// the consumers that generate code.
class MathFunctions : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_MATHFUNCTIONS_H
