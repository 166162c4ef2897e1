//===- MathFunctions.h - marks the C library's math functions for kernels ----------------------------------*- C++ -*-//
//
// Kernels may call the functions of <math.h> like any C++ code, for which they need CUDA's attributes.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_MATHFUNCTIONS_H
#define TILECC_FRONTEND_MATHFUNCTIONS_H

#include "clang/AST/ASTConsumer.h"

namespace tilecc {

/// Makes the functions of <math.h> that kernels can use (raise/Intrinsics.cpp) callable from kernels. Must come before
/// the consumers that generate code.
class MathFunctions : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_MATHFUNCTIONS_H
