//===- Hints.h - [[cutile::hint(arch, key=value)]] -------------------------------------------------------*- C++ -*-//
//
// Hints of NVIDIA's tile language to the compiler, on kernels and statements. compile/Kernel.h describes their effect;
// unknown keys are ignored.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_HINTS_H
#define TILECC_FRONTEND_HINTS_H

#include "compile/Kernel.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

namespace tilecc {

/// Registers the attribute with Clang.
void registerHints();

/// Decodes the hint in an annotation of a kernel.
std::optional<TargetHint> readHint(const clang::AnnotateAttr *attr, const clang::ASTContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_HINTS_H
