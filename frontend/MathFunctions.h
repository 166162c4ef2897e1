//===- MathFunctions.h - marks the C library's math functions for kernels ----------------------------------*- C++ -*-//
//
// Clang treats double sin(double) of the C library as a host function, but std::sin(float) as constexpr, so a kernel
// could call only some of the overloads. This class marks the C functions as __host__ __device__.
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
