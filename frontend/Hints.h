//===- Hints.h - [[cutile::hint(arch, key=value)]] -------------------------------------------------------*- C++ -*-//
//
// NVIDIA's advice to a tile compiler, on kernels and their statements. What it is worth stands in compile/Kernel.h; all other
// keys are read and forgotten.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_HINTS_H
#define TILECC_FRONTEND_HINTS_H

#include "compile/Kernel.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

namespace tilecc {

/// Makes Clang know the attribute.
void registerHints();

/// The hint that an annotation of a kernel stands for.
std::optional<TargetHint> readHint(const clang::AnnotateAttr *attr, const clang::ASTContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_HINTS_H
