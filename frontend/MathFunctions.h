//===- MathFunctions.h - the C library's functions of numbers, for kernels -------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_MATHFUNCTIONS_H
#define TILECC_FRONTEND_MATHFUNCTIONS_H

#include "clang/AST/ASTConsumer.h"

namespace tilecc {

/// Lets kernels call those functions of <math.h> that the raise has operations for (raise/Intrinsics.cpp), as they are
/// declared. Comes before what generates code.
class MathFunctions : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_MATHFUNCTIONS_H
