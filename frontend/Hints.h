//===- Hints.h - [[cutile::hint(arch, key=value)]] -------------------------------------------------------*- C++ -*-//
//
// NVIDIA's tile language has hints to the compiler, which can be on kernels and statements. compile/KernelOptions.h
// describes those that have an effect; hints with other keys are ignored.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_HINTS_H
#define TILECC_FRONTEND_HINTS_H

#include "compile/Kernel.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

namespace tilecc {

/// Registers the attribute [[cutile::hint]] with Clang.
void registerHints();

/// Decodes the hint in an annotation of a kernel. Returns nothing if it has no effect.
std::optional<TargetHint> readHint(const clang::AnnotateAttr *attr, const clang::ASTContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_HINTS_H
