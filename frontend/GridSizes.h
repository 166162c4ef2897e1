//===- GridSizes.h - dim3{tt::cdiv(n, 64), 2} ---------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_GRIDSIZES_H
#define TILECC_FRONTEND_GRIDSIZES_H

#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

/// Has `compiler` take integers of every type between the braces of a dim3. To be called before it parses.
void allowIntegersInGrids(clang::CompilerInstance &compiler);

} // namespace tilecc

#endif // TILECC_FRONTEND_GRIDSIZES_H
